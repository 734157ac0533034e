"""A Go program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.go import HELPER, STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_HEAD = """package main

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
)

var _ = math.Pi
"""
_WRITER = r"""
func text(value string) string {
	parts := []string{}
	for _, unit := range utf16.Encode([]rune(value)) {
		if unit >= ' ' && unit <= '~' && unit != '"' && unit != '\\' {
			parts = append(parts, string(rune(unit)))
		} else {
			parts = append(parts, fmt.Sprintf("\\u%04x", unit))
		}
	}
	return "\"" + strings.Join(parts, "") + "\""
}

func show(value reflect.Value) string {
	for value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	items := []string{}
	switch value.Kind() {
	case reflect.Invalid:
		return "null"
	case reflect.String:
		return text(value.String())
	case reflect.Float64:
		found := strconv.FormatFloat(value.Float(), 'g', -1, 64)
		return "{\"f\": \"" + strings.ToLower(found) + "\"}"
	case reflect.Slice:
		for i := 0; i < value.Len(); i++ {
			items = append(items, show(value.Index(i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Map:
		set := value.Type().Elem() == reflect.TypeOf(struct{}{})
		for entries := value.MapRange(); entries.Next(); {
			item := show(entries.Key())
			if !set {
				item = "[" + item + ", " + show(entries.Value()) + "]"
			}
			items = append(items, item)
		}
		tag := map[bool]string{true: "s", false: "d"}[set]
		return "{\"" + tag + "\": [" + strings.Join(items, ", ") + "]}"
	}
	return fmt.Sprint(value.Interface())
}
"""


def program(values: list[tuple[Value, Type]]) -> str:
    functions = "".join(
        f"\nfunc value{index}() {{\n\tvar value {STRICT.type_name(found)} = "
        f"{STRICT.literal(value, found)}\n\tfmt.Println(show(reflect.ValueOf(value)))\n}}\n"
        for index, (value, found) in enumerate(values)
    )
    calls = "".join(f"\tvalue{index}()\n" for index in range(len(values)))
    return f"{_HEAD}{_WRITER}{HELPER}{functions}\nfunc main() {{\n{calls}}}\n"
