"""The problems of the demonstration, converted and solved in every language, run for real."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

from mbxp_datasets.conversion import convert, languages
from mbxp_datasets.sources.user import file_problems
from mbxp_metric import demo_problems
from mbxp_metric.converting import FAILING
from mbxp_metric.execution import Executor, Job, Settings, ToolchainMissing, Verdict, assemble

PROBLEMS = {problem.task_id: problem for problem in file_problems(demo_problems.PROBLEMS)}


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(Settings(timeout=10.0, compile_timeout=90.0, workers=2)) as made:
        yield made


def test_the_problems_hold_in_python() -> None:
    # Their asserts run at import, but for those in a function.
    problems = importlib.import_module("mbxp_metric.demo_problems.problems")
    problems.test_cups_in_tower()


def test_every_language_has_completions() -> None:
    assert {*languages()} <= {*demo_problems.LANGUAGES}


@pytest.mark.parametrize("language", demo_problems.LANGUAGES)
def test_every_problem_has_a_right_and_a_wrong_completion(language: str) -> None:
    kinds = ("right", "wrong")
    expected = [(name, kind) for name in PROBLEMS for kind in kinds]
    assert [*demo_problems.completions(language)] == expected


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", languages())
def test_right_completions_pass_and_wrong_ones_fail(language: str, executor: Executor) -> None:
    missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))
    rows = {name: convert(problem, language) for name, problem in PROBLEMS.items()}
    jobs = [
        Job(index, f"{name}: {kind}", 0, assemble(rows[name], completion))
        for index, ((name, kind), completion) in enumerate(
            demo_problems.completions(language).items()
        )
    ]
    unexpected = {
        result.task_id: (result.verdict, result.stderr[-500:])
        for result in executor.execute(jobs)
        if result.verdict not in (FAILING if result.task_id.endswith("wrong") else [Verdict.PASSED])
    }
    assert len(jobs) == 2 * len(PROBLEMS)
    assert unexpected == {}
