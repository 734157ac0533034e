"""A C++ program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.cpp import STRICT, VALUE
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
template <typename T> struct Json;
template <typename T> string json(const T& value) { return Json<T>::of(value); }
template <typename C> string items(const C& values) {
    string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + json(value);
    return "[" + text + "]";
}
template <> struct Json<monostate> { static string of(monostate) { return "null"; } };
template <> struct Json<bool> {
    static string of(bool value) { return value ? "true" : "false"; }
};
template <> struct Json<int> { static string of(int value) { return to_string(value); } };
template <> struct Json<long long> {
    static string of(long long value) { return to_string(value); }
};
template <> struct Json<double> {
    static string of(double value) {
        char text[40];
        snprintf(text, sizeof text, "{\"f\": \"%.17g\"}", value);
        return text;
    }
};
template <> struct Json<string> {
    static string of(const string& value) {
        string text;
        char part[8];
        wstring_convert<codecvt_utf8_utf16<char16_t>, char16_t> utf16;
        u16string units = utf16.from_bytes(value);
        for (char16_t unit : units) {
            bool plain = unit >= ' ' && unit <= '~' && unit != '"' && unit != '\\';
            snprintf(part, sizeof part, plain ? "%c" : "\\u%04x", unit);
            text += part;
        }
        return '"' + text + '"';
    }
};
template <typename K, typename V> struct Json<pair<K, V>> {
    static string of(const pair<K, V>& value) {
        return "[" + json<decay_t<K>>(value.first) + ", " + json(value.second) + "]";
    }
};
template <typename T> struct Json<optional<T>> {
    static string of(const optional<T>& value) { return value ? json(*value) : "null"; }
};
template <typename T> struct Json<vector<T>> {
    static string of(const vector<T>& value) { return items(value); }
};
template <> struct Json<vector<bool>> {
    static string of(const vector<bool>& value) {
        return items(deque<bool>(value.begin(), value.end()));
    }
};
template <typename C> struct Set {
    static string of(const C& value) { return "{\"s\": " + items(value) + "}"; }
};
template <typename T> struct Json<set<T>> : Set<set<T>> {};
template <typename T> struct Json<unordered_set<T>> : Set<unordered_set<T>> {};
template <typename C> struct Dict {
    static string of(const C& value) { return "{\"d\": " + items(value) + "}"; }
};
template <typename K, typename V> struct Json<map<K, V>> : Dict<map<K, V>> {};
template <typename K, typename V> struct Json<unordered_map<K, V>> : Dict<unordered_map<K, V>> {};
template <> struct Json<Value> {
    static string of(const Value& value) {
        const Value::variant& held = value;
        return visit([](const auto& item) { return json(item); }, held);
    }
};
"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = "".join(
        f"    {{\n        {STRICT.type_name(found)} value = {STRICT.literal(value, found)};\n"
        "        cout << json(value) << endl;\n    }\n"
        for value, found in values
    )
    return (
        f"#include <bits/stdc++.h>\nusing namespace std;\n\n{VALUE}{_WRITER}\n"
        f"int main(int argc, char* argv[]) {{\n{lines}    return 0;\n}}\n"
    )
