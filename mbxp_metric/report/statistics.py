"""The numbers of a report, from outcomes alone: each function is pure.

Outcomes are the letters of each problem's verdicts by task id, as `results.Score` holds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from mbxp_metric.pass_at_k import bootstrap_interval, estimates_pass_at_k

Outcomes = Mapping[str, str]

RESAMPLES = 1000
ASSERTION = "W"
"""The letter of a failed assertion; every other failure is a non-assertion error."""


@dataclass(frozen=True)
class Estimate:
    """A number between 0 and 1 with its 95 % interval, or the reason why it is absent."""

    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """What a reader has to know of it: withheld, partial, other settings."""


@dataclass(frozen=True)
class Comparison:
    """One model against another on the problems that both have."""

    n_problems: int
    first: float
    second: float
    difference: Estimate
    """Of second minus first, by paired bootstrap over problems."""
    p_value: float
    test: str


def problem_number(task_id: str) -> str:
    """What the same problem has in common in all languages: `18` of `MBKP/18` and `MBJP/18/i0`."""
    return task_id.split("/")[1] if "/" in task_id else task_id


def smallest_n(outcomes: Outcomes) -> int:
    """The largest `k` that every problem with samples has enough samples for."""
    return min((len(letters) for letters in outcomes.values() if letters), default=0)


def problem_values(outcomes: Outcomes, k: int) -> dict[str, float]:
    """The unbiased pass@k of each problem.

    Raises:
        ValueError: a problem has samples, but fewer than `k`.
    """
    n = [len(letters) for letters in outcomes.values()]
    c = [letters.count("P") for letters in outcomes.values()]
    values = estimates_pass_at_k(np.array(n, dtype=int), np.array(c, dtype=int), k)
    return dict(zip(outcomes, map(float, values), strict=True))


def estimate(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """The mean of problems' values with its percentile bootstrap interval."""
    if not values:
        return Estimate(None, note="no problems")
    return Estimate(float(np.mean(values)), *bootstrap_interval(values, resamples, seed))


def pass_curve(outcomes: Outcomes, most: int = 1000) -> dict[int, float]:
    """pass@k for k = 1, 2, 5, 10, 20, 50, … and the largest there are samples for."""
    largest = min(smallest_n(outcomes), most)
    steps = [base * 10**power for power in range(4) for base in (1, 2, 5)]
    ks = sorted({*(k for k in steps if k < largest), largest} - {0})
    return {k: float(np.mean(list(problem_values(outcomes, k).values()))) for k in ks}


def solve_rates(outcomes: Outcomes) -> list[tuple[str, float]]:
    """The share of each problem's samples that pass, highest first (paper, I.2)."""
    rates = problem_values({task: letters for task, letters in outcomes.items() if letters}, 1)
    return sorted(rates.items(), key=lambda item: (-item[1], item[0]))


def error_breakdown(outcomes: Outcomes) -> dict[str, float]:
    """Shares of all samples: passed, failed by assertion, failed otherwise (paper, I.1)."""
    counts = verdict_counts(outcomes)
    total = sum(counts.values())
    if not total:
        return {}
    passed, assertion, infra = counts["P"], counts[ASSERTION], counts["I"]
    other = total - passed - assertion - infra
    return {
        "passed": passed / total,
        "assertion": assertion / total,
        "non-assertion": other / total,
    }


def verdict_counts(outcomes: Outcomes) -> Counter[str]:
    """How many samples have each letter."""
    return Counter("".join(outcomes.values()))


def by_number(values: Mapping[str, float]) -> dict[str, float]:
    """The mean value of each problem number: an `i-` problem has several rows."""
    grouped: dict[str, list[float]] = {}
    for task_id, value in values.items():
        grouped.setdefault(problem_number(task_id), []).append(value)
    return {number: float(np.mean(found)) for number, found in grouped.items()}


def common_numbers(values: Sequence[Mapping[str, float]]) -> list[str]:
    """The problem numbers that all have, in the order of the first."""
    if not values:
        return []
    rest = [set(each) for each in values[1:]]
    return [number for number in values[0] if all(number in each for each in rest)]


def common_average(values: Sequence[Mapping[str, float]], numbers: Sequence[str]) -> Estimate:
    """The mean over languages on these problem numbers, the same in each language.

    `values` are one language each, by problem number. A resample draws problems, each with its
    values in all languages: those of one problem are not independent.
    """
    return estimate([float(np.mean([each[n] for each in values])) for n in numbers])


def compare(first: Outcomes, second: Outcomes, seed: int = 0) -> Comparison | None:
    """Whether two models differ in pass@1 on the problems that both have samples for.

    With one sample of each problem the p-value is the exact McNemar test's (McNemar 1947, in
    its binomial form), else the paired bootstrap's (Koehn 2004); both are two-sided. None where
    they share no problem.
    """
    shared = [task for task, letters in first.items() if letters and second.get(task)]
    if not shared:
        return None
    ones = {task: first[task] for task in shared}
    others = {task: second[task] for task in shared}
    a = np.array(list(problem_values(ones, 1).values()))
    b = np.array(list(problem_values(others, 1).values()))
    means = _resampled_differences(b - a, seed)
    low, high = (float(bound) for bound in np.quantile(means, [0.025, 0.975]))
    if all(len(ones[task]) == len(others[task]) == 1 for task in shared):
        p, test = mcnemar(int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())), "M"
    else:
        p, test = _bootstrap_p(means), "B"
    difference = Estimate(float((b - a).mean()), low, high)
    names = {"M": "exact McNemar", "B": "paired bootstrap"}
    return Comparison(len(shared), float(a.mean()), float(b.mean()), difference, p, names[test])


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided exact p-value, from the problems that only one of two models solves."""
    total = only_first + only_second
    if not total:
        return 1.0
    tail = sum(comb(total, i) for i in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**total))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def _resampled_differences(values: np.ndarray, seed: int, resamples: int = 10_000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, 4_000_000 // len(values))
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        means[start : start + count] = values[
            rng.integers(0, len(values), size=(count, len(values)))
        ].mean(axis=1)
    return means


def _bootstrap_p(means: np.ndarray) -> float:
    # One is added to each count, so that no p-value is below what the resamples can show.
    below = (1 + int((means <= 0).sum())) / (1 + len(means))
    above = (1 + int((means >= 0).sum())) / (1 + len(means))
    return min(1.0, 2 * min(below, above))
