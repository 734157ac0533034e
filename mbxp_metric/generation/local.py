"""A model in this process, asked like any other generator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import accelerate

from mbxp_metric.generation.loop import batches, completed
from mbxp_metric.generation.model import LoadedModel, ModelOptions
from mbxp_metric.generation.prompts import Request
from mbxp_metric.generation.settings import GenerationSettings


@dataclass
class LocalGenerator:
    """Loads the model when something is asked for the first time."""

    options: ModelOptions
    max_new_tokens: int
    """The same for all that is asked."""
    batch_size: int = 8
    cpu: bool = False
    tokens: int = field(default=0, init=False)
    """Generated so far."""

    @cached_property
    def _model(self) -> LoadedModel:
        device: Any = accelerate.Accelerator(cpu=self.cpu).device
        return self.options.load(device, self.max_new_tokens)

    def __call__(
        self, requests: Iterable[Request], settings: GenerationSettings
    ) -> Iterator[tuple[Request, str]]:
        """The requests with what the model wrote.

        Raises:
            GenerationError: the model cannot be loaded or has no room for a prompt.
        """
        for batch in batches(self._model, settings, list(requests), self.batch_size):
            for request, text, tokens in completed(self._model, settings, batch):
                self.tokens += tokens
                yield request, text
