"""A TypeScript program that prints values."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.typescript import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

LOSSY = frozenset({"numbers"})

_WRITER = r"""
function json(value: any): string {
    if (typeof value === "number") {
        const text = Object.is(value, -0) ? "-0.0" : String(value).replace("Infinity", "inf");
        return '{"f": "' + text.replace("NaN", "nan") + '"}';
    }
    if (typeof value === "string") {
        const code = (c: string) => ("000" + c.charCodeAt(0).toString(16)).slice(-4);
        return JSON.stringify(value).replace(/[^ -~]/g, (c) => "\\u" + code(c));
    }
    if (Array.isArray(value)) {
        return "[" + value.map(json).join(", ") + "]";
    }
    if (value instanceof Set || value instanceof Map) {
        const items: any[] = [];
        const isSet = value instanceof Set;
        (value as any).forEach((item: any, key: any) => items.push(isSet ? item : [key, item]));
        return (isSet ? '{"s": ' : '{"d": ') + json(items) + "}";
    }
    return String(value);
}

"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = "".join(
        f"const value{index}: {STRICT.type_name(found)} = {STRICT.literal(value, found)};\n"
        f"console.log(json(value{index}));\n"
        for index, (value, found) in enumerate(values)
    )
    return f"{_WRITER}{lines}\nexport {{}};\n"
