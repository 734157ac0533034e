"""C++: typed containers; values of several types are a `Value`, which the prompt brings."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import (
    Case,
    Parameter,
    PythonProblem,
    TypedProblem,
    UnconvertibleError,
)
from mbxp_datasets.conversion.targets.base import (
    Target,
    entry_types,
    item_type,
    names_value,
    tolerance,
    widened,
)
from mbxp_datasets.conversion.targets.cpp_source import SAME, SAME_VALUE, VALUE
from mbxp_datasets.conversion.types import (
    ANY,
    FLOAT,
    INT,
    INT64,
    LONG,
    NONE,
    DictOf,
    ListOf,
    Scalar,
    SetOf,
    Type,
    inside,
    type_of,
)
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value

_HEAD = "#include <bits/stdc++.h>\nusing namespace std;\n\n"

_KEYWORDS = """
alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr
const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator
or private protected public register reinterpret_cast return short signed sizeof static struct
switch template this throw true try typedef typeid typename union unsigned using virtual void
volatile wchar_t while xor char16_t char32_t concept requires
main std errno assert stdin stdout stderr linux unix environ
string vector set map unordered_set unordered_map optional nullopt numeric_limits runtime_error
"""

_C_FUNCTIONS = """
abs labs llabs div ldiv abort exit atexit rand srand random srandom system getenv malloc calloc
realloc free time clock difftime mktime isalnum isalpha isblank iscntrl isdigit isgraph islower
isprint ispunct isspace isupper isxdigit tolower toupper toascii isascii putchar getchar puts
remove rename sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 pow sqrt cbrt ceil floor
round trunc fabs fmod hypot gamma lgamma tgamma erf erfc j0 j1 jn y0 y1 yn ffs alarm pause sleep
signal raise
"""
"""In the global namespace with plain parameters: a function of the same signature clashes."""


class Cpp(Target):
    """C++17 as `g++` takes it by default."""

    language = "cpp"
    title = "C++"
    comment = ("/**", " * ", " */")
    prompt_marks = ("> ", "")
    words = {"None": "nullopt", "True": "true", "False": "false"}
    scalars = {
        "bool": "bool",
        "int": "int",
        "long": "long long",
        "float": "double",
        "str": "string",
        "none": "Value",
        "any": "Value",
        "empty": "Value",
    }
    containers = {"list": "vector<{item}>", "optional": "optional<{of}>"}
    reserved = frozenset(_KEYWORDS.split())

    def function_name(self, entry_point: str) -> str:
        reserved = self.reserved | {*_C_FUNCTIONS.split()}
        return names.distinct([names.camel(entry_point)], reserved)[0]

    # ---- types: only plain keys have a hash

    def type_name(self, found: Type) -> str:
        match found:
            case Scalar("big"):
                raise UnsupportedValueError("an int beyond 64 bits")
            case SetOf():
                item = _key(item_type(found))
                return f"{_hashed(item)}set<{self.type_name(item)}>"
            case DictOf():
                key, value = _entry(found)
                return f"{_hashed(key)}map<{self.type_name(key)}, {self.type_name(value)}>"
        return super().type_name(found)

    # ---- literals: every container names its type, since bare braces are ambiguous

    def literal(self, value: Value, found: Type) -> str:
        if found in (ANY, NONE):
            return f"Value({'' if value is None else super().literal(value, ANY)})"
        return super().literal(value, found)

    def some(self, value: Value, inner: Type) -> str:
        return f"{self.type_name(inner)}({self.literal(value, inner)})"

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        if value not in INT64:
            raise UnsupportedValueError("an int beyond 64 bits")
        if found == INT:
            return str(value)
        return f"{value}LL" if value != INT64[0] else f"({value + 1}LL - 1)"

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "numeric_limits<double>::quiet_NaN()"
        if math.isinf(value):
            return f"{'-' if value < 0 else ''}numeric_limits<double>::infinity()"
        return repr(value)

    def string(self, value: str) -> str:
        length = f", {len(value.encode())}" if "\0" in value else ""
        return f"string({self.quoted(value)}{length})"

    def quoted(self, value: str) -> str:
        """A C string; octal escapes, since hexadecimal ones do not end by themselves."""
        text = "".join(
            char if char.isprintable() else "".join(f"\\{byte:03o}" for byte in char.encode())
            for char in value.replace("\\", "\\\\").replace('"', '\\"')
        )
        # The first of these would begin a trigraph in other standards.
        return (
            '"' + text.replace("??", "?\\?").replace("\\012", "\\n").replace("\\011", "\\t") + '"'
        )

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return f"{self.type_name(ListOf(item))}{{{self.literals(items, item)}}}"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        item = _key(item_type(found))
        return f"{self.type_name(SetOf(item))}{{{self.literals(items, item)}}}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = _entry(found)
        pairs = (f"{{{self.literal(k, key)}, {self.literal(v, value)}}}" for k, v in items.items())
        return f"{self.type_name(DictOf(key, value))}{{{', '.join(pairs)}}}"

    def shown(self, value: Value, found: Type) -> str:
        """Types left out, for the reader."""
        match value:
            case str():
                return self.quoted(value)
            case list() | tuple():
                return f"{{{', '.join(self.shown(item, item_type(found)) for item in value)}}}"
            case SetValue(items=items):
                return f"{{{', '.join(self.shown(item, item_type(found)) for item in items)}}}"
            case dict():
                key, entry = entry_types(found)
                pairs = (
                    f"{{{self.shown(k, key)}, {self.shown(v, entry)}}}" for k, v in value.items()
                )
                return f"{{{', '.join(pairs)}}}"
            case float() if not math.isfinite(value):
                return "NAN" if math.isnan(value) else "-INFINITY" if value < 0 else "INFINITY"
            case int() if not isinstance(value, bool):
                return self.integer(value, FLOAT if found == FLOAT else INT)
        return self.words["None"] if value is None else super().literal(value, type_of(value))

    # ---- texts

    def _signature(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{self.type_name(p.type)} {p.name}" for p in typed.parameters)
        return f"{self.type_name(typed.returns)} {typed.function}({parameters})"

    def prompt(self, typed: TypedProblem) -> str:
        signature = self._signature(typed)
        value = VALUE + "\n" if names_value(signature) else ""
        return f"{_HEAD}{value}\n{self.doc_comment(typed)}{signature} {{\n"

    def test(self, typed: TypedProblem) -> str:
        returns = self.type_name(typed.returns)
        same = SAME + (SAME_VALUE if names_value(self._signature(typed)) else "")
        cases = []
        for index, case in enumerate(typed.cases):
            call = f"::{self.call(typed, case)}"
            expected = self.literal(case.expected, typed.returns)
            within = repr(tolerance(case))
            cases.append(
                f"    if (!mbxp__same<{returns}>({call}, {expected}, {within})) {{\n"
                f'        throw runtime_error("Exception -- test case {index} did not pass.");\n'
                "    }\n\n"
            )
        return f"\n{same}\nint main(int argc, char* argv[]) {{\n{''.join(cases)}    return 0;\n}}\n"

    @property
    def stub(self) -> str:
        return '    throw runtime_error("not written");\n}\n'


def _key(found: Type) -> Type:
    """A key's type; a set within one would need an order, which a `Value` has."""
    return ANY if any(isinstance(inner, SetOf) for inner in inside(found)) else found


def _entry(found: Type) -> tuple[Type, Type]:
    key, value = entry_types(found)
    return _key(key), value


def _hashed(key: Type) -> str:
    return "unordered_" if isinstance(key, Scalar) and key not in (ANY, NONE) else ""


@dataclass(frozen=True)
class _Numbered(Case):
    """A case with its place among all that were read; others may have been left out."""

    index: int = 0


class CppRelease(FamilyA, Cpp):
    """As the release has it: no values of mixed, empty or nullable types at all."""

    prose_name = "c++"
    replaced_parameters = {"char": "chr", "string": "str"}
    string_escapes = (("*/", "*\\/"),)
    scalars = {**Cpp.scalars, "long": "int"}  # with a literal of type long long
    comparison = (
        "\ntemplate <typename T> bool compare(T a, T b){ \n    return a == b; \n}\n\n"
        "int main(int argc, char* argv[]) {\n"
    )

    def typed(self, problem: PythonProblem, cases: tuple[Case, ...]) -> TypedProblem:
        """Drops a case for its arguments, the task for an expected value or mixed types."""
        read = super().typed(problem, cases)
        kept: list[Case] = []
        columns: list[list[Type]] = [[] for _ in read.parameters]
        results = []
        for index, case in enumerate(read.cases):
            try:
                results.append(_plain_type(case.expected))
            except UnsupportedValueError as error:
                raise UnconvertibleError(problem.task_id, str(error), case.line) from None
            try:
                found = [_plain_type(value) for value in case.arguments]
            except UnsupportedValueError:
                continue
            for column, each in zip(columns, found, strict=True):
                column.append(each)
            kept.append(_Numbered(**vars(case), index=index))
        if not kept:
            raise UnconvertibleError(problem.task_id, "no case has arguments that C++ can declare")
        if any(len(set(column)) > 1 for column in (*columns, results)):
            raise UnconvertibleError(problem.task_id, "its cases have values of different types")
        parameters = [
            Parameter(parameter.name, column[0])
            for parameter, column in zip(read.parameters, columns, strict=True)
        ]
        return replace(read, parameters=tuple(parameters), returns=results[0], cases=tuple(kept))

    # ---- literals: a type at the outside of an argument, else braces alone

    def literal(self, value: Value, found: Type) -> str:
        return Target.literal(self, value, found)

    def argument(self, value: Value, found: Type) -> str:
        container = isinstance(found, ListOf | SetOf | DictOf)
        return (self.type_name(found) if container else "") + self.literal(value, found)

    def integer(self, value: int, found: Type) -> str:
        return f"(long long){value}" if type_of(value) == LONG else str(value)

    def string(self, value: str) -> str:
        return f"string({super().string(value)})"

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"{{{self.literals(items, item_type(found))}}}"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"{{{self.literals(items, item_type(found))}}}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        return super().dict_literal(items, found).removeprefix(self.type_name(found))

    def shown(self, value: Value, found: Type) -> str:
        return self.literal(value, found)

    # ---- prose: the doc lines have a mark of their own, once, and no line between

    def _none(self, text: str) -> str:
        return text.replace("none value", "-1")

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        return f"{typed.function}({', '.join(self.arguments(typed, case))})"

    def shown_result(self, typed: TypedProblem, case: Case) -> str:
        return self.shown(case.expected, typed.returns)

    def _doc_body(self, typed: TypedProblem, prefix: str) -> list[str]:
        lines = super()._doc_body(typed, prefix)
        if not typed.problem.doctest_cases:
            return lines
        first, _, *examples = lines
        return [prefix + first.removeprefix(prefix + prefix.strip() + " "), *examples]

    def arguments(self, typed: TypedProblem, case: Case) -> list[str]:
        pairs = zip(case.arguments, typed.parameters, strict=True)
        return [self.argument(value, parameter.type) for value, parameter in pairs]

    def prompt(self, typed: TypedProblem) -> str:
        return f"{_HEAD}\n{self.doc_comment(typed)}{self._signature(typed)} {{\n"

    def test(self, typed: TypedProblem) -> str:
        returns = self.type_name(typed.returns)
        cases = []
        for case in typed.cases:
            index = case.index if isinstance(case, _Numbered) else 0
            call = f"{typed.function}({', '.join(self.arguments(typed, case))})"
            expected = self.literal(case.expected, typed.returns)
            cases.append(
                f"    {returns} x{index} = {call};\n"
                f"    if (!(compare(x{index}, {expected}))) {{\n"
                f'        throw runtime_error("Exception -- test case {index} did not pass.");\n'
                "    }\n\n"
            )
        return f"{self.comparison}{''.join(cases)}    return 0;\n}}"


def _plain_type(value: Value, inside: bool = False) -> Type:
    """The type of a value that has one without mixtures, empty parts or nulls inside.

    Raises:
        UnsupportedValueError: it has none.
    """
    match value:
        case list() | tuple():
            return ListOf(_one_type(list(value)))
        case SetValue(items=items):
            return SetOf(_one_type(list(items), key=True))
        case dict():
            return DictOf(_one_type(list(value), key=True), _one_type(list(value.values())))
        case int() if not isinstance(value, bool):
            if value not in INT64:
                raise UnsupportedValueError("an int beyond 64 bits")
            return INT
        case None if inside:
            raise UnsupportedValueError("a null inside a container")
    return type_of(value)


def _one_type(values: list[Value], key: bool = False) -> Type:
    found = {_plain_type(value, inside=True) for value in values}
    if len(found) != 1:
        raise UnsupportedValueError("a container that is empty or of mixed types")
    (only,) = found
    if key and not isinstance(only, Scalar):
        raise UnsupportedValueError("a container as a key")
    return only


STRICT = Cpp()
RELEASE = CppRelease()
