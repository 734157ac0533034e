"""C#, as Mono's compiler takes it (C# 7)."""

from __future__ import annotations

import json
import math
import struct
from decimal import Decimal

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_b import FamilyB
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import Target, entry_types, item_type, tolerance, widened
from mbxp_datasets.conversion.types import (
    BIG,
    BOOL,
    FLOAT,
    INT,
    INT32,
    INT64,
    LONG,
    DictOf,
    Optional,
    Type,
)
from mbxp_datasets.conversion.values import UnsupportedValueError, Value

_COMPARISON = """
    internal static class mbxp__Test
    {
        internal static void Check(int index, object actual, object expected, double tolerance)
        {
            if (!Same(actual, expected, tolerance))
            {
                throw new Exception("Exception --- test case " + index + " failed to pass");
            }
        }

        static bool Same(object actual, object expected, double tolerance)
        {
            if (actual == null || expected == null)
            {
                return actual == null && expected == null;
            }
            if (IsNumber(expected))
            {
                return IsNumber(actual) && SameNumber(actual, expected, tolerance);
            }
            if (expected is bool || expected is string)
            {
                return expected.Equals(actual);
            }
            if (Kind(actual) != Kind(expected))
            {
                return false;
            }
            List<object> left = Parts(actual);
            List<object> right = Parts(expected);
            if (left.Count != right.Count)
            {
                return false;
            }
            if (Kind(expected) == "list")
            {
                return !right.Where((item, i) => !Same(left[i], item, tolerance)).Any();
            }
            return right.All(item => Taken(left, item, tolerance));
        }

        static bool Taken(List<object> left, object item, double tolerance)
        {
            int found = left.FindIndex(other => Same(other, item, tolerance));
            if (found >= 0)
            {
                left.RemoveAt(found);
            }
            return found >= 0;
        }

        static string Kind(object value)
        {
            bool isSet = value.GetType().GetInterfaces().Any(
                one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(ISet<>));
            return value is System.Collections.IDictionary ? "dictionary"
                : isSet ? "set"
                : value is System.Collections.IEnumerable && !(value is string) ? "list"
                : "";
        }

        static List<object> Parts(object value)
        {
            var parts = new List<object>();
            if (value is System.Collections.IDictionary)
            {
                var map = (System.Collections.IDictionary)value;
                foreach (System.Collections.DictionaryEntry entry in map)
                {
                    parts.Add(new List<object> { entry.Key, entry.Value });
                }
            }
            else
            {
                foreach (object item in (System.Collections.IEnumerable)value)
                {
                    parts.Add(item);
                }
            }
            return parts;
        }

        static bool IsNumber(object value)
        {
            return IsInteger(value) || value is double || value is float || value is decimal;
        }

        static bool IsInteger(object value)
        {
            return value is int || value is long || value is System.Numerics.BigInteger
                || value is uint || value is ulong || value is short || value is ushort
                || value is byte || value is sbyte;
        }

        static bool SameNumber(object actual, object expected, double tolerance)
        {
            if (IsInteger(expected))
            {
                if (IsInteger(actual))
                {
                    return Integer(actual) == Integer(expected);
                }
                double number = Real(actual);
                return number % 1 == 0
                    && new System.Numerics.BigInteger(number) == Integer(expected);
            }
            double left = Real(actual);
            double right = Real(expected);
            if (double.IsNaN(right) || double.IsInfinity(right))
            {
                return left.Equals(right);
            }
            return Math.Abs(left - right) <= Math.Max(1e-6 * Math.Abs(right), tolerance);
        }

        static System.Numerics.BigInteger Integer(object value)
        {
            return value is System.Numerics.BigInteger
                ? (System.Numerics.BigInteger)value
                : new System.Numerics.BigInteger(Convert.ToDecimal(value));
        }

        static double Real(object value)
        {
            return value is System.Numerics.BigInteger
                ? (double)(System.Numerics.BigInteger)value
                : Convert.ToDouble(value);
        }
    }
}
"""

_USINGS = (
    "System",
    "System.Collections.Generic",
    "System.Linq",
    "System.Numerics",
    "System.Security.Cryptography",
    "System.Text",
    "System.Text.RegularExpressions",
)


class CSharp(Target):
    language = "csharp"
    title = "C#"
    comment = ("/// <summary>", "/// ", "/// </summary>")
    comment_escapes = {"\r": "\\r", "\x85": "\\x85", "\u2028": "\\u2028", "\u2029": "\\u2029"}
    words = {"None": "null", "True": "true", "False": "false"}
    scalars = {
        "bool": "bool",
        "int": "int",
        "long": "long",
        "big": "BigInteger",
        "float": "double",
        "number": "object",
        "str": "string",
        "none": "object",
        "any": "object",
        "empty": "object",
    }
    containers = {
        "list": "List<{item}>",
        "set": "HashSet<{item}>",
        "dict": "Dictionary<{key}, {value}>",
    }
    reserved = frozenset(
        # Words of the language, members that every class has, and types that a method of the
        # same name would hide from the solution.
        """
        abstract as base bool break byte case catch char checked class const continue decimal
        default delegate do double else enum event explicit extern false finally fixed float for
        foreach goto if implicit in int interface internal is lock long namespace new null object
        operator out override params private protected public readonly ref return sbyte sealed
        short sizeof stackalloc static string struct switch this throw true try typeof uint ulong
        unchecked unsafe ushort using virtual void volatile while
        Equals Finalize GetHashCode GetType Main MemberwiseClone Program ReferenceEquals ToString
        Array BigInteger BitConverter Char Console Convert DateTime Decimal Double Encoding
        Enumerable Int32 Int64 Math Regex Solution String StringBuilder System Tuple
        """.split()
    )
    usings: tuple[str, ...] = _USINGS

    def function_name(self, entry_point: str) -> str:
        return names.distinct([_pascal(entry_point)], self.reserved)[0]

    def type_name(self, found: Type) -> str:
        if isinstance(found, Optional):
            inner = self.type_name(found.of)
            return f"{inner}?" if found.of in (BOOL, FLOAT, INT, LONG, BIG) else inner
        return super().type_name(found)

    # ---- literals

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        if value not in INT64:
            return f'BigInteger.Parse("{value}")'
        if found == BIG:
            return f"new BigInteger({value})"
        return f"{value}L" if found == LONG or value not in INT32 else str(value)

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "double.NaN"
        if math.isinf(value):
            return "double.PositiveInfinity" if value > 0 else "double.NegativeInfinity"
        if _is_read_exactly(value):
            return repr(value)
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        return f"BitConverter.Int64BitsToDouble({bits}L) /* {value!r} */"

    def string(self, value: str) -> str:
        return json.dumps(value, ensure_ascii=not value.isprintable())

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return self.filled(f"List<{self.type_name(item)}>", self.literals(items, item))

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return self.filled(f"HashSet<{self.type_name(item)}>", self.literals(items, item))

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        if None in items:
            raise UnsupportedValueError("None as a key, which no Dictionary can hold")
        key, value = entry_types(found)
        pairs = [
            f"{{ {self.literal(left, key)}, {self.literal(right, value)} }}"
            for left, right in items.items()
        ]
        name = f"Dictionary<{self.type_name(key)}, {self.type_name(value)}>"
        return self.filled(name, ", ".join(pairs))

    def filled(self, name: str, items: str) -> str:
        """A collection of a type with its items."""
        return f"new {name} {{ {items} }}" if items else f"new {name}()"

    # ---- texts

    def shown(self, value: Value, found: Type) -> str:
        return _SHOWN.literal(value, found)

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{self.type_name(one.type)} {one.name}" for one in typed.parameters)
        return (
            "".join(f"using {name};\n" for name in self.usings)
            + "\nnamespace Solution\n{\n    public class Program\n    {\n"
            + "".join(f"        {line}\n" for line in self.doc_comment(typed)[:-1].split("\n"))
            + f"        public static {self.type_name(typed.returns)} "
            + self.signature(typed.function, parameters)
        )

    def signature(self, function: str, parameters: str) -> str:
        """From the function's name to what the completion follows."""
        return f"{function}({parameters})\n        {{\n"

    def test(self, typed: TypedProblem) -> str:
        lines = []
        for index, case in enumerate(typed.cases):
            call = self.call(typed, case)
            expected = _SHOWN.literal(case.expected, typed.returns)
            checked = f"{index}, {call}, {expected}, {tolerance(case)!r}"
            lines.append(f"            mbxp__Test.Check({checked});\n")
        main = f"        public static void Main(string[] args)\n        {{\n{''.join(lines)}"
        return f"\n{main}        }}\n    }}\n{_COMPARISON}"

    @property
    def stub(self) -> str:
        return "            throw new NotImplementedException();\n        }\n"


def _pascal(name: str) -> str:
    """Each part's first letter raised, the rest as it is."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _is_read_exactly(value: float) -> bool:
    """Whether Mono's compiler is sure to read the decimal as this float.

    It takes about one in a thousand of the others for a neighbour, some of six digits too.
    """
    if value.is_integer():
        return abs(value) < 10**15
    _, digits, exponent = Decimal(repr(value)).as_tuple()
    return len(digits) <= 5 and int(exponent) >= -4


class _Shown(CSharp):
    """Literals for examples and for what is compared with a tolerance: all floats as decimals."""

    def floating(self, value: float) -> str:
        return repr(value) if math.isfinite(value) else super().floating(value)


_SHOWN = _Shown()


class CSharpRelease(FamilyB, CSharp):
    prose_name = "c#"
    none_in_prose = "null"
    expert = "C#"
    comment = ("/// <summary> ", "/// ", "/// </summary>")
    usings = (
        "System",
        "System.Collections.Generic",
        "System.Linq",
        "System.Text.RegularExpressions",
        "KellermanSoftware.CompareNetObjects",
    )

    def rename(self, name: str) -> str:
        return _pascal(name)

    def literals(self, values: list[Value] | tuple[Value, ...], item: Type) -> str:
        return ",".join(self.literal(value, item) for value in values)

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        pairs = ",".join(
            f"{{{self.literal(left, key)}, {self.literal(right, value)}}}"
            for left, right in items.items()
        )
        # Where no type is declared this does not compile.
        named = isinstance(found, DictOf)
        name = f"Dictionary<{self.type_name(key)}, {self.type_name(value)}>" if named else "object"
        return self.filled(name, pairs)

    def filled(self, name: str, items: str) -> str:
        return f"new {name} {{{items}}}"

    def doc_lines(self, typed: TypedProblem) -> list[str]:
        lines = super().doc_lines(typed)
        if typed.problem.doctest_cases:
            return lines
        # In prose too, and inside other words.
        return [lines[0]] + [
            line.replace(typed.problem.entry_point, typed.function) for line in lines[1:]
        ]

    def signature(self, function: str, parameters: str) -> str:
        return f"{function} ({parameters}) \n        {{"

    def test(self, typed: TypedProblem) -> str:
        cases = []
        for index, case in enumerate(typed.cases):
            number = index + 1
            expected = self.literal(case.expected, typed.returns)
            cases.append(
                f"            var actual{number} = {self.call(typed, case)};\n"
                f"            var expected{number} = {expected};\n"
                f"            var result{number} = "
                f"compareLogic.Compare(actual{number}, expected{number});\n"
                f"            if (!result{number}.AreEqual) {{throw new Exception("
                f'"Exception --- test case {index} failed to pass");}}\n\n'
            )
        return (
            "\n\n        public static void Main(string[] args)\n        {\n"
            "            CompareLogic compareLogic = new CompareLogic();\n"
            f"{''.join(cases)}        }}\n    }}\n}}\n"
        )


STRICT = CSharp()
RELEASE = CSharpRelease()
