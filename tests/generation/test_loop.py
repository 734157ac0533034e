"""The loop in one process, on the tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mbxp_metric.generation import GenerationError
from mbxp_metric.generation.model import ModelOptions
from tests.generation import tiny
from tests.generation.conftest import Run, lines

TASKS = tiny.PROBLEMS * len(tiny.LANGUAGES)
HOT = {"temperature": 1.5, "max_new_tokens": 16}


def test_the_batch_size_changes_no_sample(run: Run, tmp_path: Path) -> None:
    run("by one", batch_size=1, n=2, **HOT)
    run("by seven", batch_size=7, n=2, **HOT)
    assert lines(tmp_path / "by one") == lines(tmp_path / "by seven")
    texts = [json.loads(line)["completion"] for line in lines(tmp_path / "by one")]
    assert len(set(texts)) > TASKS  # drawn, each for itself


def test_another_seed_gives_other_samples(run: Run, tmp_path: Path) -> None:
    run("first", n=2, **HOT)
    run("second", n=2, seed=1, **HOT)
    assert lines(tmp_path / "first") != lines(tmp_path / "second")


def test_more_samples_are_added_to_those_that_are_there(run: Run, tmp_path: Path) -> None:
    run("grown", n=2, **HOT)
    before = lines(tmp_path / "grown")
    done = run("grown", n=3, **HOT)
    assert (done.new, done.samples) == (TASKS, 3 * TASKS)
    run("at once", n=3, **HOT)
    assert lines(tmp_path / "grown") == lines(tmp_path / "at once")
    assert set(before) < set(lines(tmp_path / "grown"))
    assert json.loads((tmp_path / "grown/generation.json").read_text())["n"] == 3


def test_nothing_is_done_twice(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("there")
    monkeypatch.setattr(ModelOptions, "load", lambda *_: pytest.fail("loaded for nothing"))
    done = run("there")
    assert (done.new, done.samples) == (0, TASKS)


def test_other_settings_are_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    run("taken")
    before = lines(tmp_path / "taken")
    with pytest.raises(GenerationError, match=r"max_new_tokens was 40, is 41.*another -o") as found:
        run("taken", max_new_tokens=41)
    assert "\n" not in str(found.value)
    assert lines(tmp_path / "taken") == before


def test_a_long_prompt_loses_its_begin(run: Run, tmp_path: Path) -> None:
    run("cut", max_prompt_tokens=20)
    run("whole")
    assert len(lines(tmp_path / "cut")) == TASKS


def test_samples_end_soon_after_their_function(run: Run, tmp_path: Path) -> None:
    stopped = run("stopped", max_new_tokens=200)
    written_on = run("written on", max_new_tokens=200, stop=False)
    assert stopped.tokens < 0.5 * written_on.tokens
    for one, other in zip(lines(tmp_path / "stopped"), lines(tmp_path / "written on"), strict=True):
        assert json.loads(other)["completion"].startswith(json.loads(one)["completion"])
