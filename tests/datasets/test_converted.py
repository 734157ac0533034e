"""`source="convert"`: configs made from Python problems, offline, apart from the release's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets import FIELDS

datasets = pytest.importorskip("datasets")
Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load(*args: Any, **kwargs: Any) -> Any:
        kwargs = {"split": "test", "cache_dir": str(tmp_path / "arrow"), **kwargs}
        return datasets.load_dataset(*args, source="convert", **kwargs)

    return load


def mbpp(path: Path, *expected: str) -> str:
    """A file in MBPP's own format, with one problem for each expected value."""
    rows = [
        {
            "task_id": number,
            "text": "Add one.",
            "code": "def add_one(given):\n    return given + 1",
            "test_list": [f"assert add_one(1) == {value}"],
        }
        for number, value in enumerate(expected, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("config", "style", "rows"),
    [("kotlin", "release", 161), ("cpp", "release", 117), ("rust", "strict", 163)],
)
def test_multi_human_eval_needs_no_network_and_no_release(
    load: Load, config: str, style: str, rows: int
) -> None:
    with pytest.warns(UserWarning, match="cannot be converted"):
        loaded = load("multi_humaneval", config, style=style)
    assert loaded.num_rows == rows
    assert tuple(loaded.column_names) == FIELDS
    assert loaded[0]["task_id"] == f"HumanEval_{config}/0"


def test_mbpp_in_its_own_format_becomes_a_config(load: Load, tmp_path: Path) -> None:
    loaded = load("mbxp", "ruby", data_files=mbpp(tmp_path / "mbpp.jsonl", "2", "3"))
    assert loaded["task_id"] == ["MBRBP/1", "MBRBP/2"]
    assert loaded["entry_point"] == ["add_one", "add_one"]
    assert "v0 = 3" in loaded[1]["test"]


def test_streaming_gives_the_same_rows(load: Load, tmp_path: Path) -> None:
    file = mbpp(tmp_path / "mbpp.jsonl", "2")
    streamed = load("mbxp", "ruby", data_files=file, streaming=True)
    assert list(streamed) == list(load("mbxp", "ruby", data_files=file))


def test_styles_and_inputs_never_share_a_table(load: Load, tmp_path: Path) -> None:
    file = mbpp(tmp_path / "mbpp.jsonl", "2")
    release = load("mbxp", "ruby", data_files=file)
    strict = load("mbxp", "ruby", data_files=file, style="strict")
    assert "mbxp__same" in strict[0]["test"]
    assert "mbxp__same" not in release[0]["test"]
    assert "convert:strict:" in strict.info.description
    assert "convert:release:" in release.info.description
    mbpp(tmp_path / "mbpp.jsonl", "7")
    assert "v0 = 7" in load("mbxp", "ruby", data_files=file)[0]["test"]


def test_what_cannot_be_converted_is_left_out_and_named(load: Load, tmp_path: Path) -> None:
    file = mbpp(tmp_path / "mbpp.jsonl", "2", "2j", "3")
    with pytest.warns(UserWarning, match=r"1 problem\(s\).*MBPP/2, line \d+: a complex"):
        assert load("mbxp", "ruby", data_files=file)["task_id"] == ["MBRBP/1", "MBRBP/3"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"style": "loose"}, "strict and release"),
        ({"source": "nowhere"}, "release and convert"),
        ({"source": "release", "style": "strict"}, 'only with source="convert"'),
        ({"source": "release"}, 'source="convert" makes them'),
        ({"name": "rust"}, "no conversion to 'rust' in style 'release'; style 'strict' has it"),
    ],
)
def test_a_mistake_gives_one_line(arguments: dict[str, str], said: str, tmp_path: Path) -> None:
    given = {"name": "cpp", "source": "convert", **arguments}
    with pytest.raises((ValueError, OSError), match=said) as caught:
        datasets.load_dataset("multi_humaneval", cache_dir=str(tmp_path), **given)
    assert "\n" not in str(caught.value)
