"""Which canonical solutions are used, and solutions that others wrote.

`failing.jsonl` lists the release's solutions that were found to fail its own tests: for each
task the first eight hex digits of the solution's SHA-256, so that another solution of the task
is not meant, or nothing where the text was not at hand. All others are taken to pass.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mbxp_datasets.problem import Problem, ProblemFormatError, json_type, read_rows


def passing(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems with a canonical solution that is not known to fail."""
    for problem in problems:
        if problem["canonical_solution"] is not None and not known_to_fail(problem):
            yield problem


def known_to_fail(problem: Problem) -> bool:
    """Whether the release's solution of a problem fails its own test."""
    digest = _failing().get((problem["language"], problem["task_id"]))
    if digest is None:
        return False
    text = problem["canonical_solution"] or ""
    return hashlib.sha256(text.encode()).hexdigest().startswith(digest)


def read_solutions(path: str | os.PathLike[str], language: str) -> dict[str, str]:
    """Solutions by task id, from rows with `task_id` and `completion`, such as samples.

    The first of a task counts. Rows of another `language`, and rows that say `passed` is
    false, are left out; a row without these fields counts.

    Raises:
        ProblemFormatError: a row lacks a field or has one of another type.
        OSError: the file cannot be read.
    """
    found: dict[str, str] = {}
    for number, row in read_rows(path):
        where = f"{os.fspath(path)}, line {number}"
        if not isinstance(row, dict):
            raise ProblemFormatError(f"{where}: a JSON object is expected, not {json_type(row)}")
        for name in ("task_id", "completion"):
            if not isinstance(row.get(name), str):
                what = json_type(row[name]) if name in row else "missing"
                raise ProblemFormatError(f"{where}: field {name!r} is {what}, not a string")
        if row.get("passed", True) and row.get("language", language) == language:
            found.setdefault(row["task_id"], row["completion"])
    return found


@functools.cache
def _failing() -> dict[tuple[str, str], str]:
    path = Path(__file__).with_name("failing.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        (row["language"], f"{row['prefix']}{number}"): digest
        for row in rows
        for number, digest in row["tasks"].items()
    }
