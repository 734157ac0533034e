"""Datasets and the metric on the Hub, as their users load them."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


FAULTS = [
    (("GET /api/", 401), "not signed in", "nothing was sent"),
    (("GET /api/", 500), "fault", "nothing was sent"),
    (("/commit/", 403), "right to write", "nothing was changed"),
    (("/commit/", 404), "no such repository", "nothing was changed"),
    (("/commit/", 409), "changed meanwhile", "nothing was changed"),
    (("/commit/", 412), "changed meanwhile", "nothing was changed"),
    (("/commit/", 429), "too many requests", "nothing was changed"),
    (("/commit/", 500), "fault", "the same command tells"),
    (("/commit/", 0), "cannot be reached", "the same command tells"),
]


@pytest.mark.parametrize("kind", ["dataset", "metric", "leaderboard"])
def test_faults_of_the_hub_are_one_line_and_lose_nothing(
    hub: Hub, mbxp: Callable[..., list[Done]], tmp_path: Path, kind: str
) -> None:
    out = tmp_path / "out"
    prepared: list[list[Any]] = []
    words: dict[str, list[Any]] = {"metric": [], "leaderboard": ["--results", "user/results"]}
    if kind == "dataset":
        kotlin = resolve_config("mbxp", "mbkp")
        write_rows(tmp_path / "release" / kotlin.file, [problem(kotlin, 1)])
        prepared = [["export", "mbxp", "-o", out, "-c", "mbkp", "--data-dir", tmp_path / "release"]]
        words["dataset"] = [out]
    hub.repo("datasets", "user/results")
    place = "datasets" if kind == "dataset" else "spaces"
    own = {"README.md": b"There before.\n"}
    commands = []
    for number, (fault, *_) in enumerate(FAULTS):
        name = f"org/number{number}"
        hub.repo(place, name).files = dict(own)
        hub.faults[name] = [fault]
        commands.append(["push", kind, *words[kind], "--repo", name])
    _, *done = mbxp(*prepared, *commands) if prepared else (None, *mbxp(*commands))
    for number, ((_, *said), each) in enumerate(zip(FAULTS, done, strict=True)):
        name = f"org/number{number}"
        assert each.code == 2, (name, each)
        *_, line = each.err.splitlines()
        assert line.startswith(f"mbxp: {name}: "), each
        for part in said:
            assert part in line
        assert "Traceback" not in each.err
        assert hub.repos[place, name].files == own
    hub.faults.clear()
    dry, first = mbxp([*commands[0], "--dry-run"], commands[0])
    assert (dry.code, first.code) == (0, 0), (dry, first)
    sent = hub.repos[place, "org/number0"].files
    assert re.findall(r"^--- (\S+)", dry.out, re.MULTILINE) == first.out.split()[:-1]
    assert set(first.out.split()[:-1]) == set(sent)
    assert len(hub.repos[place, "org/number0"].commits) == 1


def test_a_repository_that_may_not_be_made_is_one_line(
    hub: Hub, mbxp: Callable[..., list[Done]]
) -> None:
    hub.faults["create"] = [("/repos/", 403)]
    (refused,) = mbxp(["push", "metric", "--repo", "org/new"])
    assert refused.code == 2
    assert "org/new: the token may not do this" in refused.err
    assert "nothing was sent" in refused.err
    assert "Traceback" not in refused.err
    assert not hub.repos


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
