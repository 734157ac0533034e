"""A report as files: `index.html`, `tables/` and `plots/`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from mbxp_metric.report.page import write_page
from mbxp_metric.report.rendering import FORMATS, Table
from mbxp_metric.report.results import Score
from mbxp_metric.report.tables import (
    comparison_table,
    error_table,
    problem_table,
    score_tables,
    settings_tables,
    signature_table,
)

PAGE = "index.html"


def build_report(
    scores: Sequence[Score],
    directory: str | os.PathLike[str],
    plots: bool = True,
    data_dir: str | os.PathLike[str] | None = None,
    step: Callable[[str], None] = lambda text: None,
) -> list[str]:
    """Write a report of some scores and return a line for what it lacks.

    `step` is told what is being made. Tables are Markdown, CSV and LaTeX, plots SVG and PNG.

    Raises:
        MissingExtraError: plots are wanted, but matplotlib is not installed.
        OSError: a file cannot be read or written.
    """
    if plots:
        from mbxp_metric.report.plots import draw, require_matplotlib

        require_matplotlib()
    directory = Path(directory)
    (directory / "tables").mkdir(parents=True, exist_ok=True)
    step("tables")
    scores_in_full = score_tables(scores)
    compared = comparison_table(scores)
    shown = [
        *scores_in_full,
        *settings_tables(scores),
        *([compared] if compared else []),
        error_table(scores),
    ]
    names: set[str] = set()
    for table in [*shown, signature_table(scores), problem_table(scores)]:
        _write_table(directory / "tables", table, names)
    images: list[tuple[str, bytes]] = []
    if plots:
        step("plots")
        images = draw(scores, directory / "plots")
    step("page")
    return write_page(directory / PAGE, scores, shown, images, data_dir)


def _write_table(folder: Path, table: Table, names: set[str]) -> None:
    # Of each benchmark or model there is one: their names are made fit for a file's, and are
    # still to be different.
    stem = name = re.sub(r"[^\w@.-]+", "_", table.name)[:100]
    number = 1
    while name in names:
        number += 1
        name = f"{stem}_{number}"
    names.add(name)
    for suffix, write in FORMATS.items():
        path = folder / f"{name}.{suffix}"
        # A lone surrogate in a name has no encoding.
        path.write_text(write(table), encoding="utf-8", errors="replace", newline="\n")
