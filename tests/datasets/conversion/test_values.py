"""Values and types: what is read from Python source, and the least type that holds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbxp_datasets.conversion.reference import source_of
from mbxp_datasets.conversion.types import (
    ANY,
    BIG,
    BOOL,
    EMPTY,
    FLOAT,
    INT,
    LONG,
    NONE,
    STR,
    DictOf,
    ListOf,
    Optional,
    SetOf,
    Type,
    type_of,
    type_of_all,
    unify,
)
from mbxp_datasets.conversion.values import (
    SetValue,
    UnsupportedValueError,
    Value,
    make_set,
    parse_value,
    same,
)

KEYS = st.one_of(st.integers(), st.text(max_size=5), st.booleans())
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(KEYS, max_size=4).map(make_set),
        st.dictionaries(KEYS, inner, max_size=4),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_read_from_its_source_is_the_same(value: Value) -> None:
    assert same(parse_value(source_of(value)), value)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("-3", -3),
        ("2.0/3.0", 2.0 / 3.0),
        ("10**20", 10**20),
        ("'ab' * 2 + 'c'", "ababc"),
        ("set()", SetValue(())),
        ("{3, 1, 2, 1}", SetValue((3, 1, 2))),
        ("float('-inf')", float("-inf")),
        ("not False", True),
        ("tuple([1, 2])", (1, 2)),
        ("  [1,\n 2]", [1, 2]),
    ],
)
def test_an_expression_of_literals_is_a_value(source: str, value: Value) -> None:
    assert same(parse_value(source), value)


@pytest.mark.parametrize(
    "source",
    [
        "1j",
        "x",
        "f(2)",
        "lambda: 1",
        "b'a'",
        "...",
        "{[1]: 2}",
        "9**9**9",
        "'a'*10**9",
        "1/0",
        "(",
        "'\\ud800'",
    ],
)
def test_what_is_no_value_is_refused_with_a_reason(source: str) -> None:
    with pytest.raises(UnsupportedValueError, match=r"\w"):
        parse_value(source)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], INT),
        ([1, 2**31], LONG),
        ([1, 2**63], BIG),
        ([1, 2.5], FLOAT),
        ([True, 1], ANY),
        ([None], NONE),
        ([None, 1], Optional(INT)),
        ([None, 1, 2.5], Optional(FLOAT)),
        ([[], [1]], ListOf(INT)),
        ([[], ()], ListOf(EMPTY)),
        ([(1, "a")], ListOf(ANY)),
        ([[1, None], [2**40]], ListOf(Optional(LONG))),
        ([{"a": 1}, {}, {"b": 2.5}], DictOf(STR, FLOAT)),
        ([SetValue((1,)), SetValue(())], SetOf(INT)),
        ([[1], {"a": 1}], ANY),
        ([True, None], Optional(BOOL)),
    ],
)
def test_one_type_holds_all_values(values: list[Value], expected: Type) -> None:
    assert type_of_all(values) == expected


@given(VALUES, VALUES)
def test_the_order_of_the_cases_does_not_matter(left: Value, right: Value) -> None:
    a, b = type_of(left), type_of(right)
    assert unify(a, b) == unify(b, a)
    assert unify(unify(a, b), a) == unify(a, b)
