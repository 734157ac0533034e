"""The leaderboard: what it shows, and what it lets in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hub_cards.leaderboard.board import Board, keep_in_folder, read_board, submission
from hub_cards.leaderboard.samples import MODELS, write_samples
from mbxp_metric.publishing.checks import About, UnfitResultsError
from tests.publishing.results import document, row

ABOUT = About("org/model", "a" * 40, "2026-01-31", parameters=7_000_000_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_samples(tmp_path / "board")
    return tmp_path / "board"


def write_scores(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document(*rows)))
    return path


def test_samples_keep_the_rules_and_are_marked(folder: Path) -> None:
    board = read_board(folder)
    assert board.faults == ()
    assert board.models() == sorted(name for name, *_ in MODELS)
    assert all(score.sample for score in board.scores)
    assert all(score.low <= score.value <= score.high for score in board.scores)


def test_scores_are_chosen_by_every_column_and_come_best_first(folder: Path) -> None:
    board = read_board(folder)
    found = board.chosen(language="java", benchmark="mbxp", k=1, mode="official")
    assert len(found) == len(MODELS)
    assert [score.value for score in found] == sorted((s.value for s in found), reverse=True)
    assert {score.model for score in board.chosen(size="1 to 8 B")} == {
        "sample/small-2b",
        "sample/medium-7b",
    }
    assert board.chosen(mode="strict") == []


def test_submission_is_kept_once(folder: Path, tmp_path: Path) -> None:
    scores = write_scores(tmp_path / "scores.json")
    keep_in_folder(folder)(*submission(scores, ABOUT, read_board(folder)))
    board = read_board(folder)
    (found,) = board.chosen(model="org/model")
    assert (found.value, found.config, found.sample) == (400 / 966, "mbkp", False)
    with pytest.raises(UnfitResultsError, match="is here already"):
        submission(scores, ABOUT, board)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("rows", "about", "said"),
    [
        ([{**row(), "coverage": 0.5}], ABOUT, "coverage is 0.5"),
        ([row()], About("org/model"), "revision"),
        ([row()], About("model", "a" * 40), "no name of a repository"),
        ([row(), row()], ABOUT, "has 2 scores"),
    ],
)
def test_unfit_submission_is_refused_with_the_reason(
    rows: list[dict[str, Any]], about: About, said: str, tmp_path: Path
) -> None:
    scores = write_scores(tmp_path / "scores.json", *rows)
    with pytest.raises(UnfitResultsError) as caught:
        submission(scores, about, Board((), ()))
    assert said in "\n".join(caught.value.faults)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"scores": []}',
        json.dumps({"about": {"model": 3}, **document()}),
        "x" * 6_000_000,
    ],
)
def test_files_that_break_a_rule_are_left_out_and_named(folder: Path, text: str) -> None:
    (folder / "bad.json").write_text(text)
    board = read_board(folder)
    assert len(board.faults) == 1
    assert "bad.json" in board.faults[0]
    assert len(board.models()) == len(MODELS)


def test_marks_of_html_and_markdown_do_not_reach_the_page(folder: Path) -> None:
    evil = row()
    evil["signature"] = evil["signature"].replace("trunc:keep", "trunc:<script>`")
    about = {"model": "org/model", "revision": "a" * 40}
    (folder / "evil.json").write_text(json.dumps({"about": about, **document(evil)}))
    (found,) = read_board(folder).chosen(model="org/model")
    assert not set("<>`") & set(found.signature)


@pytest.mark.slow
def test_place_without_results_is_one_line() -> None:
    command = [sys.executable, "-m", "hub_cards.leaderboard.app", "org/none"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "org/none" in done.stderr or "gradio is needed" in done.stderr


@pytest.fixture
def address(folder: Path, tmp_path: Path) -> Iterator[str]:
    """The app over the samples, started as a user does."""
    pytest.importorskip("gradio")
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "hub_cards.leaderboard.app", str(folder)]
    log = (tmp_path / "log").open("w+")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        found = ""
        for _ in range(900):
            assert process.poll() is None, (tmp_path / "log").read_text()
            words = (tmp_path / "log").read_text().split()
            found = next((word for word in words if word.startswith("http://127")), "")
            if found:
                break
            time.sleep(0.1)
        with urllib.request.urlopen(found, timeout=60) as answer:
            assert answer.status == 200
        yield found
    finally:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.mark.slow
def test_page_sorts_filters_and_takes_only_fit_submissions(
    address: str, folder: Path, tmp_path: Path
) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium here")
    shots = Path(os.environ.get("MBXP_SCREENSHOTS", tmp_path))
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(60_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)

        def shown() -> list[str]:
            return [link.inner_text() for link in page.locator("#scores a:visible").all()]

        def wait_until_first(model: str, count: int) -> None:
            page.wait_for_function(
                "([model, count]) => { const links = [...document.querySelectorAll('#scores a')]"
                ".filter(link => link.innerText);"
                "return links.length == count && links[0].innerText == model }",
                arg=[model, count],
            )

        page.get_by_text("sample/huge-70b").first.wait_for()
        page.screenshot(path=shots / "results.png")

        def choose(label: str, value: str) -> None:
            page.get_by_label(label, exact=True).first.click()
            page.get_by_role("option", name=value, exact=True).click()

        choose("Benchmark", "mbxp")
        choose("Language", "java")
        wait_until_first("sample/huge-70b", len(MODELS))
        best_first = shown()
        page.screenshot(path=shots / "filtered.png")
        title = page.locator("#scores th", has_text="pass@k (%)")
        title.hover()
        title.get_by_label("Open cell menu").click()
        page.get_by_role("menuitem").first.click()
        wait_until_first("sample/tiny-350m", len(MODELS))
        assert shown() == best_first[::-1]
        page.screenshot(path=shots / "sorted.png")

        page.get_by_role("tab", name="Submit").click()
        good = write_scores(tmp_path / "good.json")
        partial = write_scores(tmp_path / "partial.json", {**row(), "n_problems": 483})
        infra = write_scores(tmp_path / "infra.json", {**row(), "infra_errors": 1})
        broken = tmp_path / "broken.json"
        broken.write_text("{")
        page.get_by_role("textbox", name="Model").fill("org/model")
        page.get_by_role("textbox", name="Revision").fill("a" * 40)
        for path, said in (
            (partial, "n_problems is 483, and the release has 966"),
            (infra, "infra_errors is 1"),
            (broken, "is not JSON"),
            (good, "Accepted"),
            (good, "is here already"),
        ):
            if page.get_by_label("Remove this file").count():
                page.get_by_label("Remove this file").first.click()
            elif page.get_by_label("Clear").count():
                page.get_by_label("Clear").first.click()
            page.locator("#file input[type=file]").set_input_files(path)
            page.locator("#file").get_by_text(path.stem).first.wait_for()
            page.get_by_role("button", name="Check and submit").click()
            page.locator("#outcome").get_by_text(said).first.wait_for()
            page.screenshot(path=shots / f"submit_{path.stem}.png")
        assert len(list(folder.glob("*.json"))) == len(MODELS) + 1

        page.goto(
            f"{address}/?model=org/model" if address[-1] != "/" else address + "?model=org/model"
        )
        page.locator("#about").get_by_text("org/model").first.wait_for()
        page.locator("#about").get_by_text("41.4 %").first.wait_for()
        page.screenshot(path=shots / "model.png")
        assert errors == []
        browser.close()
