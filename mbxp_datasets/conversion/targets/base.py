"""What every target language shares: a problem in the neutral form becomes prompt and test.

A target is a subclass: tables first, a few methods last. The class itself is the `strict`
style. The `release` style is a second class that mixes in `release.FamilyA` or `FamilyB` and
adds that language's quirks.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from mbxp_datasets.conversion import docstrings, names
from mbxp_datasets.conversion.problem import Case, Parameter, PythonProblem, TypedProblem
from mbxp_datasets.conversion.types import (
    ANY,
    EMPTY,
    DictOf,
    ListOf,
    Optional,
    Scalar,
    SetOf,
    Type,
    type_of_all,
)
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value

RELATIVE_TOLERANCE = 1e-6
ABSOLUTE_TOLERANCE = 1e-9
"""Two floats are equal within the larger of both, or what the Python test itself allows."""


class Target(ABC):
    """One target language in the strict style."""

    conversion: ClassVar[str] = "strict"
    """Which errata apply."""
    language: ClassVar[str]
    title: ClassVar[str]
    """Its name in prose."""
    comment: ClassVar[tuple[str, str, str]]
    """The doc comment: opening line, what each line starts with, closing line ("" for none)."""
    comment_escapes: ClassVar[Mapping[str, str]] = {"*/": "* /"}
    """Texts that would end or break the doc comment, and what stands for them."""
    prompt_marks: ClassVar[tuple[str, str]] = (">>> ", "")
    """What an example's call and its result start with."""
    words: ClassVar[Mapping[str, str]]
    """None, True and False in the language; used in prose, in examples and as literals."""
    scalars: ClassVar[Mapping[str, str]] = {}
    """Type names by `Scalar.name`, for languages that declare types."""
    containers: ClassVar[Mapping[str, str]] = {}
    """Type names with `{item}` or `{key}` and `{value}`: list, set, dict; optional `{of}`."""
    reserved: ClassVar[frozenset[str]] = frozenset()
    """Words that can be neither a function's nor a parameter's name."""

    # ---- names

    def function_name(self, entry_point: str) -> str:
        return names.distinct([names.camel(entry_point)], self.reserved)[0]

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return names.distinct([names.camel(name) for name in parameters], self.reserved)

    # ---- types

    def infer(self, values: list[Value]) -> Type:
        """The type of one parameter, or of the result, over all cases."""
        return type_of_all(values)

    def type_name(self, found: Type) -> str:
        """How the language writes a type."""
        match found:
            case Scalar(name=name):
                return self.scalars[name]
            case ListOf(item=item):
                return self.containers["list"].format(item=self.type_name(item))
            case SetOf(item=item):
                return self.containers["set"].format(item=self.type_name(item))
            case DictOf(key=key, value=value):
                return self.containers["dict"].format(
                    key=self.type_name(key), value=self.type_name(value)
                )
            case Optional(of=inner):
                return self.containers["optional"].format(of=self.type_name(inner))
        raise TypeError(f"not a type: {found!r}")

    # ---- literals

    def literal(self, value: Value, found: Type) -> str:
        """An expression that denotes the value where `found` is declared.

        Raises:
            UnsupportedValueError: the language cannot hold the value.
        """
        if isinstance(found, Optional) and value is not None:
            return self.some(value, found.of)
        match value:
            case None:
                return self.words["None"]
            case bool():
                return self.boolean(value)
            case int():
                return self.integer(value, found)
            case float():
                return self.floating(value)
            case str():
                return self.string(value)
            case list() | tuple():
                return self.list_literal(value, found)
            case SetValue():
                return self.set_literal(value.items, found)
            case dict():
                return self.dict_literal(value, found)
        raise UnsupportedValueError(f"no value: {value!r}")

    def some(self, value: Value, inner: Type) -> str:
        """A value that could be None."""
        return self.literal(value, inner)

    def boolean(self, value: bool) -> str:
        return self.words[str(value)]

    def integer(self, value: int, found: Type) -> str:
        """An int; `found` may be INT, LONG, BIG, FLOAT (widen it, exactly) or ANY."""
        return str(value)

    @abstractmethod
    def floating(self, value: float) -> str:
        """A float, infinities and nan too."""

    @abstractmethod
    def string(self, value: str) -> str: ...

    @abstractmethod
    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str: ...

    @abstractmethod
    def set_literal(self, items: tuple[Value, ...], found: Type) -> str: ...

    @abstractmethod
    def dict_literal(self, items: dict[Value, Value], found: Type) -> str: ...

    def literals(self, values: list[Value] | tuple[Value, ...], item: Type) -> str:
        """The literals joined by a comma and a space."""
        return ", ".join(self.literal(value, item) for value in values)

    def arguments(self, typed: TypedProblem, case: Case) -> list[str]:
        """The literals of a case's arguments."""
        pairs = zip(case.arguments, typed.parameters, strict=True)
        return [self.literal(value, parameter.type) for value, parameter in pairs]

    def declared_arguments(
        self, typed: TypedProblem, index: int, case: Case
    ) -> list[tuple[str, Type, str]]:
        """The variable, type and literal of each argument, for tests that declare them."""
        literals = self.arguments(typed, case)
        return [
            (f"arg{index}{place}", parameter.type, literal)
            for place, (parameter, literal) in enumerate(
                zip(typed.parameters, literals, strict=True)
            )
        ]

    # ---- prose

    def shown(self, value: Value, found: Type) -> str:
        """A value in an example of the docstring."""
        return self.literal(value, found)

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        """A call in an example of the docstring."""
        arguments = [
            self.shown(value, parameter.type)
            for value, parameter in zip(case.arguments, typed.parameters, strict=True)
        ]
        return f"{typed.function}({', '.join(arguments)})"

    def prose(self, text: str) -> str:
        """A text about Python as a text about this language."""
        text = re.sub(r"\bpython\b", lambda _: self.title, text, flags=re.IGNORECASE)
        return re.sub(
            r"(?<!['\"])\b(?:None|True|False)\b(?!['\"])",
            lambda match: self.words.get(match[0], match[0]),
            text,
        )

    def description(self, typed: TypedProblem) -> str:
        return self.prose(typed.problem.description)

    def doc_lines(self, typed: TypedProblem) -> list[str]:
        """The docstring's lines, without comment marks."""
        return docstrings.lines(self, typed)

    def doc_comment(self, typed: TypedProblem) -> str:
        """The docstring as a comment, ending in a newline."""
        lines = []
        for line in self.doc_lines(typed):
            for text, replacement in self.comment_escapes.items():
                line = line.replace(text, replacement)
            lines.append((self.comment[1] + line).rstrip())
        return self.framed(lines)

    def framed(self, lines: list[str]) -> str:
        """Lines with their marks between those that open and close a comment."""
        opening, _, closing = self.comment
        framed = [*([opening] if opening else []), *lines, *([closing] if closing else [])]
        return "\n".join(framed) + "\n"

    # ---- texts

    def call(self, typed: TypedProblem, case: Case) -> str:
        """The call of a case in the test."""
        return f"{typed.function}({', '.join(self.arguments(typed, case))})"

    def typed(self, problem: PythonProblem, cases: tuple[Case, ...]) -> TypedProblem:
        """The problem with names and types of this language.

        Raises:
            UnsupportedValueError: it has none for some value.
        """
        columns = list(zip(*(case.arguments for case in cases), strict=True))
        found = [self.infer(list(column)) for column in columns]
        parameters = self.parameter_names(problem.parameters)[: len(found)]
        return TypedProblem(
            problem,
            self.function_name(problem.entry_point),
            tuple(map(Parameter, parameters, found)),
            self.infer([case.expected for case in cases]),
            cases,
        )

    @abstractmethod
    def prompt(self, typed: TypedProblem) -> str:
        """Everything before the completion."""

    @abstractmethod
    def test(self, typed: TypedProblem) -> str:
        """Everything after the completion."""

    def canonical_solution(self, problem: PythonProblem) -> str | None:
        """The reference solution in this language, if it comes with the Python one."""
        return None

    @property
    @abstractmethod
    def stub(self) -> str:
        """A completion that compiles after any prompt and fails when it is called."""


def item_type(found: Type) -> Type:
    """The type of a list's or a set's items where `found` is declared: `ANY` inside `ANY`."""
    if isinstance(found, ListOf | SetOf):
        return ANY if found.item == EMPTY else found.item
    return ANY


def entry_types(found: Type) -> tuple[Type, Type]:
    """The types of a dict's keys and values where `found` is declared."""
    if isinstance(found, DictOf):
        return (
            ANY if found.key == EMPTY else found.key,
            ANY if found.value == EMPTY else found.value,
        )
    return ANY, ANY


_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped_with_braces(text: str) -> str:
    """The inside of a literal in quotes where a code point is written as in `\\u{e9}`."""
    return "".join(
        _ESCAPED.get(char) or (char if char.isprintable() else f"\\u{{{ord(char):x}}}")
        for char in text
    )


def names_value(text: str) -> bool:
    """Whether a text needs the type `Value`, of targets that have one for values of any type."""
    return re.search(r"\bValue\b", text) is not None


def tolerance(case: Case) -> float:
    """The absolute tolerance for one case's floats."""
    return ABSOLUTE_TOLERANCE if case.tolerance is None else case.tolerance


def widened(value: int) -> float:
    """An int as the float of the same value.

    Raises:
        UnsupportedValueError: there is none.
    """
    try:
        if float(value) == value:
            return float(value)
    except OverflowError:
        pass
    raise UnsupportedValueError(f"{value} beside floats, none of which equals it")
