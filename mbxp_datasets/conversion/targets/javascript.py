"""JavaScript: a function at the top level; ints and floats are one type, undefined is not null."""

from __future__ import annotations

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import Case, PythonProblem, TypedProblem
from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE, entry_types, item_type
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import ANY, BIG, Optional, Type, type_of_all
from mbxp_datasets.conversion.values import SetValue, Value

_KEYWORDS = """arguments await break case catch class const continue debugger default delete do else
enum eval export extends false finally for function if implements import in instanceof interface let
new null package private protected public return static super switch this throw true try typeof
undefined var void while with yield"""
# What a test or a solution needs and a function at the top level would replace.
_GLOBALS = """Array BigInt Boolean Error Infinity JSON Map Math NaN Number Object RegExp Set String
Symbol console exports globalThis isNaN module parseFloat parseInt process require"""

_SAME = f"""

function mbxp__same(actual, expected, tolerance) {{
    if (typeof expected === "number") {{
        if (typeof actual === "bigint" && Number.isInteger(expected)) {{
            return actual === BigInt(expected);
        }}
        if (typeof actual !== "number") {{
            return false;
        }}
        if (Object.is(actual, expected) || actual === expected) {{
            return true;
        }}
        return tolerance > 0 && Number.isFinite(actual)
            && Number.isFinite(expected)
            && Math.abs(actual - expected)
                <= Math.max(tolerance, {RELATIVE_TOLERANCE} * Math.abs(expected));
    }}
    if (Array.isArray(expected)) {{
        return Array.isArray(actual) && actual.length === expected.length
            && expected.every((item, i) => mbxp__same(actual[i], item, tolerance));
    }}
    if (expected instanceof Set) {{
        return actual instanceof Set && mbxp__inAnyOrder([...actual], [...expected], tolerance);
    }}
    if (expected instanceof Map) {{
        return actual instanceof Map && mbxp__inAnyOrder([...actual], [...expected], tolerance);
    }}
    if (typeof expected === "object" && expected !== null) {{
        const entries = mbxp__entries(actual);
        return entries !== null
            && mbxp__inAnyOrder(entries, Object.entries(expected), tolerance);
    }}
    if (typeof expected === "bigint" && Number.isSafeInteger(actual)) {{
        return BigInt(actual) === expected;
    }}
    return actual === expected;
}}

// A Map is as good as an object, whose keys are texts.
function mbxp__entries(value) {{
    if (value instanceof Map) {{
        return [...value].map(([key, item]) => [typeof key === "number" ? `${{key}}` : key, item]);
    }}
    const plain = typeof value === "object" && value !== null
        && !Array.isArray(value) && !(value instanceof Set);
    return plain ? Object.entries(value) : null;
}}

function mbxp__inAnyOrder(actual, expected, tolerance) {{
    const left = [...actual];
    return actual.length === expected.length && expected.every((item) => {{
        const found = left.findIndex((one) => mbxp__same(one, item, tolerance));
        if (found >= 0) {{
            left.splice(found, 1);
        }}
        return found >= 0;
    }});
}}

"""

_RELEASE_COMPARE = """
const _ = require("lodash")

function compare(object1, object2){
    return _.isEqual(object1, object2)
}

"""

_MATHQA_COMPARE = """\
const _ = require("lodash")

function compare(object1, object2){
    if(typeof object1 == "number" && typeof object2 == "number") {
        return Math.abs(object1 - object2) < 1e-7
    }
    else{
        return _.isEqual(object1, object2)
    }
}

"""

_SAFE = 2**53


class JavaScript(Script):
    language = "javascript"
    title = "JavaScript"
    comment = ("/**", " * ", " */")
    prompt_marks = ("> ", "")
    words = {"None": "null", "True": "true", "False": "false"}
    reserved = frozenset(f"{_KEYWORDS} {_GLOBALS}".split())
    variable = "var "
    infinities = ("Infinity", "-Infinity", "NaN")
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    strict_call = """if (!mbxp__same({call}, {expected}, {tolerance})) {{
    throw 'Error at {number}th assert statement.'
}}

"""

    def integer(self, value: int, found: Type) -> str:
        return f"{value}n" if abs(value) > _SAFE or found == BIG else str(value)

    def infer(self, values: list[Value]) -> Type:
        return type_of_all(map(_widened, values))

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"new Set([{self.literals(items, item_type(found))}])"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, item = entry_types(found)
        if _plain_keys(items):
            # A computed key: "__proto__" would be none otherwise.
            pairs = (f"[{self.key(k)}]: {self.literal(v, item)}" for k, v in items.items())
            return f"{{{', '.join(pairs)}}}"
        pairs = (f"[{self.literal(k, key)}, {self.literal(v, item)}]" for k, v in items.items())
        return f"new Map([{', '.join(pairs)}])"

    def key(self, key: Value) -> str:
        """A key of an object; an int that a number could not hold would be rounded."""
        exact = not isinstance(key, int) or abs(key) <= _SAFE
        return self.literal(key, ANY) if exact else f'"{key}"'

    def shown(self, value: Value, found: Type) -> str:
        if isinstance(found, Optional):
            found = found.of
        if isinstance(value, dict) and _plain_keys(value):
            item = entry_types(found)[1]
            pairs = (f"{self.key(k)}: {self.shown(v, item)}" for k, v in value.items())
            return f"{{{', '.join(pairs)}}}"
        if isinstance(value, list | tuple):
            return f"[{', '.join(self.shown(each, item_type(found)) for each in value)}]"
        return self.literal(value, found)

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(parameter.name for parameter in typed.parameters)
        return f"{self.doc_comment(typed)}function {typed.function}({parameters}) {{\n"

    def test(self, typed: TypedProblem) -> str:
        return _SAME + self.strict_cases(typed)

    @property
    def stub(self) -> str:
        return '    throw new Error("not written");\n}\n'


class JavaScriptRelease(FamilyA, JavaScript):
    """As the release has it: parameters squeezed to lower case, dict keys with their quotes."""

    none_in_prose = '"none"'

    def rename_parameter(self, name: str) -> str:
        return names.squeezed(name)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"new Set([{','.join(self.literal(item, ANY) for item in items)}])"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        pairs = (f"{self.key(key)}:{self.literal(item, ANY)}" for key, item in items.items())
        return f"{{{','.join(pairs)}}}"

    def key(self, key: Value) -> str:
        # The key's literal, quotes and all, between quotes.
        text = self.literal(key, ANY)
        return f"'{text}'" if '"' in text else f'"{text}"'

    def shown(self, value: Value, found: Type) -> str:
        return self.literal(value, found)

    def test(self, typed: TypedProblem) -> str:
        # `x` is undefined: on a failure the message itself fails, which is a failure too.
        return _RELEASE_COMPARE + "".join(
            f"{self.release_case(typed, i, case)}if(!compare(x{i}, v{i})){{\n"
            f"    throw 'Error at {i + 1}th assert statement. Value = ' + JSON.stringify(x)  \n"
            "}\n\n"
            for i, case in enumerate(typed.cases)
        )

    def mathqa_prompt(self, problem: PythonProblem) -> str:
        """MathQA has its own layout, and no examples."""
        return f"\n/**\n * {self.mathqa_text(problem)}\n */\nfunction problem() {{\n"

    def mathqa_test(self, problem: PythonProblem, case: Case) -> str:
        """One comparison, within 1e-7."""
        expected = self.literal(case.expected, ANY)
        return (
            f"{_MATHQA_COMPARE}var x = problem()\nif(compare(x, {expected})){{}} else "
            "{ throw 'Error at 1th assert statement. Value = ' + JSON.stringify(x)  }"
        )


def _widened(value: Value) -> Value:
    """The value with each int that a number cannot hold as one that is big everywhere.

    Numbers and BigInts do not mix in arithmetic, so that all ints in one place are of a kind.
    """
    match value:
        case bool():
            return value
        case int():
            return 2**64 if abs(value) > _SAFE else value
        case list() | tuple():
            return [_widened(item) for item in value]
        case SetValue(items=items):
            return SetValue(tuple(map(_widened, items)))
        case dict():
            return {key: _widened(item) for key, item in value.items()}
    return value


def _plain_keys(items: dict[Value, Value]) -> bool:
    """Whether an object can hold the keys, which it makes texts, apart."""
    plain = all(isinstance(key, int | str) and not isinstance(key, bool) for key in items)
    return plain and len({str(key) for key in items}) == len(items)


STRICT = JavaScript()
RELEASE = JavaScriptRelease()
