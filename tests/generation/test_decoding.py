"""Rows that are done leave their batch, and the samples stay what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.generation import GenerationSettings
from mbxp_metric.generation.loop import batches, completed
from mbxp_metric.generation.model import LoadedModel, ModelOptions
from mbxp_metric.generation.tasks import all_requests, load_tasks


def _generated(
    model: Path, files: list[Path], size: int, leave: bool = True
) -> tuple[dict[Any, tuple[str, int]], int, LoadedModel]:
    """The samples by their keys, and the rows of all steps together."""
    settings = GenerationSettings(n=2, temperature=0.6, max_new_tokens=120)
    loaded = ModelOptions(str(model)).load("cpu", settings.max_new_tokens)
    loaded.rows_leave = leave
    steps = 0

    def count(_: Any, __: Any, given: dict[str, Any]) -> None:
        nonlocal steps
        steps += len(given["input_ids"])

    loaded.model.register_forward_pre_hook(count, with_kwargs=True)
    requests = all_requests([load_tasks(str(path)) for path in files], settings)
    found = {
        request.key: (text, tokens)
        for batch in batches(loaded, settings, requests, size)
        for request, text, tokens in completed(loaded, settings, batch)
    }
    return found, steps, loaded


def test_rows_that_are_done_are_not_computed_and_samples_stay_equal(
    tiny_model: Path, problem_files: list[Path]
) -> None:
    padded, padded_steps, _ = _generated(tiny_model, problem_files, 8, leave=False)
    found, steps, loaded = _generated(tiny_model, problem_files, 8)
    alone, least, _ = _generated(tiny_model, problem_files, 1)
    assert found == padded == alone
    assert loaded.rows_leave
    assert least <= steps < padded_steps
    assert least == sum(tokens for _, tokens in found.values())


def test_a_cache_of_another_kind_keeps_its_rows(
    tiny_model: Path, problem_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, _, _ = _generated(tiny_model, problem_files, 8)
    monkeypatch.setattr("mbxp_metric.generation.decoding._CACHES", ())
    other, _, loaded = _generated(tiny_model, problem_files, 8)
    assert other == usual
    assert not loaded.rows_leave
