"""The directory of samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.generation import GenerationError, PartStore, SampleStore
from mbxp_metric.generation.store import key_of

CONFIGS = {"mbxp/mbkp": {"problems": "mbxp kotlin", "revision": "1"}}


def row(number: int, text: str = "x") -> dict[str, Any]:
    return {"task_id": f"T/{number}", "language": "kotlin", "sample": 0, "completion": text}


def opened(
    folder: Path, configs: dict[str, dict[str, str]] = CONFIGS, **settings: Any
) -> SampleStore:
    return SampleStore.open(folder, {"model": "m", **settings}, configs, {"n": 1})


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]


def test_what_several_processes_wrote_comes_into_one_order(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.append(row(3))
        with PartStore(tmp_path, 1) as part:
            part.append(row(1))
        with PartStore(tmp_path, 2) as part:
            part.append(row(2))
            part.append(row(3, "of another process, too late"))
        store.finish(key_of(row(number)) for number in range(4))
    assert rows(tmp_path) == [row(1), row(2), row(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["generation.json", "samples.jsonl"]


def test_what_a_killed_run_left_is_merged_without_torn_lines(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.append(row(0))
    with PartStore(tmp_path, 1) as part:
        part.append(row(1))
    for name in ("samples.jsonl", "samples.rank00001.jsonl"):
        with open(tmp_path / name, "a") as file:
            file.write('{"task_id": "T/9", "lang')
    with opened(tmp_path) as store:
        assert store.keys == {key_of(row(0)), key_of(row(1))}
        store.append(row(2))
        assert list(store.rows()) == [row(0), row(1), row(2)]
    assert rows(tmp_path) == [row(0), row(1), row(2)]


def test_what_is_there_is_not_written_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.append(row(0))
        store.append(row(0, "other"))
    assert rows(tmp_path) == [row(0)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "other"}, "model was 'm', is 'other'"),
        ({"seed": 1}, "seed was None, is 1"),
        (
            {"configs": {"mbxp/mbkp": {**CONFIGS["mbxp/mbkp"], "revision": "2"}}},
            "revision of mbxp/mbkp was '1', is '2'",
        ),
        ({"configs": {"mbxp/t-mbkp": {"problems": "mbxp kotlin"}}}, "mbxp/mbkp is there"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with opened(tmp_path) as store:
        store.append(row(0))
    with pytest.raises(GenerationError, match=message) as found:
        opened(tmp_path, **change)
    assert "\n" not in str(found.value)
    assert rows(tmp_path) == [row(0)]


def test_before_the_first_sample_settings_may_change(tmp_path: Path) -> None:
    opened(tmp_path).close()
    opened(tmp_path, model="other").close()
    assert json.loads((tmp_path / "generation.json").read_text())["model"] == "other"


def test_a_config_may_be_added(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.append(row(0))
    opened(tmp_path, {"mbxp/mbjp": {"problems": "mbxp java"}}).close()
    told = json.loads((tmp_path / "generation.json").read_text())
    assert list(told["configs"]) == ["mbxp/mbkp", "mbxp/mbjp"]


def test_two_runs_never_write_at_once(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(GenerationError, match="another run is writing"):
        opened(tmp_path)
    part = PartStore(tmp_path, 1)
    with pytest.raises(GenerationError, match="still written by a process"):
        opened(tmp_path)
    part.close()
    opened(tmp_path).close()


def test_samples_from_elsewhere_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text("{}\n")
    with pytest.raises(GenerationError, match=r"no generation\.json beside it"):
        opened(tmp_path)
    assert (tmp_path / "samples.jsonl").read_text() == "{}\n"
