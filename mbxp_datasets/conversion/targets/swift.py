"""Swift: typed literals; values of several types are `AnyHashable`, with None an optional one."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import ClassVar

from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import Case, TypedProblem
from mbxp_datasets.conversion.targets.base import (
    RELATIVE_TOLERANCE,
    Target,
    entry_types,
    escaped_with_braces,
    item_type,
    tolerance,
    widened,
)
from mbxp_datasets.conversion.types import (
    ANY,
    FLOAT,
    INT64,
    STR,
    DictOf,
    ListOf,
    Optional,
    Scalar,
    SetOf,
    Type,
)
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value, walk

_KEYWORDS = """
Any Self Type as associatedtype await break case catch class continue default defer deinit do else
enum extension fallthrough false fileprivate for func guard if import in init inout internal is let
nil operator precedencegroup private protocol public repeat rethrows return self static struct
subscript super switch throw throws true try typealias var where while
"""

_SAME = """
func mbxp__bare(_ value: Any) -> Any? {
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
        return mbxp__bare(hashable.base)
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    guard let inner = mirror.children.first else { return nil }
    return mbxp__bare(inner.value)
}

func mbxp__number(_ value: Any) -> Double? {
    return value as? Double ?? (value as? Int).map { Double($0) }
}

func mbxp__near(_ x: Double, _ y: Double, _ within: Double) -> Bool {
    if x == y || (x.isNaN && y.isNaN) { return true }
    let larger = Swift.max(x.magnitude, y.magnitude)
    return larger.isFinite && (x - y).magnitude <= Swift.max(RELATIVE * larger, within)
}

func mbxp__unordered(_ x: [Any], _ y: [Any], _ within: Double) -> Bool {
    var left = y
    for item in x {
        guard let found = left.firstIndex(where: { mbxp__same(item, $0, within) }) else {
            return false
        }
        left.remove(at: found)
    }
    return left.isEmpty
}

func mbxp__same(_ left: Any, _ right: Any, _ within: Double) -> Bool {
    let bare = (mbxp__bare(left), mbxp__bare(right))
    guard let x = bare.0, let y = bare.1 else { return bare.0 == nil && bare.1 == nil }
    if let a = x as? Bool, let b = y as? Bool { return a == b }
    if let a = x as? Int, let b = y as? Int { return a == b }
    if let a = mbxp__number(x), let b = mbxp__number(y) { return mbxp__near(a, b, within) }
    // Not `==`, to which an accented letter equals a letter and an accent.
    if let a = x as? String, let b = y as? String { return a.utf8.elementsEqual(b.utf8) }
    if let a = x as? [Any], let b = y as? [Any] {
        return a.count == b.count && Swift.zip(a, b).allSatisfy { mbxp__same($0, $1, within) }
    }
    if let a = x as? Set<AnyHashable>, let b = y as? Set<AnyHashable> {
        return mbxp__unordered(Array(a), Array(b), within)
    }
    if let a = x as? [AnyHashable: Any], let b = y as? [AnyHashable: Any] {
        return mbxp__unordered(a.map { [$0.key, $0.value] }, b.map { [$0.key, $0.value] }, within)
    }
    return false
}
""".replace("RELATIVE", repr(RELATIVE_TOLERANCE))


class Swift(Target):
    language = "swift"
    title = "Swift"
    comment = ("/**", " * ", " */")
    # Comments nest.
    comment_escapes: ClassVar[Mapping[str, str]] = {"*/": "* /", "/*": "/ *"}
    words: ClassVar[Mapping[str, str]] = {"None": "nil", "True": "true", "False": "false"}
    scalars: ClassVar[Mapping[str, str]] = {
        "bool": "Bool",
        "int": "Int",
        "long": "Int",
        "float": "Double",
        "str": "String",
        "none": "AnyHashable?",
        "any": "AnyHashable",
        "empty": "AnyHashable",
    }
    containers: ClassVar[Mapping[str, str]] = {
        "list": "[{item}]",
        "set": "Set<{item}>",
        "dict": "[{key}: {value}]",
        "optional": "{of}?",
    }
    reserved = frozenset(_KEYWORDS.split())

    # ---- types

    def infer(self, values: list[Value]) -> Type:
        found = super().infer(values)
        nulls = any(inner is None for value in values for inner in walk(value))
        return _nullable(found) if nulls else found

    def type_name(self, found: Type) -> str:
        if found == Scalar("big"):
            raise UnsupportedValueError("an int beyond 64 bits")
        return super().type_name(found)

    # ---- literals: each takes its type from the declaration that it is in

    def literal(self, value: Value, found: Type) -> str:
        if found != ANY:
            return super().literal(value, found)
        if value is None:
            return "AnyHashable(AnyHashable?.none)"
        written = super().literal(value, found)
        match value:
            case list() | tuple():
                written += f" as {self.type_name(ListOf(ANY))}"
            case SetValue():
                written += f" as {self.type_name(SetOf(ANY))}"
            case dict():
                written += f" as {self.type_name(DictOf(ANY, ANY))}"
        return f"AnyHashable({written})"

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        if value not in INT64:
            raise UnsupportedValueError("an int beyond 64 bits")
        return str(value)

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "Double.nan"
        if math.isinf(value):
            return f"{'-' if value < 0 else ''}Double.infinity"
        return repr(value)

    def string(self, value: str) -> str:
        return f'"{escaped_with_braces(value)}"'

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"[{self.literals(items, item_type(found))}]"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        _check_distinct(items)
        return f"[{self.literals(items, item_type(found))}]"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        _check_distinct(items)
        key, value = entry_types(found)
        pairs = (f"{self.literal(k, key)}: {self.literal(v, value)}" for k, v in items.items())
        return f"[{', '.join(pairs) or ':'}]"

    # ---- prose

    def shown(self, value: Value, found: Type) -> str:
        match value:
            case list() | tuple():
                return f"[{', '.join(self.shown(item, item_type(found)) for item in value)}]"
            case SetValue(items=items):
                return f"[{', '.join(self.shown(item, item_type(found)) for item in items)}]"
            case dict():
                key, entry = entry_types(found)
                pairs = (f"{self.shown(k, key)}: {self.shown(v, entry)}" for k, v in value.items())
                return f"[{', '.join(pairs) or ':'}]"
            case None:
                return self.words["None"]
        return Target.literal(self, value, found.of if isinstance(found, Optional) else found)

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        literals = (
            self.shown(value, one.type)
            for value, one in zip(case.arguments, typed.parameters, strict=True)
        )
        return self._labelled(typed, literals)

    def call(self, typed: TypedProblem, case: Case) -> str:
        return self._labelled(typed, self.arguments(typed, case))

    def _labelled(self, typed: TypedProblem, arguments: Iterable[str]) -> str:
        pairs = zip(typed.parameters, arguments, strict=True)
        return f"{typed.function}({', '.join(f'{one.name} : {text}' for one, text in pairs)})"

    # ---- texts

    def prompt(self, typed: TypedProblem) -> str:
        return f"import Foundation\n\n{self._function(typed)}"

    def _function(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{p.name} : {self.type_name(p.type)}" for p in typed.parameters)
        returned = self.type_name(typed.returns)
        return f"{self.doc_comment(typed)}func {typed.function}({parameters}) -> {returned} {{\n"

    def test(self, typed: TypedProblem) -> str:
        returned = self.type_name(typed.returns)
        cases = []
        for index, case in enumerate(typed.cases):
            x, v = f"mbxp__x{index}", f"mbxp__v{index}"
            cases.append(
                f"let {x} : {returned} = {self.call(typed, case)}\n"
                f"let {v} : {returned} = {self.literal(case.expected, typed.returns)}\n"
                f"assert(mbxp__same({x} as Any, {v} as Any, {tolerance(case)!r}), "
                f'"{_failure(index)}")\n\n'
            )
        return f"\n{_SAME}\n{''.join(cases)}"

    @property
    def stub(self) -> str:
        return '    fatalError("not written")\n}\n'


class SwiftRelease(FamilyA, Swift):
    """Swift as the release has it."""

    expert = True
    none_in_prose = "none"
    replaced_functions: ClassVar[Mapping[str, str]] = {"func": "funct", "repeat": "do_repeat"}
    # A string, though "none" in prose is left alone.
    words: ClassVar[Mapping[str, str]] = {**Swift.words, "None": '"none"'}
    # All ints are Int, whatever their size; null alone is anything.
    scalars: ClassVar[Mapping[str, str]] = {
        **Swift.scalars,
        "big": "Int",
        "number": "Double",
        "none": "AnyHashable",
    }
    containers: ClassVar[Mapping[str, str]] = {**Swift.containers, "optional": "AnyHashable"}

    def type_name(self, found: Type) -> str:
        if found == Optional(STR):
            return self.type_name(STR)  # since null is a string
        return Target.type_name(self, found)

    def literal(self, value: Value, found: Type) -> str:
        return Target.literal(self, value, found)

    def string(self, value: str) -> str:
        # A raw string, in which the escapes stand for themselves.
        return f'#"{self.escaped(value)}"#'

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return self.list_literal(items, found)

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        pairs = (f"{self.literal(k, key)} : {self.literal(v, value)}" for k, v in items.items())
        return f"[{', '.join(pairs)}]"

    def shown(self, value: Value, found: Type) -> str:
        match value:
            case str():
                return f'"{self.escaped(value)}"'
            case SetValue():
                return "{" + super().shown(value, found)[1:-1] + "}"
            case dict():
                key, entry = entry_types(found)
                pairs = (f"{self.shown(k, key)} : {self.shown(v, entry)}" for k, v in value.items())
                return f"[{', '.join(pairs)}]"
        return super().shown(value, found)

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        return Target.shown_call(self, typed, case)  # without labels

    def prompt(self, typed: TypedProblem) -> str:
        return self._function(typed)

    def test(self, typed: TypedProblem) -> str:
        cases = "".join(self._case(typed, i, case) for i, case in enumerate(typed.cases))
        return f"\n\n{cases}"

    def _case(self, typed: TypedProblem, index: int, case: Case) -> str:
        lines = [
            f"var {name} : {self.type_name(found)} = {literal}"
            for name, found, literal in self.declared_arguments(typed, index, case)
        ]
        call = self._labelled(typed, (f"arg{index}{place}" for place in range(len(lines))))
        returned = self.type_name(typed.returns)
        lines += [
            f"var x{index} : {returned} = {call}",
            f"var v{index} : {returned} = {self.literal(case.expected, typed.returns)}",
            f'assert(x{index} == v{index}, "{_failure(index)}")',
        ]
        return "".join(f"{line}\n" for line in lines) + "\n"


def _failure(index: int) -> str:
    return f"Exception -- test case {index} did not pass. x{index} = "


def _nullable(found: Type) -> Type:
    """The type with nulls among values of several types."""
    match found:
        case Scalar("any"):
            return Optional(ANY)
        case ListOf(item=item):
            return ListOf(_nullable(item))
        case SetOf(item=item):
            return SetOf(_nullable(item))
        case DictOf(key=key, value=value):
            return DictOf(_nullable(key), _nullable(value))
        case Optional(of=inner):
            return Optional(_nullable(inner))
    return found


def _check_distinct(keys: Iterable[Value]) -> None:
    """Swift takes strings for equal that are spelt with other code points.

    Raises:
        UnsupportedValueError: two keys would be one.
    """
    spelt = [unicodedata.normalize("NFD", repr(key)) for key in keys]
    if len({*spelt}) < len(spelt):
        raise UnsupportedValueError("two keys that are canonically equivalent strings")


STRICT = Swift()
RELEASE = SwiftRelease()
