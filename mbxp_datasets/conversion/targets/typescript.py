"""TypeScript."""

from __future__ import annotations

import json
import math

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_b import FamilyB
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import Target, entry_types, item_type, tolerance, widened
from mbxp_datasets.conversion.types import BIG, FLOAT, Scalar, Type
from mbxp_datasets.conversion.values import Value, rebuilt

_SAFE = 2**53
"""Up to here a `number` holds every int."""

_COMPARISON = """
class mbxp__Float {
    constructor(public value: number) {}
}

function mbxp__check(index: number, actual: any, expected: any, tolerance: number): void {
    if (!mbxp__same(actual, expected, tolerance)) {
        throw new Error("Exception --- test case " + index + " failed to pass");
    }
}

function mbxp__same(actual: any, expected: any, tolerance: number): boolean {
    if (expected instanceof mbxp__Float) {
        return mbxp__isNumber(actual) && mbxp__close(Number(actual), expected.value, tolerance);
    }
    if (mbxp__isNumber(expected)) {
        if (typeof expected === "number" && expected % 1 !== 0) {
            return mbxp__isNumber(actual) && mbxp__close(Number(actual), expected, tolerance);
        }
        return mbxp__isNumber(actual) && actual == expected;
    }
    if (Array.isArray(expected)) {
        return Array.isArray(actual) && actual.length === expected.length &&
            expected.every((item, i) => mbxp__same(actual[i], item, tolerance));
    }
    if (expected instanceof Map || expected instanceof Set) {
        const kind = expected instanceof Map ? Map : Set;
        return actual instanceof kind && actual.size === expected.size &&
            mbxp__matched(mbxp__entries(actual), mbxp__entries(expected), tolerance);
    }
    return actual === expected;
}

function mbxp__isNumber(value: any): boolean {
    return typeof value === "number" || typeof value === "bigint";
}

function mbxp__close(actual: number, expected: number, tolerance: number): boolean {
    if (!isFinite(expected)) {
        return actual === expected || (isNaN(actual) && isNaN(expected));
    }
    return Math.abs(actual - expected) <= Math.max(1e-6 * Math.abs(expected), tolerance);
}

function mbxp__entries(container: any): any[][] {
    const entries: any[][] = [];
    container.forEach((value: any, key: any) => entries.push([key, value]));
    return entries;
}

function mbxp__matched(actual: any[][], expected: any[][], tolerance: number): boolean {
    const left = actual.slice();
    return expected.every((entry) => {
        for (let i = 0; i < left.length; i++) {
            if (mbxp__same(left[i], entry, tolerance)) {
                left.splice(i, 1);
                return true;
            }
        }
        return false;
    });
}

"""


class TypeScript(Target):
    language = "typescript"
    title = "TypeScript"
    comment = ("/**", " * ", " */")
    comment_escapes = {"*/": "*\\/"}  # the same string where it stands in one
    words = {"None": "null", "True": "true", "False": "false"}
    scalars = {
        "bool": "boolean",
        "int": "number",
        "long": "number",
        "big": "bigint",
        "float": "number",
        "number": "number",
        "str": "string",
        "none": "null",
        "any": "any",
        "empty": "any",
    }
    containers = {
        "list": "Array<{item}>",
        "set": "Set<{item}>",
        "dict": "Map<{key}, {value}>",
        "optional": "{of} | null",
    }
    reserved = frozenset(
        # Words of the language, then what the program would take from itself.
        """
        arguments await break case catch class const continue debugger default delete do else
        enum eval export extends false finally for function if implements import in instanceof
        interface let new null package private protected public return static super switch this
        throw true try typeof undefined var void while with yield
        Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp
        Set String Symbol console crypto exports global globalThis isFinite isNaN module
        navigator parseFloat parseInt process require
        """.split()
    )

    def function_name(self, entry_point: str) -> str:
        return names.distinct([entry_point], self.reserved)[0]

    # ---- types: what a `number` cannot hold makes all ints of its place a `bigint`

    def infer(self, values: list[Value]) -> Type:
        return super().infer([_with_big_ints(value) for value in values])

    # ---- literals

    def integer(self, value: int, found: Type) -> str:
        if found == FLOAT:
            return self.floating(widened(value))
        return f'BigInt("{value}")' if found == BIG or abs(value) > _SAFE else str(value)

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return repr(value)

    def string(self, value: str) -> str:
        return json.dumps(value, ensure_ascii=not value.isprintable())

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"[{self.literals(items, item_type(found))}]"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        item = item_type(found)
        return f"new Set<{self.type_name(item)}>([{self.literals(items, item)}])"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        pairs = ", ".join(
            f"[{self.literal(left, key)}, {self.literal(right, value)}]"
            for left, right in items.items()
        )
        return f"new Map<{self.type_name(key)}, {self.type_name(value)}>([{pairs}])"

    # ---- texts

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(
            f"{one.name}: {self.type_name(one.type)}" for one in typed.parameters
        )
        returns = self.type_name(typed.returns)
        head = f"const {typed.function} = function ({parameters}): {returns} {{\n"
        return self.imports(typed) + self.doc_comment(typed) + head

    def imports(self, typed: TypedProblem) -> str:
        """Lines before the comment; what else a solution may need is there without import."""
        if "hashlib" in typed.problem.modules:
            return "import { createHash } from 'crypto';\n\n"
        return ""

    def test(self, typed: TypedProblem) -> str:
        lines = []
        for index, case in enumerate(typed.cases):
            call = self.call(typed, case)
            expected = _EXPECTED.literal(case.expected, typed.returns)
            lines.append(f"mbxp__check({index}, {call}, {expected}, {tolerance(case)!r});\n")
        # The last line makes the program a module, whose names are its own.
        return _COMPARISON + "".join(lines) + "\nexport {};\n"

    @property
    def stub(self) -> str:
        return '    throw new Error("not written");\n}\n'


class _Expected(TypeScript):
    """Literals that keep floats apart from ints: 2.0 is compared with a tolerance, 2 is not."""

    def type_name(self, found: Type) -> str:
        return "any"  # no type holds both

    def floating(self, value: float) -> str:
        found = super().floating(value)
        return f"new mbxp__Float({found})" if not value % 1 or not math.isfinite(value) else found


_EXPECTED = _Expected()


def _with_big_ints(value: Value) -> Value:
    """The value with each int beyond `_SAFE` moved beyond 64 bits."""
    if isinstance(value, int) and abs(value) > _SAFE:
        return value << 64
    return rebuilt(value, _with_big_ints)


class TypeScriptRelease(FamilyB, TypeScript):
    prose_name = "typescript"
    none_in_prose = "undefined"
    expert = "TypeScript"
    words = {**TypeScript.words, "None": "undefined"}
    replaced_parameters = {**FamilyB.replaced_parameters, "number": "number0"}

    def type_name(self, found: Type) -> str:
        return "any" if found == Scalar("none") else super().type_name(found)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"new Set<any>([{self.literals(items, item_type(found))}])"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        return super().dict_literal(items, Scalar("any"))

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(
            f"{one.name}: {self.type_name(one.type)}" for one in typed.parameters
        )
        returns = self.type_name(typed.returns)
        head = f"const {typed.function} = function ({parameters}) : {returns}  {{\n"
        return self.imports(typed) + self.doc_comment(typed) + head

    def imports(self, typed: TypedProblem) -> str:
        problem = typed.problem
        if problem.modules & {"math", "cmath"}:
            return "import * as math from 'mathjs'\n\n"
        if "heapq" in problem.modules and "heap" in problem.description:
            return "import {Heap} from 'heap-js'\n\n"
        return ""

    def test(self, typed: TypedProblem) -> str:
        cases = []
        for index, case in enumerate(typed.cases):
            number = index + 1
            call = self.call(typed, case)
            expected = self.literal(case.expected, typed.returns)
            cases.append(
                f"let actual_{number} = {call};\nlet expected_{number} = {expected};\n"
                f"assert.deepEqual(actual_{number}, expected_{number}, "
                f'"Exception --- test case {index} failed to pass");\n\n'
            )
        return "\nimport * as assert from 'assert'\n\n" + "".join(cases)


STRICT = TypeScript()
RELEASE = TypeScriptRelease()
