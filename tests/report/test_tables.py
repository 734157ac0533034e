"""What stands in the tables, and what is said of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.execution import Settings
from mbxp_metric.report import Score, read_results
from mbxp_metric.report.checks import notes
from mbxp_metric.report.rendering import Table, to_csv, to_latex, to_markdown
from mbxp_metric.report.statistics import Estimate
from mbxp_metric.report.tables import (
    average_over_common,
    comparison_table,
    error_table,
    problem_table,
    score_tables,
    settings_tables,
)
from tests.report.made import make_results, passing


def scores_of(tmp_path: Path, models: dict[str, dict[str, dict[str, str]]]) -> list[Score]:
    folders = [make_results(tmp_path / name, outcomes) for name, outcomes in models.items()]
    return read_results(folders)


def test_an_average_is_over_languages_and_problems_that_all_models_have(tmp_path: Path) -> None:
    scores = scores_of(
        tmp_path,
        {
            "a": {
                "python": {"1": "P", "2": "P", "3": "W"},
                "kotlin": {"1": "P", "2": "W", "9": "P"},
                "go": {"1": "P"},
            },
            "b": {"python": {"1": "W", "2": "P"}, "kotlin": {"1": "W", "2": "P"}},
        },
    )
    averages, about = average_over_common(scores, 1)
    assert {model: found.value for (model, _), found in averages.items()} == {"a": 0.75, "b": 0.5}
    assert "the 2 problem(s) that every model here has in each of 2 language(s)" in about
    assert "left out: go" in about


def test_a_withheld_language_is_in_no_average_and_shown_as_withheld(tmp_path: Path) -> None:
    outcomes = {"python": {"1": "P"}, "go": {"1": "I"}}
    scores = scores_of(tmp_path, {"a": outcomes, "b": {"python": {"1": "W"}, "go": {"1": "P"}}})
    averages, about = average_over_common(scores, 1)
    assert [found.value for found in averages.values()] == [1.0, 0.0]
    assert "left out: go" in about
    table = next(each for each in score_tables(scores) if each.name == "pass_at_1_mbxp")
    text = to_markdown(table)
    assert "withheld (a)" in text
    assert "(a) withheld: 1 sample(s) could not be executed (INFRA\\_ERROR)" in text


def test_models_without_anything_in_common_have_no_average(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, {"a": {"python": {"1": "P"}}, "b": {"go": {"1": "P"}}})
    assert average_over_common(scores, 1)[0] == {}
    assert "no language or problem in common" in average_over_common(scores, 1)[1]


def test_each_two_models_are_compared_in_each_language(tmp_path: Path) -> None:
    better = {str(i): "P" for i in range(8)}
    worse = {str(i): "W" for i in range(8)}
    scores = scores_of(
        tmp_path, {"a": {"python": worse, "go": worse}, "b": {"python": better, "go": worse}}
    )
    table = comparison_table(scores)
    assert table is not None
    found = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    python = found["python"]
    assert (python["A"], python["B"], python["problems"]) == ("a", "b", 8)
    assert (python["A pass@1"], python["B pass@1"]) == (0.0, 1.0)
    assert python["p"] == f"{2 / 2**8:.4f}"
    assert python["p (Holm)"] == f"{4 / 2**8:.4f}"
    assert found["go"]["p"] == "1.0000"
    assert comparison_table(scores[:2]) is None


def test_scores_of_other_data_are_not_compared(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, {"a": {"go": {"1": "P"}}, "b": {"go": {"1": "P"}}})
    row: Any = scores[1].row
    row["signature"] = row["signature"].replace("revision1", "revision2")
    table = comparison_table(scores)
    assert table is not None
    assert not table.rows
    assert "not compared: a and b in go: data differs: revision1 and revision2" in table.remarks


def test_a_score_says_what_sets_it_apart(tmp_path: Path) -> None:
    usual = [make_results(tmp_path / name, {"go": {"1": "P"}}) for name in "ab"]
    slow = make_results(tmp_path / "c", {"go": {"1": "P"}}, settings=Settings(timeout=60))
    part = make_results(tmp_path / "d", {"go": {"1": "P"}}, total=4)
    scores = read_results([*usual, slow, part])
    found = {score.model: notes(score, scores) for score in scores}
    assert found == {
        "a": [],
        "b": [],
        "c": ["time limit 60s, where most have 10s"],
        "d": ["partial: samples for 25.0 % of the problems"],
    }
    tied = read_results([usual[0], slow])
    assert [notes(score, tied) for score in tied] == [
        ["time limit 10s, where others have another"],
        ["time limit 60s, where others have another"],
    ]


def test_settings_of_a_model_stand_side_by_side(tmp_path: Path) -> None:
    folders = [
        make_results(tmp_path / "0", {"kotlin": passing([4, 0], 4)}, {"model": "m"}),
        make_results(tmp_path / "1", {"kotlin": passing([4, 4], 4)}, {"model": "m"}, "t-"),
        make_results(tmp_path / "2", {"kotlin": passing([4, 2], 4)}, {"model": "m", "shots": 3}),
    ]
    (table,) = settings_tables(read_results(folders))
    assert list(table.columns) == ["language", "plain", "t-", "few-shot"]
    values = [cell.value for cell in table.rows[0] if isinstance(cell, Estimate)]
    assert values == [0.5, 1.0, 0.75]


def test_errors_and_solve_rates_are_tables_too(tmp_path: Path) -> None:
    scores = scores_of(tmp_path, {"a": {"go": {"1": "PPWC", "2": "WWWW"}}})
    (errors,) = error_table(scores).rows
    assert errors[-4:] == pytest.approx([2 / 8, 5 / 8, 1 / 8, 5 / 6])
    rates = problem_table(scores).rows
    assert [(row[3], row[4], row[5]) for row in rates] == [("MBGP/1", 4, 0.5), ("MBGP/2", 4, 0.0)]


def test_one_table_is_written_in_three_forms() -> None:
    table = Table(
        "t",
        "Of 50 % & more",
        ["model", "pass@1"],
        [["a_b|c", Estimate(0.5, 0.25, 0.75, "partial: <1>")], ["=x", Estimate(None)]],
        ["a remark"],
    )
    assert to_markdown(table) == (
        "## Of 50 % & more\n\n"
        "| model   |                pass@1 |\n"
        "| ------- | --------------------: |\n"
        "| a\\_b\\|c | 50.0 [25.0, 75.0] (a) |\n"
        "| =x      |                     – |\n\n"
        "- a remark\n- (a) partial: \\<1>\n"
    )
    assert list(csv.reader(io.StringIO(to_csv(table)))) == [
        ["model", "pass@1", "pass@1_low", "pass@1_high", "pass@1_note"],
        ["a_b|c", "0.5", "0.25", "0.75", "partial: <1>"],
        ["'=x", "", "", "", ""],
    ]
    latex = to_latex(table)
    assert "\\caption{Of 50 \\% \\& more}" in latex
    assert "a\\_b|c & 50.0 [25.0, 75.0] (a) \\\\" in latex
    assert "\\begin{tabular}{lr}" in latex
