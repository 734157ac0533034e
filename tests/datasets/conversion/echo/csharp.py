"""A C# program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.csharp import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
    static string Json(object value)
    {
        if (value == null)
        {
            return "null";
        }
        if (value is bool)
        {
            return (bool)value ? "true" : "false";
        }
        if (value is double)
        {
            double number = (double)value;
            string text = number == 0 && 1 / number < 0 ? "-0.0"
                : number.ToString("G17", CultureInfo.InvariantCulture);
            return "{\"f\": \"" + text.Replace("Infinity", "inf").Replace("NaN", "nan") + "\"}";
        }
        if (value is string)
        {
            var parts = ((string)value).Select(c =>
                c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c.ToString()
                : "\\u" + ((int)c).ToString("x4"));
            return "\"" + string.Concat(parts) + "\"";
        }
        if (value is IDictionary)
        {
            var entries = new List<object>();
            foreach (DictionaryEntry entry in (IDictionary)value)
            {
                entries.Add(new List<object> { entry.Key, entry.Value });
            }
            return "{\"d\": " + Json(entries) + "}";
        }
        if (value is IEnumerable)
        {
            var parts = ((IEnumerable)value).Cast<object>().Select(Json);
            string items = "[" + string.Join(", ", parts) + "]";
            return value is IList ? items : "{\"s\": " + items + "}";
        }
        return value.ToString();
    }
"""


def program(values: list[tuple[Value, Type]]) -> str:
    methods = "".join(
        f"""
    static void Value{index}()
    {{
        {STRICT.type_name(found)} value = {STRICT.literal(value, found)};
        Console.WriteLine(Json(value));
    }}
"""
        for index, (value, found) in enumerate(values)
    )
    calls = "".join(f"        Value{index}();\n" for index in range(len(values)))
    usings = "".join(
        f"using {name};\n"
        for name in (*STRICT.usings, "System.Collections", "System.Globalization")
    )
    return (
        f"{usings}\npublic class Echo\n{{{_WRITER}{methods}\n"
        f"    public static void Main(string[] args)\n    {{\n{calls}    }}\n}}\n"
    )
