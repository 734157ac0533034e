"""What the release's second converter did: TypeScript, C# and Go. It ran the reference solution
and recorded what that returned; types are inferred one level deep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import ClassVar

from mbxp_datasets.conversion.family_a import NUMBER
from mbxp_datasets.conversion.problem import Case, PythonProblem, TypedProblem
from mbxp_datasets.conversion.python_text import sides
from mbxp_datasets.conversion.targets.base import Target
from mbxp_datasets.conversion.types import (
    ANY,
    EMPTY,
    FLOAT,
    INT,
    NONE,
    DictOf,
    ListOf,
    SetOf,
    Type,
)
from mbxp_datasets.conversion.types import type_of as scalar_type
from mbxp_datasets.conversion.values import SetValue, Value

_NUMBERS = {INT, FLOAT, NUMBER}


class FamilyB(Target):
    """A mixin for the release style; put it before the target it belongs to."""

    conversion = "b"

    prose_name: ClassVar[str]
    """What stands for "python" in a description."""
    none_in_prose: ClassVar[str]
    """What stands for the word "none" there."""
    expert: ClassVar[str]
    """The language's name in the first line of a docstring that is passed through."""
    heading: ClassVar[tuple[str, ...]] = ()
    """Lines before the description."""
    before_examples: ClassVar[tuple[str, ...]] = ("", "Examples:")
    replaced_parameters: ClassVar[Mapping[str, str]] = {"string": "string0"}
    """Parameters that were replaced by hand; all other reserved words pass through."""

    # ---- names

    def rename(self, name: str) -> str:
        """A function's name: most languages keep Python's."""
        return name

    def function_name(self, entry_point: str) -> str:
        return self.rename(entry_point)

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return [self.replaced_parameters.get(name, name) for name in parameters]

    # ---- types

    def infer(self, values: list[Value]) -> Type:
        return reduce(_unify, map(_type_of, values))

    # ---- literals

    def integer(self, value: int, found: Type) -> str:
        return str(value)

    def floating(self, value: float) -> str:
        return repr(value)

    def string(self, value: str) -> str:
        # All other control characters, NUL too, stay as they are.
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def call(self, typed: TypedProblem, case: Case) -> str:
        """The call of a case in the test."""
        return f"{typed.function}({','.join(self.arguments(typed, case))})"

    # ---- prose

    def description(self, typed: TypedProblem) -> str:
        problem = typed.problem
        if not problem.doctest_cases:
            return "\n".join(_passed_through(problem))
        text = re.sub(r"^(?:\[link text\]\S*(?: \[link text\]\S*)*\)|#+ )", "", problem.description)
        text = re.sub(r"\bpython\b", lambda _: self.prose_name, text, flags=re.IGNORECASE)
        return re.sub(r"\bnone\b", lambda _: self.none_in_prose, text, flags=re.IGNORECASE)

    def doc_lines(self, typed: TypedProblem) -> list[str]:
        problem = typed.problem
        if not problem.doctest_cases:
            expert = f"You're an expert {self.expert} programmer"
            return [expert, *_passed_through(problem)]
        found = [*self.heading, self.description(typed), *self.before_examples]
        for case in typed.cases:
            found += [f">>> {side}" for side in _sides(case, typed.function)]
        return found

    def doc_comment(self, typed: TypedProblem) -> str:
        # Nothing is escaped and blank lines keep the mark's space.
        return self.framed([self.comment[1] + line for line in self.doc_lines(typed)])


def _passed_through(problem: PythonProblem) -> list[str]:
    """The docstring's lines without their indentation."""
    # A docstring that opens with a fourth quote was lost.
    text = "" if problem.docstring.startswith('"') else problem.docstring
    return [line.lstrip() for line in text.split("\n")]


def _sides(case: Case, function: str) -> tuple[str, str]:
    """The call and the expected value as the assert has them."""
    call, expected = sides(case.source) or (case.source.removeprefix("assert "), "True")
    return re.sub(r"\bcandidate\b", function, call), expected


def _type_of(value: Value) -> Type:
    match value:
        case list() | tuple():
            return ListOf(_flat(value))
        case SetValue(items=items):
            return SetOf(_flat(items))
        case dict():
            return DictOf(_flat(value), _flat(value.values()))
        case int() if not isinstance(value, bool):
            return INT  # of any size
    return scalar_type(value)


def _flat(values: Iterable[Value]) -> Type:
    """The type of a container's items, which have to be the same: no unifying inside them."""
    empty: Type = EMPTY
    return reduce(_either, map(_type_of, values), empty)


def _either(left: Type, right: Type) -> Type:
    if left == right or _is_empty(right):
        return left
    if _is_empty(left):
        return right
    match left, right:
        case ListOf(item=one), ListOf(item=other) if {one, other} & {ANY, NONE}:
            return ListOf(ANY)
    return NUMBER if {left, right} <= _NUMBERS else ANY


def _is_empty(found: Type) -> bool:
    return found == EMPTY or (isinstance(found, ListOf) and found.item == EMPTY)


def _unify(left: Type, right: Type) -> Type:
    """One type for two cases' values: the items' types may differ, but nothing deeper."""
    match left, right:
        case ListOf(), ListOf():
            return ListOf(_either(left.item, right.item))
        case SetOf(), SetOf():
            return SetOf(_either(left.item, right.item))
        case DictOf(), DictOf():
            return DictOf(_either(left.key, right.key), _either(left.value, right.value))
    if left == right:
        return left
    return NUMBER if {left, right} <= _NUMBERS else ANY
