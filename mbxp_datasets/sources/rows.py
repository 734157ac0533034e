"""Python problems as rows: JSONL, gzipped or not, or one JSON list; and what a row must have."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.conversion.python_text import description, function, is_doctest_of
from mbxp_datasets.problem import ProblemFormatError, json_type, open_file, read_rows


def rows(path: str | os.PathLike[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each row with its place, for messages.

    Raises:
        ProblemFormatError: the file is not JSON, or a row is not an object.
        OSError: the file cannot be read.
    """
    if _is_list(path):
        unit, numbered = "entry", _list(path)
    else:
        unit, numbered = "line", read_rows(path)
    for number, row in numbered:
        where = f"{os.fspath(path)}, {unit} {number}"
        if not isinstance(row, dict):
            raise ProblemFormatError(f"{where}: a JSON object is expected, not {json_type(row)}")
        yield where, row


def text(row: Mapping[str, Any], name: str, where: str, remedy: str = "") -> str:
    """A field that must be a string.

    Raises:
        ProblemFormatError: it is missing or something else.
    """
    hint = f"; {remedy}" if remedy else ""
    if name not in row:
        raise ProblemFormatError(f"{where}: field {name!r} is missing{hint}")
    if not isinstance(row[name], str):
        raise ProblemFormatError(
            f"{where}: field {name!r} is {json_type(row[name])}, not a string{hint}"
        )
    return str(row[name])


def texts(row: Mapping[str, Any], name: str, where: str) -> list[str]:
    """A field that must be a list of strings; empty where it is missing or null.

    Raises:
        ProblemFormatError: it is something else.
    """
    found = row.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise ProblemFormatError(f"{where}: field {name!r} is not a list of strings; make it one")
    return found


def optional_text(row: Mapping[str, Any], name: str, where: str) -> str | None:
    """A field that may be missing or null."""
    return None if row.get(name) is None else text(row, name, where)


def problem(
    row: Mapping[str, Any], where: str, *, doctest_cases: bool | None = False
) -> PythonProblem:
    """A row with prompt, test and entry point as a problem.

    With `doctest_cases=None` the docstring's own shape decides.

    Raises:
        ProblemFormatError: a field is missing or no Python, or the prompt lacks the function.
    """
    language = optional_text(row, "language", where)
    if language is not None and language.lower() != "python":
        raise ProblemFormatError(
            f"{where}: field 'language' is {language!r}, but only Python problems are converted"
        )
    task_id = text(row, "task_id", where)
    prompt = text(row, "prompt", where)
    test = text(row, "test", where)
    entry_point = text(row, "entry_point", where, "name the function that the test calls")
    found = function(prompt, entry_point)
    if found is None:
        raise ProblemFormatError(
            f"{where}: field 'prompt' defines no function {entry_point!r}; let it end with the "
            "function's signature and docstring, or correct 'entry_point'"
        )
    if doctest_cases is None:
        doctest_cases = is_doctest_of(found.docstring, test)
    return PythonProblem(
        task_id=task_id,
        entry_point=entry_point,
        parameters=found.parameters,
        docstring=found.docstring,
        description=optional_text(row, "description", where) or description(found.docstring),
        prompt=prompt,
        test=test,
        solution=optional_text(row, "canonical_solution", where),
        doctest_cases=doctest_cases,
    )


def _is_list(path: str | os.PathLike[str]) -> bool:
    with open_file(path) as file:
        return file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def _list(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    with open_file(path) as file:
        try:
            entries = json.loads(file.read().decode("utf-8-sig"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ProblemFormatError(f"{os.fspath(path)}: not JSON ({error})") from None
    yield from enumerate(entries, 1)
