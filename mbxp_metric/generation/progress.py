"""How far a generation is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Progress:
    """How far one process is with its share."""

    total: int
    processes: int = 1
    done: int = 0
    tokens: int = 0
    """0 where nobody counts them."""
    clock: Callable[[], float] = time.monotonic
    start: float = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.clock()

    @property
    def tokens_per_second(self) -> float:
        """Of all processes, if they are as fast as this one."""
        elapsed = self.clock() - self.start
        return self.processes * self.tokens / elapsed if elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None before the first batch is done."""
        if not self.done:
            return None
        return (self.clock() - self.start) / self.done * (self.total - self.done)
