"""Samples that are done leave early: their function has ended, or a stop text has come."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch
from transformers import StoppingCriteria

from mbxp_metric.completions.ending import Ending
from mbxp_metric.completions.languages import SYNTAXES
from mbxp_metric.completions.parsing import encode
from mbxp_metric.generation.prompts import Request

EVERY = 4
"""Tokens between two looks at a sample; those that come too many are cut when scoring."""
_DEDENT = r"\n[^\s#]"


class Watch:
    """Watches one completion grow, and tells when the rest of it cannot matter."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._head = encode(request.head)
        self._seen = 0
        self._closed = False
        syntax = SYNTAXES.get(request.language)
        self._closing = re.compile((syntax.end if syntax else "") or _DEDENT)

    def done(self, completion: str) -> bool:
        """Whether a completion, which begins with what was given before, may stop here."""
        # Little is read again: a mark such as `end` may have come in two pieces.
        new = completion[max(0, self._seen - 4) :]
        self._seen = len(completion)
        if any(stop in completion for stop in self._request.stops):
            return True
        if not self._request.until_function_ends:
            return False
        # Reading code costs milliseconds, so only after something that may close a function,
        # and then line by line.
        self._closed = self._closed or self._closing.search(new) is not None
        if not self._closed or "\n" not in new:
            return False
        return Ending(self._request.language, self._head, encode(completion)).settled()


class EndOfSamples(StoppingCriteria):  # type: ignore[misc]
    """Ends the rows of a batch, one request each, and the batch when enough of them have.

    Args:
        requests: of the rows.
        text_of: the completion that the tokens of a row stand for so far, prompt included.
        eos: tokens by which a model ends a row itself.
    """

    def __init__(
        self,
        requests: Sequence[Request],
        text_of: Callable[[int, Any], str],
        eos: Collection[int] = (),
    ) -> None:
        self._watches = [Watch(request) for request in requests]
        self._text_of = text_of
        self._eos = eos
        self.running = list(range(len(requests)))
        """The requests that are rows of the batch now."""
        self.enough = len(requests)
        """So many rows that have ended end the batch."""
        self.lengths: list[int | None] = [None] * len(requests)
        """New tokens of each request when it ended; what follows is the batch's padding."""
        self._steps = 0

    def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
        self._steps += 1
        last = input_ids[:, -1].tolist()
        for row, number in enumerate(self.running):
            if self.lengths[number] is None and (
                last[row] in self._eos
                or (
                    self._steps % EVERY == 0
                    and self._watches[number].done(self._text_of(number, input_ids[row]))
                )
            ):
                self.lengths[number] = self._steps
        ended = [self.lengths[number] is not None for number in self.running]
        if sum(ended) >= self.enough:
            ended = [True] * len(ended)
        return torch.tensor(ended, dtype=torch.bool, device=input_ids.device)

    def leave(self) -> list[int]:
        """Let the requests that have ended leave; the rows of those that stay."""
        kept = [row for row, number in enumerate(self.running) if self.lengths[number] is None]
        self.running = [self.running[row] for row in kept]
        return kept
