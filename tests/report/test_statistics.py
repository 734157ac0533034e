"""The numbers of a report against values computed by hand."""

from __future__ import annotations

import pytest

from mbxp_metric.report.statistics import (
    by_number,
    common_average,
    common_numbers,
    compare,
    error_breakdown,
    estimate,
    holm,
    mcnemar,
    pass_curve,
    problem_number,
    problem_values,
    smallest_n,
    solve_rates,
)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (0, 5, 2 / 32),
        (1, 5, 2 * (1 + 6) / 64),
        (5, 1, 2 * (1 + 6) / 64),
        (2, 8, 2 * (1 + 10 + 45) / 1024),
        (5, 5, 1.0),
    ],
)
def test_mcnemar_is_the_two_sided_binomial_tail(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p)


@pytest.mark.parametrize(
    ("given", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
    ],
)
def test_p_values_are_adjusted_as_holm_says(given: list[float], adjusted: list[float]) -> None:
    assert holm(given) == pytest.approx(adjusted)


def test_one_sample_a_problem_is_compared_by_mcnemar_on_shared_problems_only() -> None:
    first = {"a": "P", "b": "W", "c": "W", "d": "W", "e": "W", "f": "W", "only": "P"}
    second = {"a": "W", "b": "P", "c": "P", "d": "P", "e": "P", "f": "P", "none": ""}
    found = compare(first, second)
    assert found is not None
    assert (found.n_problems, found.test) == (6, "exact McNemar")
    assert (found.first, found.second) == pytest.approx((1 / 6, 5 / 6))
    assert found.difference.value == pytest.approx(4 / 6)
    assert found.p_value == pytest.approx(2 * 7 / 64)


def test_several_samples_are_compared_by_a_paired_bootstrap() -> None:
    first = {str(i): "PWWW" for i in range(40)}
    second = {str(i): "PPWW" for i in range(40)}
    found = compare(first, second)
    assert found is not None
    assert found.test == "paired bootstrap"
    # Each problem gains a quarter: no resample can show anything else.
    assert (found.difference.value, found.difference.low, found.difference.high) == (0.25,) * 3
    assert found.p_value == pytest.approx(2 / 10_001)
    same = compare(first, first)
    assert same is not None
    assert same.p_value == 1.0


def test_what_shares_no_problem_is_not_compared() -> None:
    assert compare({"a": "P"}, {"b": "P"}) is None
    assert compare({"a": "P"}, {"a": ""}) is None


def test_pass_at_k_is_the_unbiased_estimate_of_each_problem() -> None:
    outcomes = {"a": "PPWW", "b": "WWWW", "c": ""}
    assert problem_values(outcomes, 2) == pytest.approx({"a": 1 - 1 / 6, "b": 0, "c": 0})
    assert smallest_n(outcomes) == 4
    with pytest.raises(ValueError, match="at least 5"):
        problem_values(outcomes, 5)


def test_a_curve_goes_to_the_fewest_samples_of_a_problem() -> None:
    curve = pass_curve({"a": "P" + "W" * 11, "b": "W" * 12})
    assert curve == pytest.approx({k: k / 24 for k in (1, 2, 5, 10, 12)})
    assert pass_curve({"a": ""}) == {}


def test_problems_are_ranked_by_their_solve_rate() -> None:
    outcomes = {"a": "PW", "b": "PP", "c": "WW", "d": "WP", "none": ""}
    assert solve_rates(outcomes) == [("b", 1.0), ("a", 0.5), ("d", 0.5), ("c", 0.0)]


def test_errors_are_assertions_or_not_and_infra_errors_are_neither() -> None:
    outcomes = {"a": "PPWW", "b": "CRTM", "c": "EI"}
    shares = error_breakdown(outcomes)
    assert shares == pytest.approx({"passed": 0.2, "assertion": 0.2, "non-assertion": 0.5})
    assert error_breakdown({"a": ""}) == {}


def test_a_problem_has_one_number_in_all_languages_and_variants() -> None:
    names = ("MBKP/18", "MBJP/18", "MBJP/18/i0", "double")
    assert [problem_number(name) for name in names] == ["18", "18", "18", "double"]
    assert by_number({"X/1/i0": 0.5, "X/1/i1": 1.0, "X/2": 0.0}) == {"1": 0.75, "2": 0.0}


def test_an_average_is_over_what_all_have() -> None:
    first, second = {"1": 1.0, "2": 0.0, "3": 1.0}, {"3": 0.0, "1": 0.5}
    numbers = common_numbers([first, second])
    assert numbers == ["1", "3"]
    assert common_average([first, second], numbers).value == pytest.approx(0.625)
    assert common_numbers([]) == []


def test_an_interval_is_around_the_mean_and_repeats_for_a_seed() -> None:
    values = [0.0, 1.0] * 50
    found = estimate(values)
    assert found.value == 0.5
    assert found.low is not None
    assert found.high is not None
    # The standard error is 0.05, so that the bounds are near 0.4 and 0.6.
    assert (found.low, found.high) == pytest.approx((0.4, 0.6), abs=0.025)
    assert estimate(values) == found
    assert estimate([]).value is None
