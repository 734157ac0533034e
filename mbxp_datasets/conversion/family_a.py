"""What the release's first converter did: Java, JavaScript, Kotlin, Ruby, PHP, Perl, Scala,
Swift and, in part, C++. It parsed the asserts as text, line by line."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import ClassVar

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.problem import Case, PythonProblem, TypedProblem, UnconvertibleError
from mbxp_datasets.conversion.targets.base import Target
from mbxp_datasets.conversion.types import (
    ANY,
    BIG,
    EMPTY,
    FLOAT,
    INT,
    LONG,
    NONE,
    DictOf,
    ListOf,
    Optional,
    Scalar,
    SetOf,
    Type,
    optional,
    type_of,
)
from mbxp_datasets.conversion.values import (
    SetValue,
    UnsupportedValueError,
    Value,
    children,
    rebuilt,
    value_of,
    walk,
)

NUMBER = Scalar("number")
"""Ints and floats together, or ints with one beyond 64 bits."""

_NUMBERS = {INT, LONG, BIG, FLOAT, NUMBER}


class FamilyA(Target):
    """A mixin for the release style; put it before the target it belongs to."""

    conversion = "a"
    expert: ClassVar[bool] = False
    """A first line "You are an expert … programmer, and here is your task."."""
    replaced_functions: ClassVar[Mapping[str, str]] = {}
    """Function names that were replaced by hand."""
    replaced_parameters: ClassVar[Mapping[str, str]] = {"char": "ch"}
    """The same for parameters; all other reserved words pass through."""
    prose_name: ClassVar[str | None] = None
    """The language's name in prose where it is not the title."""
    none_in_prose: ClassVar[str] = "null"
    """What stands for the word "none" in a description."""
    string_escapes: ClassVar[tuple[tuple[str, str], ...]] = (
        # The first as PHP needs it, the others to keep comments whole; in every string, and
        # of every language, needed or not.
        ("$", "\\$"),
        ("/*", "\\/*"),
        ("*/", "*\\/"),
        ("//", "\\/\\/"),
    )

    # ---- names: lowered first; words reserved in the language are mostly left as they are

    def rename(self, name: str) -> str:
        """A function's or parameter's name before the replacements."""
        return names.camel(name)

    def rename_parameter(self, name: str) -> str:
        return self.rename(name)

    def function_name(self, entry_point: str) -> str:
        found = self.rename(entry_point)
        return self.replaced_functions.get(found, found)

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        found = [self.rename_parameter(name) for name in parameters]
        return [self.replaced_parameters.get(name, name) for name in found]

    # ---- cases

    def typed(self, problem: PythonProblem, cases: tuple[Case, ...]) -> TypedProblem:
        kept = tuple(map(_as_read, filter(_seen, cases)))
        for case in kept:
            if any(_is_set_of_nested(part) for part in walk([*case.arguments, case.expected])):
                reason = "a set of tuples of tuples, which became lists of lists"
                raise UnconvertibleError(problem.task_id, reason, case.line)
        return super().typed(problem, kept)

    # ---- types

    def infer(self, values: list[Value]) -> Type:
        return reduce(self.unify, map(self.type_of, values))

    def type_of(self, value: Value) -> Type:
        """The type of one value; items are unified by this family's rules."""
        match value:
            case list() | tuple():
                return ListOf(self._all(value))
            case SetValue(items=items):
                return SetOf(self._all(items))
            case dict():
                return DictOf(self._all(list(value)), self._all(list(value.values())))
        return type_of(value)

    def _all(self, values: list[Value] | tuple[Value, ...]) -> Type:
        return reduce(self.unify, map(self.type_of, values)) if values else EMPTY

    def unify(self, left: Type, right: Type) -> Type:
        """One type for both: an empty container has items of any type beside another."""
        if left == right:
            return left
        if EMPTY in (left, right) or ANY in (left, right):
            return ANY
        match left, right:
            case (Optional(of=inner), other) | (other, Optional(of=inner)):
                plain = other.of if isinstance(other, Optional) else other
                return optional(inner if plain == NONE else self.unify(inner, plain))
            case (Scalar("none"), other) | (other, Scalar("none")):
                return optional(other)
        if left in _NUMBERS and right in _NUMBERS:
            return LONG if {left, right} == {INT, LONG} else NUMBER
        match left, right:
            case ListOf(), ListOf():
                return ListOf(self.unify(left.item, right.item))
            case SetOf(), SetOf():
                return SetOf(self.unify(left.item, right.item))
            case DictOf(), DictOf():
                return DictOf(self.unify(left.key, right.key), self.unify(left.value, right.value))
        return ANY

    # ---- literals

    def floating(self, value: float) -> str:
        return repr(value)

    def integer(self, value: int, found: Type) -> str:
        return str(value)

    def escaped(self, text: str) -> str:
        """A string's content; the same escapes in raw strings, where they are wrong."""
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        text = re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\x{ord(match[0]):02x}", text)
        for old, new in self.string_escapes:
            text = text.replace(old, new)
        return text

    def string(self, value: str) -> str:
        return f'"{self.escaped(value)}"'

    # ---- prose

    def prose(self, text: str) -> str:
        name = self.prose_name or self.title
        return re.sub(r"\bpython\b", lambda _: name, text, flags=re.IGNORECASE)

    def description(self, typed: TypedProblem) -> str:
        """The row's description field."""
        problem = typed.problem
        if problem.doctest_cases:
            return self._none(self.prose(_first_paragraph(problem.docstring)))
        text = problem.docstring.strip()
        return self._none_returned(self.prose(text))

    def mathqa_text(self, problem: PythonProblem) -> str:
        """The docstring of a MathQA problem, which has the language as the rows name it."""
        text = problem.docstring.strip()
        return re.sub(r"\bpython\b", self.language, text, flags=re.IGNORECASE)

    def _none(self, text: str) -> str:
        return re.sub(r"\bnone\b", lambda _: self.none_in_prose, text, flags=re.IGNORECASE)

    def _none_returned(self, text: str) -> str:
        word = self.none_in_prose
        return re.sub(r"\b([Rr]eturn) None\b", lambda match: f"{match[1]} {word}", text)

    def doc_comment(self, typed: TypedProblem) -> str:
        prefix = self.comment[1]
        expert = f"{prefix}You are an expert {self.title} programmer, and here is your task."
        return self.framed([*([expert] if self.expert else []), *self._doc_body(typed, prefix)])

    def _doc_body(self, typed: TypedProblem, prefix: str) -> list[str]:
        problem = typed.problem
        if not problem.doctest_cases:
            # Only lines indented by four spaces get a mark; others stay as they are.
            text = self._none_returned(self.prose(problem.docstring))
            return (prefix + text.replace("\n    ", "\n" + prefix).strip()).split("\n")
        # The mark is doubled, since the raw docstring starts with a line of its own.
        lines = [prefix + prefix.strip() + " " + self.description(typed), prefix.rstrip()]
        call_mark, result_mark = self.prompt_marks
        for case in typed.cases:
            lines.append(prefix + call_mark + self.shown_call(typed, case))
            lines.append(prefix + result_mark + self.shown_result(typed, case))
        return lines

    def shown_result(self, typed: TypedProblem, case: Case) -> str:
        """The expected value in an example; `== 1, 2` prints without a space."""
        if isinstance(case.expected, tuple) and _message(case) is not None:
            items = [self.shown(item, self.type_of(item)) for item in case.expected]
            return f"[{','.join(items)}]"
        return self.shown(case.expected, typed.returns)


def _is_set_of_nested(value: Value) -> bool:
    tuples = [item for item in children(value) if isinstance(item, tuple)]
    nested = any(isinstance(part, tuple) for item in tuples for part in item)
    return isinstance(value, SetValue) and nested


def _seen(case: Case) -> bool:
    """Whether the text parser found the assert at all."""
    node = _assert(case)
    if node is None or not isinstance(node.test, ast.Compare):
        return True
    call = ast.get_source_segment(case.source, node.test.left) or ""
    after = case.source[case.source.index(call) + len(call) :]
    spaced = re.match(r"(?:\w+\()?\w+\s+\(", call) or re.match(r"\)*\s{2,}==", after)
    return not spaced and "\n" not in call


def _as_read(case: Case) -> Case:
    """The case with sets in CPython's order, and `== 1, 2` as a tuple.

    To Python the 2 is the assert's message.
    """
    expected = case.expected
    message = _message(case)
    if message is not None:
        expected = (expected, message)
    arguments = tuple(_in_cpython_order(value) for value in case.arguments)
    return replace(case, arguments=arguments, expected=_in_cpython_order(expected))


def _in_cpython_order(value: Value) -> Value:
    if not isinstance(value, SetValue):
        return rebuilt(value, _in_cpython_order)
    if any(isinstance(part, str) for part in walk(value)):
        return value  # another order in every process; the official one cannot be had either
    found: set[Value] = set()
    for item in value.items:  # one at a time: the order depends on it
        found.add(item)
    return SetValue(tuple(found))


def _message(case: Case) -> Value | None:
    node = _assert(case)
    if node is None or node.msg is None or not isinstance(node.test, ast.Compare):
        return None
    try:
        found = value_of(node.msg)
    except UnsupportedValueError:
        return None
    return None if isinstance(found, str) else found


def _assert(case: Case) -> ast.Assert | None:
    node = ast.parse(case.source).body[0] if case.source else None
    return node if isinstance(node, ast.Assert) else None


def _first_paragraph(docstring: str) -> str:
    return docstring.strip().partition("\n")[0].strip()
