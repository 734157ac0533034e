"""Datasets and the metric on the Hub, as their users load them."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import RepoCard

from hub_cards import SOURCES
from mbxp_datasets import resolve_config
from mbxp_metric.publishing.spaces import leaderboard_files, metric_files, results_files
from tests.datasets.release_rows import problem, write_rows
from tests.publishing.conftest import Done, Python
from tests.publishing.hub_stand_in import Hub

pytest.importorskip("jinja2")

LOAD = """
import json, datasets
from datasets import load_dataset
print(json.dumps(list(load_dataset("user/mbxp", "mbkp", split="test"))))
"""


def test_exported_dataset_is_pushed_once_and_loads_with_equal_rows(
    hub: Hub, mbxp: Callable[..., list[Done]], python: Python, tmp_path: Path
) -> None:
    kotlin = resolve_config("mbxp", "mbkp")
    rows = [problem(kotlin, number) for number in range(1, 6)]
    write_rows(tmp_path / "release" / kotlin.file, rows)
    out = tmp_path / "out"
    push = ["push", "dataset", out, "--repo", "user/mbxp"]
    exported, first, second, stranger = mbxp(
        ["export", "mbxp", "-o", out, "-c", "mbkp", "--data-dir", tmp_path / "release"],
        push,
        push,
        ["push", "dataset", tmp_path / "release", "--repo", "user/other"],
    )
    assert [done.code for done in (exported, first, second)] == [0, 0, 0], (first, second)
    repo = hub.repos["datasets", "user/mbxp"]
    assert sorted(repo.files) == ["README.md", "eval.yaml", "mbkp/test.parquet"]
    assert len(repo.commits) == 1
    assert second.out.startswith("nothing to change")
    assert stranger.code == 2
    assert ("datasets", "user/other") not in hub.repos
    assert json.loads(python(LOAD)) == rows


def test_metric_is_pushed_once_and_scores(
    hub: Hub, mbxp: Callable[..., list[Done]], python: Python
) -> None:
    push = ["push", "metric", "--repo", "user/mbxp_exec"]
    first, second = mbxp(push, push)
    assert (first.code, second.code) == (0, 0), (first, second)
    repo = hub.repos["spaces", "user/mbxp_exec"]
    assert sorted(repo.files) == ["README.md", "app.py", "mbxp_exec.py", "requirements.txt"]
    assert second.out.startswith("nothing to change")
    (example,) = re.findall(r"```python\n(.*?)```", repo.files["README.md"].decode(), re.DOTALL)
    report = "\nimport json; del scores['results']; print(json.dumps(scores))"
    scores = json.loads(python(example + report).splitlines()[-1])
    assert scores["pass@1"] == 0.5
    assert scores["pass@2"] == 1.0
    assert scores["verdicts"]["WRONG_ANSWER"] == 1


def test_metric_says_what_to_install_where_the_package_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = metric_files("org/mbxp_exec", "mbxp @ git+https://host/x")
    assert files["requirements.txt"].decode().splitlines()[0] == "mbxp @ git+https://host/x"

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name, name="mbxp_metric")

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'mbxp @ git\+https://host/x'"):
        exec(files["mbxp_exec.py"], {})


def test_leaderboard_is_pushed_once(hub: Hub, mbxp: Callable[..., list[Done]]) -> None:
    push = ["push", "leaderboard", "--repo", "user/board", "--results", "user/results"]
    dry, first, second, wrong = mbxp([*push, "--dry-run"], push, push, [*push[:-1], "results"])
    assert [done.code for done in (dry, first, second)] == [0, 0, 0], (dry, first, second)
    repo = hub.repos["spaces", "user/board"]
    assert sorted(repo.files) == ["README.md", "app.py", "requirements.txt"]
    assert b'launch("user/results")' in repo.files["app.py"]
    results = hub.repos["datasets", "user/results"]
    assert results.files == results_files("user/board")
    planned = [*results.files.items(), *leaderboard_files("user/results").items()]
    assert dry.out == "".join(f"--- {name}\n{content.decode()}" for name, content in planned)
    assert second.out.startswith("nothing to change")
    assert (wrong.code, "--results" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    "files",
    [metric_files("org/mbxp_exec"), leaderboard_files("org/results"), results_files("org/board")],
)
def test_cards_of_spaces_parse_and_name_licences_and_sources(files: dict[str, bytes]) -> None:
    card = RepoCard(files["README.md"].decode())
    metadata = card.data.to_dict()
    assert metadata["license"] == "apache-2.0"
    assert len(metadata.get("short_description", "")) <= 60
    for source in (each for sources in SOURCES.values() for each in sources):
        assert source["name"] in card.text
        assert source["licence"] in card.text
        assert source["url"] in card.text


def test_metric_page_executes_nothing() -> None:
    page = metric_files("org/mbxp_exec")["app.py"].decode()
    for word in ("evaluate", "compute", "subprocess", "exec(", "eval("):
        assert word not in page
