"""A Rust program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.rust import STRICT, VALUE
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
trait Json {
    fn json(&self) -> String;
}

fn items<T: Json>(values: impl Iterator<Item = T>) -> String {
    format!("[{}]", values.map(|value| value.json()).collect::<Vec<_>>().join(", "))
}

macro_rules! as_displayed {
    ($($type:ty),*) => {
        $(impl Json for $type { fn json(&self) -> String { self.to_string() } })*
    };
}

as_displayed!(bool, i64, i128);

impl Json for f64 {
    fn json(&self) -> String { format!("{{\"f\": \"{:?}\"}}", self) }
}

impl Json for String {
    fn json(&self) -> String {
        let units = self.encode_utf16().map(|unit| match unit {
            32..=126 if unit != 34 && unit != 92 => char::from(unit as u8).to_string(),
            _ => format!("\\u{:04x}", unit),
        });
        format!("\"{}\"", units.collect::<String>())
    }
}

impl<T: Json> Json for &T {
    fn json(&self) -> String { (**self).json() }
}

impl<T: Json> Json for Option<T> {
    fn json(&self) -> String { self.as_ref().map_or("null".to_string(), |value| value.json()) }
}

impl<A: Json, B: Json> Json for (A, B) {
    fn json(&self) -> String { format!("[{}, {}]", self.0.json(), self.1.json()) }
}

impl<T: Json> Json for Vec<T> {
    fn json(&self) -> String { items(self.iter()) }
}

impl<T: Json> Json for HashSet<T> {
    fn json(&self) -> String { format!("{{\"s\": {}}}", items(self.iter())) }
}

impl<K: Json, V: Json> Json for HashMap<K, V> {
    fn json(&self) -> String { format!("{{\"d\": {}}}", items(self.iter())) }
}

impl Json for Value {
    fn json(&self) -> String {
        match self {
            Value::None => "null".to_string(),
            Value::Bool(value) => value.json(),
            Value::Int(value) => value.json(),
            Value::Float(value) => value.json(),
            Value::Str(value) => value.json(),
            Value::List(value) => value.json(),
            Value::Set(value) => format!("{{\"s\": {}}}", value.json()),
            Value::Dict(value) => format!("{{\"d\": {}}}", value.json()),
        }
    }
}
"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = "".join(
        f"    let value: {STRICT.type_name(found)} = {STRICT.literal(value, found)};\n"
        '    println!("{}", value.json());\n'
        for value, found in values
    )
    return (
        f"use std::collections::{{HashMap, HashSet}};\n\n{VALUE}{_WRITER}\n"
        f"fn main() {{\n{lines}}}\n"
    )
