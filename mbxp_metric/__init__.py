"""What completions are worth: executed in a sandbox, scored by pass@k.

Importing it lets `evaluate.load("mbxp_exec")` resolve; its modules are imported when a
name is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mbxp_datasets import __version__, _autoload

if TYPE_CHECKING:
    from mbxp_metric.bleu import mean_bleu, smoothed_bleu
    from mbxp_metric.execution import (
        LANGUAGES,
        ExecutionNotAllowed,
        Executor,
        IsolationUnavailable,
        Job,
        Journal,
        JournalMismatch,
        Program,
        Result,
        Settings,
        Verdict,
        assemble,
    )
    from mbxp_metric.mbxp_bleu import MbxpBleu
    from mbxp_metric.mbxp_exec import MbxpExec
    from mbxp_metric.pass_at_k import (
        bootstrap_interval,
        estimate_pass_at_k,
        estimates_pass_at_k,
    )
    from mbxp_metric.samples import SampleFormatError, SampleRow, read_samples
    from mbxp_metric.scoring import ScoreOptions
    from mbxp_metric.signature import score_signature

__all__ = [
    "LANGUAGES",
    "ExecutionNotAllowed",
    "Executor",
    "IsolationUnavailable",
    "Job",
    "Journal",
    "JournalMismatch",
    "MbxpBleu",
    "MbxpExec",
    "Program",
    "Result",
    "SampleFormatError",
    "SampleRow",
    "ScoreOptions",
    "Settings",
    "Verdict",
    "__version__",
    "assemble",
    "bootstrap_interval",
    "estimate_pass_at_k",
    "estimates_pass_at_k",
    "mean_bleu",
    "read_samples",
    "score_signature",
    "smoothed_bleu",
]

_MODULES = (
    "execution",
    "pass_at_k",
    "samples",
    "signature",
    "scoring",
    "bleu",
    "mbxp_bleu",
    "mbxp_exec",
)


def __getattr__(name: str) -> object:
    if name in __all__:
        import importlib

        for module in _MODULES:
            found = vars(importlib.import_module(f"mbxp_metric.{module}"))
            if name in found:
                return found[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_autoload.install()
