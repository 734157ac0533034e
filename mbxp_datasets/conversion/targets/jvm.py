"""What Java, Kotlin and Scala share: escapes, number literals and the limits of class files."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from mbxp_datasets.conversion.problem import Case, TypedProblem
from mbxp_datasets.conversion.targets.base import Target, entry_types, item_type, widened
from mbxp_datasets.conversion.types import (
    BIG,
    FLOAT,
    INT32,
    INT64,
    LONG,
    Scalar,
    Type,
)
from mbxp_datasets.conversion.values import SetValue, Value

_CONSTANT_CHARACTERS = 10_000
"""Of one string constant: a class file holds 65,535 bytes, up to six a character."""
_METHOD_CHARACTERS = 6_000
"""Of the literals in one method: its code holds 65,535 bytes, some ten an item of a list."""
_EARLY_ESCAPE = re.compile(r"\\(?=u(?!(?!00[0-7])[0-9a-fA-F]{4}))")
r"""The backslash of a `\u` that is no escape or one of ASCII, which could end a comment."""


class Jvm(Target):
    """A language of the Java virtual machine in the strict style."""

    words: ClassVar[Mapping[str, str]] = {"None": "null", "True": "true", "False": "false"}
    character_escapes: ClassVar[Mapping[str, str]]
    """Characters of a string that have an escape of their own."""
    early_escapes: ClassVar[bool]
    r"""Whether `\u0041` is read as `A` everywhere, comments included."""
    infinity: ClassVar[tuple[str, str]]
    """The infinities, positive and negative."""
    big: ClassVar[str]
    """A big integer, with `{digits}`."""
    shown_containers: ClassVar[Mapping[str, str]]
    """How examples write a list, a set and a dict of `{items}`, and a dict's `entry`."""

    # ---- literals

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        if found == BIG or value not in INT64:
            return self.big.format(digits=value)
        if found == LONG or value not in INT32:
            return self.long(value)
        return str(value)

    def long(self, value: int) -> str:
        return f"{value}L"

    def floating(self, value: float) -> str:
        if value != value:
            return "Double.NaN"
        if value in (float("inf"), float("-inf")):
            return self.infinity[value < 0]
        return repr(value)

    def string(self, value: str) -> str:
        pieces = [
            '"' + "".join(map(self._escaped, value[start : start + _CONSTANT_CHARACTERS])) + '"'
            for start in range(0, len(value) or 1, _CONSTANT_CHARACTERS)
        ]
        return pieces[0] if len(pieces) == 1 else f'java.lang.String.join("", {", ".join(pieces)})'

    def _escaped(self, character: str) -> str:
        if character in self.character_escapes:
            return self.character_escapes[character]
        if character.isprintable():
            return character
        units = character.encode("utf-16-be")
        return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return self.sequence(self.type_name(item), [self.literal(each, item) for each in items])

    def sequence(self, item: str, items: list[str]) -> str:
        """A list of a stated type; a long one in parts, each in a method of its own."""
        parts = [self.list_of(item, part) for part in _parts(items)]
        return parts[0] if len(parts) == 1 else self.joined(item, parts)

    @abstractmethod
    def list_of(self, item: str, items: list[str]) -> str: ...

    @abstractmethod
    def joined(self, item: str, parts: list[str]) -> str:
        """The lists as one, each made in a function without a name."""

    # ---- tests

    def cases(self, typed: TypedProblem) -> str:
        """The code of all cases."""
        return "".join(self.case(typed, i, case) for i, case in enumerate(typed.cases))

    @abstractmethod
    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        """The code of one case."""

    # ---- prose

    def shown(self, value: Value, found: Type) -> str:
        match value:
            case list() | tuple() | SetValue():
                kind = "set" if isinstance(value, SetValue) else "list"
                values = value.items if isinstance(value, SetValue) else value
                items = [self.shown(each, item_type(found)) for each in values]
            case dict():
                kind = "dict"
                key_type, value_type = entry_types(found)
                items = [
                    self.shown_containers["entry"].format(
                        key=self.shown(key, key_type), value=self.shown(each, value_type)
                    )
                    for key, each in value.items()
                ]
            case _:
                return self.literal(value, found)
        return self.shown_containers[kind].format(items=", ".join(items))

    def doc_comment(self, typed: TypedProblem) -> str:
        comment = super().doc_comment(typed)
        return _EARLY_ESCAPE.sub(r"\\ ", comment) if self.early_escapes else comment


def is_value_type(found: Type) -> bool:
    """Whether the machine has a type for it that cannot hold null."""
    return isinstance(found, Scalar) and found.name in ("bool", "int", "long", "float")


def _parts(items: list[str]) -> Iterator[list[str]]:
    """The items in parts that one method can hold; one part at least."""
    part: list[str] = []
    length = 0
    for item in items:
        if part and length + len(item) > _METHOD_CHARACTERS:
            yield part
            part, length = [], 0
        part.append(item)
        length += len(item) + 2
    yield part
