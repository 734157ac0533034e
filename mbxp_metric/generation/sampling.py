"""Drawing tokens so that a sample depends on its own seed alone.

With one generator for a batch, a sample would change with the batch it is in. Here the noise of
each row is a function of the row's seed, the step and the token: the most likely token after
Gumbel noise was added to the logarithms of probabilities is an exact draw (the Gumbel-max
trick), and the noise is computed, not drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import (
    LogitsProcessor,
    LogitsProcessorList,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from mbxp_metric.generation.settings import GenerationSettings

_GOLDEN = -0x61C8864680B583EB
_MIX = (-0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15)
"""The constants of splitmix64 (Steele, Lea and Flood, 2014), as signed numbers."""


class GumbelNoise(LogitsProcessor):  # type: ignore[misc]
    """Adds the noise of each row's seed; the largest score is then a draw.

    To be the last processor, in a search without sampling.
    """

    def __init__(self, seeds: Sequence[int], prompt_length: int) -> None:
        self._seeds = torch.tensor(seeds, dtype=torch.int64)
        self._prompt_length = prompt_length

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        step = input_ids.shape[1] - self._prompt_length
        seeds = self._seeds.to(scores.device)
        noise = gumbel(seeds, step, scores.shape[-1])
        return torch.log_softmax(scores.double(), dim=-1) + noise


def gumbel(seeds: Any, step: int, size: int) -> Any:
    """Noise of shape (seeds, size), in float64; on every device the same but for rounding."""
    tokens = torch.arange(size, dtype=torch.int64, device=seeds.device)
    # Multiplied as tensors, which wrap around.
    rows = _mixed(seeds + torch.full_like(seeds, step + 1) * _GOLDEN)
    bits = _mixed(rows[:, None] + (tokens + 1) * _GOLDEN)
    uniform = (_shifted(bits, 11).double() + 0.5) * 2.0**-53
    return -torch.log(-torch.log(uniform))


def processors(
    settings: GenerationSettings, seeds: Sequence[int], prompt_length: int
) -> LogitsProcessorList:
    """What is done to the scores of a batch: nothing for greedy, else warping, then noise."""
    if settings.greedy:
        return LogitsProcessorList()
    warpers: list[LogitsProcessor] = [TemperatureLogitsWarper(settings.effective_temperature)]
    if settings.top_k:
        warpers.append(TopKLogitsWarper(settings.top_k))
    if settings.top_p < 1:
        warpers.append(TopPLogitsWarper(settings.top_p))
    return LogitsProcessorList([_InFloat32(), *warpers, GumbelNoise(seeds, prompt_length)])


class _InFloat32(LogitsProcessor):  # type: ignore[misc]
    """Half precision would round the probabilities that a nucleus sums up."""

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        return scores.float()


def _mixed(bits: Any) -> Any:
    """The finalizer of splitmix64: a bijection of 64 bits that leaves no pattern."""
    for shift, factor in zip((30, 27), _MIX, strict=True):
        bits = (bits ^ _shifted(bits, shift)) * factor
    return bits ^ _shifted(bits, 31)


def _shifted(bits: Any, by: int) -> Any:
    """Shifted to the right, with zeros moving in, unlike the sign."""
    return (bits >> by) & ((1 << (64 - by)) - 1)
