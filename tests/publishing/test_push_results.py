"""Scores in a model repository: written once, read back by the Hub's own classes, never lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from huggingface_hub import ModelCard, parse_eval_result_entries

from tests.publishing.conftest import Done
from tests.publishing.hub_stand_in import Hub
from tests.publishing.results import row, write

Mbxp = Callable[..., list[Done]]
EVAL = ".eval_results/mbxp.yaml"
CARD = b"""---
license: mit
model-index:
- name: other
  results:
  - task: {type: text-generation}
    dataset: {name: X, type: org/x, unknown: kept}
    metrics:
    - {type: acc, value: 0.5}
---
# A model

Its own words.
"""


def test_results_are_proposed_once_and_read_back(hub: Hub, mbxp: Mbxp, tmp_path: Path) -> None:
    hub.repo("models", "org/model").files["README.md"] = CARD
    scores = write(tmp_path / "scores", row(), row(name="mbpp", passed=487))
    push = ["push", "results", scores, "--repo", "org/model", "--dataset", "org/mbxp"]
    push += ["--dataset-revision", "a" * 40, "--url", "https://example.org/report"]
    dry, first, second = mbxp([*push, "--dry-run"], push, push)
    assert [done.code for done in (dry, first, second)] == [0, 0, 0], (dry, first, second)
    repo = hub.repos["models", "org/model"]
    assert repo.files == {"README.md": CARD}, "proposed, not made"
    ((title, files),) = repo.pull_requests
    assert title.startswith("Add MBXP results (")
    assert first.out.split() == ["README.md", EVAL, f"{hub.url}/org/model/discussions/1"]
    assert second.out == f"nothing to change: {hub.url}/org/model/discussions/1\n"
    shown = "".join(f"--- {name}\n{files[name].decode()}" for name in ("README.md", EVAL))
    assert dry.out == shown

    card = ModelCard(files["README.md"].decode())
    others, kotlin, python = card.data.eval_results
    assert (others.dataset_type, others.metric_value) == ("org/x", 0.5)
    assert b"unknown: kept" in files["README.md"]
    assert card.text.strip().endswith("Its own words.")
    assert card.data.license == "mit"
    assert (kotlin.dataset_type, kotlin.dataset_config, kotlin.dataset_split) == (
        "org/mbxp",
        "mbkp",
        "test",
    )
    assert (kotlin.metric_type, kotlin.metric_value) == ("pass@1", 400 / 966)
    assert (python.metric_type, python.metric_value) == ("pass@1", 0.5)
    entries = parse_eval_result_entries(yaml.safe_load(files[EVAL]))
    assert [(each.dataset_id, each.task_id, each.value) for each in entries] == [
        ("org/mbxp", "mbkp", 41.4079),
        ("org/mbxp", "mbpp", 50.0),
    ]
    assert entries[0].dataset_revision == "a" * 40
    assert isinstance(entries[0].date, str)
    assert "iso:strong" in entries[0].notes


def test_committed_results_change_nothing_again_and_other_values_are_refused(
    hub: Hub, mbxp: Mbxp, tmp_path: Path
) -> None:
    repo = hub.repo("models", "org/model")
    push = ["--repo", "org/model", "--dataset", "org/mbxp", "--commit"]
    one, other = write(tmp_path / "one"), write(tmp_path / "other", row(passed=401))
    first, second, refused = mbxp(
        ["push", "results", one, *push],
        ["push", "results", one, *push, "--date", "2030-01-01"],
        ["push", "results", other, *push],
    )
    assert (first.code, second.code) == (0, 0), (first, second)
    assert len(repo.commits) == 1
    assert second.out.startswith("nothing to change")
    assert refused.code == 2
    assert "mbkp: the model has pass@1 0.41" in refused.err
    assert "--overwrite" in refused.err
    before = dict(repo.files)
    (replaced,) = mbxp(["push", "results", other, *push, "--overwrite"])
    assert replaced.code == 0, replaced
    assert len(repo.commits) == 2
    entries = parse_eval_result_entries(yaml.safe_load(repo.files[EVAL]))
    assert [each.value for each in entries] == [41.5114]
    assert set(before) == set(repo.files)


def test_results_of_others_in_the_same_file_stay(hub: Hub, mbxp: Mbxp, tmp_path: Path) -> None:
    repo = hub.repo("models", "org/model")
    other = {"dataset": {"id": "o/x", "task_id": "y"}, "value": 3, "unknown": [1]}
    repo.files[EVAL] = yaml.safe_dump([other]).encode()
    scores = write(tmp_path / "scores")
    (done,) = mbxp(["push", "results", scores, "--repo", "org/model", "--dataset", "o/m"])
    assert done.code == 0, done
    found = yaml.safe_load(repo.pull_requests[0][1][EVAL])
    assert found[0] == other
    assert found[1]["dataset"] == {"id": "o/m", "task_id": "mbkp"}


def test_unfit_results_reach_no_hub(hub: Hub, mbxp: Mbxp, tmp_path: Path) -> None:
    partial = write(tmp_path / "partial", {**row(), "coverage": 0.5, "infra_errors": 1})
    both = write(tmp_path / "both", row(), row("multi_humaneval", "java", 9))
    whole = write(tmp_path / "whole")
    cases = [
        ([partial, "--repo", "org/model"], "coverage is 0.5"),
        ([partial, "--repo", "org/model"], "infra_errors is 1"),
        ([whole, "--repo", "model"], "no name of a repository"),
        ([whole, "--repo", "org/m", "--dataset", "mbxp"], "no name of a repository"),
        ([whole, "--repo", "org/m", "--date", "soon"], "ISO 8601"),
        ([both, "--repo", "org/m", "--dataset", "o/mbxp"], "multi_humaneval"),
        ([tmp_path / "none", "--repo", "org/m"], "No such file"),
    ]
    for (_, said), done in zip(
        cases, mbxp(*(["push", "results", *words] for words, _ in cases)), strict=True
    ):
        assert done.code == 2
        assert said in done.err
        assert "Traceback" not in done.err
    assert hub.requests == []


FAULTS = [
    ("org/a401", ("GET", 401), "not signed in", "nothing was sent"),
    ("org/b403", ("/commit/", 403), "right to write", "nothing was changed"),
    ("org/c404", None, "no such repository", "nothing was sent"),
    ("org/d412", ("/commit/", 412), "changed meanwhile", "nothing was changed"),
    ("org/e409", ("/commit/", 409), "changed meanwhile", "nothing was changed"),
    ("org/f500", ("/commit/", 500), "fault", "the same command tells"),
    ("org/g503", ("GET /api/models", 500), "fault", "nothing was sent"),
    ("org/h000", ("/commit/", 0), "cannot be reached", "the same command tells"),
]


def test_faults_of_the_hub_are_one_line_and_lose_nothing(
    hub: Hub, mbxp: Mbxp, tmp_path: Path
) -> None:
    scores = write(tmp_path / "scores")
    kept = (scores / "scores.json").read_bytes()
    for name, fault, _, _ in FAULTS:
        if fault:
            hub.repo("models", name).files["README.md"] = CARD
            hub.faults[name] = [fault]
    commands = [["push", "results", scores, "--repo", name] for name, *_ in FAULTS]
    for (name, _, *said), done in zip(FAULTS, mbxp(*commands), strict=True):
        assert done.code == 2, (name, done)
        *_, line = done.err.splitlines()
        assert line.startswith(f"mbxp: {name}: "), done
        for part in said:
            assert part in line
        assert "Traceback" not in done.err
    hub.faults.clear()
    assert (scores / "scores.json").read_bytes() == kept
    for name, fault, _, _ in FAULTS:
        if fault:
            assert hub.repos["models", name].files == {"README.md": CARD}
    *done, missing = mbxp(
        *[command for command in commands if "c404" not in command[-1]], commands[2]
    )
    assert [each.code for each in done] == [0] * 7, done
    assert missing.code == 2


def test_cut_after_the_commit_leaves_nothing_to_do(hub: Hub, mbxp: Mbxp, tmp_path: Path) -> None:
    hub.repo("models", "org/model")
    hub.faults["org/model"] = [("/commit/", -1)]
    push = ["push", "results", write(tmp_path / "scores"), "--repo", "org/model"]
    (cut,) = mbxp(push)
    assert cut.code in (0, 2)
    hub.faults.clear()
    (again,) = mbxp(push)
    assert again.code == 0
    assert again.out.startswith("nothing to change")
    assert len(hub.repos["models", "org/model"].pull_requests) == 1


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("README.md", b"---\nmodel-index: 3\n---\n"),
        ("README.md", b"---\n: [\n---\n"),
        ("README.md", b"\xff\xfe"),
        (EVAL, b"a: [\n"),
        (EVAL, b"- 3\n"),
    ],
)
def test_unreadable_files_of_the_model_stay_as_they_are(path: str, content: bytes) -> None:
    from mbxp_metric.publishing import PublishError
    from mbxp_metric.publishing.checks import About
    from mbxp_metric.publishing.model_results import planned_files

    with pytest.raises(PublishError, match="cannot be read"):
        planned_files(
            [row()], About("org/model"), {path: content}.get, datasets={"mbxp": "org/mbxp"}
        )
