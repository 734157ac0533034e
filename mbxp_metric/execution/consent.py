"""Programs written by a model are executed only when the caller has said so."""

from __future__ import annotations

import os


class ExecutionNotAllowed(ValueError):
    """The caller has not agreed to the execution of model-written code."""


def require_consent(flag: bool = False) -> None:
    """Refuse unless `HF_ALLOW_CODE_EVAL=1` is set or the caller passes an explicit flag.

    Raises:
        ExecutionNotAllowed: neither is the case.
    """
    if flag or os.environ.get("HF_ALLOW_CODE_EVAL") == "1":
        return
    raise ExecutionNotAllowed(
        "this executes code that a model wrote: set HF_ALLOW_CODE_EVAL=1 "
        "(or pass --allow-code-execution on the command line) once you accept that"
    )
