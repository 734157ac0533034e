"""i- rows as real programs: what was masked, put back as a model would, passes the test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Config, Problem, human_eval_problems, load_problems
from mbxp_datasets.variants import Insertion
from mbxp_metric.execution import Executor, Job, Settings, ToolchainMissing, Verdict
from mbxp_metric.scoring import sample_job, trim_of

CONFIGS = [
    config
    for benchmark in BENCHMARKS.values()
    for config in benchmark.configs.values()
    if config.solutions and config.language in ("java", "javascript", "python")
]


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(Settings(timeout=10.0, compile_timeout=90.0, workers=2)) as made:
        yield made


def check(problems: Iterable[Problem], language: str, executor: Executor) -> None:
    missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))
    jobs: dict[str, Job] = {}
    for row in Insertion().rows(problems):
        trim = trim_of(row, "keep")
        job = sample_job(len(jobs), row, 0, row["masked_lines"], trim)
        # The masks of one solution make one program, which is executed once.
        jobs.setdefault(job.digest, job)
    assert len(jobs) > 50
    failed = {
        result.task_id: (result.verdict, result.why)
        for result in executor.execute(jobs.values())
        if result.verdict is not Verdict.PASSED
    }
    assert failed == {}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_masked_human_eval_solution_passes(executor: Executor) -> None:
    check(human_eval_problems(), "python", executor)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("config", CONFIGS, ids=lambda each: f"{each.benchmark}-{each.language}")
def test_every_masked_official_solution_passes(
    config: Config, official_dir: Path, executor: Executor
) -> None:
    problems = load_problems(config.benchmark, config.name, official_dir)
    check(problems, config.language, executor)
