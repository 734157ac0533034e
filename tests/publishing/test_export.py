"""An exported benchmark: what the datasets library alone reads back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from huggingface_hub import DatasetCard
from typer.testing import CliRunner

from builder_scripts.errors import ExportError
from builder_scripts.export import export_benchmark
from hub_cards import SOURCES
from mbxp_datasets import ReleaseFileNotFoundError, UnknownConfigError, resolve_benchmark
from mbxp_metric.cli import app
from tests.datasets.release_rows import problem, write_rows

pytest.importorskip("jinja2")

LOAD = """
import json, sys, datasets
from datasets import load_dataset
datasets.disable_progress_bars()
print(json.dumps({name: list(load_dataset(sys.argv[1], name)[split])
                  for name, split in map(lambda x: x.split("/"), sys.argv[2:])}))
"""


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    root = tmp_path / "release"
    configs = resolve_benchmark("mbxp").configs
    for name in ("mbkp", "mbpp"):
        rows = [problem(configs[name], number) for number in range(1, 6)]
        write_rows(root / configs[name].file, rows)
    return root


def test_datasets_alone_reads_equal_rows_and_prints_no_warning(
    tmp_path: Path, data_dir: Path
) -> None:
    target = tmp_path / "out"
    export_benchmark("mbxp", target, configs=["kotlin", "r-mbkp", "t-mbkp"], data_dir=data_dir)
    environment = {
        **os.environ,
        "MBXP_NO_AUTOLOAD": "1",
        "HF_HOME": str(tmp_path / "home"),
        "PYTHONPATH": "",
    }
    command = [sys.executable, "-c", LOAD, str(target), "mbkp/test", "r-mbkp/case", "t-mbkp/test"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    kotlin = resolve_benchmark("mbxp").configs["mbkp"]
    assert rows["mbkp"] == [problem(kotlin, number) for number in range(1, 6)]
    assert [row["task_id"] for row in rows["t-mbkp"]] == [row["task_id"] for row in rows["mbkp"]]
    assert len(rows["r-mbkp"]) == 5


def test_card_parses_and_names_licence_sources_and_parts(tmp_path: Path, data_dir: Path) -> None:
    export_benchmark("mbxp", tmp_path / "out", configs=["mbkp"], data_dir=data_dir)
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert card.data.license == "cc-by-4.0"
    (info,) = card.data["dataset_info"]
    (split,) = info["splits"]
    assert split["num_examples"] == 5
    assert split["num_bytes"] == info["dataset_size"] > 0
    size = (tmp_path / "out" / "mbkp" / "test.parquet").stat().st_size
    assert info["download_size"] == size
    assert "5 of 966 (a part of the release)" in card.text
    for expected in ("MBPP", "CC BY 4.0", "@inproceedings", "Errata", "e09974f"):
        assert expected in card.text


def test_eval_yaml_has_a_task_for_each_config_of_the_release(
    tmp_path: Path, data_dir: Path
) -> None:
    export_benchmark("mbxp", tmp_path / "out", configs=["mbkp", "r-mbkp"], data_dir=data_dir)
    document = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text())
    assert document["tasks"] == [{"id": "mbkp", "config": "mbkp", "split": "test"}]
    assert "percent" in document["description"]


def test_export_again_replaces_what_it_wrote_and_nothing_else(
    tmp_path: Path, data_dir: Path
) -> None:
    target = tmp_path / "out"
    export_benchmark("mbxp", target, configs=["mbkp"], data_dir=data_dir)
    export_benchmark("mbxp", target, configs=["mbpp"], data_dir=data_dir)
    assert sorted(path.name for path in target.iterdir()) == ["README.md", "eval.yaml", "mbpp"]
    (target / "notes.txt").write_text("mine")
    with pytest.raises(ExportError, match=r"notes\.txt"):
        export_benchmark("mbxp", target, configs=["mbkp"], data_dir=data_dir)
    assert (target / "notes.txt").read_text() == "mine"


def test_nothing_is_left_where_a_file_of_the_release_lacks(tmp_path: Path, data_dir: Path) -> None:
    with pytest.raises(ReleaseFileNotFoundError):
        export_benchmark("mbxp", tmp_path / "out", configs=["mbkp", "mbjp"], data_dir=data_dir)
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "Unknown benchmark"),
        (["mbxp", "-c", "mbqq"], "Unknown config"),
        (["mbxp", "--variants", "z"], "no variant 'z'"),
    ],
)
def test_wrong_names_are_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["export", *arguments, "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_unknown_config_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownConfigError, match="mbkp"):
        export_benchmark("mbxp", tmp_path / "out", configs=["mbkpp"])


def test_every_benchmark_says_what_it_was_made_from() -> None:
    assert set(SOURCES) == {"mbxp", "multi_humaneval", "mathqa_x"}


@pytest.mark.parametrize("name", ["mbxp", "multi-humaneval", "mathqa-x"])
def test_cards_of_the_release_parse_and_name_licence_and_source(
    name: str, tmp_path: Path, official_dir: Path
) -> None:
    export_benchmark(name, tmp_path / "out", configs=["python"], data_dir=official_dir)
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    benchmark = resolve_benchmark(name)
    assert card.data.license == benchmark.licence.lower()
    for source in SOURCES[benchmark.name]:
        assert source["name"] in card.text
        assert source["url"] in card.text
        assert source["licence"] in card.text
