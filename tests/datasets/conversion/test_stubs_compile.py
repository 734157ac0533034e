"""Every problem there is, converted in strict style, compiles with a body that only fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbxp_datasets import human_eval_file, resolve_config
from mbxp_datasets.conversion import languages
from mbxp_metric.converting import Conversion, Rejection
from mbxp_metric.execution import Executor, Settings, ToolchainMissing

SETTINGS = Settings(timeout=20.0, compile_timeout=120.0, workers=2)
UNCONVERTIBLE = 0.02
"""The share of a file's problems that a language may lack."""


@pytest.fixture(params=["human_eval", "mbpp"])
def problems(request: pytest.FixtureRequest) -> Path:
    if request.param == "human_eval":
        return human_eval_file()
    directory: Path = request.getfixturevalue("official_dir")
    return directory / "mbxp" / resolve_config("mbxp", "mbpp").file


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("language", languages())
def test_stubs_compile_and_few_problems_are_left_out(
    language: str, problems: Path, tmp_path: Path
) -> None:
    with Executor(SETTINGS) as executor:
        missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))
    rejected: list[Rejection] = []
    conversion = Conversion([problems], [language], "strict", tmp_path)
    (converted,) = conversion.run(rejected.extend)
    total = converted.converted + len(rejected)
    assert total >= 164
    assert len(rejected) <= UNCONVERTIBLE * total, rejected
    assert all(each.reason for each in rejected)
    assert conversion.validate([converted], SETTINGS) == []
