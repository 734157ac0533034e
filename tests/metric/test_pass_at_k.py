from __future__ import annotations

from math import comb

import numpy as np
import pytest

from mbxp_metric.pass_at_k import (
    bootstrap_interval,
    estimate_pass_at_k,
    estimates_pass_at_k,
)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (1, 1, 1, 1.0),
        (1, 0, 1, 0.0),
        (3, 1, 1, 1 / 3),
        (2, 1, 2, 1.0),
        (10, 3, 5, 1 - comb(7, 5) / comb(10, 5)),
        (200, 7, 100, 1 - comb(193, 100) / comb(200, 100)),
        (0, 0, 100, 0.0),
    ],
)
def test_known_values(n: int, c: int, k: int, expected: float) -> None:
    assert estimate_pass_at_k(n, c, k) == pytest.approx(expected, rel=1e-15)


def test_pass_at_1_is_the_share_of_passes_exactly() -> None:
    assert all(estimate_pass_at_k(n, c, 1) == c / n for n in range(1, 60) for c in range(n + 1))


def test_a_tiny_chance_does_not_vanish() -> None:
    assert estimate_pass_at_k(10**6, 1, 1) == 1e-6


def test_many_problems_at_once_agree_with_one_at_a_time() -> None:
    n = np.array([5, 5, 0, 7])
    c = np.array([0, 2, 0, 7])
    one_by_one = [estimate_pass_at_k(int(a), int(b), 3) for a, b in zip(n, c, strict=True)]
    assert estimates_pass_at_k(n, c, 3).tolist() == one_by_one
    assert estimates_pass_at_k(5, [0, 2], 3).shape == (2,)
    assert estimates_pass_at_k([], [], 1).shape == (0,)


@pytest.mark.parametrize(
    ("n", "c", "k", "said"),
    [
        (2, 3, 1, "between 0 and the 2"),
        (2, -1, 1, "between 0"),
        (2, 1, 0, "k must be at least 1"),
        (2, 1, 3, "pass@3 needs at least 3 samples"),
    ],
)
def test_impossible_counts_are_refused(n: int, c: int, k: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        estimate_pass_at_k(n, c, k)
    with pytest.raises(ValueError, match=said):
        estimates_pass_at_k([n], [c], k)


def test_fractions_are_refused() -> None:
    with pytest.raises(TypeError):
        estimate_pass_at_k(2, 0.5, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        estimates_pass_at_k([2.0], [1.0], 1)


def test_intervals_are_the_same_for_the_same_seed() -> None:
    values = [0.0, 1.0, 0.5, 0.25, 1.0]
    assert bootstrap_interval(values, 500, 7) == bootstrap_interval(values, 500, 7)
    assert bootstrap_interval(values, 500, 7) != bootstrap_interval(values, 500, 8)


def test_an_interval_covers_about_what_theory_says() -> None:
    values = [1.0] * 300 + [0.0] * 100
    low, high = bootstrap_interval(values, 4000, 0)
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5
    assert low == pytest.approx(0.75 - half, abs=0.006)
    assert high == pytest.approx(0.75 + half, abs=0.006)


def test_an_interval_of_equal_values_is_a_point() -> None:
    assert bootstrap_interval([0.5, 0.5], 100) == (0.5, 0.5)


@pytest.mark.parametrize("arguments", [([], 10), ([1.0], 0), ([1.0], 10, 0, 1.5)])
def test_impossible_intervals_are_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"interval needs|between 0 and 1"):
        bootstrap_interval(*arguments)  # type: ignore[arg-type]
