"""The command line, `mbxp …`: a thin skin over the public functions, one file a group."""

from __future__ import annotations

from typing import Annotated

import typer

from mbxp_datasets import __version__
from mbxp_metric.cli.bootstrap import bootstrap
from mbxp_metric.cli.common import DONE, EXIT_CODES
from mbxp_metric.cli.convert import convert
from mbxp_metric.cli.generate import generate
from mbxp_metric.cli.machine import demo, doctor
from mbxp_metric.cli.publish import export
from mbxp_metric.cli.push import push
from mbxp_metric.cli.report import report
from mbxp_metric.cli.robustness import robustness
from mbxp_metric.cli.score import score

__all__ = ["app", "main"]

app = typer.Typer(
    name="mbxp",
    help="Let models write code in fourteen languages; execute and score it.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    doctor,
    convert,
    generate,
    bootstrap,
    score,
    robustness,
    report,
    export,
    demo,
):
    app.command(epilog=EXIT_CODES)(command)
app.add_typer(push, name="push")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mbxp {__version__}")
        raise typer.Exit(DONE)


@app.callback(epilog=EXIT_CODES)
def _global(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None: ...


def main() -> None:
    """The `mbxp` command."""
    app()
