"""Noise that is computed, and what it makes of scores."""

from __future__ import annotations

import pytest
import torch

from mbxp_metric.generation import GenerationSettings
from mbxp_metric.generation.sampling import gumbel, processors

PROBABILITIES = torch.tensor([0.5, 0.3, 0.15, 0.05])
ROWS = 40_000


def drawn(settings: GenerationSettings, step: int = 0) -> torch.Tensor:
    """How often each token is drawn, over seeds."""
    scores = PROBABILITIES.log().repeat(ROWS, 1)
    inputs = torch.zeros((ROWS, 3 + step), dtype=torch.long)
    tokens = processors(settings, range(ROWS), 3)(inputs, scores).argmax(-1)
    return torch.bincount(tokens, minlength=4) / ROWS


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"temperature": 1.0, "top_p": 1.0}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 1.0, "top_p": 0.8}, [0.625, 0.375, 0, 0]),
        ({"temperature": 1.0, "top_p": 1.0, "top_k": 1}, [1, 0, 0, 0]),
        ({"temperature": 0.5, "top_p": 1.0}, [0.6849, 0.2466, 0.0616, 0.0068]),
    ],
)
@pytest.mark.parametrize("step", [0, 255])
def test_tokens_are_drawn_by_their_probability(
    settings: dict[str, float], expected: list[float], step: int
) -> None:
    found = drawn(GenerationSettings(**settings), step)
    assert torch.allclose(found, torch.tensor(expected, dtype=found.dtype), atol=0.01)


def test_steps_and_seeds_are_independent() -> None:
    seeds = torch.arange(ROWS)
    first, second = (gumbel(seeds, step, 2).argmax(-1) for step in (7, 8))
    assert torch.allclose((first == second).double().mean(), torch.tensor(0.5).double(), atol=0.01)
    assert (first[1:] == first[:-1]).double().mean().sub(0.5).abs() < 0.01


def test_noise_is_the_same_for_ever() -> None:
    found = gumbel(torch.tensor([0, 2**63 - 1]), 0, 2)
    again = gumbel(torch.tensor([2**63 - 1, 5, 0]), 0, 3)
    assert torch.equal(found[0], again[2, :2])
    assert torch.equal(found[1], again[0, :2])
    assert found.isfinite().all()
