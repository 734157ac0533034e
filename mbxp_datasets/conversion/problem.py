"""The language-neutral form of a problem: what is read from Python, before any target."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_IMPORT = re.compile(
    r"^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+)[\w.]*[ \t]+import\b)", re.MULTILINE
)


class UnconvertibleError(ValueError):
    """A problem that cannot be converted; it names the task, the line where known, the reason."""

    def __init__(self, task_id: str, reason: str, line: int | None = None) -> None:
        self.task_id = task_id
        self.reason = reason
        self.line = line
        """In the problem's test or source, from 1."""
        where = f", line {line}" if line else ""
        super().__init__(f"{task_id}{where}: {reason}")


@dataclass(frozen=True)
class Case:
    """One call of the entry point and what it must return."""

    arguments: tuple[Value, ...]
    expected: Value
    tolerance: float | None = None
    """The absolute difference the Python test allows; None where it compares with `==`."""
    line: int | None = None
    source: str = ""
    """The assert as it is written; empty where a loop or a local made the case."""


@dataclass(frozen=True)
class PythonProblem:
    """A Python problem taken apart; nothing in it has been run."""

    task_id: str
    entry_point: str
    parameters: tuple[str, ...]
    docstring: str
    """As between its quotes in the source, escapes not resolved, indentation kept."""
    description: str
    """What the function does, without the examples."""
    prompt: str
    test: str
    solution: str | None = None
    """The body that follows the prompt."""
    doctest_cases: bool = False
    """Whether the docstring is the description and one `>>>` example a case, nothing else."""
    test_lines: tuple[int, ...] = ()
    """Where the test was put together from a file: the file's line for each of its lines."""

    @property
    def modules(self) -> frozenset[str]:
        """The top-level modules that prompt and solution import, by their text."""
        found = set()
        for names, name in _IMPORT.findall(self.prompt + (self.solution or "")):
            found |= {part.split(".")[0].split()[0] for part in names.split(",") if part.strip()}
            found |= {name} - {""}
        return frozenset(found)


@dataclass(frozen=True)
class Parameter:
    name: str
    """In the target language."""
    type: Type


@dataclass(frozen=True)
class TypedProblem:
    """A problem with its cases read, its types inferred and its names chosen for a target."""

    problem: PythonProblem
    function: str
    """The entry point in the target language."""
    parameters: tuple[Parameter, ...]
    returns: Type
    cases: tuple[Case, ...]
