"""A Swift program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.swift import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
func bare(_ value: Any) -> Any? {
    if type(of: value) == AnyHashable.self { return bare((value as! AnyHashable).base) }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { bare($0.value) }
}

func json(_ optional: Any) -> String {
    guard let value = bare(optional) else { return "null" }
    if value is Bool || value is Int { return "\(value)" }
    if let number = value as? Double { return "{\"f\": \"\(number)\"}" }
    if let string = value as? String {
        var text = ""
        for unit in string.utf16 {
            let plain = unit >= 32 && unit <= 126 && unit != 34 && unit != 92
            text += plain
                ? String(UnicodeScalar(UInt8(unit)))
                : String(format: "\\u%04x", Int(unit))
        }
        return "\"" + text + "\""
    }
    if let set = value as? Set<AnyHashable> { return "{\"s\": \(json(Array(set)))}" }
    if let dict = value as? [AnyHashable: Any] {
        return "{\"d\": \(json(dict.map { [$0.key, $0.value] as [Any] }))}"
    }
    return "[" + (value as! [Any]).map(json).joined(separator: ", ") + "]"
}
"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = "".join(
        f"let value{index} : {STRICT.type_name(found)} = {STRICT.literal(value, found)}\n"
        f"print(json(value{index} as Any))\n"
        for index, (value, found) in enumerate(values)
    )
    return f"import Foundation\n{_WRITER}\n{lines}"
