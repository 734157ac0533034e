"""Scores in an experiment tracker."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mbxp_metric import tracking
from tests.cli.conftest import Command, jsonl, problem, sample


def _command(tmp_path: Path, wrong: bool = False) -> list[str]:
    problems = jsonl(tmp_path / "p.jsonl", [problem(f"T/{n}") for n in range(2)])
    completions = ["PASSED", "WRONG_ANSWER" if wrong else "PASSED"]
    rows = [sample(f"T/{n}", text) for n, text in enumerate(completions)]
    samples = jsonl(tmp_path / f"s{wrong}.jsonl", rows)
    return ["score", samples, "-p", problems, "-k", "1", "--no-truncate"]


def test_scores_of_checkpoints_make_one_curve(mbxp: Command, tmp_path: Path) -> None:
    for step, wrong in ((10, True), (20, False)):
        done = mbxp(*_command(tmp_path, wrong), "--log-with", "tensorboard", "--step", str(step))
        assert done.exit_code == 0, done.output
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    curves = EventAccumulator(str(Path("runs") / "mbxp"))
    curves.Reload()
    (name,) = (tag for tag in curves.Tags()["scalars"] if "pass" in tag)
    assert name.startswith("p.jsonl/python/pass")
    assert [(point.step, point.value) for point in curves.Scalars(name)] == [(10, 0.5), (20, 1.0)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--log-with", "paper", "--step", "1"], "--log-with paper: one of tensorboard"),
        (["--log-with", "tensorboard"], "--log-with needs --step"),
    ],
)
def test_what_cannot_be_logged_is_told_before_anything_is_executed(
    mbxp: Command, tmp_path: Path, options: list[str], message: str
) -> None:
    done = mbxp(*_command(tmp_path), *options, "-o", "out")
    assert done.exit_code == 2
    assert message in done.output
    assert not Path("out").exists()


def test_a_tracker_that_is_not_installed_is_named_with_its_extra(
    mbxp: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    done = mbxp(*_command(tmp_path), "--log-with", "wandb", "--step", "1")
    assert done.exit_code == 2
    assert "pip install 'mbxp[wandb]'" in done.output


def test_a_tracker_that_fails_loses_no_scores(
    mbxp: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import accelerate

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no\nlogin")

    monkeypatch.setattr(accelerate.Accelerator, "init_trackers", fail)
    options = ["--log-with", "tensorboard", "--step", "1", "-o", "out"]
    done = mbxp(*_command(tmp_path), *options)
    assert done.exit_code == 2
    assert "--log-with tensorboard failed: no login" in done.output
    assert (Path("out") / "scores.json").exists()


def test_files_with_the_same_problems_keep_their_names() -> None:
    row = {"problems": "mbxp/mbkp", "language": "kotlin", "pass@1": 0.5, "pass@1_ci95": [0, 1]}
    one = tracking.values_of([{**row, "file": "a.jsonl"}])
    assert one == {"mbxp/mbkp/kotlin/pass@1": 0.5}
    two = tracking.values_of([{**row, "file": "a.jsonl"}, {**row, "file": "b.jsonl"}])
    assert sorted(two) == [
        "a.jsonl/mbxp/mbkp/kotlin/pass@1",
        "b.jsonl/mbxp/mbkp/kotlin/pass@1",
    ]
