"""Scores in an experiment tracker, through those that accelerate knows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from typing import Any

from mbxp_datasets.extras import optional

TRACKERS = ("tensorboard", "trackio", "wandb")
PROJECT = "mbxp"
_COUNTS = ("coverage", "n_problems", "n_samples", "infra_errors")


class TrackingError(ValueError):
    """A tracker that is not known, or that fails."""


def require_tracker(name: str) -> None:
    """Check that a tracker can be used: accelerate would leave it out without a word.

    Raises:
        TrackingError: there is none of that name.
        MissingExtraError: it is not installed; the message has the remedy.
    """
    if name not in TRACKERS:
        raise TrackingError(f"--log-with {name}: one of {', '.join(TRACKERS)}")
    for module in ("accelerate", name):
        optional(module, name, f"to log scores with {name}")


def values_of(scores: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """What is logged of the scores of files and languages: pass@k and counts, named by both.

    Files are not in the names, so that those of successive checkpoints make a curve; only
    where two have the same problems, they are.
    """
    rows = list(scores)
    labels = [f"{row['problems']}/{row['language']}" for row in rows]
    found: dict[str, float] = {}
    for row, label in zip(rows, labels, strict=True):
        prefix = f"{row['file']}/{label}" if labels.count(label) > 1 else label
        for name, value in row.items():
            if name in _COUNTS or (name.startswith("pass@") and isinstance(value, int | float)):
                found[f"{prefix}/{name}"] = float(value)
    return found


def log_scores(
    name: str,
    values: Mapping[str, float],
    step: int,
    run: str = PROJECT,
    directory: str | os.PathLike[str] = "runs",
) -> None:
    """Log values at a step; a run of that name is continued.

    Args:
        name: One of `TRACKERS`.
        run: In TensorBoard a folder in `directory`, else a run of the project `mbxp`.

    Raises:
        TrackingError: the tracker fails, for instance for want of a login.
    """
    import accelerate

    options: dict[str, dict[str, Any]] = {
        "trackio": {"name": run, "resume": "allow"},
        "wandb": {"name": run, "id": run, "resume": "allow"},
    }
    try:
        # Some trackers print, and the output may be for a program.
        with redirect_stdout(sys.stderr):
            accelerator = accelerate.Accelerator(
                cpu=True, log_with=name, project_dir=os.fspath(directory)
            )
            project = run if name == "tensorboard" else PROJECT
            accelerator.init_trackers(project, init_kwargs=options if name in options else {})
            accelerator.log(dict(values), step=step)
            accelerator.end_training()
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise TrackingError(f"--log-with {name} failed: {said}") from error
