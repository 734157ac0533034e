"""The values of a test: read from Python source, never by running it.

A value is a plain Python object: None, bool, int, float, str, list, tuple, dict or `SetValue`.
Sets keep the order they were written in, which a Python set would lose.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""None, bool, int, float, str, list, tuple, dict or `SetValue`, and so on inside."""

_MAX_POWER_BITS = 20_000
_MAX_REPEAT = 100_000
_MAX_DEPTH = 50


class UnsupportedValueError(ValueError):
    """An expression that is no value of the supported types; the message says which."""


@dataclass(frozen=True)
class SetValue:
    """A set, with its items in a stated order and none twice."""

    items: tuple[Value, ...]


def parse_value(source: str) -> Value:
    """The value that a Python expression of literals denotes.

    Raises:
        UnsupportedValueError: it is no such expression.
    """
    try:
        return value_of(ast.parse(source.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise UnsupportedValueError(f"not a Python expression: {error}") from None


def value_of(node: ast.expr, depth: int = 0) -> Value:
    """The value that the syntax tree of an expression of literals denotes.

    Arithmetic on numbers, joined or repeated strings and lists, `float("inf")` and the
    constructors of the containers with a literal argument count as literals.

    Raises:
        UnsupportedValueError: the expression has a name, a call or a type it cannot have.
    """
    if depth > _MAX_DEPTH:
        raise UnsupportedValueError(f"nested more than {_MAX_DEPTH} deep")
    below = depth + 1
    match node:
        case ast.Constant(value=None | bool() | int() | float()):
            return node.value
        case ast.Constant(value=str() as text):
            return _text(text)
        case ast.List(elts=items):
            return [value_of(item, below) for item in items]
        case ast.Tuple(elts=items):
            return tuple(value_of(item, below) for item in items)
        case ast.Set(elts=items):
            return make_set(value_of(item, below) for item in items)
        case ast.Dict(keys=keys, values=values):
            return _dict(keys, values, below)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            return _unary(node.op, value_of(operand, below))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, value_of(left, below), value_of(right, below))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _constructed(name, args, below)
        case ast.Name(id="inf" | "nan"):
            # How repr() writes them; as names in a test they are undefined in Python too.
            return float(node.id)
    raise UnsupportedValueError(f"{_kind(node)} is not a value: {_shortened(ast.unparse(node))}")


def make_set(items: Iterator[Value] | list[Value]) -> SetValue:
    """A set of the items, each once, in their order.

    Raises:
        UnsupportedValueError: an item is a list or a dict.
    """
    unique: dict[Value, Value] = {}
    for item in items:
        unique.setdefault(_hashable(item), item)
    return SetValue(tuple(unique.values()))


def children(value: Value) -> list[Value]:
    """What a container holds directly: items, or keys and then values; else nothing."""
    match value:
        case list() | tuple():
            return list(value)
        case SetValue(items=items):
            return list(items)
        case dict():
            return [*value, *value.values()]
    return []


def rebuilt(value: Value, change: Callable[[Value], Value]) -> Value:
    """The same container with what it holds directly changed; any other value as it is."""
    match value:
        case list():
            return [change(item) for item in value]
        case tuple():
            return tuple(change(item) for item in value)
        case SetValue(items=items):
            return SetValue(tuple(change(item) for item in items))
        case dict():
            return {change(key): change(item) for key, item in value.items()}
    return value


def walk(value: Value) -> Iterator[Value]:
    """The value and everything inside it, outside first."""
    yield value
    for child in children(value):
        yield from walk(child)


def same(left: Value, right: Value) -> bool:
    """Whether two values are equal in Python and of the same types throughout."""
    if type(left) is not type(right):
        return False
    match left:
        case float():
            return left == right or (math.isnan(left) and math.isnan(right))
        case list() | tuple():
            return len(left) == len(right) and all(map(same, left, right))
        case SetValue():
            return {_hashable(item) for item in left.items} == {
                _hashable(item) for item in right.items
            }
        case dict():
            return list(map(_hashable, left)) == list(map(_hashable, right)) and all(
                same(value, right[key]) for key, value in left.items()
            )
    return bool(left == right)


def _text(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UnsupportedValueError("a string with a lone surrogate") from None
    return text


def _dict(keys: list[ast.expr | None], values: list[ast.expr], depth: int) -> dict[Value, Value]:
    found = {}
    for key, value in zip(keys, values, strict=True):
        if key is None:
            raise UnsupportedValueError("** inside a dict is not a value")
        found[_hashable(value_of(key, depth))] = value_of(value, depth)
    return found


def _hashable(value: Value) -> Value:
    if any(isinstance(part, list | dict) for part in walk(value)):
        raise UnsupportedValueError("a list or a dict as an item of a set or a key of a dict")
    return value


_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def _unary(op: ast.unaryop, value: Value) -> Value:
    if not isinstance(value, int | float):
        raise UnsupportedValueError(f"a sign before {_shortened(repr(value))}")
    return _UNARY[type(op)](value)


def _binary(op: ast.operator, left: Value, right: Value) -> Value:
    compute = _BINARY.get(type(op))
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    joined = isinstance(op, ast.Add) and type(left) is type(right)
    repeated = isinstance(op, ast.Mult) and {type(left), type(right)} & {int}
    sequences = isinstance(left, str | list | tuple) or isinstance(right, str | list | tuple)
    if compute is None or not (numbers or (sequences and (joined or repeated))):
        raise UnsupportedValueError("an operation on other things than numbers")
    if (
        isinstance(op, ast.Pow)
        and isinstance(left, int)
        and isinstance(right, int)
        and abs(left).bit_length() * abs(right) > _MAX_POWER_BITS
    ):
        raise UnsupportedValueError("a power too large to write out")
    if sequences and repeated:
        length = len(left) * right if isinstance(right, int) else len(right) * left
        if length > _MAX_REPEAT:
            raise UnsupportedValueError("a repetition too long to write out")
    try:
        result = compute(left, right)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise UnsupportedValueError(f"arithmetic that fails: {error}") from None
    if isinstance(result, complex):
        raise UnsupportedValueError("a complex number")
    return result


def _constructed(name: str, args: list[ast.expr], depth: int) -> Value:
    empty: dict[str, Value] = {"set": SetValue(()), "frozenset": SetValue(())}
    empty |= {"list": [], "tuple": (), "dict": {}}
    if not args and name in empty:
        return empty[name]
    if len(args) == 1:
        value = value_of(args[0], depth)
        if name == "float" and isinstance(value, int | float | str):
            try:
                return float(value)
            except ValueError:
                raise UnsupportedValueError(f"float({_shortened(repr(value))})") from None
        if name == "dict" and isinstance(value, dict):
            return value
        if isinstance(value, list | tuple | SetValue | str):
            items = list(value) if isinstance(value, str) else children(value)
            if name in ("set", "frozenset"):
                return make_set(items)
            if name in ("list", "tuple"):
                return items if name == "list" else tuple(items)
    raise UnsupportedValueError(f"a call of {name} is not a value")


_KINDS: dict[type[ast.expr], str] = {
    ast.Name: "a name",
    ast.Call: "a call",
    ast.Lambda: "a function",
    ast.Attribute: "an attribute",
    ast.Subscript: "an index",
    ast.JoinedStr: "an f-string",
}


def _kind(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return f"a {type(node.value).__name__}"
    return _KINDS.get(type(node), f"this {type(node).__name__}")


def _shortened(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
