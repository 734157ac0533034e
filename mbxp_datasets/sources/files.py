"""The front door: any file of Python problems, told apart by its suffix and its content."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mbxp_datasets.catalog import resolve_config
from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.problem import ProblemFormatError
from mbxp_datasets.sources import humaneval, mbpp, rows, user

# MBPP's release rows are read as a user's: their docstring's own shape tells of its examples.
_BY_PREFIX = {
    humaneval.PREFIX: humaneval.python_problem,
    resolve_config("mathqa_x", "python").task_prefix: rows.problem,
}


def python_problems(path: str | os.PathLike[str]) -> Iterator[PythonProblem]:
    """Yield the problems of a file, one at a time; nothing in them is run.

    A `.py` file holds functions with asserts. Any other file holds rows as JSONL, gzipped or
    not, or as one JSON list: this package's own fields, the release's or HumanEval's Python
    files, or MBPP's original fields.

    Raises:
        ProblemFormatError: (while iterating) the file is malformed or repeats a task id; the
            message names line, field and remedy.
        OSError: the file cannot be read.
    """
    if Path(path).suffix.lower() == ".py":
        yield from user.file_problems(path)
        return
    places: dict[str, str] = {}
    for where, row in rows.rows(path):
        problem = _problem(row, where)
        if problem.task_id in places:
            raise ProblemFormatError(
                f"{where}: task_id {problem.task_id!r} is already on {places[problem.task_id]}; "
                "give it another"
            )
        places[problem.task_id] = where.rpartition(", ")[2]
        yield problem


def _problem(row: Mapping[str, Any], where: str) -> PythonProblem:
    if mbpp.is_original(row):
        return mbpp.original_problem(row, where)
    prefix, slash, _ = str(row.get("task_id")).partition("/")
    return _BY_PREFIX.get(prefix + slash, user.row_problem)(row, where)
