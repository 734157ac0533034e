"""Which model and setting results are of, and which cannot be reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.report import ResultsFormatError, read_results
from mbxp_metric.report.results import Texts, setting_of
from tests.report.made import make_results


@pytest.mark.parametrize(
    ("problems", "generation", "row", "setting"),
    [
        ("mbxp/mbkp", {}, {}, "plain"),
        ("mbxp/mbkp", {"style": "plain", "shots": 0}, {}, "plain"),
        ("mbxp/mbkp", {"style": "chat", "shots": 0}, {}, "plain"),
        ("mbxp/mbkp", {"style": "few-shot", "shots": 3}, {}, "few-shot"),
        ("mbxp/mbkp", {"style": "chat", "shots": 2}, {}, "few-shot"),
        ("mbxp/t-mbkp", {}, {}, "t-"),
        ("mbxp/t-mbkp", {"shots": 1}, {}, "t- few-shot"),
        ("mbxp/r-mbkp", {}, {"variant": "r", "perturbation": "case"}, "r-case"),
        ("mine.jsonl", {}, {"variant": "i"}, "i-"),
        ("x-ray.jsonl", {}, {}, "plain"),
    ],
)
def test_a_setting_is_told_by_the_problems_and_the_generation(
    problems: str, generation: dict[str, Any], row: dict[str, Any], setting: str
) -> None:
    assert setting_of(problems, generation, row) == setting


def test_a_model_is_told_by_its_generation_else_by_the_directory(tmp_path: Path) -> None:
    told = make_results(tmp_path / "0", {"go": {"1": "P"}}, {"model": "org/m-1B", "shots": 2})
    untold = make_results(tmp_path / "other", {"go": {"1": "P"}})
    names = [score.name for score in read_results([told, untold])]
    assert names == ["org/m-1B (few-shot)", "other"]
    given = read_results([told, untold], ["x", "y"], ["plain", "t-"])
    assert [score.name for score in given] == ["x", "y (t-)"]


def test_settings_of_several_files_are_those_of_each(tmp_path: Path) -> None:
    generation = {"go.jsonl": {"model": "m", "shots": 2}}
    outcomes = {"go": {"1": "P"}, "python": {"1": "P"}}
    scores = read_results([make_results(tmp_path / "d", outcomes, generation)])
    assert [(score.language, score.name) for score in scores] == [
        ("go", "m (few-shot)"),
        ("python", "d"),
    ]


def test_files_of_one_benchmark_are_one_benchmark(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "d", {"go": {"1": "P"}, "kotlin": {"1": "P"}})
    changed = {"mbxp/mbgp": "mine_go.jsonl", "mbxp/mbkp": "mbkp.jsonl"}
    for name in ("scores.json", "results.jsonl"):
        text = (folder / name).read_text()
        for old, new in changed.items():
            text = text.replace(f'"{old}"', f'"{new}"')
        (folder / name).write_text(text)
    assert [score.benchmark for score in read_results([folder])] == ["mbxp", "mbxp"]
    for name in ("results.jsonl", "problems.jsonl"):
        path = folder / name
        path.write_text(path.read_text().replace("MBGP/", "own/"))
    assert [score.benchmark for score in read_results([folder])] == ["mine", "mbxp"]


def test_what_a_program_printed_comes_from_the_journal(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "d", {"go": {"1": "PW"}})
    (score,) = read_results([folder])
    texts = Texts(folder)
    rows = [texts.get(offset) for offset in score.offsets["MBGP/1"]]
    assert [row["stderr"] for row in rows] == ["", "WRONG_ANSWER in MBGP/1, sample 1"]
    texts.close()
    (folder / "journal.jsonl").unlink()
    texts = Texts(folder)
    assert "stderr" not in texts.get(score.offsets["MBGP/1"][1])
    texts.close()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def lose(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


DAMAGES: dict[str, tuple[Any, str]] = {
    "no scores": (lose("scores.json"), "there is no scores.json; let `mbxp score"),
    "no results": (lose("results.jsonl"), "there is no results.jsonl; let `mbxp score"),
    "not JSON": (lambda f: (f / "scores.json").write_text("{"), "not scores of mbxp"),
    "empty": (lambda f: (f / "scores.json").write_text('{"scores": []}'), "there are no scores"),
    "verdict": (
        lambda f: edit(f / "results.jsonl", '"verdict": "WRONG_ANSWER"', '"verdict": "FINE"'),
        "line 2: not a result that scores.json counts",
    ),
    "count": (
        lambda f: edit(f / "scores.json", '"n_samples": 2', '"n_samples": 3'),
        "holds 2 samples of mbxp/mbgp (go), but scores.json counts 3",
    ),
    "verdicts": (
        lambda f: edit(f / "results.jsonl", '"verdict": "WRONG_ANSWER"', '"verdict": "PASSED"'),
        "differ in the verdicts of mbxp/mbgp (go)",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_results_are_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    damage, message = DAMAGES[name]
    folder = make_results(tmp_path / "d", {"go": {"1": "PW"}})
    damage(folder)
    with pytest.raises(ResultsFormatError) as raised:
        read_results([folder])
    assert message in str(raised.value)
    assert str(folder) in str(raised.value)


def test_what_cannot_be_told_apart_is_refused(tmp_path: Path) -> None:
    folders = [
        make_results(tmp_path / name, {"go": {"1": "P"}}, {"model": "m"}) for name in ("a", "b")
    ]
    with pytest.raises(ResultsFormatError, match=r"both hold mbxp \(go\) of m; tell them apart"):
        read_results(folders)
    with pytest.raises(ResultsFormatError, match=r"--name is given 1 time\(s\) for 2 directories"):
        read_results(folders, ["x"])
    with pytest.raises(ResultsFormatError, match="no such directory"):
        read_results([tmp_path / "none"])


def test_a_problem_without_samples_counts_as_unsolved(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "d", {"go": {"1": "P", "2": ""}})
    (score,) = read_results([folder])
    assert json.loads((folder / "scores.json").read_text())["scores"][0]["pass@1"] == 0.5
    assert sum(1 for letters in score.outcomes.values() if not letters) == 1
