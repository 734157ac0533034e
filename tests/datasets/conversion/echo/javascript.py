"""A JavaScript program that prints values."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.javascript import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

LOSSY = frozenset({"numbers", "keys"})
"""Small ints are floats; the keys of an object are strings."""

_WRITER = r"""
function json(value) {
    if (typeof value === "number") {
        const text = Object.is(value, -0) ? "-0.0" : String(value).replace("Infinity", "inf");
        return '{"f": "' + text.replace("NaN", "nan") + '"}';
    }
    if (typeof value === "string") {
        const code = (c) => c.charCodeAt(0).toString(16).padStart(4, "0");
        return JSON.stringify(value).replace(/[^ -~]/g, (c) => "\\u" + code(c));
    }
    if (Array.isArray(value)) {
        return "[" + value.map(json).join(", ") + "]";
    }
    if (value instanceof Set) {
        return '{"s": ' + json([...value]) + "}";
    }
    if (value instanceof Map) {
        return '{"d": ' + json([...value]) + "}";
    }
    if (typeof value === "object" && value !== null) {
        return '{"d": ' + json(Object.entries(value)) + "}";
    }
    return String(value);
}

"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = (f"console.log(json({STRICT.literal(value, found)}));\n" for value, found in values)
    return _WRITER + "".join(lines)
