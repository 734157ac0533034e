"""Tokens for a batch: rows that are done leave it, so that no step is computed for them.

`transformers` pads a row that is done until the last one of its batch is. Here its loop is left as
soon as a quarter of the rows are done, and entered again with the others and their part of the
cache: the same steps, for fewer rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache, StoppingCriteriaList

from mbxp_metric.generation.model import LoadedModel
from mbxp_metric.generation.prompts import Request
from mbxp_metric.generation.sampling import processors
from mbxp_metric.generation.settings import GenerationSettings
from mbxp_metric.generation.stopping import EndOfSamples

_SHARE = 4
"""Of a batch, one row in so many is waited for: each time costs a copy of the cache."""
_CACHES = ("cache", "past_key_values")
"""Its names in newer and in older versions."""


@torch.inference_mode()
def decode(
    loaded: LoadedModel,
    settings: GenerationSettings,
    requests: Sequence[Request],
    prompts: Sequence[Sequence[int]],
) -> list[list[int]]:
    """The new tokens of each request, up to where it was ended and no padding.

    Args:
        prompts: tokens of each request.
    """
    inputs = loaded.padded(prompts)
    ids, mask = inputs["input_ids"], inputs["attention_mask"]
    length = ids.shape[1]

    def text_of(number: int, row: Any) -> str:
        return loaded.completion(prompts[number], row[length:].tolist())

    ends = EndOfSamples(requests, text_of, loaded.eos)
    new: list[list[int]] = [[] for _ in requests]
    more: dict[str, Any] = {}
    while ends.running:
        rows = list(ends.running)
        ends.enough = max(1, len(rows) // _SHARE) if loaded.rows_leave else len(rows)
        done = loaded.model.generate(
            input_ids=ids,
            attention_mask=mask,
            max_new_tokens=length + settings.max_new_tokens - ids.shape[1],
            logits_processor=processors(settings, [requests[row].seed for row in rows], length),
            stopping_criteria=StoppingCriteriaList([ends]),
            return_dict_in_generate=True,
            **more,
        )
        for row, tokens in zip(rows, done.sequences, strict=True):
            new[row] = tokens[length:].tolist()[: ends.lengths[row]]
        if done.sequences.shape[1] >= length + settings.max_new_tokens:
            break
        kept = torch.tensor(ends.leave(), dtype=torch.int64, device=ids.device)
        ids, mask = done.sequences[kept], mask[kept]
        mask = torch.nn.functional.pad(mask, (0, ids.shape[1] - mask.shape[1]), value=1)
        more = _continued(loaded, done, kept)
    return new


def _continued(loaded: LoadedModel, done: Any, kept: Any) -> dict[str, Any]:
    """The cache of the rows that stay. A model with another kind of it computes its own anew."""
    if not len(kept):
        return {}
    try:
        for name in _CACHES:
            cache = getattr(done, name, None)
            if type(cache) is DynamicCache:
                cache.batch_select_indices(kept)
                return {name: cache}
    except (AttributeError, NotImplementedError):
        pass  # a layer of another kind
    loaded.rows_leave = False
    return {}
