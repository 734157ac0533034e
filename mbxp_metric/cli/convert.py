"""`mbxp convert`."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from mbxp_datasets import __version__
from mbxp_metric.cli.common import (
    DEFAULTS,
    DONE,
    NOT_SCORED,
    AsJson,
    Isolation,
    Workers,
    checked_settings,
    err,
    one_line_errors,
    out,
)
from mbxp_metric.console import Monitor, plain, print_conversion, print_rejections, progress
from mbxp_metric.converting import Conversion, Converted, Fault
from mbxp_metric.execution import Settings


def convert(
    problems: Annotated[
        list[str],
        typer.Argument(help="Python problems: .py, .jsonl (.gz) or .json files, or humaneval."),
    ],
    language: Annotated[
        list[str], typer.Option("--language", "-l", help="As in kotlin,go; or all; repeatable.")
    ],
    directory: Annotated[Path, typer.Option("--out", "-o", help="Where the problems go.")],
    style: Annotated[
        str, typer.Option(help="strict, or release for what the release's converter would write.")
    ] = "strict",
    validate: Annotated[
        bool, typer.Option("--validate", help="Compile each problem, with a body that only fails.")
    ] = False,
    workers: Workers = DEFAULTS.workers,
    isolation: Isolation = DEFAULTS.isolation,
    as_json: AsJson = False,
) -> None:
    """Convert Python problems to other languages.

    Each file gives NAME_LANGUAGE.jsonl in --out, with rows as `mbxp score --problems` reads
    them. Problems that cannot be converted are named on stderr and in unconvertible.jsonl, and
    those that do not compile in invalid.jsonl; the exit status is then 1.
    """
    with one_line_errors():
        settings = checked_settings(isolation=isolation, workers=workers)
        conversion = Conversion(problems, language, style, directory)
        groups = conversion.run(partial(print_rejections, err))
        faults = _validate(conversion, groups, settings) if validate else None
    if as_json:
        report = {"version": __version__, "style": style}
        rows = {"problems": [group.to_json() for group in groups]}
        print(json.dumps({**report, **rows}, indent=1))
    else:
        print_conversion(out, groups, faults is not None)
        plain(out, f"problems in {directory}, style {style}")
    for fault in faults or []:
        plain(err, f"{fault.task_id}: {fault.verdict} {fault.detail}".rstrip())
    whole = not faults and not any(group.unconvertible for group in groups)
    raise typer.Exit(DONE if whole else NOT_SCORED)


def _validate(conversion: Conversion, groups: list[Converted], settings: Settings) -> list[Fault]:
    monitor = Monitor(sum(group.converted for group in groups))
    with progress(err, monitor) as finished:
        return conversion.validate(groups, settings, monitor.started, finished)
