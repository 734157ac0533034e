"""Rust, which the release lacks: owned containers; values of several types are a `Value`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import (
    RELATIVE_TOLERANCE,
    Target,
    entry_types,
    escaped_with_braces,
    item_type,
    names_value,
    tolerance,
    widened,
)
from mbxp_datasets.conversion.types import (
    ANY,
    BIG,
    FLOAT,
    NONE,
    DictOf,
    SetOf,
    Type,
    inside,
)
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value

_IMPORTS = "use std::collections::{HashMap, HashSet};\n\n"

VALUE = """\
/// A value of any type.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    List(Vec<Value>),
    Set(Vec<Value>),
    Dict(Vec<(Value, Value)>),
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        format!("{:?}", self).hash(state);
    }
}

"""

# Nothing of the program is in scope in a module but its macros and crates, so that the harness
# names its own crate, and that with each macro.
_COMPARISON = """
    extern crate std;
    use std::collections::{HashMap, HashSet};

    trait Same {
        fn same(&self, other: &Self, within: f64) -> bool;
    }

    macro_rules! exactly {
        ($($type:ty),*) => {
            $(impl Same for $type {
                fn same(&self, other: &Self, _: f64) -> bool { self == other }
            })*
        };
    }

    exactly!(bool, i64, i128, String);

    impl Same for f64 {
        fn same(&self, other: &Self, within: f64) -> bool {
            if self == other || (self.is_nan() && other.is_nan()) { return true; }
            let larger = self.abs().max(other.abs());
            larger.is_finite() && (self - other).abs() <= within.max(RELATIVE * larger)
        }
    }

    impl<T: Same> Same for &T {
        fn same(&self, other: &Self, within: f64) -> bool { T::same(self, other, within) }
    }

    impl<T: Same> Same for Option<T> {
        fn same(&self, other: &Self, within: f64) -> bool {
            match (self, other) {
                (Some(x), Some(y)) => x.same(y, within),
                (x, y) => x.is_none() && y.is_none(),
            }
        }
    }

    impl<A: Same, B: Same> Same for (A, B) {
        fn same(&self, other: &Self, within: f64) -> bool {
            self.0.same(&other.0, within) && self.1.same(&other.1, within)
        }
    }

    impl<T: Same> Same for Vec<T> {
        fn same(&self, other: &Self, within: f64) -> bool {
            self.len() == other.len() && self.iter().zip(other).all(|(x, y)| x.same(y, within))
        }
    }

    impl<T: Same> Same for HashSet<T> {
        fn same(&self, other: &Self, within: f64) -> bool {
            in_any_order(self.iter(), other.iter(), within)
        }
    }

    impl<K: Same, V: Same> Same for HashMap<K, V> {
        fn same(&self, other: &Self, within: f64) -> bool {
            in_any_order(self.iter(), other.iter(), within)
        }
    }

    fn in_any_order<T: Same>(
        x: impl Iterator<Item = T>, y: impl Iterator<Item = T>, within: f64
    ) -> bool {
        let mut left: Vec<T> = y.collect();
        for item in x {
            match left.iter().position(|other| item.same(other, within)) {
                Some(found) => left.swap_remove(found),
                None => return false,
            };
        }
        left.is_empty()
    }

    fn check<T: Same>(index: usize, found: T, expected: T, within: f64) {
        if !found.same(&expected, within) {
            std::panic!("Exception -- test case {} did not pass.", index);
        }
    }
""".replace("RELATIVE", repr(RELATIVE_TOLERANCE))

_VALUE_COMPARISON = """
    use super::Value;

    impl Same for Value {
        fn same(&self, other: &Self, within: f64) -> bool {
            match (self, other) {
                (Value::None, Value::None) => true,
                (Value::Bool(x), Value::Bool(y)) => x == y,
                (Value::Int(x), Value::Int(y)) => x == y,
                (Value::Float(x), Value::Float(y)) => x.same(y, within),
                (Value::Int(x), Value::Float(y)) => (*x as f64).same(y, within),
                (Value::Float(x), Value::Int(y)) => x.same(&(*y as f64), within),
                (Value::Str(x), Value::Str(y)) => x == y,
                (Value::List(x), Value::List(y)) => x.same(y, within),
                (Value::Set(x), Value::Set(y)) => in_any_order(x.iter(), y.iter(), within),
                (Value::Dict(x), Value::Dict(y)) => in_any_order(x.iter(), y.iter(), within),
                _ => false,
            }
        }
    }
"""

_VARIANTS = {bool: "Bool", int: "Int", float: "Float", str: "Str", list: "List", tuple: "List"}

_KEYWORDS = """
_ abstract as async await become box break const continue crate do dyn else enum extern false final
fn for if impl in let loop macro main match mod move mut override priv pub ref return self static
struct super trait true try type typeof unsafe unsized use virtual where while yield
"""

# A carriage return and marks that turn the direction of text are refused in a comment.
_REFUSED = ["\r", *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))]


class Rust(Target):
    """Rust of the edition of 2021."""

    language = "rust"
    title = "Rust"
    comment = ("", "/// ", "")
    comment_escapes: ClassVar[Mapping[str, str]] = dict.fromkeys(_REFUSED, "")
    words: ClassVar[Mapping[str, str]] = {"None": "None", "True": "true", "False": "false"}
    scalars: ClassVar[Mapping[str, str]] = {
        "bool": "bool",
        "int": "i64",
        "long": "i64",
        "big": "i128",
        "float": "f64",
        "str": "String",
        "none": "Value",
        "any": "Value",
        "empty": "Value",
    }
    containers: ClassVar[Mapping[str, str]] = {"list": "Vec<{item}>", "optional": "Option<{of}>"}
    reserved = frozenset(_KEYWORDS.split())
    vec = "std::vec!"

    # ---- names

    def function_name(self, entry_point: str) -> str:
        return names.distinct([names.snake(entry_point)], self.reserved)[0]

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return names.distinct([names.snake(name) for name in parameters], self.reserved)

    # ---- types

    def type_name(self, found: Type) -> str:
        match found:
            case SetOf():
                return f"HashSet<{self.type_name(_key(item_type(found)))}>"
            case DictOf():
                key, value = _entry(found)
                return f"HashMap<{self.type_name(key)}, {self.type_name(value)}>"
        return super().type_name(found)

    # ---- literals

    def literal(self, value: Value, found: Type) -> str:
        if found not in (ANY, NONE):
            return super().literal(value, found)
        match value:
            case None:
                return "Value::None"
            case SetValue(items=items):
                return f"Value::Set({self.list_literal(items, ANY)})"
            case dict():
                return f"Value::Dict({self.vec}[{self.pairs(value, ANY, ANY)}])"
        return f"Value::{_VARIANTS[type(value)]}({super().literal(value, ANY)})"

    def some(self, value: Value, inner: Type) -> str:
        return f"Some({self.literal(value, inner)})"

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        bits = 128 if found == BIG else 64
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise UnsupportedValueError(f"an int beyond {bits} bits")
        return str(value)

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "f64::NAN"
        if math.isinf(value):
            return "f64::NEG_INFINITY" if value < 0 else "f64::INFINITY"
        return repr(value)

    def string(self, value: str) -> str:
        return f"String::from({self.quoted(value)})"

    def quoted(self, value: str) -> str:
        return f'"{escaped_with_braces(value)}"'

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"{self.vec}[{self.literals(items, item_type(found))}]"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"HashSet::from([{self.literals(items, _key(item_type(found)))}])"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        return f"HashMap::from([{self.pairs(items, *_entry(found))}])"

    def pairs(self, items: dict[Value, Value], key: Type, value: Type) -> str:
        return ", ".join(
            f"({self.literal(k, key)}, {self.literal(v, value)})" for k, v in items.items()
        )

    # ---- texts

    def shown(self, value: Value, found: Type) -> str:
        return _SHOWN.literal(value, found)

    def _signature(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{p.name}: {self.type_name(p.type)}" for p in typed.parameters)
        return f"fn {typed.function}({parameters}) -> {self.type_name(typed.returns)}"

    def prompt(self, typed: TypedProblem) -> str:
        signature = self._signature(typed)
        value = VALUE if names_value(signature) else ""
        return f"{_IMPORTS}{value}{self.doc_comment(typed)}{signature} {{\n"

    def test(self, typed: TypedProblem) -> str:
        compared = _COMPARISON
        if names_value(self._signature(typed)):
            compared += _VALUE_COMPARISON
        cases = "".join(
            f"        check({index}, super::{self.call(typed, case)}, "
            f"{self.literal(case.expected, typed.returns)}, {tolerance(case)!r});\n"
            for index, case in enumerate(typed.cases)
        )
        return (
            f"\n#[allow(non_snake_case)]\nmod mbxp__test {{{compared}\n"
            f"    pub fn main() {{\n{cases}    }}\n}}\n\n"
            "fn main() {\n    mbxp__test::main();\n}\n"
        )

    @property
    def stub(self) -> str:
        return '    panic!("not written")\n}\n'


class _Shown(Rust):
    """Literals for examples, in short."""

    vec = "vec!"

    def string(self, value: str) -> str:
        return self.quoted(value)


_SHOWN = _Shown()


def _key(found: Type) -> Type:
    """A key's type; floats, sets and dicts have no hash, which a `Value` has."""
    hashed = not any(inner == FLOAT or isinstance(inner, SetOf | DictOf) for inner in inside(found))
    return found if hashed else ANY


def _entry(found: Type) -> tuple[Type, Type]:
    key, value = entry_types(found)
    return _key(key), value


STRICT = Rust()
