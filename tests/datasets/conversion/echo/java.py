"""A Java program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.java import HELPERS, STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
    static String json(Object value) {
        if (value instanceof Double) {
            String text = value.toString().replace("Infinity", "inf").replace("NaN", "nan");
            return "{\"f\": \"" + text + "\"}";
        }
        if (value instanceof String) {
            StringBuilder text = new StringBuilder("\"");
            for (char c : ((String) value).toCharArray()) {
                boolean plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
                text.append(plain ? String.valueOf(c) : String.format("\\%c%04x", 'u', (int) c));
            }
            return text.append('"').toString();
        }
        if (value instanceof List) {
            return items((List<?>) value);
        }
        if (value instanceof Set) {
            return "{\"s\": " + items((Set<?>) value) + "}";
        }
        if (value instanceof Map) {
            return "{\"d\": " + items(((Map<?, ?>) value).entrySet()) + "}";
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return items(Arrays.asList(entry.getKey(), entry.getValue()));
        }
        return String.valueOf(value);
    }

    static String items(Collection<?> items) {
        List<String> texts = new ArrayList<>();
        for (Object item : items) {
            texts.add(json(item));
        }
        return "[" + String.join(", ", texts) + "]";
    }
"""


def program(values: list[tuple[Value, Type]]) -> str:
    methods = "".join(
        f"""
    static void value{index}() {{
        {STRICT.declared(found)} value = {STRICT.literal(value, found)};
        System.out.println(json(value));
    }}
"""
        for index, (value, found) in enumerate(values)
    )
    calls = "".join(f"        value{index}();\n" for index in range(len(values)))
    return (
        f"import java.math.*;\nimport java.util.*;\n\nclass Main {{\n{HELPERS}{_WRITER}{methods}\n"
        f"    public static void main(String[] args) {{\n{calls}    }}\n}}\n"
    )
