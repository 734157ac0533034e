"""Go."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_b import FamilyB
from mbxp_datasets.conversion.problem import Case, PythonProblem, TypedProblem, UnconvertibleError
from mbxp_datasets.conversion.targets.base import Target, entry_types, item_type, tolerance, widened
from mbxp_datasets.conversion.types import BIG, FLOAT, INT64, DictOf, ListOf, SetOf, Type
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value

_PACKAGES = {
    "bytes": "Equal",
    "fmt": "Sprint",
    "math": "Pi",
    "math/big": "NewInt",
    "reflect": "DeepEqual",
    "regexp": "MustCompile",
    "sort": "Ints",
    "strconv": "Itoa",
    "strings": "Join",
    "unicode": "IsLetter",
    "unicode/utf8": "RuneLen",
}
"""What every prompt imports, since a completion cannot, with a name from each for the test to
use: an import that is not used is an error."""
_FOR_MODULES = {
    "cmath": ("math/cmplx", "Abs"),
    "datetime": ("time", "Now"),
    "hashlib": ("crypto/md5", "Sum"),
    "heapq": ("container/heap", "Init"),
    "random": ("math/rand", "Intn"),
}
"""What a prompt imports as well where the Python problem imports a module."""

_COMPARISON = """
func mbxp__check(index int, actual, expected interface{}, tolerance float64) {
	if !mbxp__same(reflect.ValueOf(actual), reflect.ValueOf(expected), tolerance) {
		panic(fmt.Sprintf("Exception --- test case %d failed to pass", index))
	}
}

func mbxp__same(actual, expected reflect.Value, tolerance float64) bool {
	actual, expected = mbxp__inner(actual), mbxp__inner(expected)
	if !actual.IsValid() || !expected.IsValid() {
		return actual.IsValid() == expected.IsValid()
	}
	if whole := mbxp__whole(expected); whole != nil {
		if found := mbxp__whole(actual); found != nil {
			return found.Cmp(whole) == 0
		}
		found, ok := mbxp__real(actual)
		exact := new(big.Float).SetInt(whole)
		return ok && !math.IsNaN(found) && big.NewFloat(found).Cmp(exact) == 0
	}
	if want, ok := mbxp__real(expected); ok {
		found, ok := mbxp__real(actual)
		if math.IsNaN(want) || math.IsInf(want, 0) {
			return ok && (found == want || math.IsNaN(found) && math.IsNaN(want))
		}
		return ok && math.Abs(found-want) <= math.Max(1e-6*math.Abs(want), tolerance)
	}
	switch expected.Kind() {
	case reflect.Bool:
		return actual.Kind() == reflect.Bool && actual.Bool() == expected.Bool()
	case reflect.String:
		return actual.Kind() == reflect.String && actual.String() == expected.String()
	case reflect.Slice:
		same := actual.Kind() == reflect.Slice || actual.Kind() == reflect.Array
		same = same && actual.Len() == expected.Len()
		for i := 0; same && i < expected.Len(); i++ {
			same = mbxp__same(actual.Index(i), expected.Index(i), tolerance)
		}
		return same
	case reflect.Map:
		if actual.Kind() != reflect.Map || mbxp__isSet(actual) != mbxp__isSet(expected) {
			return false
		}
		return actual.Len() == expected.Len() && mbxp__matched(actual, expected, tolerance)
	}
	return false
}

func mbxp__matched(actual, expected reflect.Value, tolerance float64) bool {
	left := actual.MapKeys()
	for _, key := range expected.MapKeys() {
		found := false
		for i := 0; i < len(left) && !found; i++ {
			found = mbxp__same(left[i], key, tolerance) && (mbxp__isSet(expected) ||
				mbxp__same(actual.MapIndex(left[i]), expected.MapIndex(key), tolerance))
			if found {
				left = append(left[:i], left[i+1:]...)
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func mbxp__isSet(value reflect.Value) bool {
	item := value.Type().Elem()
	return item.Kind() == reflect.Struct && item.NumField() == 0
}

// The value itself: no interface, and no pointer but a *big.Int. A nil becomes invalid.
func mbxp__inner(value reflect.Value) reflect.Value {
	for value.Kind() == reflect.Interface || value.Kind() == reflect.Ptr {
		if value.Type() == reflect.TypeOf((*big.Int)(nil)) && !value.IsNil() {
			break
		}
		value = value.Elem()
	}
	return value
}

func mbxp__whole(value reflect.Value) *big.Int {
	if !value.IsValid() {
		return nil
	}
	switch value.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return big.NewInt(value.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return new(big.Int).SetUint64(value.Uint())
	case reflect.Ptr:
		return value.Interface().(*big.Int)
	}
	return nil
}

func mbxp__real(value reflect.Value) (float64, bool) {
	if value.Kind() == reflect.Float64 || value.Kind() == reflect.Float32 {
		return value.Float(), true
	}
	if whole := mbxp__whole(value); whole != nil {
		real, _ := new(big.Float).SetInt(whole).Float64()
		return real, true
	}
	return 0, false
}
"""

HELPER = """
func mbxp__big(digits string) *big.Int {
	value, _ := new(big.Int).SetString(digits, 10)
	return value
}
"""
"""What literals of big ints call."""


class Go(Target):
    language = "go"
    title = "Go"
    comment = ("", "// ", "")
    comment_escapes = {"\x00": "\\x00", "\ufeff": "\\ufeff"}
    words = {"None": "nil", "True": "true", "False": "false"}
    scalars = {
        "bool": "bool",
        "int": "int",
        "long": "int",
        "big": "*big.Int",
        "float": "float64",
        "number": "interface{}",
        "str": "string",
        "none": "interface{}",
        "any": "interface{}",
        "empty": "interface{}",
    }
    containers = {
        "list": "[]{item}",
        "set": "map[{item}]struct{{}}",
        "dict": "map[{key}]{value}",
        "optional": "interface{{}}",
    }
    reserved = frozenset(
        # Words of the language, names that the test needs as they are, and packages.
        """
        break case chan const continue default defer else fallthrough for func go goto if import
        interface map package range return select struct switch type var
        _ append any bool byte cap clear close comparable complex complex64 complex128 copy delete
        error false float32 float64 imag init int int8 int16 int32 int64 iota len main make max
        min new nil panic print println real recover rune string true uint uint8 uint16 uint32
        uint64 uintptr
        """.split()
    ) | {
        package.rpartition("/")[2]
        for package in [*_PACKAGES, *(package for package, _ in _FOR_MODULES.values())]
    }

    def function_name(self, entry_point: str) -> str:
        return names.distinct([entry_point], self.reserved)[0]

    # ---- types

    def type_name(self, found: Type) -> str:
        key = found.item if isinstance(found, SetOf) else getattr(found, "key", None)
        if isinstance(key, ListOf | SetOf | DictOf) or key == BIG:
            raise UnsupportedValueError(f"{self.type_name(key)} as a key, which Go cannot compare")
        return super().type_name(found)

    # ---- literals

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        return self.big(value) if found == BIG or value not in INT64 else str(value)

    def big(self, value: int) -> str:
        """An int of any size."""
        return f'mbxp__big("{value}")'

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "math.NaN()"
        if math.isinf(value):
            return f"math.Inf({1 if value > 0 else -1})"
        if value == 0 and math.copysign(1, value) < 0:
            return "math.Copysign(0, -1)"
        return repr(value)

    def string(self, value: str) -> str:
        if value.isprintable():
            return json.dumps(value, ensure_ascii=False)
        return f'"{"".join(map(_escaped, value))}"'

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return f"[]{self.type_name(item)}{{{self.literals(items, item)}}}"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        self.check_keys(items)
        name = self.type_name(SetOf(item))
        return f"{name}{{{', '.join(self.literal(one, item) + ': {}' for one in items)}}}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        self.check_keys(items)
        pairs = ", ".join(
            f"{self.literal(left, key)}: {self.literal(right, value)}"
            for left, right in items.items()
        )
        return f"{self.type_name(DictOf(key, value))}{{{pairs}}}"

    def check_keys(self, keys: Iterable[Value]) -> None:
        """See that keys of any type are some that Go can compare.

        Raises:
            UnsupportedValueError: one is not.
        """
        for key in keys:
            if isinstance(key, tuple | SetValue) or (isinstance(key, int) and key not in INT64):
                raise UnsupportedValueError(f"{key!r} as a key, which Go cannot compare")

    # ---- texts

    def shown(self, value: Value, found: Type) -> str:
        return _SHOWN.literal(value, found)

    def prompt(self, typed: TypedProblem) -> str:
        imports = "".join(f'\t"{package}"\n' for package in sorted(self.packages(typed.problem)))
        parameters = ", ".join(f"{one.name} {self.type_name(one.type)}" for one in typed.parameters)
        head = f"func {typed.function}({parameters}) {self.type_name(typed.returns)} {{\n"
        return f"package main\n\nimport (\n{imports})\n\n{self.doc_comment(typed)}{head}"

    def packages(self, problem: PythonProblem) -> dict[str, str]:
        """What the prompt imports, with a name from each package."""
        return {
            **_PACKAGES,
            **dict(_FOR_MODULES[name] for name in problem.modules & _FOR_MODULES.keys()),
        }

    def test(self, typed: TypedProblem) -> str:
        used = "".join(
            f"\t_ = {package.rpartition('/')[2]}.{name}\n"
            for package, name in sorted(self.packages(typed.problem).items())
        )
        lines = []
        for index, case in enumerate(typed.cases):
            call = self.call(typed, case)
            expected = self.literal(case.expected, typed.returns)
            lines.append(f"\tmbxp__check({index}, {call}, {expected}, {tolerance(case)!r})\n")
        return f"\nvar (\n{used})\n{_COMPARISON}{HELPER}\nfunc main() {{\n{''.join(lines)}}}\n"

    @property
    def stub(self) -> str:
        return '\tpanic("not written")\n}\n'


class _Shown(Go):
    """Literals for examples, where a big int is nothing but its digits."""

    def big(self, value: int) -> str:
        return str(value)


_SHOWN = _Shown()


def _escaped(char: str) -> str:
    if char.isprintable() or char in "\n\r\t":
        return json.dumps(char, ensure_ascii=False)[1:-1]
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


_DEEP_COMPARE = """

func deepCompare(a interface{}, b interface{}, msg string) bool {
	aJSON, err := json.Marshal(a)
	if err != nil {
		panic(msg)
	}
	bJSON, err := json.Marshal(b)
	if err != nil {
		panic(msg)
	}
	var a2 interface{}
	var b2 interface{}
	err = json.Unmarshal(aJSON, &a2)
	if err != nil {
		panic(msg)
	}
	err = json.Unmarshal(bJSON, &b2)
	if err != nil {
		panic(msg)
	}
	result := reflect.DeepEqual(a2, b2)
	if result {
		return true
	} else {
		panic(msg)
	}
}

"""


class GoRelease(FamilyB, Go):
    prose_name = "golang"
    none_in_prose = "nil"
    expert = "Golang"
    heading = ("Code should be written in Go/Golang",)
    before_examples = ("Examples:",)

    def typed(self, problem: PythonProblem, cases: tuple[Case, ...]) -> TypedProblem:
        if "heapq" in problem.modules:
            raise UnconvertibleError(problem.task_id, "its solution imports heapq")
        return super().typed(problem, cases)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        raise UnsupportedValueError("a set, which Go does not have")

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        if not isinstance(found, DictOf):
            raise UnsupportedValueError("a dict among values of other types")
        key, value = entry_types(found)
        pairs = "".join(
            f"{self.literal(left, key)}: {self.literal(right, value)}, "
            for left, right in items.items()
        )
        return f"{self.type_name(found)}{{ {pairs} }}"

    def prompt(self, typed: TypedProblem) -> str:
        problem = typed.problem
        packages = ["encoding/json", "reflect"]
        if problem.modules & {"math", "cmath"}:
            packages.insert(0, "math")
        elif "sort" in self.description(typed):
            packages.insert(0, "sort")
        imports = "".join(f'\t"{package}"\n' for package in packages)
        parameters = ", ".join(f"{one.name} {self.type_name(one.type)}" for one in typed.parameters)
        head = f"func {typed.function} ({parameters}) {self.type_name(typed.returns)} {{\n"
        return f"package main\n\nimport (\n{imports})\n{self.doc_comment(typed)}{head}"

    def test(self, typed: TypedProblem) -> str:
        cases = []
        for index, case in enumerate(typed.cases):
            number = index + 1
            expected = self.literal(case.expected, typed.returns)
            cases.append(
                f"\tactual_{number} := {self.call(typed, case)}\n"
                f"\texpected_{number} := {expected}\n"
                f"\tdeepCompare(actual_{number}, expected_{number}, "
                f'"Exception --- test case {index} failed to pass")\n\n'
            )
        return f"{_DEEP_COMPARE}func main() {{\n{''.join(cases)}}}"


STRICT = Go()
RELEASE = GoRelease()
