"""What became of one program."""

from __future__ import annotations

import enum


class Verdict(str, enum.Enum):
    """The outcome of one program; only `INFRA_ERROR` says nothing about the sample."""

    PASSED = "PASSED"
    WRONG_ANSWER = "WRONG_ANSWER"
    """An assertion of the test failed."""
    COMPILE_ERROR = "COMPILE_ERROR"
    RUNTIME_ERROR = "RUNTIME_ERROR"
    TIMEOUT = "TIMEOUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    EARLY_EXIT = "EARLY_EXIT"
    """Ended with status 0 without reaching the end of the tests."""
    INFRA_ERROR = "INFRA_ERROR"
    """A fault of ours (tool missing, sandbox or worker died): blocks the score."""

    def __str__(self) -> str:
        return self.value
