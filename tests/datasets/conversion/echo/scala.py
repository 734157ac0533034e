"""A Scala program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.scala import HELPERS, STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
    def json(value : Any) : String = value match {
        case null => "null"
        case number : Double =>
            val text = number.toString.replace("Infinity", "inf").replace("NaN", "nan")
            "{\"f\": \"" + text + "\"}"
        case text : String => text.map(escaped).mkString("\"", "", "\"")
        case list : List[_] => items(list)
        case set : Set[_] => "{\"s\": " + items(set.toList) + "}"
        case map : Map[_, _] => "{\"d\": " + items(map.toList.map(e => List(e._1, e._2))) + "}"
        case other => other.toString
    }

    def escaped(c : Char) : String =
        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') c.toString
        else "\\" + 'u' + "%04x".format(c.toInt)

    def items(items : List[Any]) : String = items.map(json).mkString("[", ", ", "]")
"""


def program(values: list[tuple[Value, Type]]) -> str:
    methods = "".join(
        f"""
    def value{index}() : Unit = {{
        val value : {STRICT.type_name(found)} = {STRICT.literal(value, found)}
        println(json(value))
    }}
"""
        for index, (value, found) in enumerate(values)
    )
    calls = "".join(f"    value{index}()\n" for index in range(len(values)))
    return f"object Main extends App {{\n{HELPERS}{_WRITER}{methods}\n{calls}}}\n"
