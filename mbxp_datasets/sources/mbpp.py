"""MBPP: the release's rows, and the rows that MBPP itself was published in."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.conversion.python_text import (
    first_called,
    function,
    indented,
    is_doctest_of,
    physical_lines,
    renamed,
    sides,
)
from mbxp_datasets.problem import ProblemFormatError
from mbxp_datasets.sources import rows

PREFIX = "MBPP/"
_HEADER = "\n\nMETADATA = {}\n\n\n"


def is_original(row: Mapping[str, Any]) -> bool:
    """Whether a row is in MBPP's own fields."""
    return "test_list" in row or "code" in row


def original_problem(row: Mapping[str, Any], where: str) -> PythonProblem:
    """A row of MBPP, in the shape that the release gives it.

    The docstring is the text and one example an assert; what stands before the function in
    `code` moves into its body; set-up code stands before the test. The challenge tests are
    not read, as they are not in the release.

    Raises:
        ProblemFormatError: a field is missing or of another type, or `code` does not parse or
            defines no function that the asserts call.
    """
    number = row.get("task_id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        raise ProblemFormatError(f"{where}: field 'task_id' is missing or no whole number")
    words = rows.text(row, "text" if "text" in row else "prompt", where).strip()
    code = rows.text(row, "code", where).replace("\r\n", "\n")
    asserts = [line.replace("\r\n", "\n").strip() for line in rows.texts(row, "test_list", where)]
    if not asserts:
        raise ProblemFormatError(f"{where}: field 'test_list' has no asserts; add at least one")
    module = _parsed(code, "code", where)
    entry_point = _entry_point(module, asserts, where)
    head = function(code, entry_point)
    assert head is not None
    node = [each for each in _functions(module) if each.name == entry_point][-1]
    lines = physical_lines(code)
    indent = " " * 4
    if node.body[0].lineno > node.lineno:
        first = lines[node.body[0].lineno - 1]
        indent = first[: len(first) - len(first.lstrip())]
    signature, body = _split(lines, node)
    docstring = _docstring(words, asserts, indent)
    tests = "".join(
        indented(renamed(each, entry_point, "candidate").rstrip() + "\n", " " * 4)
        for each in asserts
    )
    setup = "".join(each + "\n" for each in rows.texts(row, "test_imports", where))
    setup += (rows.optional_text(row, "test_setup_code", where) or "").replace("\r\n", "\n")
    setup = setup.strip() and setup.strip() + "\n\n\n"
    test = f"{_HEADER}{setup}def check(candidate):\n{tests}\n"
    task_id = number if isinstance(number, str) and "/" in number else f"{PREFIX}{number}"
    return PythonProblem(
        task_id=task_id,
        entry_point=entry_point,
        parameters=head.parameters,
        docstring=docstring,
        description=words,
        prompt=f'\n\n{signature}\n{indent}"""{docstring}"""\n',
        test=test,
        solution=_before(lines, node, indent) + body,
        doctest_cases=is_doctest_of(docstring, test),
    )


def _parsed(source: str, name: str, where: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise ProblemFormatError(
            f"{where}: field {name!r} is no Python ({error}); correct or remove the row"
        ) from None


def _functions(module: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in module.body if isinstance(node, ast.FunctionDef)]


def _entry_point(module: ast.Module, asserts: list[str], where: str) -> str:
    """The function of `code` that the asserts call first."""
    names = {node.name for node in _functions(module)}
    for each in asserts:
        called = first_called(_parsed(each, "test_list", where), names)
        if called is not None:
            return called
    raise ProblemFormatError(
        f"{where}: the asserts in field 'test_list' call no function that 'code' defines at its "
        "top level; make them call the one that is asked for"
    )


def _split(lines: list[str], node: ast.FunctionDef) -> tuple[str, str]:
    """The signature up to its colon, and all that follows it."""
    body = node.body[0]
    if body.lineno > node.lineno:
        # A comment before the first statement belongs to the body.
        end = _signature_end(lines, node)
        return "".join(lines[node.lineno - 1 : end]).rstrip(), "".join(lines[end:])
    line = lines[node.lineno - 1].encode()
    rest = line[body.col_offset :].decode() + "".join(lines[node.lineno :])
    return line[: body.col_offset].decode().rstrip(), " " * 4 + rest


def _signature_end(lines: list[str], node: ast.FunctionDef) -> int:
    for end in range(node.lineno, node.body[0].lineno):
        try:
            ast.parse("".join(lines[node.lineno - 1 : end]).rstrip() + "\n pass\n")
        except SyntaxError:
            continue
        return end
    return node.body[0].lineno - 1


def _before(lines: list[str], node: ast.FunctionDef, indent: str) -> str:
    """What stands before the function, for the beginning of its body."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    before = "".join(lines[: first - 1]).rstrip()
    return indented(before + "\n", indent) + indent + "\n" if before else ""


def _docstring(words: str, asserts: list[str], indent: str) -> str:
    lines = [words.replace('"""', '\\"\\"\\"')]
    for each in asserts:
        found = _example(each)
        if found is not None:
            lines += [f">>> {found[0]}", found[1].replace('"""', '\\"\\"\\"')]
    return "".join(f"\n{indent}{line}" for line in lines) + f"\n{indent}"


def _example(assertion: str) -> tuple[str, str] | None:
    """The call and the result that an assert states, as written; None if it states no result."""
    found = sides(assertion)
    if found is not None:
        return found
    test = ast.parse(assertion).body[0]
    if isinstance(test, ast.Assert):
        match test.test:
            case ast.Call(func=ast.Name()):
                return ast.unparse(test.test), "True"
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name()) as call):
                return ast.unparse(call), "False"
    return None
