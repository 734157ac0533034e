"""The cases of a problem: its asserts read from the source, loops and locals unrolled.

A check whose statements are all asserts on literals is read without running anything. Any
other is rewritten, so that each assert reports its values instead, and run by
`reference.run` in a process of its own.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import replace

from mbxp_datasets.conversion import reference
from mbxp_datasets.conversion.problem import Case, PythonProblem, UnconvertibleError
from mbxp_datasets.conversion.values import UnsupportedValueError, value_of

_EMIT = "mbxp__emit"
_KEPT = 8
"""Problems whose cases are kept: whoever converts one to many languages asks for them again."""
_WRAPPERS = {"tuple", "list", "float", "int", "str", "bool"}


@functools.lru_cache(maxsize=_KEPT)
def read_cases(problem: PythonProblem) -> tuple[Case, ...]:
    """Every case of the problem's test, in order, its expected value as the test states it.

    Raises:
        UnconvertibleError: the test is no Python, has no case, or one that cannot be read.
    """
    try:
        tree = ast.parse(problem.test)
    except (SyntaxError, ValueError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise UnconvertibleError(problem.task_id, f"the test does not parse: {error}", line) from (
            None
        )
    names, body = _check_of(tree, problem)
    try:
        cases = tuple(_static(problem, names, body))
    except _NeedsRunning:
        cases = tuple(_unrolled(problem, names, body))
    if not cases:
        raise UnconvertibleError(problem.task_id, "the test has no assert that calls the function")
    for case in cases:
        if len(case.arguments) != len(cases[0].arguments):
            reason = "its cases pass different numbers of arguments"
            raise UnconvertibleError(problem.task_id, reason, case.line)
    return cases


def helpers_called(problem: PythonProblem) -> set[str]:
    """The other functions of the prompt that the test calls."""
    defined = set(re.findall(r"^def (\w+)", problem.prompt, flags=re.MULTILINE))
    called = {
        node.func.id
        for node in ast.walk(ast.parse(problem.test))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return (defined & called) - {problem.entry_point}


def returned_cases(
    problem: PythonProblem, cases: tuple[Case, ...]
) -> tuple[PythonProblem, tuple[Case, ...]]:
    """The cases with what the reference solution returns as the expected values.

    A helper of the solution whose name starts with the entry point's is what the release
    recorded instead; then the problem comes back with the helper's parameters.

    Raises:
        UnconvertibleError: the solution fails on a case.
    """
    helper = _helper(problem)
    if helper is None:
        calls = [f"{_EMIT}({problem.entry_point}{_arguments(case)})" for case in cases]
        source = "\n".join([problem.prompt + (problem.solution or ""), *calls])
    else:
        source = _recorded_helper(problem, helper, cases)
    try:
        results = reference.run(source)
    except reference.ReferenceFailedError:
        return problem, cases
    if len(results) != len(cases):
        raise UnconvertibleError(problem.task_id, "the reference solution skips a case")
    if helper is None:
        return problem, tuple(
            replace(case, expected=result) for case, (result,) in zip(cases, results, strict=True)
        )
    found = tuple(
        replace(case, arguments=tuple(arguments), expected=result)
        for case, (arguments, result) in zip(cases, results, strict=True)
    )
    return replace(problem, parameters=tuple(arg.arg for arg in helper.args.args)), found


class _NeedsRunning(Exception):
    """The check is more than asserts on literals."""


def _check_of(tree: ast.Module, problem: PythonProblem) -> tuple[set[str], list[ast.stmt]]:
    """What the function is called in the test, and the statements that test it."""
    for node in tree.body:
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == "check"
            and node.args.args
            and any(isinstance(inner, ast.Assert) for inner in ast.walk(node))
        ):
            return {node.args.args[0].arg}, node.body
    return {"candidate", problem.entry_point}, tree.body


def _static(problem: PythonProblem, names: set[str], body: list[ast.stmt]) -> Iterator[Case]:
    for statement in body:
        match statement:
            case ast.Assert():
                found = _compared(statement, names)
                if found is None:
                    if _mentions(statement, names):
                        raise _NeedsRunning
                    continue
                call, expected, tolerance = found
                try:
                    yield Case(
                        tuple(value_of(argument) for argument in _positional(call, problem)),
                        value_of(expected),
                        tolerance,
                        statement.lineno,
                        ast.get_source_segment(problem.test, statement) or "",
                    )
                except UnsupportedValueError as error:
                    if any(isinstance(node, ast.Name) for node in ast.walk(expected)):
                        raise _NeedsRunning from None
                    raise UnconvertibleError(
                        problem.task_id, str(error), statement.lineno
                    ) from None
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Import() | ast.ImportFrom():
                continue
            case ast.Assign(targets=[ast.Name(id="METADATA")]):
                continue
            case ast.Assign(targets=[ast.Name(id="candidate")], value=ast.Name()):
                continue
            case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "check"))):
                continue
            case ast.FunctionDef() if not _mentions(statement, names):
                continue
            case _:
                raise _NeedsRunning


def _compared(
    statement: ast.Assert, names: set[str]
) -> tuple[ast.Call, ast.expr, float | None] | None:
    """The call, what it must equal and the tolerance, for the forms of assert there are."""
    test = statement.test
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            if (call := _call(left, names)) is not None and not _mentions(right, names):
                return call, right, None
            if (call := _call(right, names)) is not None and not _mentions(left, names):
                return call, left, None
        case ast.Compare(
            left=ast.Call(func=function, args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]),
            ops=[ast.Lt() | ast.LtE()],
            comparators=[ast.expr() as bound],
        ) if ast.unparse(function) in ("abs", "math.fabs"):
            limit = value_of(bound)
            if (call := _call(left, names)) is not None and not _mentions(right, names):
                return call, right, float(limit)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            if (call := _call(operand, names)) is not None:
                return call, ast.Constant(False), None
        case ast.Call(func=ast.Name(id="compare" | "isclose"), args=[left, right]):
            if (call := _call(left, names)) is not None:
                return call, right, 1e-8
        case ast.Call():
            if (call := _call(test, names)) is not None:
                return call, ast.Constant(True), None
    return None


def _call(node: ast.expr, names: set[str]) -> ast.Call | None:
    """The call of the function, also inside `tuple(…)` or `float(…)`."""
    match node:
        case ast.Call(func=ast.Name(id=name), keywords=keywords) if name in names:
            return node if all(keyword.arg for keyword in keywords) else None
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _WRAPPERS:
            return _call(inner, names)
    return None


def _positional(call: ast.Call, problem: PythonProblem) -> list[ast.expr]:
    found = list(call.args)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    for parameter in problem.parameters[len(found) :]:
        if parameter in keywords:
            found.append(keywords.pop(parameter))
    if keywords:
        raise UnsupportedValueError(f"an argument by the unknown name {next(iter(keywords))}")
    return found


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


class _Reporting(ast.NodeTransformer):
    """Each assert becomes a report of its arguments, expected value and tolerance."""

    def __init__(self, problem: PythonProblem, names: set[str]) -> None:
        self.problem = problem
        self.names = names

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        found = _compared(node, self.names)
        if found is None:
            if _mentions(node, self.names):
                reason = "an assert of a form that is not a comparison with one value"
                raise UnconvertibleError(self.problem.task_id, reason, node.lineno)
            return ast.Pass()
        call, expected, tolerance = found
        wrapped = node.test.left if isinstance(node.test, ast.Compare) else None
        if (
            isinstance(wrapped, ast.Call)
            and wrapped is not call
            and ast.unparse(wrapped.func) in ("tuple", "list")
        ):
            expected = ast.Call(ast.Name("list", ast.Load()), [expected], [])
        report = ast.Call(
            ast.Name(_EMIT, ast.Load()),
            [
                ast.List(_positional(call, self.problem), ast.Load()),
                expected,
                ast.Constant(tolerance),
                ast.Constant(node.lineno),
            ],
            [],
        )
        return ast.copy_location(ast.Expr(report), node)


def _unrolled(problem: PythonProblem, names: set[str], body: list[ast.stmt]) -> Iterator[Case]:
    reporting = _Reporting(problem, names)
    statements = [reporting.visit(statement) for statement in body]
    wrapper = ast.Module([ast.fix_missing_locations(found) for found in statements], [])
    if problem.solution is not None:
        start = problem.prompt + problem.solution
    else:
        start = problem.prompt + "\n    pass"
    try:
        results = reference.run(f"{start}\n{ast.unparse(wrapper)}\n")
    except reference.ReferenceFailedError as error:
        reason = f"its test uses the function in other ways than in asserts on one call: {error}"
        raise UnconvertibleError(problem.task_id, reason) from None
    for arguments, expected, tolerance, line in results:
        yield Case(tuple(arguments), expected, tolerance, line)


def _helper(problem: PythonProblem) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(problem.prompt + (problem.solution or ""))
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name != problem.entry_point
            and node.name.startswith(problem.entry_point)
        ):
            return node
    return None


def _arguments(case: Case) -> str:
    return f"({', '.join(reference.source_of(argument) for argument in case.arguments)})"


_RECORDER = """
import copy
mbxp__seen = []
def mbxp__first(function):
    def recorded(*arguments):
        first = not mbxp__seen
        mbxp__seen.append(1)
        kept = copy.deepcopy(list(arguments))
        result = function(*arguments)
        if first:
            mbxp__emit(kept, result)
        return result
    return recorded
"""


def _recorded_helper(
    problem: PythonProblem, helper: ast.FunctionDef, cases: tuple[Case, ...]
) -> str:
    """The solution with its helper decorated, wherever it is defined, and then all calls."""
    tree = ast.parse(problem.prompt + (problem.solution or ""))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == helper.name:
            node.decorator_list.insert(0, ast.Name("mbxp__first", ast.Load()))
    calls = [f"mbxp__seen.clear()\n{problem.entry_point}{_arguments(case)}" for case in cases]
    return "\n".join([_RECORDER, ast.unparse(ast.fix_missing_locations(tree)), *calls])
