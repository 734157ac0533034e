"""Prompt, completion and test become one program, exactly as the release joins them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PYTHON_CHECK = re.compile(r"^def check\(", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A program ready to compile: `head` (prompt + completion) followed by `test`."""

    language: str
    head: str
    test: str
    entry_point: str
    check: str = "check"
    """Python only: the name of the test's function, called with the entry point."""

    @property
    def source(self) -> bytes:
        """The whole text as UTF-8; a lone surrogate, which has no encoding, becomes `?`."""
        return encode(self.head + self.test)


def encode(text: str) -> bytes:
    """UTF-8 bytes of a text, newlines untouched, lone surrogates replaced by `?`."""
    return text.encode("utf-8", "replace")


def assemble(problem: Mapping[str, str | None], completion: str) -> Program:
    """Join a problem and a completion the way the release's executor does.

    There is no separator, except Python's newline before the test. Where a Python entry
    point is itself called `check`, the test's function of that name would overwrite it,
    so that function is renamed in the test and nothing else changes.

    Raises:
        KeyError: the problem lacks `language`, `prompt`, `test` or `entry_point`.
    """
    language = str(problem["language"]).lower()
    prompt, test = problem["prompt"] or "", problem["test"] or ""
    entry_point = problem["entry_point"] or ""
    check = "check"
    if language == "python":
        test = "\n" + test
        if entry_point == check:
            check = "check_entry_point"
            test = _PYTHON_CHECK.sub(f"def {check}(", test)
    return Program(language, prompt + completion, test, entry_point, check)
