"""pass@k from counts, and how sure one can be of it."""

from __future__ import annotations

import operator
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

_RESAMPLED_AT_ONCE = 4_000_000


@lru_cache(maxsize=65536)
def estimate_pass_at_k(n: int, c: int, k: int) -> float:
    """The unbiased estimate 1 - C(n-c, k) / C(n, k) of Chen et al. (2021), for one problem.

    It is worked out in whole numbers and rounded once. A problem without samples (n = 0)
    counts as zero passes.

    Raises:
        TypeError: a count is not a whole number.
        ValueError: a count is out of range, or there are samples, but fewer than `k`.
    """
    n, c, k = operator.index(n), operator.index(c), operator.index(k)
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if not 0 <= c <= n:
        raise ValueError(f"passes must be between 0 and the {n} samples, not {c}")
    if n == 0:
        return 0.0
    if n < k:
        raise ValueError(f"pass@{k} needs at least {k} samples of each problem, not {n}")
    draws = comb(n, k)
    return (draws - comb(n - c, k)) / draws


def estimates_pass_at_k(n: ArrayLike, c: ArrayLike, k: int) -> NDArray[np.float64]:
    """The same for many problems at once: `n` samples and `c` passes of each, broadcast.

    Raises:
        TypeError, ValueError: as `estimate_pass_at_k`.
    """
    samples, passes = np.broadcast_arrays(np.asarray(n), np.asarray(c))
    if samples.size == 0:
        return np.zeros(samples.shape)
    for counts in (samples, passes):
        if not np.issubdtype(counts.dtype, np.integer):
            raise TypeError(f"counts must be whole numbers, not {counts.dtype}")
    pairs = np.stack([samples.ravel(), passes.ravel()], axis=1)
    different, which = np.unique(pairs, axis=0, return_inverse=True)
    values = [estimate_pass_at_k(int(pair[0]), int(pair[1]), k) for pair in different]
    return np.array(values)[which.reshape(-1)].reshape(samples.shape)


def bootstrap_interval(
    values: ArrayLike, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean of `values`, one value a problem.

    Raises:
        ValueError: there are no values, no resamples, or `confidence` is not between 0 and 1.
    """
    sample = np.asarray(values, dtype=np.float64).ravel()
    if sample.size == 0:
        raise ValueError("an interval needs at least one problem")
    if resamples < 1:
        raise ValueError(f"an interval needs at least one resample, not {resamples}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    rng = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, _RESAMPLED_AT_ONCE // sample.size)
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        drawn = rng.integers(0, sample.size, size=(count, sample.size))
        means[start : start + count] = sample[drawn].mean(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)
