"""Java: one class with the function as a static method, tests in a class `Main`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import Case, PythonProblem, TypedProblem
from mbxp_datasets.conversion.targets.base import (
    RELATIVE_TOLERANCE,
    Target,
    entry_types,
    item_type,
    tolerance,
)
from mbxp_datasets.conversion.targets.jvm import Jvm, is_value_type
from mbxp_datasets.conversion.types import (
    ANY,
    INT,
    INT32,
    INT64,
    LONG,
    DictOf,
    ListOf,
    Type,
)
from mbxp_datasets.conversion.values import Value

_IMPORTS = "import java.io.*;\nimport java.lang.*;\nimport java.util.*;\nimport java.math.*;\n\n\n"
_KEYWORDS = """abstract assert boolean break byte case catch char class const continue default do
double else enum extends final finally float for goto if implements import instanceof int
interface long native new package private protected public return short static strictfp super
switch synchronized this throw throws transient try void volatile while true false null var
record yield sealed permits _"""
_INHERITED = "clone equals finalize getClass hashCode notify notifyAll toString wait"
_TYPES = """Main Object String Integer Long Double Float Boolean Character Byte Short Number Math
StringBuilder StringBuffer CharSequence Comparable Iterable Runnable System Thread Exception
RuntimeException Error Throwable Override SafeVarargs Void Class Record Enum Process Runtime
ArithmeticException IllegalArgumentException UnsupportedOperationException
List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet SortedSet Map HashMap LinkedHashMap
TreeMap SortedMap Collection Collections Arrays Iterator Queue Deque ArrayDeque PriorityQueue
Stack Vector Optional Objects Random Scanner Date Calendar Comparator BitSet Locale Formatter
StringJoiner StringTokenizer Timer Currency Dictionary BigInteger BigDecimal MathContext
RoundingMode File Reader Writer"""

HELPERS = """\
    @SafeVarargs
    static <T> java.util.List<T> mbxp__list(T... items) {
        return new java.util.ArrayList<T>(java.util.Arrays.asList(items));
    }

    @SafeVarargs
    static <T> java.util.List<T> mbxp__joined(
            java.util.function.Supplier<java.util.List<T>>... parts) {
        java.util.List<T> joined = new java.util.ArrayList<T>();
        for (java.util.function.Supplier<java.util.List<T>> part : parts) {
            joined.addAll(part.get());
        }
        return joined;
    }

    static <T> java.util.Set<T> mbxp__set(java.util.List<T> items) {
        return new java.util.LinkedHashSet<T>(items);
    }

    static <K, V> java.util.Map<K, V> mbxp__map(java.util.List<K> keys, java.util.List<V> values) {
        java.util.Map<K, V> map = new java.util.LinkedHashMap<K, V>();
        for (int i = 0; i < keys.size(); i++) {
            map.put(keys.get(i), values.get(i));
        }
        return map;
    }
"""
"""What the literals of containers call."""

_COMPARISON = f"""
    static boolean mbxp__same(Object actual, Object expected, double tolerance) {{
        if (actual == null || expected == null) {{
            return actual == expected;
        }}
        if (expected instanceof java.util.List) {{
            return actual instanceof java.util.List && mbxp__inOrder(
                (java.util.List<?>) actual, (java.util.List<?>) expected, tolerance);
        }}
        if (expected instanceof java.util.Set) {{
            return actual instanceof java.util.Set && mbxp__inAnyOrder(
                (java.util.Set<?>) actual, (java.util.Set<?>) expected, tolerance);
        }}
        if (expected instanceof java.util.Map) {{
            return actual instanceof java.util.Map && mbxp__inAnyOrder(
                ((java.util.Map<?, ?>) actual).entrySet(),
                ((java.util.Map<?, ?>) expected).entrySet(),
                tolerance);
        }}
        if (expected instanceof java.util.Map.Entry) {{
            java.util.Map.Entry<?, ?> one = (java.util.Map.Entry<?, ?>) actual;
            java.util.Map.Entry<?, ?> other = (java.util.Map.Entry<?, ?>) expected;
            return mbxp__same(one.getKey(), other.getKey(), tolerance)
                && mbxp__same(one.getValue(), other.getValue(), tolerance);
        }}
        if (expected instanceof Number) {{
            return actual instanceof Number
                && mbxp__sameNumber((Number) actual, (Number) expected, tolerance);
        }}
        return expected.equals(actual);
    }}

    static boolean mbxp__inOrder(
            java.util.List<?> actual, java.util.List<?> expected, double tolerance) {{
        java.util.Iterator<?> found = actual.iterator();
        for (Object item : expected) {{
            if (!found.hasNext() || !mbxp__same(found.next(), item, tolerance)) {{
                return false;
            }}
        }}
        return !found.hasNext();
    }}

    static boolean mbxp__inAnyOrder(
            java.util.Collection<?> actual, java.util.Collection<?> expected, double tolerance) {{
        java.util.List<Object> left = new java.util.LinkedList<Object>(actual);
        for (Object item : expected) {{
            java.util.Iterator<Object> found = left.iterator();
            boolean matched = false;
            while (!matched && found.hasNext()) {{
                matched = mbxp__same(found.next(), item, tolerance);
            }}
            if (!matched) {{
                return false;
            }}
            found.remove();
        }}
        return left.isEmpty();
    }}

    static boolean mbxp__sameNumber(Number actual, Number expected, double tolerance) {{
        double found = actual.doubleValue();
        if (expected instanceof Double) {{
            double sought = expected.doubleValue();
            if (Double.isNaN(sought) || Double.isInfinite(sought)) {{
                return Double.compare(found, sought) == 0;
            }}
            return Math.abs(found - sought)
                <= Math.max(tolerance, {RELATIVE_TOLERANCE} * Math.abs(sought));
        }}
        java.math.BigDecimal exact = new java.math.BigDecimal(expected.toString());
        if (actual instanceof Double || actual instanceof Float) {{
            return !Double.isNaN(found) && !Double.isInfinite(found)
                && new java.math.BigDecimal(found).compareTo(exact) == 0;
        }}
        return new java.math.BigDecimal(actual.toString()).compareTo(exact) == 0;
    }}
"""


class Java(Jvm):
    language = "java"
    title = "Java"
    comment = ("    /**", "     * ", "     */")
    scalars: ClassVar[Mapping[str, str]] = {
        "bool": "Boolean",
        "int": "Integer",
        "long": "Long",
        "big": "BigInteger",
        "float": "Double",
        "str": "String",
        "none": "Object",
        "any": "Object",
        "empty": "Object",
    }
    primitives: ClassVar[Mapping[str, str]] = {
        "Boolean": "boolean",
        "Integer": "int",
        "Long": "long",
        "Double": "double",
    }
    containers: ClassVar[Mapping[str, str]] = {
        "list": "List<{item}>",
        "set": "Set<{item}>",
        "dict": "Map<{key}, {value}>",
        "optional": "{of}",
    }
    reserved = frozenset(f"{_KEYWORDS} {_INHERITED}".split())
    reserved_types = frozenset(_TYPES.split())
    # Octal: javac reads \u000a as a line break before it looks for the end of a string.
    character_escapes: ClassVar[Mapping[str, str]] = {
        **{chr(code): f"\\{code:03o}" for code in range(32)},
        **{"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"},
    }
    early_escapes = True
    infinity = ("Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY")
    big = 'new java.math.BigInteger("{digits}")'
    shown_containers: ClassVar[Mapping[str, str]] = {
        "list": "Arrays.asList({items})",
        "set": "Set.of({items})",
        "dict": "Map.of({items})",
        "entry": "{key}, {value}",
    }

    def class_name(self, typed: TypedProblem) -> str:
        """The class around the function."""
        name = typed.function[:1].upper() + typed.function[1:]
        return names.distinct([name], self.reserved_types)[0]

    def declared(self, found: Type) -> str:
        """The type of a parameter or a result: a primitive one where there is one."""
        name = self.type_name(found)
        return self.primitives.get(name, name) if is_value_type(found) else name

    def list_of(self, item: str, items: list[str]) -> str:
        # A lone null would be taken for the whole array of items.
        values = f"({item}) null" if items == ["null"] else ", ".join(items)
        return f"Main.<{item}>mbxp__list({values})"

    def joined(self, item: str, parts: list[str]) -> str:
        return f"Main.<{item}>mbxp__joined({', '.join(f'() -> {part}' for part in parts)})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"mbxp__set({self.list_literal(items, found)})"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        keys = [self.literal(each, key) for each in items]
        values = [self.literal(each, value) for each in items.values()]
        return (
            f"mbxp__map({self.sequence(self.type_name(key), keys)}, "
            f"{self.sequence(self.type_name(value), values)})"
        )

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        return f"{self.class_name(typed)}.{super().shown_call(typed, case)}"

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"{self.declared(p.type)} {p.name}" for p in typed.parameters)
        return (
            f"{_IMPORTS}class {self.class_name(typed)} {{\n{self.doc_comment(typed)}"
            f"    public static {self.declared(typed.returns)} {typed.function}({parameters}) {{\n"
        )

    def test(self, typed: TypedProblem) -> str:
        calls = "".join(f"        mbxp__case{i}();\n" for i in range(len(typed.cases)))
        return (
            f"\n\nclass Main {{\n{HELPERS}{_COMPARISON}{self.cases(typed)}\n"
            f"    public static void main(String[] args) throws Exception {{\n{calls}    }}\n}}\n"
        )

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        # A method a case: the code of one is limited to 64 KB.
        arguments = ", ".join(self.arguments(typed, case))
        call = f"{self.class_name(typed)}.{typed.function}({arguments})"
        expected = self.literal(case.expected, typed.returns)
        return f"""
    static void mbxp__case{index}() throws Exception {{
        Object actual = {call};
        Object expected = {expected};
        if (!mbxp__same(actual, expected, {tolerance(case)!r})) {{
            {_failure(index, "actual")}
        }}
    }}
"""

    @property
    def stub(self) -> str:
        return "        throw new UnsupportedOperationException();\n    }\n}"


class JavaRelease(FamilyA, Java):
    """Java as the release has it."""

    prompt_marks = ("> ", "")
    string_escapes = (("*//", "*\\/\\/"),)
    # Only these two became primitive types.
    primitives: ClassVar[Mapping[str, str]] = {"Integer": "int", "Long": "long"}
    reserved_types = frozenset[str]()
    scalars: ClassVar[Mapping[str, str]] = {**Java.scalars, "number": "Number"}
    containers: ClassVar[Mapping[str, str]] = {
        **Java.containers,
        "set": "HashSet<{item}>",
        "dict": "HashMap<{key}, {value}>",
    }
    # Examples have Python's notation.
    shown_containers: ClassVar[Mapping[str, str]] = {
        "list": "[{items}]",
        "set": "{{{items}}}",
        "dict": "{{{items}}}",
        "entry": "{key}: {value}",
    }

    def unify(self, left: Type, right: Type) -> Type:
        match left, right:
            case DictOf(), DictOf() if left != right:
                return ANY  # for the whole dict
            case (ListOf(item=one), ListOf(item=other)) if {one, other} == {INT, LONG}:
                return ListOf(ANY)  # though in one list they make longs
        return super().unify(left, right)

    def integer(self, value: int, found: Type) -> str:
        if value in INT32:
            return str(value)
        return f"{value}L" if value in INT64 else f'new BigInteger("{value}")'

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"Arrays.asList({self.literals(items, item_type(found))})"

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        added = (f"add({self.literal(each, item_type(found))});" for each in items)
        return f"new HashSet(){{{{{''.join(added)}}}}}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        key, value = entry_types(found)
        put = (f"put({self.literal(k, key)}, {self.literal(v, value)});" for k, v in items.items())
        return f"new HashMap(){{{{{''.join(put)}}}}}"

    def shown_call(self, typed: TypedProblem, case: Case) -> str:
        return Target.shown_call(self, typed, case)  # without the class

    def test(self, typed: TypedProblem) -> str:
        return f"\n\n{_RELEASE_START}{self.cases(typed)}\n}}\n}}\n"

    def case(self, typed: TypedProblem, index: int, case: Case) -> str:
        lines = [
            f"{self.declared(found)} {name} = {literal};"
            for name, found, literal in self.declared_arguments(typed, index, case)
        ]
        returned = self.declared(typed.returns)
        arguments = ", ".join(self.arguments(typed, case))
        call = f"{self.class_name(typed)}.{typed.function}({arguments})"
        lines += [
            f"{returned} x{index} = {call};",
            f"{returned} v{index} = {self.literal(case.expected, typed.returns)};",
            f"if (!(compare(x{index}, v{index}))) {{",
            "    " + _failure(index, f"x{index}"),
            "}",
        ]
        return "".join(f"        {line}\n" for line in lines) + "\n"

    def mathqa_prompt(self, problem: PythonProblem) -> str:
        text = self.mathqa_text(problem)
        return (
            f"\n{_IMPORTS}class Problem {{\n\n    /**\n     * {text}\n     */\n"
            f"    public static double problem() {{\n"
        )

    def mathqa_test(self, problem: PythonProblem, case: Case) -> str:
        expected = repr(case.expected)
        return (
            f"\n{_MATHQA_START}        double x0 = Problem.problem();\n"
            f"        if (!(compare(x0, {expected}))) {{\n            {_failure(0, 'x0')}\n"
            "        }\n\n    }\n}"
        )


def _failure(index: int, value: str) -> str:
    message = f'"Exception -- test case {index} did not pass. x{index} = " + {value}'
    return f"throw new java.lang.Exception({message});"


_RELEASE_START = """\
class Main {
    public static boolean compare(Object obj1, Object obj2) {
        if (obj1 == null && obj2 == null){
            return true;
        } else if (obj1 == null || obj2 == null){
            return false;
        } else {
            return obj1.equals(obj2);
        }
    }
    \n\
    public static void main(String[] args) throws Exception {
"""
_MATHQA_COMPARISON = """\
            if ((obj1 instanceof Double || obj1 instanceof Float) &&
                    (obj2 instanceof Double || obj2 instanceof Float)
                ){
                if (obj1 instanceof Float){
                    obj1 = ((Float) obj1).doubleValue();
                }
                if (obj2 instanceof Float){
                    obj2 = ((Float) obj2).doubleValue();
                }
                return Math.abs((double)obj1 - (double)obj2) < 1e-7;
            }
            else
                return obj1.equals(obj2);
"""
_MATHQA_START = _RELEASE_START.replace(
    "            return obj1.equals(obj2);\n", _MATHQA_COMPARISON
).replace("    \n", "\n")

STRICT = Java()
RELEASE = JavaRelease()
