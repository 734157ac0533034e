"""`mbxp score -p s-mbjp`: summaries are compared, and nothing is executed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from mbxp_datasets import __version__
from mbxp_metric.problem_sets import ProblemIndex
from mbxp_metric.samples import common_generation
from mbxp_metric.text_scoring import TextScoring, is_text_set
from mbxp_metric.writing import replacing


def only_texts(problems: Sequence[str]) -> bool:
    """Whether all problems are summaries.

    Raises:
        typer.BadParameter: some are and some are not.
    """
    texts = [name for name in problems if is_text_set(name)]
    if texts and len(texts) < len(problems):
        raise typer.BadParameter(
            f"--problems {texts[0]}: summaries are compared and not executed; score them by a "
            "command of their own"
        )
    return bool(texts)


def score_texts(
    samples: Sequence[Path],
    index: ProblemIndex,
    limit: int | None,
    whole: bool,
    directory: Path | None,
) -> dict[str, Any]:
    """Compare summaries; with a directory results.jsonl and scores.json are written there.

    Raises:
        SampleFormatError, OSError: the samples cannot be used.
    """
    work = TextScoring(samples, index, limit, whole)
    rows, notes = work.scores()
    report: dict[str, Any] = {"version": __version__, "scores": rows}
    generation = common_generation(samples)
    if generation:
        report["generation"] = generation
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        work.write_results(directory / "results.jsonl")
        with replacing(directory / "scores.json") as file:
            file.write(json.dumps(report, indent=1) + "\n")
    return {**report, "notes": notes}
