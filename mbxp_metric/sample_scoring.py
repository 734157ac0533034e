"""Scoring sample files: they are read through once to check them, and again to execute."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mbxp_datasets import Problem
from mbxp_metric.completions import require_grammars
from mbxp_metric.execution import Executor, Job, Journal, Result, Settings, Verdict
from mbxp_metric.problem_sets import ProblemIndex, ProblemSet
from mbxp_metric.samples import (
    SampleFormatError,
    SampleRow,
    common_generation,
    read_samples,
)
from mbxp_metric.scoring import (
    EXTRACT,
    OFF,
    Group,
    ScoreOptions,
    run,
    sample_job,
    score,
    trim_of,
)
from mbxp_metric.signature import score_signature
from mbxp_metric.writing import replacing

_NOT_STORED = (
    "index",
    "stdout",
    "stderr",
    "stdout_truncated",
    "stderr_truncated",
    "reused",
    "times",
)


@dataclass
class FileGroup(Group):
    """The samples of one file for the problems of one set in one language."""

    file: str = ""
    problem_set: ProblemSet | None = None
    trims: set[str] = field(default_factory=set)
    """What was done to its samples, of `mbxp_metric.scoring.TRIMS`."""

    @property
    def set_name(self) -> str:
        return self.problem_set.name if self.problem_set else ""


class SampleScoring:
    """The samples of some files, checked and ready to be executed.

    With `helpers` (`keep` or `cut`) each completion is truncated as
    `mbxp_metric.completions.truncate` says; None executes them as they are. Of a chat model's
    answer the code is taken, as `mbxp_metric.completions.extract` does, whatever `helpers` is.

    Raises:
        SampleFormatError: a row cannot be used, or names a problem that there is not.
        ReleaseError, ProblemFormatError, OSError: a file cannot be read.
        MissingExtraError: samples cannot be truncated here.
    """

    def __init__(
        self,
        files: Sequence[str | os.PathLike[str]],
        problems: ProblemIndex,
        limit: int | None = None,
        helpers: str | None = None,
    ) -> None:
        if helpers is not None:
            require_grammars()
        self._trim = helpers or OFF
        self._files = list(dict.fromkeys(os.fspath(file) for file in files))
        self._problems = problems
        self._limit = limit
        self.groups: dict[tuple[str, str, str, str], FileGroup] = {}
        self.n_samples = 0
        self._owners: dict[int, tuple[FileGroup, Hashable]] = {}
        self._infra: dict[int, Result] = {}
        self._check()
        self.generation = common_generation(self._files)
        """How the samples were generated; empty where that is not known."""

    @property
    def languages(self) -> list[str]:
        """The languages of the samples, in order of appearance."""
        return list(dict.fromkeys(group.language for group in self.groups.values()))

    def run(
        self,
        executor: Executor,
        journal: Journal | None = None,
        started: Callable[[Job], None] = lambda job: None,
        finished: Callable[[Result], None] = lambda result: None,
    ) -> None:
        """Get a result for every sample, from the journal or else by executing it."""

        def count(result: Result) -> None:
            group, problem = self._owners.pop(result.index)
            group.record(problem, result.verdict)
            if result.verdict is Verdict.INFRA_ERROR:
                self._infra[result.index] = result
            finished(result)

        def jobs() -> Iterator[Job]:
            for group, _, _, _, _, job in self._jobs():
                self._owners[job.index] = group, job.task_id
                yield job

        run(executor, jobs(), count, journal, started)

    def write_results(self, path: str | os.PathLike[str], journal: Journal) -> None:
        """Write one row a sample in the order of the input, after `run` with that journal."""
        with replacing(path) as file:
            for group, where, raw, following, trim, job in self._jobs():
                result = self._infra.get(job.index) or journal.get(job)
                if result is None:
                    raise SampleFormatError(f"{where}: the file has changed during the run")
                values = result.to_json()
                row: dict[str, Any] = {"source": where, "problems": group.set_name}
                row |= {name: value for name, value in values.items() if name not in _NOT_STORED}
                row |= {"passed": result.passed}
                if trim == EXTRACT:
                    row |= {"answer": raw}
                else:
                    head = job.program.head
                    row |= {"completion": raw, "truncated": not head.endswith(raw + following)}
                row |= {"times": result.times}
                file.write(json.dumps(row) + "\n")

    def write_problems(self, path: str | os.PathLike[str]) -> None:
        """Write the problems that there are samples for, once each: what a report shows."""
        problems: dict[tuple[str, Hashable], Problem] = {}
        for group in self.groups.values():
            assert group.problem_set is not None
            for task_id in group.samples:
                key = group.language, task_id
                problems[key] = group.problem_set.problems[group.language, str(task_id)]
        with replacing(path) as file:
            for problem in problems.values():
                file.write(json.dumps(problem) + "\n")

    def scores(
        self,
        settings: Settings,
        options: ScoreOptions,
        toolchains: dict[str, str],
        engines: dict[str, str],
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The scores of each file and language, and a line for each score that is absent."""
        rows, notes = [], []
        for group in self.groups.values():
            numbers, lines = score([group], options)
            assert group.problem_set is not None
            signature = score_signature(
                problems=group.set_name,
                data=group.problem_set.revision,
                samples=group.samples.values(),
                k=options.k,
                settings=settings,
                toolchains={group.language: toolchains[group.language]},
                engines={group.language: engines[group.language]},
                bootstrap=options.bootstrap,
                seed=options.seed,
                truncation="+".join(sorted(group.trims, reverse=True)) or self._trim,
            )
            about = {"file": group.file, "problems": group.set_name, "language": group.language}
            rows.append({**about, **numbers, "signature": signature})
            notes += [f"{group.set_name} ({group.language}): {line}" for line in lines]
        return rows, list(dict.fromkeys(notes))

    def _check(self) -> None:
        unknown = ""
        unknown_count = 0
        for file in self._files:
            empty = True
            for row in read_samples(file):
                empty = False
                found = self._problems.find(row)
                if found is None:
                    unknown_count += 1
                    unknown = unknown or f"{row.where} has task_id {row.task_id!r}"
                    continue
                group = self._group(file, *found)
                task_id = found[1]["task_id"]
                if self._beyond_limit(group, task_id):
                    continue
                if row.is_answer:
                    _refuse_answer(row, found[1])
                    require_grammars()
                if row.completions:
                    group.trims.add(self._trim_of(row, found[1]))
                group.expect(task_id, len(row.completions))
                self.n_samples += len(row.completions)
            if empty:
                raise SampleFormatError(f"{file}: there are no samples in it")
        if unknown:
            raise SampleFormatError(
                f"{unknown}, which is not among the problems ({unknown_count} row(s) like it); "
                "name the right ones by --problems"
            )

    def _group(self, file: str, problems: ProblemSet, problem: Problem) -> FileGroup:
        language = problem["language"].lower()
        key = file, problems.name, problems.revision, language
        group = self.groups.get(key)
        if group is None:
            group = FileGroup(language, problems.sizes[language], file=file, problem_set=problems)
            self.groups[key] = group
        return group

    def _beyond_limit(self, group: FileGroup, task_id: str) -> bool:
        full = self._limit is not None and len(group.samples) >= self._limit
        return full and task_id not in group.samples

    def _trim_of(self, row: SampleRow, problem: Problem) -> str:
        return EXTRACT if row.is_answer else trim_of(problem, self._trim)

    def _jobs(self) -> Iterator[tuple[FileGroup, str, str, str, str, Job]]:
        """Each sample with its file and line, as it was given, what follows it in the program,
        and what was done to it.
        """
        index = 0
        for file in self._files:
            number: dict[tuple[int, str], int] = {}
            for row in read_samples(file):
                for group, problem, completion in self._samples(file, row):
                    key = id(group), problem["task_id"]
                    sample = number.get(key, 0)
                    number[key] = sample + 1
                    trim = self._trim_of(row, problem)
                    job = sample_job(index, problem, sample, completion, trim)
                    following = str(problem.get("right_context") or "")
                    yield group, row.where, completion, following, trim, job
                    index += 1

    def _samples(self, file: str, row: SampleRow) -> Iterator[tuple[FileGroup, Problem, str]]:
        found = self._problems.find(row)
        if found is None:
            raise SampleFormatError(f"{row.where}: the file has changed during the run")
        problems, problem = found
        group = self._group(file, problems, problem)
        if problem["task_id"] in group.samples:
            for completion in row.completions:
                yield group, problem, completion


def _refuse_answer(row: SampleRow, problem: Problem) -> None:
    if problem.get("right_context"):
        raise SampleFormatError(
            f"{row.where}: an 'answer' holds a whole function, but {problem['task_id']} is an "
            "insertion, whose 'completion' is what stands between its contexts"
        )
