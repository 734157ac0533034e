"""Any value, rendered in a language and printed by a real program, comes back the same.

`echo/<language>.py` builds one program for all values; each prints one line of JSON, with
floats, sets and dicts tagged. Its `LOSSY` names what the language itself cannot tell apart:
`numbers` (1 and 1.0), `keys` (the keys 1 and "1"), `bools` (true and 1), `set` (a set and a
list) and `arrays` (a list and a dict of its places).
"""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mbxp_datasets.conversion.targets import TARGETS
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import (
    ANY,
    FLOAT,
    DictOf,
    ListOf,
    Optional,
    SetOf,
    Type,
    type_of,
)
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value, make_set
from mbxp_metric.execution import Executor, Job, Settings, ToolchainMissing
from mbxp_metric.execution.program import Program
from tests.datasets.conversion import echo

LANGUAGES = sorted(module.name for module in pkgutil.iter_modules(echo.__path__))
SETTINGS = Settings(timeout=20.0, compile_timeout=400.0, workers=1, output_bytes=4_000_000)

TEXTS = [
    "",
    "a\"b'c`d",
    "back\\slash \\n \\u0041",
    "tab\tline\nreturn\rnul\0bell\x07esc\x1b1 del\x7f",
    "$x ${x} #{x} @x %d {x} \\$x",
    "// /* */ *// <?php ?> --> ''' \"\"\"",
    "é ß \u2028\u2029 \ufeff 漢字 😀 \x85\xa0",
    "\\",
    "=begin\n__END__",
]
NUMBERS = [0, -1, 2**31 - 1, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 10**40]
FLOATS = [0.0, -0.0, 0.1, 1.0, -2.5, 1e300, 5e-324, 1e22, 123456789.123456789, math.inf, -math.inf]
FIXED: list[Value] = [
    *TEXTS,
    *NUMBERS,
    *FLOATS,
    math.nan,
    True,
    False,
    None,
    [],
    {},
    SetValue(()),
    [TEXTS, []],
    [1, 2**40],
    [1, 2**70],
    [1, None, 2.5],
    [None, "x"],
    [[None]],
    [True, 1, "1", 1.5, None, [], {"a": []}],
    ("a", 1),
    {"k": [1.5, 2], "$": []},
    {1: "a", -5: "b"},
    {"a": {"b": {"c": None}}},
    {"x": 1, "y": "z"},
    SetValue((3, 1, 2)),
    SetValue(("a", "$b")),
    [SetValue((1,)), SetValue(())],
    {(1, 2): "t"},
    [[[]], [[1]]],
]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(TEXTS),
)
KEYS = st.one_of(
    st.lists(st.integers(-100, 100), max_size=4), st.lists(st.text(max_size=5), max_size=4)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        KEYS.map(make_set),
        st.builds(lambda keys, item: dict.fromkeys(keys, item), KEYS, inner),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("language", LANGUAGES)
@given(drawn=st.lists(VALUES, min_size=40, max_size=60))
@settings(
    max_examples=2,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_a_value_comes_back_from_a_real_program(language: str, drawn: list[Value]) -> None:
    module = importlib.import_module(f"{echo.__name__}.{language}")
    lossy: frozenset[str] = getattr(module, "LOSSY", frozenset())
    supported = [
        pair
        for pair in ((value, type_of(value)) for value in [*FIXED, *drawn])
        if _supported(language, *pair)
    ]
    assert len(supported) > 30
    for (value, found), line in zip(supported, _lines(language, module, supported), strict=True):
        answer = json.loads(line)
        # Without declared types a value is what it is, whatever else the position holds.
        declared = ANY if isinstance(TARGETS[language], Script) else found
        assert _agrees(value, declared, answer, lossy), f"{value!r} came back as {line}"


def _supported(language: str, value: Value, found: Type) -> bool:
    try:
        TARGETS[language].literal(value, found)
    except UnsupportedValueError:
        return False
    return True


def _lines(language: str, module: Any, values: list[tuple[Value, Type]]) -> list[str]:
    program = Program(language, "", module.program(values), "echo")
    try:
        with Executor(SETTINGS) as executor:
            (result,) = executor.execute([Job(0, f"{language}/0", 0, program)])
    except ToolchainMissing as error:
        pytest.skip(str(error))
    assert result.stage == "run", result.stderr[-2000:]
    assert not result.stdout_truncated
    assert result.exit_code == 0, result.stderr[-2000:]
    return result.stdout.removesuffix("\n").split("\n")


def _agrees(value: Value, found: Type, answer: Any, lossy: frozenset[str]) -> bool:
    if isinstance(found, Optional) and value is not None:
        found = found.of
    match value:
        case list() | tuple():
            item = found.item if isinstance(found, ListOf) else ANY
            return isinstance(answer, list) and _all(value, item, answer, lossy)
        case SetValue(items=items):
            item = found.item if isinstance(found, SetOf) else ANY
            if "set" in lossy and isinstance(answer, list):
                answer = {"s": answer}
            if "keys" in lossy and isinstance(answer, dict) and "d" in answer:
                item, answer = ANY, {"s": [key for key, _ in answer["d"]]}
                items = tuple(map(str, items))
            if not (isinstance(answer, dict) and len(answer.get("s", "")) == len(items)):
                return False
            return all(any(_agrees(one, item, a, lossy) for a in answer["s"]) for one in items)
        case dict():
            key, item = (found.key, found.value) if isinstance(found, DictOf) else (ANY, ANY)
            if "arrays" in lossy and isinstance(answer, list):
                answer = {"d": [*enumerate(answer)]}
            if not (isinstance(answer, dict) and len(answer.get("d", "")) == len(value)):
                return False
            return all(
                any(
                    (_agrees(k, key, a, lossy) or ("keys" in lossy and str(k) == a))
                    and _agrees(v, item, b, lossy)
                    for a, b in answer["d"]
                )
                for k, v in value.items()
            )
    return _same_scalar(value, found, answer, lossy)


def _all(values: Any, item: Type, answers: list[Any], lossy: frozenset[str]) -> bool:
    return len(values) == len(answers) and all(
        _agrees(value, item, answer, lossy) for value, answer in zip(values, answers, strict=True)
    )


def _same_scalar(value: Value, found: Type, answer: Any, lossy: frozenset[str]) -> bool:
    if isinstance(answer, dict):
        answer = float(answer["f"])
    if "bools" in lossy and isinstance(value, bool):
        return type(answer) is int and answer == value
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and not isinstance(answer, bool)
    ):
        if not isinstance(answer, int | float):
            return False
        kinds_matter = "numbers" not in lossy
        wanted: Value = float(value) if found == FLOAT else value
        if isinstance(wanted, float) and math.isnan(wanted):
            return math.isnan(answer)
        signs = not isinstance(wanted, float) or math.copysign(1, wanted) == math.copysign(
            1, answer
        )
        return wanted == answer and (not kinds_matter or (type(wanted) is type(answer) and signs))
    return type(value) is type(answer) and bool(value == answer)
