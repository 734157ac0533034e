import json
from pathlib import Path

import pytest

from mbxp_datasets import (
    BENCHMARKS,
    UnknownConfigError,
    config_of_task,
    resolve_config,
)
from mbxp_datasets.problem import count_rows

PAPER_NAMES = "mbpp mbjp mbjsp mbtsp mbgp mbcsp mbphp mbrbp mbkp mbcpp mbplp mbscp mbswp"


def test_configs_are_the_papers() -> None:
    sizes = {
        name: sum(1 for config in benchmark.configs.values() if config.file)
        for name, benchmark in BENCHMARKS.items()
    }
    assert sizes == {"mbxp": 13, "multi_humaneval": 12, "mathqa_x": 3}
    released = [name for name, config in BENCHMARKS["mbxp"].configs.items() if config.file]
    assert " ".join(released) == PAPER_NAMES


def test_row_counts_are_the_releases() -> None:
    rows = {
        name: sum(config.rows for config in benchmark.configs.values())
        for name, benchmark in BENCHMARKS.items()
    }
    assert rows == {
        "mbxp": 974 + 8 * 966 + 848 + 2 * 968 + 939,
        "multi_humaneval": 164 + 10 * 161 + 160,
        "mathqa_x": 3 * 1883,
    }


@pytest.mark.parametrize(
    ("benchmark", "name", "expected"),
    [
        ("mbxp", "mbkp", "mbkp"),
        ("mbxp", "kotlin", "mbkp"),
        ("MBXP", "Kotlin", "mbkp"),
        ("mbxp", "python", "mbpp"),
        ("mbxp", "rust", "mbrsp"),
        ("multi-humaneval", "kotlin", "kotlin"),
        ("multi_humaneval", "go", "go"),
        ("mathqa-x", "java", "java"),
    ],
)
def test_config_resolves_by_name_and_alias(benchmark: str, name: str, expected: str) -> None:
    assert resolve_config(benchmark, name).name == expected


def test_unknown_config_names_the_close_matches() -> None:
    with pytest.raises(UnknownConfigError, match=r"'kotln' of mbxp: did you mean kotlin \(mbkp\)"):
        resolve_config("mbxp", "kotln")
    with pytest.raises(UnknownConfigError, match="There are python, java, javascript"):
        resolve_config("mathqa-x", "zzz")


def test_unknown_benchmark_names_the_close_matches() -> None:
    with pytest.raises(UnknownConfigError, match="did you mean multi_humaneval"):
        resolve_config("multi-human-eval", "go")


@pytest.mark.parametrize(
    ("file", "version"),
    [("mbkp", "1.2.0"), ("mbgp", "1.1.0"), ("mbpp", "1.0.0")],
)
def test_version_is_the_release_files(file: str, version: str) -> None:
    assert resolve_config("mbxp", file).version == version
    assert resolve_config("multi_humaneval", "python").version == "1.0.0"


@pytest.mark.parametrize(
    ("task_id", "language", "expected"),
    [
        ("MBKP/2", None, ("mbxp", "mbkp")),
        ("HumanEval/0", None, ("multi_humaneval", "python")),
        ("HumanEval_swift/0", "swift", ("multi_humaneval", "swift")),
        ("HumanEval_rust/0", "rust", ("multi_humaneval", "rust")),
        ("MathQA/0", "java", ("mathqa_x", "java")),
        ("MathQA/0", "javascript", ("mathqa_x", "javascript")),
        ("MathQA/0", None, ("mathqa_x", "python")),
    ],
)
def test_task_id_tells_its_config(
    task_id: str, language: str | None, expected: tuple[str, str]
) -> None:
    config = config_of_task(task_id, language)
    assert config is not None
    assert (config.benchmark, config.name) == expected


@pytest.mark.parametrize("task_id", ["mine/1", "MBKP", "", "MBKPX/1"])
def test_foreign_task_id_has_no_config(task_id: str) -> None:
    assert config_of_task(task_id) is None


def test_file_names_agree_with_the_releases_metadata(official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        metadata = json.loads((official_dir / benchmark.folder / "metadata.json").read_text())
        released = [config for config in benchmark.configs.values() if config.file]
        assert {config.language: config.file for config in released} == metadata
        for config in released:
            assert count_rows(official_dir / benchmark.folder / config.file) <= config.rows
