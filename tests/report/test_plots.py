"""The numbers behind the plots, as known from the results; and that the files are there."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from mbxp_metric.report import Score, read_results
from mbxp_metric.report.plots import (
    curves,
    deltas,
    draw,
    labels_of,
    model_size,
    ranked,
    setting_deltas,
    size_points,
    sizes,
    verdicts,
)
from tests.report.made import make_results, passing

N = 100
COUNTS = {"small-350M": [0, 1, 10, 100], "large-2.7B": [1, 50, 100, 100]}


@pytest.fixture
def scores(tmp_path: Path) -> list[Score]:
    """Two models, one of them also with a source solution before the prompt."""
    folders = [
        make_results(tmp_path / name, {"kotlin": passing(counts, N)}, {"model": name})
        for name, counts in COUNTS.items()
    ]
    helped = passing([100, 100, 10, 100], N)
    told = {"model": "small-350M"}
    return read_results(
        [*folders, make_results(tmp_path / "t", {"kotlin": helped}, told, variant="t-")]
    )


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("codegen-350M-multi", 350e6),
        ("bloom_7.1b", 7.1e9),
        ("org/coder-6B", 6e9),
        ("gpt-4", None),
        ("b200", None),
        ("model-2Mb", None),
    ],
)
def test_a_size_is_told_by_the_name(name: str, size: float | None) -> None:
    assert model_size(Score(name, "plain", "go", {}, Path(), {})) == size


def test_points_of_model_size_are_those_of_the_plain_prompt(scores: list[Score]) -> None:
    points = size_points(scores)["kotlin"]
    assert points == [(350e6, pytest.approx(0.2775)), (2.7e9, pytest.approx(0.6275))]
    axes = Figure().subplots()
    assert sizes(axes, scores, labels_of(scores))
    assert list(axes.lines[0].get_ydata()) == pytest.approx([27.75, 62.75])
    assert not sizes(Figure().subplots(), scores[:1], labels_of(scores[:1]))


def test_a_delta_is_against_the_plain_prompt_of_the_same_model(scores: list[Score]) -> None:
    assert setting_deltas(scores) == {
        ("small-350M", "t-"): {"kotlin": pytest.approx(0.775 - 0.2775)}
    }
    axes = Figure().subplots()
    assert deltas(axes, scores, labels_of(scores))
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([49.75])
    assert not deltas(Figure().subplots(), scores[:2], labels_of(scores[:2]))


def test_a_curve_rises_to_the_share_of_problems_ever_solved(scores: list[Score]) -> None:
    axes = Figure().subplots()
    assert curves(axes, scores, labels_of(scores))
    first, second = axes.lines[0], axes.lines[1]
    assert list(first.get_xdata()) == [1, 2, 5, 10, 20, 50, 100]
    assert (first.get_ydata()[0], first.get_ydata()[-1]) == pytest.approx((27.75, 75))
    assert second.get_ydata()[-1] == pytest.approx(100)
    # One right of a hundred samples is in ten of them with a probability of a tenth.
    ten = (0 + 0.1 + (1 - _none_of_ten(10)) + 1) / 4
    assert first.get_ydata()[3] == pytest.approx(100 * ten)


def _none_of_ten(right: int) -> float:
    none = 1.0
    for i in range(10):
        none *= (N - right - i) / (N - i)
    return none


def test_verdicts_of_a_language_make_a_whole(scores: list[Score]) -> None:
    axes = Figure().subplots()
    assert verdicts(axes, scores, labels_of(scores))
    widths = [[bar.get_width() for bar in group] for group in axes.containers]
    assert [sum(parts) for parts in zip(*widths, strict=True)] == pytest.approx([100] * 3)
    assert widths[0][0] == pytest.approx(27.75)


def test_solve_rates_fall_from_the_easiest_problem(scores: list[Score]) -> None:
    axes = Figure().subplots()
    assert ranked(axes, scores, labels_of(scores))
    assert list(axes.lines[0].get_ydata()) == pytest.approx([100, 10, 1, 0])
    assert list(axes.lines[0].get_xdata()) == pytest.approx([12.5, 37.5, 62.5, 87.5])


def test_one_sample_a_problem_has_no_solve_rates_to_rank(tmp_path: Path) -> None:
    scores = read_results([make_results(tmp_path / "a", {"go": {"1": "P", "2": "W"}})])
    assert not ranked(Figure().subplots(), scores, labels_of(scores))
    assert not curves(Figure().subplots(), scores, labels_of(scores))


def test_labels_leave_out_what_all_share(scores: list[Score], tmp_path: Path) -> None:
    assert labels_of(scores) == ["small-350M", "large-2.7B", "small-350M (t-)"]
    languages = {"go": {"1": "P"}, "php": {"1": "P"}}
    several = read_results([make_results(tmp_path / name, languages) for name in ("a", "b")])
    assert labels_of(several[:2]) == ["go", "php"]
    assert labels_of(several) == ["go, a", "php, a", "go, b", "php, b"]


def test_names_are_texts_and_no_formulas(tmp_path: Path) -> None:
    scores = read_results([make_results(tmp_path / "a", {"go": {"1": "P"}}, {"model": "$\\x$"})])
    assert len(draw(scores, tmp_path)) == 1


def test_every_plot_is_written_twice(scores: list[Score], tmp_path: Path) -> None:
    found = draw(scores, tmp_path)
    names = ("deltas", "model_size", "pass_at_k", "solve_rates", "verdicts")
    for suffix in ("svg", "png"):
        there = sorted(path.name for path in tmp_path.glob(f"*.{suffix}"))
        assert there == [f"{name}_mbxp.{suffix}" for name in names]
    assert {image for _, image in found} == {path.read_bytes() for path in tmp_path.glob("*.svg")}
