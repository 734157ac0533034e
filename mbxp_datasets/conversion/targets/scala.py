"""Scala: a method of `object Main extends App`, which the tests go on and close."""

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
from mbxp_datasets.conversion.targets.jvm import Jvm, is_value_type
from mbxp_datasets.conversion.types import Optional, Type
from mbxp_datasets.conversion.values import Value

_KEYWORDS = """abstract case catch class def do else extends false final finally for forSome if
implicit import lazy macro match new null object override package private protected return sealed
super this throw trait try true type val var while with yield then enum export given _"""
_INHERITED = """main args executionStart delayedInit asInstanceOf clone eq equals finalize getClass
hashCode isInstanceOf ne notify notifyAll synchronized toString wait"""

HELPERS = """\
    def mbxp__joined[T](parts : (() => List[T])*) : List[T] = parts.toList.flatMap(part => part())
"""
"""What the literals of long containers call."""

_COMPARISON = f"""
    def mbxp__same(actual : Any, expected : Any, tolerance : Double) : Boolean =
        (actual, expected) match {{
            case (null, null) => true
            case (null, _) | (_, null) => false
            case (one : scala.collection.Seq[_], other : scala.collection.Seq[_]) =>
                one.size == other.size &&
                    one.zip(other).forall(pair => mbxp__same(pair._1, pair._2, tolerance))
            case (one : scala.collection.Set[_], other : scala.collection.Set[_]) =>
                mbxp__inAnyOrder(one.toList, other.toList, tolerance)
            case (one : scala.collection.Map[_, _], other : scala.collection.Map[_, _]) =>
                mbxp__inAnyOrder(one.toList, other.toList, tolerance)
            case ((key, value), (otherKey, otherValue)) =>
                mbxp__same(key, otherKey, tolerance) && mbxp__same(value, otherValue, tolerance)
            case (one : java.lang.Number, other : java.lang.Number) =>
                mbxp__sameNumber(one, other, tolerance)
            case (one : java.lang.Boolean, other : java.lang.Boolean) => other.equals(one)
            case (one : String, other : String) => other.equals(one)
            case _ => false
        }}

    def mbxp__inAnyOrder(
        actual : List[Any], expected : List[Any], tolerance : Double
    ) : Boolean = {{
        val left = new java.util.LinkedList[Any]()
        actual.foreach(item => left.add(item))
        expected.forall(item => {{
            val found = left.iterator()
            var matched = false
            while (!matched && found.hasNext()) {{
                matched = mbxp__same(found.next(), item, tolerance)
            }}
            if (matched) found.remove()
            matched
        }}) && left.isEmpty()
    }}

    def mbxp__sameNumber(
        actual : java.lang.Number, expected : java.lang.Number, tolerance : Double
    ) : Boolean = {{
        val found = actual.doubleValue()
        val sought = expected.doubleValue()
        if (expected.isInstanceOf[java.lang.Double]) {{
            if (sought.isNaN || sought.isInfinite) java.lang.Double.compare(found, sought) == 0
            else {{
                val allowed = Math.max(tolerance, {RELATIVE_TOLERANCE} * Math.abs(sought))
                Math.abs(found - sought) <= allowed
            }}
        }} else {{
            val exact = new java.math.BigDecimal(expected.toString())
            if (actual.isInstanceOf[java.lang.Double] || actual.isInstanceOf[java.lang.Float]) {{
                !found.isNaN && !found.isInfinite &&
                    new java.math.BigDecimal(found).compareTo(exact) == 0
            }} else new java.math.BigDecimal(actual.toString()).compareTo(exact) == 0
        }}
    }}
"""


class Scala(Jvm):
    language = "scala"
    title = "Scala"
    comment = ("    /**", "     * ", "     */")
    # Comments nest.
    comment_escapes: ClassVar[Mapping[str, str]] = {"*/": "* /", "/*": "/ *"}
    scalars: ClassVar[Mapping[str, str]] = {
        "bool": "Boolean",
        "int": "Int",
        "long": "Long",
        "big": "BigInt",
        "float": "Double",
        "str": "String",
        "none": "Any",
        "any": "Any",
        "empty": "Any",
    }
    containers: ClassVar[Mapping[str, str]] = {
        "list": "List[{item}]",
        "set": "Set[{item}]",
        "dict": "Map[{key}, {value}]",
        "optional": "{of}",
    }
    reserved = frozenset(f"{_KEYWORDS} {_INHERITED}".split())
    character_escapes: ClassVar[Mapping[str, str]] = {
        "\\": "\\\\",
        '"': '\\"',
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\b": "\\b",
        "\f": "\\f",
        # As \u001a it would be the end of the file.
        "\x1a": "\\032",
    }
    early_escapes = True
    infinity = ("Double.PositiveInfinity", "Double.NegativeInfinity")
    big = 'BigInt("{digits}")'
    shown_containers: ClassVar[Mapping[str, str]] = {
        "list": "List({items})",
        "set": "Set({items})",
        "dict": "Map({items})",
        "entry": "{key} -> {value}",
    }

    def type_name(self, found: Type) -> str:
        if isinstance(found, Optional) and is_value_type(found.of):
            return "Any"  # Int, Long, Double and Boolean cannot be null
        return super().type_name(found)

    def list_of(self, item: str, items: list[str]) -> str:
        return f"List[{item}]({', '.join(items)})"

    def joined(self, item: str, parts: list[str]) -> str:
        return f"mbxp__joined[{item}]({', '.join(f'() => {part}' for part in parts)})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        listed = self.list_literal(items, found)
        if listed.startswith("mbxp__joined"):
            return f"{listed}.toSet[{self.type_name(item_type(found))}]"
        return listed.replace("List", "Set", 1)

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        types = f"{self.type_name(key)}, {self.type_name(value)}"
        # No arrow: null has no methods.
        pairs = [f"({self.literal(k, key)}, {self.literal(v, value)})" for k, v in items.items()]
        listed = self.sequence(f"({types})", pairs)
        if listed.startswith("mbxp__joined"):
            return f"{listed}.toMap[{types}]"
        return f"Map[{types}]({', '.join(pairs)})"

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{p.name} : {self.type_name(p.type)}" for p in typed.parameters)
        return (
            f"object Main extends App {{\n{self.doc_comment(typed)}    def {typed.function}"
            f"({parameters}) : {self.type_name(typed.returns)} = {{\n"
        )

    def test(self, typed: TypedProblem) -> str:
        calls = "".join(f"    mbxp__case{i}()\n" for i in range(len(typed.cases)))
        return f"\n\n{HELPERS}{_COMPARISON}{self.cases(typed)}\n{calls}}}\n"

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        # A method a case: the code of one is limited to 64 KB.
        arguments = ", ".join(self.arguments(typed, case))
        return f"""
    def mbxp__case{index}() : Unit = {{
        val actual : Any = {typed.function}({arguments})
        val expected : Any = {self.literal(case.expected, typed.returns)}
        if (!mbxp__same(actual, expected, {tolerance(case)!r})) {{
            throw new java.lang.AssertionError(
                "Exception -- test case {index} did not pass. x{index} = " + actual)
        }}
    }}
"""

    @property
    def stub(self) -> str:
        return "        throw new UnsupportedOperationException()\n    }"


class ScalaRelease(FamilyA, Scala):
    """Scala as the release has it."""

    expert = True
    prompt_marks = (">>> ", "")
    replaced_functions: ClassVar[Mapping[str, str]] = {"match": "perform_match"}
    # A string in values, though "null" in prose.
    words: ClassVar[Mapping[str, str]] = {**Scala.words, "None": '"none"'}
    # All ints are Int, whatever their size.
    scalars: ClassVar[Mapping[str, str]] = {
        **Scala.scalars,
        "long": "Int",
        "big": "Int",
        "number": "Double",
    }
    containers: ClassVar[Mapping[str, str]] = {**Scala.containers, "optional": "Any"}
    shown_containers: ClassVar[Mapping[str, str]] = {
        **Scala.shown_containers,
        "entry": "{key}->{value}",
    }

    def string(self, value: str) -> str:
        # A raw string, in which the escapes stand for themselves.
        return f'"""{self.escaped(value)}"""'

    def shown(self, value: Value, found: Type) -> str:
        return f'"{self.escaped(value)}"' if isinstance(value, str) else super().shown(value, found)

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"List({self.literals(items, item_type(found))})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"Set({self.literals(items, item_type(found))})"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        pairs = (f"{self.literal(k, key)} -> {self.literal(v, value)}" for k, v in items.items())
        return f"Map({', '.join(pairs)})"

    def test(self, typed: TypedProblem) -> str:
        return f"\n\n{self.cases(typed)}\n}}\n"

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        lines = [
            f"var {name} : {self.type_name(found)} = {literal}"
            for name, found, literal in self.declared_arguments(typed, index, case)
        ]
        arguments = ", ".join(f"arg{index}{place}" for place in range(len(lines)))
        returned = self.type_name(typed.returns)
        message = f'"Exception -- test case {index} did not pass. x{index} = " + x{index}'
        lines += [
            f"var x{index} : {returned} = {typed.function}({arguments})",
            f"var v{index} : {returned} = {self.literal(case.expected, typed.returns)}",
            f"assert(x{index} == v{index}, {message})",
        ]
        return "".join(f"    {line}\n" for line in lines) + "\n"


STRICT = Scala()
RELEASE = ScalaRelease()
