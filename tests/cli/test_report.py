"""`mbxp report` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mbxp_datasets.extras import MissingExtraError
from mbxp_metric.report import plots
from tests.cli.conftest import Command, jsonl, sample
from tests.report.made import make_results


def test_what_was_scored_is_reported(mbxp: Command, release: Path, tmp_path: Path) -> None:
    rows = [sample("MBPP/0"), sample("MBPP/1", "WRONG_ANSWER"), sample("MBKP/2", "TIMEOUT")]
    file = jsonl(tmp_path / "s" / "samples.jsonl", rows)
    (tmp_path / "s" / "generation.json").write_text('{"model": "org/m", "shots": 2}')
    assert mbxp("score", file, "--data-dir", release, "-o", "run").exit_code == 0
    made = mbxp("report", "run", "-o", "out", "--no-plots")
    assert (made.exit_code, made.stderr) == (0, "")
    assert made.stdout == "report of 2 score(s) in out/index.html\n"
    table = Path("out/tables/scores.md").read_text()
    assert "| org/m | few-shot | mbxp      | python   |" in table
    assert "partial: samples for 50.0 % of the problems" in table
    suffixes = {path.suffix for path in Path("out/tables").iterdir()}
    assert suffixes == {".md", ".csv", ".tex"}
    assert not Path("out/plots").exists()


def test_a_withheld_score_is_in_the_report_and_in_the_exit_status(
    mbxp: Command, tmp_path: Path
) -> None:
    make_results(tmp_path / "run", {"go": {"1": "P"}, "php": {"1": "I"}})
    made = mbxp("report", "run", "-o", "out", "--no-plots")
    assert made.exit_code == 1
    assert "withheld" in Path("out/tables/pass_at_1_mbxp.md").read_text()


def test_models_with_nearly_the_same_name_have_tables_of_their_own(
    mbxp: Command, tmp_path: Path
) -> None:
    long = "x" * 300
    for number, name in enumerate(("a/b", "a:b", long)):
        for variant in ("", "t-"):
            folder = tmp_path / f"{number}{variant}"
            make_results(folder, {"go": {"1": "P"}}, {"model": name}, variant)
    folders = [str(path) for path in sorted(tmp_path.iterdir())]
    assert mbxp("report", *folders, "-o", "out", "--no-plots").exit_code == 0
    titles = {path.read_text().split("\n")[0] for path in Path("out/tables").glob("settings*.md")}
    assert titles == {f"## mbxp: {name} in each setting" for name in ("a/b", "a:b", long)}


def test_the_same_results_give_the_same_report(mbxp: Command, tmp_path: Path) -> None:
    make_results(tmp_path / "run", {"go": {str(i): "PW" for i in range(20)}})
    for name in ("one", "two"):
        assert mbxp("report", "run", "-o", name, "--no-plots").exit_code == 0
    for path in Path("one").rglob("*.*"):
        assert path.read_bytes() == (Path("two") / path.relative_to("one")).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none"], "none: no such directory; `mbxp score … -o` makes one"),
        (["empty"], "empty: there is no scores.json; let `mbxp score … -o empty` end"),
        (["run", "run"], "both hold mbxp (go) of run; tell them apart by --name or --setting"),
        (["run", "--name", "a", "--name", "b"], "--name is given 2 time(s) for 1 directories"),
        (["damaged"], "damaged/problems.jsonl, line 1: not JSON"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    mbxp: Command, tmp_path: Path, arguments: list[str], message: str
) -> None:
    make_results(tmp_path / "run", {"go": {"1": "P"}})
    make_results(tmp_path / "damaged", {"go": {"1": "P"}})
    (tmp_path / "damaged" / "problems.jsonl").write_text("{")
    (tmp_path / "empty").mkdir()
    made = mbxp("report", *arguments, "-o", "out")
    assert (made.exit_code, made.stdout, made.stderr.count("\n")) == (2, "", 1)
    assert message in made.stderr
    assert not Path("out").exists()


def test_without_matplotlib_the_remedy_is_said_before_work_starts(
    mbxp: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise MissingExtraError("to draw plots, matplotlib is needed: pip install 'mbxp[report]'")

    monkeypatch.setattr(plots, "require_matplotlib", missing)
    make_results(tmp_path / "run", {"go": {"1": "P"}})
    made = mbxp("report", "run", "-o", "out")
    assert made.exit_code == 2
    assert "pip install 'mbxp[report]'" in made.stderr
    assert not Path("out").exists()


def test_prompts_that_cannot_be_had_are_named(mbxp: Command, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "run", {"go": {"1": "P"}})
    (folder / "problems.jsonl").unlink()
    made = mbxp("report", "run", "-o", "out", "--no-plots")
    assert made.exit_code == 0
    assert "the page has no prompts of mbxp/mbgp: score again" in made.stderr


def test_prompts_of_other_data_than_were_scored_are_not_shown(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample("MBPP/0")])
    assert mbxp("score", file, "--data-dir", release, "-o", "run").exit_code == 0
    Path("run/problems.jsonl").unlink()
    arguments = ("report", "run", "-o", "out", "--no-plots", "--data-dir", release)
    assert "has no prompts" not in mbxp(*arguments).stderr
    data = release / "mbxp/mbpp_release_v1.jsonl"
    first, *rest = data.read_text().splitlines(keepends=True)
    changed = json.dumps({**json.loads(first), "prompt": "another"})
    data.write_text("".join([f"{changed}\n", *rest]))
    assert "has no prompts" in mbxp(*arguments).stderr
