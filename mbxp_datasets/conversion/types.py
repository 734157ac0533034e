"""Types of values: inferred from each value, then unified over all of a test's cases.

The paper's O.1.2 and O.1.3: a parameter's type is the least one that holds all its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mbxp_datasets.conversion.values import SetValue, Value

INT32 = range(-(2**31), 2**31)
INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Scalar:
    """A type without parts; see the constants below."""

    name: str


@dataclass(frozen=True)
class ListOf:
    """A list or a tuple."""

    item: Type


@dataclass(frozen=True)
class SetOf:
    item: Type


@dataclass(frozen=True)
class DictOf:
    key: Type
    value: Type


@dataclass(frozen=True)
class Optional:
    """A type or None; never of `NONE`, `ANY`, `EMPTY` or another `Optional`."""

    of: Type


Type: TypeAlias = Scalar | ListOf | SetOf | DictOf | Optional

BOOL = Scalar("bool")
INT = Scalar("int")
"""Fits 32 bits."""
LONG = Scalar("long")
"""Fits 64 bits."""
BIG = Scalar("big")
FLOAT = Scalar("float")
STR = Scalar("str")
NONE = Scalar("none")
ANY = Scalar("any")
"""The top type: values of several types."""
EMPTY = Scalar("empty")
"""The item of a container that is empty everywhere."""

_WIDTH = {INT: 0, LONG: 1, BIG: 2}


def type_of(value: Value) -> Type:
    """The least type that holds the value."""
    match value:
        case None:
            return NONE
        case bool():
            return BOOL
        case int():
            return INT if value in INT32 else LONG if value in INT64 else BIG
        case float():
            return FLOAT
        case str():
            return STR
        case list() | tuple():
            return ListOf(type_of_all(value))
        case SetValue(items=items):
            return SetOf(type_of_all(items))
        case dict():
            return DictOf(type_of_all(value), type_of_all(value.values()))
    raise TypeError(f"not a value: {value!r}")


def type_of_all(values: Iterable[Value]) -> Type:
    """The least type that holds each of the values; `EMPTY` for none."""
    found: Type = EMPTY
    for value in values:
        found = unify(found, type_of(value))
    return found


def unify(left: Type, right: Type) -> Type:
    """The least type that holds the values of both.

    An int becomes a long or a big integer beside one, a float beside a float; None makes the
    other nullable; containers unify item by item; all else is the top type.
    """
    match left, right:
        case _ if left == right:
            return left
        case (Scalar("empty"), other) | (other, Scalar("empty")):
            return other
        case (Scalar("any"), _) | (_, Scalar("any")):
            return ANY
        case (Optional(of=inner), other) | (other, Optional(of=inner)):
            return optional(unify(inner, other.of if isinstance(other, Optional) else other))
        case (Scalar("none"), other) | (other, Scalar("none")):
            return optional(other)
        case Scalar(), Scalar() if left in _WIDTH and right in _WIDTH:
            return max(left, right, key=_WIDTH.__getitem__)
        case (Scalar("float"), Scalar("int" | "long")) | (Scalar("int" | "long"), Scalar("float")):
            return FLOAT
        case ListOf(), ListOf():
            return ListOf(unify(left.item, right.item))
        case SetOf(), SetOf():
            return SetOf(unify(left.item, right.item))
        case DictOf(), DictOf():
            return DictOf(unify(left.key, right.key), unify(left.value, right.value))
    return ANY


def optional(inner: Type) -> Type:
    """The type with None added."""
    return inner if inner in (NONE, ANY, EMPTY) or isinstance(inner, Optional) else Optional(inner)


def parts(found: Type) -> tuple[Type, ...]:
    """The types directly inside a type."""
    match found:
        case ListOf(item=item) | SetOf(item=item):
            return (item,)
        case DictOf(key=key, value=value):
            return (key, value)
        case Optional(of=inner):
            return (inner,)
    return ()


def inside(found: Type) -> Iterator[Type]:
    """The type and every type in it, outside first."""
    yield found
    for part in parts(found):
        yield from inside(part)
