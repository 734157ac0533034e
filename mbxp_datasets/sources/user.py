"""A user's own problems: rows in this package's fields, or a Python file with functions."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.conversion.python_text import (
    description,
    first_called,
    function,
    indented,
    is_doctest_of,
    physical_lines,
    renamed,
    string_lines,
)
from mbxp_datasets.problem import ProblemFormatError
from mbxp_datasets.sources import rows

_INDENT = " " * 4


def row_problem(row: Mapping[str, Any], where: str) -> PythonProblem:
    """A row with this package's fields; `task_id`, `prompt`, `entry_point` and `test` suffice."""
    return rows.problem(row, where, doctest_cases=None)


def file_problems(path: str | os.PathLike[str]) -> Iterator[PythonProblem]:
    """The problems of a Python file, which is read and never run.

    Each top-level function that has asserts is one, and its name is the task id. The asserts
    stand at module level and call it, or in `check(candidate)` after it, or in `test_<name>()`.
    All other code goes before the functions that use it.

    Raises:
        ProblemFormatError: the file is no Python or has no such function, or one of them has
            no docstring, or a test takes parameters.
        OSError: the file cannot be read.
    """
    name = os.fspath(path)
    try:
        source = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        module = ast.parse(source)
    except UnicodeDecodeError as error:
        raise ProblemFormatError(f"{name}: not UTF-8 ({error.reason}); save it as UTF-8") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}, line {line}" if line else name
        raise ProblemFormatError(f"{where}: not Python ({getattr(error, 'msg', error)})") from None
    yield from _File(name, source, module).problems()


@dataclass
class _Tests:
    """The lines of one function's tests, and where in the file each one stands."""

    statements: list[ast.stmt] = field(default_factory=list)
    text: str = ""
    lines: list[int] = field(default_factory=list)

    def add(self, statement: ast.stmt, text: str) -> None:
        self.statements.append(statement)
        text = text.rstrip() + "\n"
        self.lines += range(statement.lineno, statement.lineno + text.count("\n"))
        self.text += text


class _File:
    """A parsed file, sorted into functions, their tests and all else."""

    def __init__(self, name: str, source: str, module: ast.Module) -> None:
        self._name = name
        self._source = source
        self._lines = physical_lines(source)
        self._functions: dict[str, ast.FunctionDef] = {}
        self._tests: dict[str, _Tests] = {}
        self._rest: list[ast.stmt] = []
        pending = []
        for statement in module.body:
            if _is_main_guard(statement) or _is_text(statement):
                continue
            if _is_test(statement):
                pending.append((statement, next(reversed(self._functions), None)))
            elif isinstance(statement, ast.FunctionDef):
                self._functions[statement.name] = statement
            elif _has_assert(statement) and not isinstance(statement, ast.ClassDef):
                pending.append((statement, None))
            else:
                self._rest.append(statement)
        # Only now, since a test may stand before the function that it is for.
        for statement, before in pending:
            self._assign(statement, before)

    def problems(self) -> Iterator[PythonProblem]:
        if not self._tests:
            raise ProblemFormatError(
                f"{self._name}: no function has asserts; write some that call it, at module "
                "level, in check(candidate) or in test_<name>()"
            )
        for name in self._functions:
            if name in self._tests:
                yield self._problem(name)

    def _assign(self, statement: ast.stmt, before: str | None) -> None:
        if not isinstance(statement, ast.FunctionDef):
            owner = self._called(statement)
            if owner is None:
                self._rest.append(statement)
                return
            text = indented(renamed(self._text(statement), owner, "candidate"), _INDENT)
            self._tests_of(owner).add(statement, text)
            return
        if statement.name == "check":
            if before is None:
                raise self._fault(statement, "check(candidate) comes after the function it is for")
            parameter = _parameters(statement)[0].arg
            own = statement.body
        else:
            if _parameters(statement):
                raise self._fault(statement, f"{statement.name} takes parameters; give it none")
            named = statement.name.removeprefix("test_")
            owner = named if named in self._functions else self._called(statement)
            if owner is None:
                raise self._fault(statement, f"{statement.name} calls no function of the file")
            before = parameter = owner
            own = statement.body
        for each in own:
            if not _is_text(each):
                text = renamed(self._text(each), parameter, "candidate")
                self._tests_of(before).add(each, indented(text, _INDENT))

    def _problem(self, name: str) -> PythonProblem:
        node = self._functions[name]
        docstring = ast.get_docstring(node, clean=False)
        if not (docstring or "").strip():
            raise self._fault(node, f"{name} has asserts but no docstring; say what it does in one")
        head = function("".join(self._lines[: node.end_lineno]), name)
        tests = self._tests[name]
        assert head is not None
        if node.body[-1].lineno == head.end:
            raise self._fault(node, f"the body of {name} goes on a line after its docstring")
        data = self._data_of(tests.statements)
        lines = [0, *(line for each in data for line in _span(each)), *tests.lines]
        test = "def check(candidate):\n"
        test += "".join(indented(self._text(each) + "\n", _INDENT) for each in data)
        test += tests.text
        needed = self._needed(node, data)
        prompt = "".join(
            self._text(each) + ("\n" if _is_import(each) else "\n\n\n") for each in needed
        )
        prompt += "\n\n" if needed and _is_import(needed[-1]) else ""
        prompt += "".join(self._lines[_first_line(node) - 1 : head.end]).rstrip("\n") + "\n"
        body = "".join(self._lines[head.end : node.end_lineno])
        return PythonProblem(
            task_id=name,
            entry_point=name,
            parameters=head.parameters,
            docstring=head.docstring,
            description=description(head.docstring),
            prompt=prompt,
            test=test,
            solution=body if body.strip() else None,
            doctest_cases=is_doctest_of(head.docstring, test),
            test_lines=tuple(lines),
        )

    def _needed(self, node: ast.FunctionDef, data: list[ast.stmt]) -> list[ast.stmt]:
        """Imports and what else the function uses, in the order of the file."""
        chosen: list[ast.stmt] = []
        candidates = [*self._rest, *self._functions.values()]
        names = _names(node)
        growing = True
        while growing:
            growing = False
            for each in candidates:
                wanted = not _defined(each) or _defined(each) & names
                if each is not node and each not in chosen and wanted and each not in data:
                    chosen.append(each)
                    names |= _names(each)
                    growing = True
        return sorted(chosen, key=lambda each: each.lineno)

    def _data_of(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Assignments at module level to names that the tests use."""
        found: list[ast.stmt] = []
        names = set().union(*map(_names, statements))
        for each in reversed(self._rest):
            if isinstance(each, ast.Assign | ast.AnnAssign) and _defined(each) & names:
                found.insert(0, each)
                names |= _names(each)
        return found

    def _called(self, statement: ast.stmt) -> str | None:
        """The function of the file that the statement's first assert calls outermost."""
        for assertion in ast.walk(statement):
            if isinstance(assertion, ast.Assert):
                called = first_called(assertion.test, self._functions)
                if called is not None:
                    return called
        return None

    def _tests_of(self, name: str) -> _Tests:
        return self._tests.setdefault(name, _Tests())

    def _text(self, statement: ast.stmt) -> str:
        """The statement as it is written, decorators too, moved to the left margin."""
        lines = self._lines[_first_line(statement) - 1 : statement.end_lineno]
        # Another statement may stand on the same line, before or after.
        lines[-1] = lines[-1].encode()[: statement.end_col_offset].decode()
        head = lines[0].encode()[statement.col_offset :].decode()
        inside = string_lines("".join(lines))
        width = statement.col_offset
        rest = [
            line if number in inside or line[:width].strip() else line[width:]
            for number, line in enumerate(lines[1:], 2)
        ]
        return "".join([head, *rest])

    def _fault(self, node: ast.stmt, what: str) -> ProblemFormatError:
        return ProblemFormatError(f"{self._name}, line {node.lineno}: {what}")


def _is_test(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.FunctionDef) or not _has_assert(statement):
        return False
    return statement.name.startswith("test_") or (
        statement.name == "check" and len(_parameters(statement)) == 1
    )


def _has_assert(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(statement))


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test).startswith("__name__ ==")


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _parameters(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _span(statement: ast.stmt) -> range:
    return range(_first_line(statement), (statement.end_lineno or statement.lineno) + 1)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    stored = (
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )
    return set(stored)
