"""Known faults of Python problems, as data: the task, who is concerned, the repair, the reason.

`upstream.jsonl` holds one erratum a line. `for` lists the conversions it applies to: `a` and
`b`, the release's two converters, which read other texts than the release's Python file holds,
and `strict`, which repairs what no solution could pass.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from mbxp_datasets.conversion.problem import Case, PythonProblem, UnconvertibleError


@dataclass(frozen=True)
class Erratum:
    """One fault; at least one of the repairs below is given."""

    task_id: str
    conversions: tuple[str, ...]
    reason: str
    test: tuple[str, str] | None = None
    """A regular expression and its replacement in the test."""
    prompt: tuple[str, str] | None = None
    """The same in the prompt and in its docstring."""
    solution: tuple[str, str] | None = None
    """The same in the reference solution, where it passes the faulty test only."""
    shown: tuple[str, str] | None = None
    """The same in the text of each assert, as the examples print it; no value changes."""
    expected_as_stated: bool = False
    """Take the expected values from the asserts, not from running the solution."""
    unconvertible: bool = False
    """No repair: the task means something in Python only."""


def errata_of(task_id: str, conversion: str) -> list[Erratum]:
    """What is known about a task in one conversion: `a`, `b` or `strict`."""
    return [each for each in _errata().get(task_id, []) if conversion in each.conversions]


def repaired(problem: PythonProblem, conversion: str) -> PythonProblem:
    """The problem with its test, prompt and solution repaired.

    Raises:
        UnconvertibleError: an erratum says so.
    """
    for erratum in errata_of(problem.task_id, conversion):
        if erratum.unconvertible:
            raise UnconvertibleError(problem.task_id, erratum.reason)
        if erratum.test is not None:
            problem = replace(problem, test=re.sub(*erratum.test, problem.test))
        if erratum.prompt is not None:
            problem = replace(
                problem,
                prompt=re.sub(*erratum.prompt, problem.prompt),
                docstring=re.sub(*erratum.prompt, problem.docstring),
            )
        if erratum.solution is not None and problem.solution is not None:
            problem = replace(problem, solution=re.sub(*erratum.solution, problem.solution))
    return problem


def shown(problem: PythonProblem, cases: tuple[Case, ...], conversion: str) -> tuple[Case, ...]:
    """The cases with the texts of their asserts repaired."""
    for erratum in errata_of(problem.task_id, conversion):
        if erratum.shown is not None:
            cases = tuple(
                replace(case, source=re.sub(*erratum.shown, case.source)) for case in cases
            )
    return cases


def expected_as_stated(problem: PythonProblem, conversion: str) -> bool:
    """Whether the expected values are those of the asserts, whatever the solution returns."""
    return any(each.expected_as_stated for each in errata_of(problem.task_id, conversion))


@functools.cache
def _errata() -> dict[str, list[Erratum]]:
    found: dict[str, list[Erratum]] = {}
    path = Path(__file__).with_name("upstream.jsonl")
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        erratum = Erratum(
            task_id=row["task_id"],
            conversions=tuple(row["for"]),
            reason=row["reason"],
            **{
                name: tuple(row[name])
                for name in ("test", "prompt", "solution", "shown")
                if name in row
            },
            expected_as_stated=row.get("expected_as_stated", False),
            unconvertible=row.get("unconvertible", False),
        )
        found.setdefault(erratum.task_id, []).append(erratum)
    return found
