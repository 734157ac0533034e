"""Canonical solutions by sampling until something passes, as in section P.1 of the paper.

Stages of ever more samples at ever higher temperatures, with plain, few-shot and translation
prompts, and only for problems that are still unsolved. All samples and verdicts are on disk, and
a run that was ended goes through them again before it asks for new ones, so that it comes to
the same solutions as one that was not.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from mbxp_datasets import Problem, UnconvertibleError, convert
from mbxp_datasets.conversion import PythonProblem, languages, task_id
from mbxp_datasets.variants import Translation
from mbxp_datasets.variants.few_shot import SHOTS, few_shot_examples
from mbxp_datasets.variants.solutions import passing
from mbxp_metric.completions import require_grammars
from mbxp_metric.execution import Executor, Job, Journal, Result, Verdict
from mbxp_metric.generation.prompts import PromptBuilder, Request, seed_of
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.generation.store import SampleStore
from mbxp_metric.scoring import run, sample_job
from mbxp_metric.writing import replacing

PLAIN, FEW_SHOT, TRANSLATION = PROMPTS = ("plain", "few-shot", "translation")
SOLUTIONS, COVERAGE = "solutions.jsonl", "coverage.json"
_SECONDS = 10.0
"""Between two lines of progress."""
Row = Mapping[str, Any]


class Generator(Protocol):
    """Whatever writes samples: a model in this process, an endpoint, a table in a test."""

    def __call__(
        self, requests: Iterable[Request], settings: GenerationSettings
    ) -> Iterator[tuple[Request, str]]:
        """The requests with what was written, in any order."""


@dataclass(frozen=True)
class Stage:
    """So many samples of each unsolved problem with each kind of prompt."""

    n: int
    temperature: float


STAGES = (Stage(100, 0.8), Stage(1000, 1.0), Stage(10000, 1.2))
"""Those of the paper."""


def parse_stages(text: str) -> tuple[Stage, ...]:
    """The stages that `100@0.8,1000@1.0` names.

    Raises:
        GenerationError: it names none.
    """
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)@(\d+(?:\.\d+)?)\s*", part)
        if match is None or not int(match[1]) or not float(match[2]):
            raise GenerationError(
                f"--stages {text}: samples@temperature is expected, as in 100@0.8,1000@1.0"
            )
        found.append(Stage(int(match[1]), float(match[2])))
    return tuple(found)


@dataclass(frozen=True)
class Bootstrap:
    """What is to be solved, and how."""

    problems: Sequence[Problem]
    """Of one config. A solution that is not known to fail stays."""
    settings: GenerationSettings
    """For all stages; what a stage or a kind of prompt decides is replaced."""
    model: Mapping[str, Any]
    """What tells the generator from others, as JSON values."""
    stages: Sequence[Stage] = STAGES
    prompts: Sequence[str] = PROMPTS
    strict_tests: Mapping[str, str] = field(default_factory=dict)
    """By task id: tests that a sample has to pass beside the problem's own."""
    sources: Sequence[Problem] = ()
    """The same problems with solutions in the language that is translated."""
    shots: int = SHOTS
    round: int = 20
    """So many samples of a problem are generated before those that solved it are told."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.prompts if name not in PROMPTS]
        if unknown:
            raise GenerationError(f"--prompts {unknown[0]}: any of {', '.join(PROMPTS)}")
        if not self.prompts or not self.stages:
            raise GenerationError("one kind of prompt and one stage are needed at least")
        if self.settings.style == "chat":
            raise GenerationError("a canonical solution follows its prompt: no chat models here")


def strict_tests(
    problems: Iterable[Problem], python: Iterable[PythonProblem], language: str
) -> dict[str, str]:
    """The strict tests of the problems that have one, with the problems' own entry points."""
    if language not in languages("strict"):
        return {}
    by_task = {task_id(each.task_id, language): each for each in python}
    found = {}
    for problem in problems:
        source = by_task.get(problem["task_id"])
        if source is None:
            continue
        try:
            strict = convert(source, language, "strict")
        except UnconvertibleError:
            continue
        name = rf"\b{re.escape(strict['entry_point'])}\b"
        found[problem["task_id"]] = re.sub(name, problem["entry_point"], strict["test"])
    return found


class Bootstrapping:
    """A bootstrap at work in a directory.

    Raises:
        MissingExtraError: the grammars that tell where a function ends are not installed.
    """

    def __init__(
        self,
        work: Bootstrap,
        directory: Path,
        generate: Generator,
        executor: Executor,
        journal: Journal,
        told: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Args:
        journal: Of the verdicts, opened for this executor's settings.
        told: Gets a line of coverage after each kind of prompt of each stage.
        """
        require_grammars()
        self.work = work
        self.directory = directory
        self._generate = generate
        self._executor = executor
        self._journal = journal
        self._told = told
        self.solutions = {
            each["task_id"]: _row(each, each["canonical_solution"], json.dumps({"given": True}))
            for each in passing(work.problems)
        }
        self.coverage: list[dict[str, Any]] = []
        self._last = time.monotonic()
        self.not_executed = 0
        """Samples that met an `INFRA_ERROR`: executed again when the run is repeated."""
        self.refused = 0
        """Samples that passed the problem's own test, but not the strict one."""

    def run(self) -> None:
        """Go through the stages until all is solved; solutions are on disk after each prompt.

        Raises:
            GenerationError: the directory holds samples of another bootstrap, or the generator
                fails.
        """
        self._report("given", None)
        for number, stage in enumerate(self.work.stages, 1):
            for kind in self.work.prompts:
                if not self._unsolved():
                    return
                self._sample(number, stage, kind)
                self._report(f"stage {number}, {kind}", stage)

    def _unsolved(self) -> list[Problem]:
        return [each for each in self.work.problems if each["task_id"] not in self.solutions]

    def _sample(self, number: int, stage: Stage, kind: str) -> None:
        rows, examples = self._rows(kind), self._examples(kind)
        if not rows or (kind == FEW_SHOT and not examples):
            return
        settings = replace(
            self.work.settings,
            n=stage.n,
            temperature=stage.temperature,
            seed=seed_of(self.work.settings.seed, kind, "bootstrap", number),
            style="few-shot" if kind == FEW_SHOT else "plain",
            shots=len(examples),
        )
        builder = PromptBuilder(settings, examples)
        with SampleStore.open(
            self.directory / f"stage-{number}-{kind}",
            {**self.work.model, **settings.identity()},
            {},
            {"n": stage.n, "examples": [each["task_id"] for each in examples]},
        ) as store:
            for first in range(0, stage.n, self.work.round):
                rows = [row for row in rows if row["task_id"] not in self.solutions]
                if not rows:
                    break
                samples = range(first, min(stage.n, first + self.work.round))
                requests = list(builder.requests(rows, samples))
                missing = [each for each in requests if each.key not in store]
                for request, text in self._generate(missing, settings) if missing else ():
                    store.append(request.row(text))
                about = {
                    **self.work.model,
                    "stage": number,
                    **asdict(stage),
                    "top_p": settings.top_p,
                    "prompt": kind,
                }
                self._judge([(each, store.row(each.key)["completion"]) for each in requests], about)
                self._tell(f"stage {number}, {kind}: {samples.stop} of {stage.n} samples of each")

    def _rows(self, kind: str) -> list[Row]:
        unsolved = self._unsolved()
        if kind != TRANSLATION:
            return list(unsolved)
        return [row for row in Translation().rows(unsolved, self.work.sources) if row["has_source"]]

    def _examples(self, kind: str) -> list[Row]:
        """The first solved problems, those solved here among them; none if there are too few."""
        if kind != FEW_SHOT:
            return []
        solved = {task: str(row["canonical_solution"]) for task, row in self.solutions.items()}
        try:
            return list(few_shot_examples(self.work.problems, self.work.shots, solved))
        except ValueError:
            return []

    def _judge(self, samples: Sequence[tuple[Request, str]], about: dict[str, Any]) -> None:
        """Execute samples, and keep the first of each problem that passes its tests."""
        problems = {each["task_id"]: each for each in self.work.problems}
        jobs = [
            sample_job(index, problems[request.task_id], request.sample, text, "keep")
            for index, (request, text) in enumerate(samples)
        ]
        own = self._verdicts(jobs)
        passing = [job for job in jobs if own[job.index] is Verdict.PASSED]
        strict = self._verdicts(
            Job(job.index, job.task_id, job.sample, replace(job.program, test=test))
            for job in passing
            if (test := self.work.strict_tests.get(job.task_id)) is not None
        )
        for job in passing:
            verdict = strict.get(job.index)
            # A strict test may be of other types than the prompt: then it can refuse nothing.
            if verdict in (None, Verdict.PASSED, Verdict.COMPILE_ERROR):
                problem = problems[job.task_id]
                solution = job.program.head.removeprefix(problem["prompt"])
                tests = "own and strict" if verdict is Verdict.PASSED else "own"
                self._keep(problem, solution, samples[job.index][0], {**about, "tests": tests})
            else:
                self.refused += 1

    def _verdicts(self, jobs: Iterable[Job]) -> dict[int, Verdict]:
        found: dict[int, Verdict] = {}

        def finished(result: Result) -> None:
            found[result.index] = result.verdict
            self.not_executed += result.verdict is Verdict.INFRA_ERROR

        run(self._executor, jobs, finished, self._journal)
        return found

    def _keep(
        self, problem: Problem, solution: str, request: Request, about: dict[str, Any]
    ) -> None:
        provenance = {**about, "sample": request.sample, "seed": request.seed}
        row = _row(problem, solution, json.dumps(provenance))
        self.solutions.setdefault(problem["task_id"], row)

    def _tell(self, line: str) -> None:
        """Say how far it is, if nothing was said for a while."""
        if time.monotonic() - self._last >= _SECONDS:
            self._last = time.monotonic()
            self._told(f"{line}, {len(self.solutions)} of {len(self.work.problems)} solved")

    def _report(self, name: str, stage: Stage | None) -> None:
        solved, total = len(self.solutions), len(self.work.problems)
        before = self.coverage[-1]["solved"] if self.coverage else 0
        figures = {"solved": solved, "new": solved - before, "problems": total}
        about = asdict(stage) if stage is not None else {"n": 0, "temperature": None}
        share = solved / total if total else 0.0
        self.coverage.append({"name": name, **about, **figures, "coverage": share})
        with replacing(self.directory / SOLUTIONS) as file:
            for problem in self.work.problems:
                row = self.solutions.get(problem["task_id"]) or _row(problem, None, None)
                file.write(json.dumps(row) + "\n")
        with replacing(self.directory / COVERAGE) as file:
            file.write(json.dumps(self.coverage, indent=1) + "\n")
        self._last = time.monotonic()
        self._told(f"{name}: {solved} of {total} solved ({share:.1%}), {solved - before} new")


def _row(problem: Problem, solution: str | None, provenance: str | None) -> dict[str, Any]:
    return {**problem, "canonical_solution": solution, "provenance": provenance}
