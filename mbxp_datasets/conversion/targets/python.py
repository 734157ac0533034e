"""Python itself, strict only: the problem as it is, with a test that tells 1 from True."""

from __future__ import annotations

from dataclasses import replace

from mbxp_datasets.conversion.names import HARNESS_PREFIX
from mbxp_datasets.conversion.problem import PythonProblem, TypedProblem
from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import ANY, Type
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value

IMPORTS = """\
import builtins as mbxp__py
import numbers as mbxp__numbers

mbxp__frozenset = mbxp__py.frozenset
"""
"""What a literal or the comparison needs; a solution may define names like `len` or `set`."""

_SAME = f"""

{IMPORTS}

def mbxp__same(actual, expected, tolerance):
    is_a, number = mbxp__py.isinstance, mbxp__numbers.Real
    if mbxp__is_bool(expected) or mbxp__is_bool(actual):
        return mbxp__is_bool(actual) and mbxp__is_bool(expected) and actual == expected
    if is_a(expected, mbxp__py.float):
        return is_a(actual, number) and mbxp__near(actual, expected, tolerance)
    if is_a(expected, mbxp__py.int):
        return is_a(actual, number) and actual == expected
    if is_a(expected, mbxp__py.list) or is_a(expected, mbxp__py.tuple):
        if not (is_a(actual, mbxp__py.list) or is_a(actual, mbxp__py.tuple)):
            return False
        return mbxp__py.len(actual) == mbxp__py.len(expected) and mbxp__py.all(
            mbxp__same(*pair, tolerance) for pair in mbxp__py.zip(actual, expected)
        )
    if is_a(expected, mbxp__py.set) or is_a(expected, mbxp__frozenset):
        sets = is_a(actual, mbxp__py.set) or is_a(actual, mbxp__frozenset)
        return sets and mbxp__in_any_order(actual, expected, tolerance)
    if is_a(expected, mbxp__py.dict):
        if not is_a(actual, mbxp__py.dict):
            return False
        return mbxp__in_any_order(actual.items(), expected.items(), tolerance)
    if is_a(expected, mbxp__py.str):
        return is_a(actual, mbxp__py.str) and actual == expected
    return actual is expected


def mbxp__is_bool(value):
    kind = mbxp__py.type(value)
    # What numpy's comparisons return is one too.
    numpy = kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_")
    return numpy or kind is mbxp__py.bool


def mbxp__near(actual, expected, tolerance):
    if actual == expected or (actual != actual and expected != expected):
        return True
    try:
        difference = mbxp__py.abs(mbxp__py.float(actual) - expected)
    except mbxp__py.OverflowError:
        return False
    size = mbxp__py.abs(expected)
    return difference <= mbxp__py.max(tolerance, {RELATIVE_TOLERANCE} * size) < 1e999


def mbxp__in_any_order(actual, expected, tolerance):
    left = mbxp__py.list(actual)
    if mbxp__py.len(left) != mbxp__py.len(expected):
        return False
    for item in expected:
        for place, one in mbxp__py.enumerate(left):
            if mbxp__same(one, item, tolerance):
                del left[place]
                break
        else:
            return False
    return True


def check(candidate):
"""


class Python(Script):
    language = "python"
    title = "Python"
    comment = ('"""', "", '"""')
    words = {"None": "None", "True": "True", "False": "False"}
    infinities = ("1e999", "-1e999", "(1e999 - 1e999)")
    strict_call = "    assert mbxp__same({call}, {expected}, {tolerance})\n"

    def function_name(self, entry_point: str) -> str:
        if entry_point.startswith(HARNESS_PREFIX):
            raise UnsupportedValueError(f"the name {entry_point}, as the test's own begin")
        return entry_point

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return [*parameters]

    def string(self, value: str) -> str:
        return repr(value)

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        inside = self.literals(items, ANY)
        if isinstance(items, list):
            return f"[{inside}]"
        return f"({inside},)" if len(items) == 1 else f"({inside})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"{{{', '.join(map(self.hashable, items))}}}" if items else "{*()}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        pairs = (f"{self.hashable(k)}: {self.literal(v, ANY)}" for k, v in items.items())
        return f"{{{', '.join(pairs)}}}"

    def hashable(self, value: Value) -> str:
        """An item of a set or a key of a dict, where a set is a frozenset."""
        if isinstance(value, SetValue):
            return f"mbxp__frozenset({self.literal(value, ANY)})"
        if isinstance(value, tuple):
            return f"({''.join(f'{self.hashable(item)}, ' for item in value)})"
        return self.literal(value, ANY)

    def description(self, typed: TypedProblem) -> str:
        return typed.problem.description

    def prompt(self, typed: TypedProblem) -> str:
        return typed.problem.prompt

    def test(self, typed: TypedProblem) -> str:
        return _SAME + self.strict_cases(replace(typed, function="candidate"))

    def canonical_solution(self, problem: PythonProblem) -> str | None:
        return problem.solution

    @property
    def stub(self) -> str:
        # Indented, it would have to know how far the docstring is.
        return 'raise NotImplementedError("not written")\n'


STRICT = Python()
