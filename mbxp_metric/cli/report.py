"""`mbxp report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mbxp_metric.cli.common import DONE, NOT_SCORED, err, one_line_errors, out
from mbxp_metric.console import plain


def report(
    results: Annotated[list[Path], typer.Argument(help="Directories of `mbxp score --out`.")],
    directory: Annotated[Path, typer.Option("--out", "-o", help="Where the report goes.")],
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="Model of each directory, in their order.",
            show_default="as generated, else the directory's name",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            help="How each was asked: plain, few-shot, t-, r-case, i-, s-.",
            show_default="told by the problems",
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(help="Local copy of the release, for prompts that the results lack."),
    ] = None,
    plots: Annotated[bool, typer.Option(help="Draw plots, which needs matplotlib.")] = True,
) -> None:
    """Make tables, plots and an HTML page of scored runs.

    The report holds index.html, which works from a file and without network, tables/ in
    Markdown, CSV and LaTeX, and plots/ in SVG and PNG. Scores that are withheld are shown as
    such, and those made with other settings than the rest are marked; the exit status is 1 if
    any score is withheld.
    """
    from mbxp_metric.report import build_report, read_results

    with one_line_errors():
        scores = read_results(results, name or (), setting or ())
        with err.status("reading results") as status:
            lines = build_report(
                scores, directory, plots, data_dir, lambda text: status.update(f"making {text}")
            )
    for line in lines:
        plain(err, line)
    plain(out, f"report of {len(scores)} score(s) in {directory / 'index.html'}")
    raise typer.Exit(NOT_SCORED if any(score.withheld for score in scores) else DONE)
