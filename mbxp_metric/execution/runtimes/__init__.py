"""One runtime a language; the table of them."""

from __future__ import annotations

import importlib
from functools import cache

from mbxp_metric.execution.runtimes.base import Runtime

LANGUAGES = (
    "python",
    "java",
    "javascript",
    "typescript",
    "kotlin",
    "ruby",
    "php",
    "cpp",
    "csharp",
    "go",
    "perl",
    "scala",
    "swift",
    "rust",
)


@cache
def runtime(language: str) -> Runtime:
    """The runtime of a language.

    Raises:
        ValueError: no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; one of {', '.join(LANGUAGES)}")
    module = importlib.import_module(f"mbxp_metric.execution.runtimes.{language}")
    found: Runtime = module.RUNTIME
    return found
