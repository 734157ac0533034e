"""Rows of i- and r- as real programs: their own solutions pass the test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Config, human_eval_problems, load_problems
from mbxp_datasets.variants import Insertion, Robustness, Row
from mbxp_datasets.variants.formats import FORMAT_CHANGES
from mbxp_datasets.variants.solutions import passing
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


def check(rows: Iterable[Row], language: str, executor: Executor) -> None:
    missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))
    jobs: dict[str, Job] = {}
    for row in rows:
        trim = trim_of(row, "keep")
        job = sample_job(len(jobs), row, 0, row["canonical_solution"], trim)
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
    check(Insertion().rows(human_eval_problems()), "python", executor)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("config", CONFIGS, ids=lambda each: f"{each.benchmark}-{each.language}")
def test_every_masked_official_solution_passes(
    config: Config, official_dir: Path, executor: Executor
) -> None:
    problems = load_problems(config.benchmark, config.name, official_dir)
    check(Insertion().rows(problems), config.language, executor)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("split", FORMAT_CHANGES)
def test_python_programs_in_another_layout_pass(
    split: str, official_dir: Path, executor: Executor
) -> None:
    problems = [*human_eval_problems(), *load_problems("mbxp", "mbpp", official_dir)]
    rows = list(Robustness().split_rows(passing(problems), split))
    changed = [row for row in rows if row["prompt"] != row["nominal_prompt"]]
    assert len(changed) > 0.95 * len(rows)
    check(changed, "python", executor)
