"""Problems of the release as real programs: a stub fails, the release's own solution passes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Config, load_problems
from mbxp_datasets.conversion import languages, target
from mbxp_metric.converting import FAILING
from mbxp_metric.execution import Executor, Job, Settings, ToolchainMissing, Verdict
from mbxp_metric.scoring import sample_job

ROWS = 2
# Some Go prompts import what only a solution uses, and so do not compile with a stub.
STUB_FAILS = (*FAILING, Verdict.COMPILE_ERROR)
CONFIGS = [
    config
    for benchmark in ("multi_humaneval", "mathqa_x")
    for config in BENCHMARKS[benchmark].configs.values()
    if config.file
]


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(Settings(timeout=10.0, compile_timeout=90.0, workers=2)) as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("config", CONFIGS, ids=lambda each: f"{each.benchmark}-{each.language}")
def test_a_stub_fails_and_a_solution_passes(
    config: Config, official_dir: Path, executor: Executor
) -> None:
    language = config.language
    missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))
    style = "release" if language in languages("release") else "strict"
    stub = target(language, style).stub
    rows = list(load_problems(config.benchmark, config.name, official_dir))
    jobs: list[Job] = []
    expected: list[tuple[Verdict, ...]] = []
    for row in rows[:: max(1, len(rows) // ROWS)][:ROWS]:
        solution = row["canonical_solution"]
        for completion, verdicts in ((stub, STUB_FAILS), (solution, (Verdict.PASSED,))):
            if completion is not None:
                jobs.append(sample_job(len(jobs), row, 0, completion))
                expected.append(verdicts)
    assert len(jobs) >= ROWS
    unexpected = {
        (result.task_id, result.index): (result.verdict, result.why)
        for result in executor.execute(jobs)
        if result.verdict not in expected[result.index]
    }
    assert unexpected == {}
