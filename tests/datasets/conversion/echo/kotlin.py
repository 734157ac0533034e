"""A Kotlin program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.kotlin import HELPERS, STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
fun json(value: Any?): String = when (value) {
    is Double -> {
        val text = value.toString().replace("Infinity", "inf").replace("NaN", "nan")
        "{\"f\": \"" + text + "\"}"
    }
    is String -> {
        val text = StringBuilder("\"")
        for (c in value) {
            val plain = c in ' '..'~' && c != '"' && c != '\\'
            text.append(if (plain) c.toString() else String.format("\\u%04x", c.code))
        }
        text.append('"').toString()
    }
    is List<*> -> items(value)
    is Set<*> -> "{\"s\": " + items(value) + "}"
    is Map<*, *> -> "{\"d\": " + items(value.map { listOf(it.key, it.value) }) + "}"
    else -> value.toString()
}

fun items(items: Collection<*>): String = items.joinToString(", ", "[", "]") { json(it) }
"""


def program(values: list[tuple[Value, Type]]) -> str:
    functions = "".join(
        f"""
fun value{index}() {{
    val value: {STRICT.type_name(found)} = {STRICT.literal(value, found)}
    println(json(value))
}}
"""
        for index, (value, found) in enumerate(values)
    )
    calls = "".join(f"    value{index}()\n" for index in range(len(values)))
    return (
        f"import java.math.BigInteger\n\n{HELPERS}{_WRITER}{functions}\nfun main() {{\n{calls}}}\n"
    )
