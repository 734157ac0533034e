import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from release_rows import problem, write_rows

import mbxp_datasets
from mbxp_datasets import BENCHMARKS, FIELDS, Config, ProblemFormatError
from mbxp_datasets.variants import VARIANTS

datasets = pytest.importorskip("datasets")
Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """`load_dataset` of the split `test`, with a cache of its own."""

    def load(*args: Any, **kwargs: Any) -> Any:
        kwargs = {"split": "test", "cache_dir": str(tmp_path / "arrow"), **kwargs}
        return datasets.load_dataset(*args, **kwargs)

    return load


@pytest.mark.parametrize("config", ["mbkp", "kotlin"])
def test_rows_and_columns_are_the_files(
    load: Load, data_dir: Path, kotlin: Config, config: str
) -> None:
    loaded = load("mbxp", config, data_dir=str(data_dir))
    assert tuple(loaded.column_names) == FIELDS
    expected = [problem(kotlin, number) for number in range(1, 6)]
    assert list(loaded) == [{name: row[name] for name in FIELDS} for row in expected]


@pytest.mark.parametrize("name", ["multi-humaneval", "multi_humaneval", "mathqa-x", "mathqa_x"])
def test_names_work_with_hyphens_and_underscores(load: Load, tmp_path: Path, name: str) -> None:
    config = mbxp_datasets.resolve_config(name, "java")
    write_rows(tmp_path / "d" / config.file, [problem(config, 1)])
    assert load(name, "java", data_dir=str(tmp_path / "d")).num_rows == 1


@pytest.mark.parametrize("name", ["mbxp", "multi-humaneval", "mathqa-x"])
def test_config_and_split_names_need_no_data(name: str) -> None:
    names = datasets.get_dataset_config_names(name)
    plain = list(mbxp_datasets.resolve_benchmark(name).configs)
    assert names[: len(plain)] == plain
    assert all(each.partition("-")[0] in VARIANTS for each in names[len(plain) :])
    assert datasets.get_dataset_split_names(name, names[0]) == ["test"]


def test_test_is_the_only_split(load: Load, data_dir: Path) -> None:
    assert list(load("mbxp", "mbkp", data_dir=str(data_dir), split=None)) == ["test"]


def test_streaming_gives_the_same_rows(load: Load, data_dir: Path) -> None:
    streamed = load("mbxp", "mbkp", data_dir=str(data_dir), streaming=True)
    assert list(streamed) == list(load("mbxp", "mbkp", data_dir=str(data_dir)))
    assert list(pickle.loads(pickle.dumps(streamed))) == list(streamed)


@pytest.mark.parametrize(
    "wrap", [str, lambda f: [f], lambda f: {"test": f}, lambda f: {"test": [f]}]
)
@pytest.mark.parametrize("streaming", [False, True])
def test_own_files_load_as_the_test_split(
    load: Load, tmp_path: Path, kotlin: Config, wrap: Callable[[str], Any], streaming: bool
) -> None:
    path = write_rows(tmp_path / "mine.jsonl", [problem(kotlin, 1, task_id="mine/1")])
    rows = load("mbxp", "mbkp", data_files=wrap(str(path)), streaming=streaming)
    assert [row["task_id"] for row in rows] == ["mine/1"]
    assert [row["task_id"] for row in load("mbxp", data_files=wrap(str(path)))] == ["mine/1"]


def test_own_files_are_found_from_the_working_directory_or_data_dir(
    load: Load, tmp_path: Path, kotlin: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        write_rows(tmp_path / "own" / f"{number}.jsonl", [problem(kotlin, number)])
    both = load("mbxp", "mbkp", data_dir=str(tmp_path / "own"), data_files="*.jsonl")
    assert [row["task_id"] for row in both] == ["MBKP/1", "MBKP/2"]
    monkeypatch.chdir(tmp_path / "own")
    assert load("mbxp", "mbkp", data_files="1.jsonl").num_rows == 1


def test_several_splits_of_own_files_are_refused(
    load: Load, tmp_path: Path, kotlin: Config
) -> None:
    path = str(write_rows(tmp_path / "mine.jsonl", [problem(kotlin, 1)]))
    with pytest.raises(ValueError, match="has one split, test"):
        load("mbxp", "mbkp", data_files={"test": path, "train": path})


def test_own_file_of_another_language_is_refused(
    load: Load, data_dir: Path, kotlin: Config
) -> None:
    with pytest.raises(ProblemFormatError, match=r"line 1: the language is 'kotlin', but 'java'"):
        load("mbxp", "java", data_files=str(data_dir / kotlin.file))


def test_damaged_file_is_named_with_its_line(load: Load, data_dir: Path, kotlin: Config) -> None:
    with open(data_dir / kotlin.file, "a") as file:
        file.write("{\n")
    with pytest.raises(ProblemFormatError, match=r"mbkp_release_v1\.2\.jsonl, line 6: not JSON"):
        load("mbxp", "mbkp", data_dir=str(data_dir))


@pytest.mark.parametrize("by", ["data_dir", "data_files", "MBXP_DATA_DIR"])
def test_changed_data_are_not_served_from_the_cache(
    load: Load, data_dir: Path, kotlin: Config, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    path = data_dir / kotlin.file
    arguments = {"data_dir": {"data_dir": str(data_dir)}, "data_files": {"data_files": str(path)}}
    monkeypatch.setenv("MBXP_DATA_DIR", str(data_dir))
    before = load("mbxp", "mbkp", **arguments.get(by, {}))
    times = path.stat()
    path.write_bytes(path.read_bytes().replace(b"double of 1", b"triple of 1"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    after = load("mbxp", "mbkp", **arguments.get(by, {}))
    assert before[0]["prompt"].startswith("double")
    assert after[0]["prompt"].startswith("triple")


def test_same_content_shares_the_cache(load: Load, tmp_path: Path, data_dir: Path) -> None:
    copy = tmp_path / "copy" / "data" / "mbxp"
    copy.parent.mkdir(parents=True)
    data_dir_files = load("mbxp", "mbkp", data_dir=str(data_dir)).cache_files
    data_dir.rename(copy)
    assert load("mbxp", "mbkp", data_dir=str(tmp_path / "copy")).cache_files == data_dir_files


def test_unknown_config_names_the_close_matches(load: Load, data_dir: Path) -> None:
    with pytest.raises(ValueError, match=r"did you mean kotlin \(mbkp\)"):
        load("mbxp", "kotln", data_dir=str(data_dir))


def test_missing_config_lists_the_names(load: Load) -> None:
    with pytest.raises(ValueError, match="Config name is missing"):
        load("mbxp")


def test_revision_is_refused_with_a_reason(load: Load, data_dir: Path) -> None:
    with pytest.raises(ValueError, match="revision='main' is refused, since"):
        load("mbxp", "mbkp", data_dir=str(data_dir), revision="main")


def test_trust_remote_code_does_no_harm(load: Load, data_dir: Path) -> None:
    loaded = load("mbxp", "mbkp", data_dir=str(data_dir), trust_remote_code=True)
    assert loaded.num_rows == 5


def test_column_of_nulls_is_still_a_string(load: Load, tmp_path: Path, kotlin: Config) -> None:
    rows = [problem(kotlin, number, canonical_solution=None) for number in range(3)]
    write_rows(tmp_path / "d" / kotlin.file, rows)
    loaded = load("mbxp", "mbkp", data_dir=str(tmp_path / "d"))
    assert loaded.features["canonical_solution"].dtype == "string"


def test_without_network_one_line_names_both_alternatives(load: Load) -> None:
    with pytest.raises(ConnectionError, match=r"HF_HUB_OFFLINE is set.*data_dir=.*MBXP_DATA_DIR"):
        load("mbxp", "mbkp")


def test_builder_works_by_itself(tmp_path: Path, data_dir: Path) -> None:
    from builder_scripts.mbxp import Mbxp

    builder = Mbxp(config_name="kotlin", data_dir=str(data_dir), cache_dir=str(tmp_path / "arrow"))
    builder.download_and_prepare()
    assert builder.as_dataset(split="test").num_rows == 5


def test_other_names_still_go_to_the_library(load: Load, data_dir: Path, kotlin: Config) -> None:
    assert load("json", data_files={"test": str(data_dir / kotlin.file)}).num_rows == 5


def test_every_official_config_loads(load: Load, official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        for name in (config.name for config in benchmark.configs.values() if config.file):
            loaded = load(benchmark.name, name, data_dir=str(official_dir))
            direct = mbxp_datasets.load_problems(benchmark.name, name, data_dir=official_dir)
            assert loaded.to_list() == list(direct)
