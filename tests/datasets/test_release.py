import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from release_rows import problem, write_rows

import mbxp_datasets.download
from mbxp_datasets import (
    BENCHMARKS,
    REVISION,
    Config,
    ReleaseFileNotFoundError,
    ReleaseUnreachableError,
    UnknownConfigError,
    data_revision,
    load_problems,
)


@pytest.mark.parametrize("layout", ["data/mbxp", "mbxp", "."])
def test_local_directory_is_read_in_the_releases_layout_or_flat(
    tmp_path: Path, kotlin: Config, layout: str
) -> None:
    write_rows(tmp_path / layout / kotlin.file, [problem(kotlin, 1)])
    (row,) = load_problems("mbxp", "kotlin", data_dir=tmp_path)
    assert row["task_id"] == "MBKP/1"


def test_environment_names_the_directory_and_the_argument_wins(
    tmp_path: Path, kotlin: Config, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(tmp_path / "other" / kotlin.file, [problem(kotlin, 9)])
    monkeypatch.setenv("MBXP_DATA_DIR", str(tmp_path / "other"))
    assert [row["task_id"] for row in load_problems("mbxp", "mbkp")] == ["MBKP/9"]
    assert len(list(load_problems("mbxp", "mbkp", data_dir=data_dir))) == 5


def test_named_directory_without_the_file_is_an_error_not_a_download(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReleaseFileNotFoundError, match=r"mbjp_release_v1\.2\.jsonl"):
        load_problems("mbxp", "java", data_dir=data_dir)
    monkeypatch.setenv("MBXP_DATA_DIR", str(tmp_path / "absent"))
    with pytest.raises(ReleaseFileNotFoundError, match=r"MBXP_DATA_DIR=.*is not a directory"):
        load_problems("mbxp", "java")


def test_unknown_config_is_refused_before_any_file_is_looked_for() -> None:
    with pytest.raises(UnknownConfigError):
        load_problems("mbxp", "cobol", data_dir="/nowhere")


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"])
def test_offline_mode_gives_one_line_with_both_alternatives(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("MBXP_RELEASE_API", "http://127.0.0.1:1")
    with pytest.raises(ReleaseUnreachableError) as raised:
        load_problems("mbxp", "mbkp")
    message = str(raised.value)
    assert "\n" not in message
    assert all(part in message for part in (variable, "data_dir=", "MBXP_DATA_DIR"))


def _slow_name_lookup(*args: object, **kwargs: object) -> None:
    time.sleep(5)
    raise TimeoutError("timed out")


def _no_name_lookup(*args: object, **kwargs: object) -> None:
    raise socket.gaierror(-2, "Name or service not known")


@pytest.mark.parametrize("connect", [_slow_name_lookup, _no_name_lookup])
def test_missing_network_is_told_at_once(
    connect: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(mbxp_datasets.download, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(socket, "create_connection", connect)
    start = time.monotonic()
    with pytest.raises(ReleaseUnreachableError, match="no connection to api"):
        load_problems("mbxp", "mbkp")
    assert time.monotonic() - start < 2


def test_data_revision_is_the_pin_or_the_local_content(data_dir: Path, kotlin: Config) -> None:
    assert data_revision("mbxp", "mbkp") == REVISION
    before = data_revision("mbxp", "mbkp", data_dir=data_dir)
    assert before.startswith("local:")
    write_rows(data_dir / kotlin.file, [problem(kotlin, 1)])
    assert data_revision("mbxp", "mbkp", data_dir=data_dir) != before


def test_every_official_file_reads_as_its_config(official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        for config in (config for config in benchmark.configs.values() if config.file):
            rows = list(load_problems(benchmark.name, config.name, data_dir=official_dir))
            assert rows
            assert all(row["task_id"].startswith(config.task_prefix) for row in rows)
