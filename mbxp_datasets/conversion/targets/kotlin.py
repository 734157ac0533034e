"""Kotlin: a function at the top level, tests called from `main`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import Case, TypedProblem
from mbxp_datasets.conversion.targets.base import (
    RELATIVE_TOLERANCE,
    entry_types,
    item_type,
    tolerance,
)
from mbxp_datasets.conversion.targets.jvm import Jvm
from mbxp_datasets.conversion.types import ANY, EMPTY, INT32, INT64, DictOf, Type
from mbxp_datasets.conversion.values import Value

_IMPORTS = "import java.math.BigInteger\nimport kotlin.math.*\n\n"
_KEYWORDS = """as break class continue do else false for fun if in interface is null object package
return super this throw true try typealias typeof val var when while _"""
_CALLED = """main mutableListOf mutableSetOf mutableMapOf maxOf"""

HELPERS = """\
fun <T> mbxp__joined(vararg parts: () -> List<T>): List<T> {
    val joined = mutableListOf<T>()
    for (part in parts) {
        joined.addAll(part())
    }
    return joined
}
"""
"""What the literals of long containers call."""

_COMPARISON = f"""
fun mbxp__same(actual: Any?, expected: Any?, tolerance: Double): Boolean = when (expected) {{
    null -> actual === null
    is List<*> -> actual is List<*> && mbxp__inOrder(actual, expected, tolerance)
    is Set<*> -> actual is Set<*> && mbxp__inAnyOrder(actual, expected, tolerance)
    is Map<*, *> ->
        actual is Map<*, *> && mbxp__inAnyOrder(actual.entries, expected.entries, tolerance)
    is Map.Entry<*, *> ->
        actual is Map.Entry<*, *> && mbxp__same(actual.key, expected.key, tolerance) &&
            mbxp__same(actual.value, expected.value, tolerance)
    is Number -> actual is Number && mbxp__sameNumber(actual, expected, tolerance)
    else -> expected == actual
}}

fun mbxp__inOrder(actual: List<*>, expected: List<*>, tolerance: Double): Boolean {{
    val found = actual.iterator()
    for (item in expected) {{
        if (!found.hasNext() || !mbxp__same(found.next(), item, tolerance)) {{
            return false
        }}
    }}
    return !found.hasNext()
}}

fun mbxp__inAnyOrder(actual: Collection<*>, expected: Collection<*>, tolerance: Double): Boolean {{
    val left = java.util.LinkedList<Any?>(actual)
    for (item in expected) {{
        val found = left.iterator()
        var matched = false
        while (!matched && found.hasNext()) {{
            matched = mbxp__same(found.next(), item, tolerance)
        }}
        if (!matched) {{
            return false
        }}
        found.remove()
    }}
    return left.isEmpty()
}}

fun mbxp__sameNumber(actual: Number, expected: Number, tolerance: Double): Boolean {{
    val found = actual.toDouble()
    if (expected is Double) {{
        if (expected.isNaN() || expected.isInfinite()) {{
            return found.compareTo(expected) == 0
        }}
        val allowed = maxOf(tolerance, {RELATIVE_TOLERANCE} * Math.abs(expected))
        return Math.abs(found - expected) <= allowed
    }}
    val exact = java.math.BigDecimal(expected.toString())
    if (actual is Double || actual is Float) {{
        return found.isFinite() && java.math.BigDecimal(found).compareTo(exact) == 0
    }}
    return java.math.BigDecimal(actual.toString()).compareTo(exact) == 0
}}
"""


class Kotlin(Jvm):
    language = "kotlin"
    title = "Kotlin"
    comment = ("/**", " * ", " */")
    # Comments nest.
    comment_escapes: ClassVar[Mapping[str, str]] = {"*/": "* /", "/*": "/ *"}
    scalars: ClassVar[Mapping[str, str]] = {
        "bool": "Boolean",
        "int": "Int",
        "long": "Long",
        "big": "BigInteger",
        "float": "Double",
        "str": "String",
        "none": "Any?",
        "any": "Any?",
        "empty": "Any?",
    }
    containers: ClassVar[Mapping[str, str]] = {
        "list": "List<{item}>",
        "set": "Set<{item}>",
        "dict": "Map<{key}, {value}>",
        "optional": "{of}?",
    }
    reserved = frozenset(f"{_KEYWORDS} {_CALLED}".split())
    character_escapes: ClassVar[Mapping[str, str]] = {
        "\\": "\\\\",
        '"': '\\"',
        "$": "\\$",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\b": "\\b",
    }
    early_escapes = False
    infinity = ("Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY")
    big = 'BigInteger("{digits}")'
    shown_containers: ClassVar[Mapping[str, str]] = {
        "list": "listOf({items})",
        "set": "setOf({items})",
        "dict": "mapOf({items})",
        "entry": "{key} to {value}",
    }

    def integer(self, value: int, found: Type) -> str:
        # The digits of the least Int are a Long before their sign is seen.
        text = super().integer(value, found)
        return "Int.MIN_VALUE" if text == str(INT32.start) else text

    def long(self, value: int) -> str:
        return "Long.MIN_VALUE" if value == INT64.start else super().long(value)

    def list_of(self, item: str, items: list[str]) -> str:
        return f"mutableListOf<{item}>({', '.join(items)})"

    def joined(self, item: str, parts: list[str]) -> str:
        return f"mbxp__joined<{item}>({', '.join(f'{{ {part} }}' for part in parts)})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        listed = self.list_literal(items, found)
        if listed.startswith("mbxp__joined"):
            return f"{listed}.toMutableSet()"
        return listed.replace("mutableListOf", "mutableSetOf", 1)

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        types = f"{self.type_name(key)}, {self.type_name(value)}"
        pairs = [f"{self.literal(k, key)} to {self.literal(v, value)}" for k, v in items.items()]
        listed = self.sequence(f"Pair<{types}>", pairs)
        if listed.startswith("mbxp__joined"):
            return f"{listed}.toMap()"
        return f"mutableMapOf<{types}>({', '.join(pairs)})"

    def prompt(self, typed: TypedProblem) -> str:
        return _IMPORTS + self._function(typed)

    def _function(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{p.name} : {self.type_name(p.type)}" for p in typed.parameters)
        returned = self.type_name(typed.returns)
        return f"{self.doc_comment(typed)}fun {typed.function}({parameters}) : {returned} {{\n"

    def test(self, typed: TypedProblem) -> str:
        calls = "".join(f"    mbxp__case{i}()\n" for i in range(len(typed.cases)))
        return f"\n\n{HELPERS}{_COMPARISON}{self.cases(typed)}\nfun main() {{\n{calls}}}\n"

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        # A function a case: the code of one is limited to 64 KB.
        arguments = ", ".join(self.arguments(typed, case))
        return f"""
fun mbxp__case{index}() {{
    val actual: Any? = {typed.function}({arguments})
    val expected: Any? = {self.literal(case.expected, typed.returns)}
    if (!mbxp__same(actual, expected, {tolerance(case)!r})) {{
        throw Exception("Exception -- test case {index} did not pass. x{index} = " + actual)
    }}
}}
"""

    @property
    def stub(self) -> str:
        return "    throw UnsupportedOperationException()\n}"


class KotlinRelease(FamilyA, Kotlin):
    """Kotlin as the release has it."""

    expert = True
    # The word was replaced by nothing.
    none_in_prose = ""
    # All ints are Int, whatever their size; ints and floats together are anything.
    scalars: ClassVar[Mapping[str, str]] = {
        **Kotlin.scalars,
        "long": "Int",
        "big": "Int",
        "number": "Any",
        "any": "Any",
        "empty": "Object",
    }
    shown_containers: ClassVar[Mapping[str, str]] = {
        "list": "[{items}]",
        "set": "{{{items}}}",
        "dict": "{{{items}}}",
        "entry": "{key}={value}",
    }

    def unify(self, left: Type, right: Type) -> Type:
        empty = DictOf(EMPTY, EMPTY)
        if empty in (left, right) and isinstance(left, DictOf) and isinstance(right, DictOf):
            return empty
        return super().unify(left, right)

    def type_name(self, found: Type) -> str:
        return "Map<Any?, Any?>" if found == DictOf(EMPTY, EMPTY) else super().type_name(found)

    def string(self, value: str) -> str:
        # A raw string, in which the escapes stand for themselves.
        return f'"""{self.escaped(value)}"""'

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"mutableListOf({self.literals(items, item_type(found))})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"mutableSetOf({self.literals(items, item_type(found))})"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        pairs = (f"{self.literal(k, ANY)} to {self.literal(v, ANY)}" for k, v in items.items())
        return f"mutableMapOf({', '.join(pairs)})"

    def prompt(self, typed: TypedProblem) -> str:
        return self._function(typed)

    def test(self, typed: TypedProblem) -> str:
        return f"\nfun main() {{\n{self.cases(typed)}\n}}\n"

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        lines = [
            f"var {name} : {self.type_name(found)} = {literal}"
            for name, found, literal in self.declared_arguments(typed, index, case)
        ]
        arguments = ", ".join(f"arg{index}{place}" for place in range(len(lines)))
        returned = self.type_name(typed.returns)
        lines += [
            f"var x{index} : {returned} = {typed.function}({arguments});",
            f"var v{index} : {returned} = {self.literal(case.expected, typed.returns)};",
            f"if (x{index} != v{index}) {{",
            f'    throw Exception("Exception -- test case {index} did not pass. '
            f'x{index} = " + x{index})',
            "}",
        ]
        return "".join(f"    {line}\n" for line in lines) + "\n"


STRICT = Kotlin()
RELEASE = KotlinRelease()
