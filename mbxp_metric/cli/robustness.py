"""`mbxp robustness`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from mbxp_datasets import __version__
from mbxp_metric.cli.common import AsJson, one_line_errors, out, parse_k
from mbxp_metric.console import bare_table, plain
from mbxp_metric.robustness import read_runs
from mbxp_metric.robustness import robustness as compare


def robustness(
    nominal: Annotated[Path, typer.Argument(help="Results on the prompts as they are.")],
    perturbed: Annotated[
        list[Path], typer.Argument(help="Results on perturbed ones, a directory for each seed.")
    ],
    k: Annotated[str, typer.Option("-k", "--k", help="As in 1,10.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Compare results on perturbed prompts with those on the prompts as they are.

    The directories are those of `mbxp score --out`; several seeds of one perturbation are told
    by the split in the name of their problems, as in r-mbkp:case,seed=1. All must have the same
    problems and as many samples of each.
    """
    with one_line_errors():
        ks = parse_k(k)
        runs = [run for directory in perturbed for run in read_runs(directory)]
        rows = compare(read_runs(nominal), runs, ks)
    if as_json:
        print(json.dumps({"version": __version__, "robustness": rows}, indent=1))
        return
    for number in ks:
        _print(rows, number)


def _print(rows: list[dict[str, Any]], k: int) -> None:
    table = bare_table()
    for title in ("language", "perturbation"):
        table.add_column(title, overflow="fold")
    columns = {
        "nominal": f"nominal_pass@{k}",
        **{name: f"{name}@{k}" for name in ("pass", "drop", "RP", "RD", "RR")},
    }
    for title in ("seeds", "nominal", *list(columns.values())[1:]):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        figures = [_percent(row.get(name)) for name in columns.values()]
        cells = [row["language"], row["perturbation"], row["seeds"], *figures]
        table.add_row(*(Text(str(cell)) for cell in cells))
    out.print(table)
    tasks = sorted({row["n_tasks"] for row in rows})
    counts = f"{tasks[0]}" if len(tasks) == 1 else f"{tasks[0]} to {tasks[-1]}"
    plain(
        out,
        f"in percent, {counts} tasks; nominal: pass@{k} without perturbation; drop: lost of it, in "
        "the mean over seeds; RP, RD, RR: ReCode's robust pass, drop and relative change over all "
        "seeds",
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
