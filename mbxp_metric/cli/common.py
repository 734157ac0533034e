"""What the commands share: options, exit codes, and errors that are one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from builder_scripts.errors import ExportError
from mbxp_datasets import ProblemFormatError, UnknownConfigError
from mbxp_datasets.extras import MissingExtraError
from mbxp_metric.console import plain
from mbxp_metric.converting import ConversionInputError
from mbxp_metric.execution import (
    ENGINES,
    LANGUAGES,
    LEVELS,
    ExecutionNotAllowed,
    IsolationUnavailable,
    JournalMismatch,
    Settings,
)
from mbxp_metric.generation.infilling import InfillingFormatError
from mbxp_metric.generation.settings import GenerationError
from mbxp_metric.publishing import PublishError
from mbxp_metric.publishing.checks import UnfitResultsError
from mbxp_metric.report.results import ResultsFormatError
from mbxp_metric.robustness import RobustnessInputError
from mbxp_metric.samples import SampleFormatError
from mbxp_metric.tracking import TrackingError

DONE, NOT_SCORED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130

EXIT_CODES = (
    "Exit codes: 0 done; 1 something could not be executed or converted, so that a score is "
    "withheld, a problem is left out or a check failed; 2 the command or its input is wrong; "
    "130 interrupted."
)

USER_ERRORS = (
    ConversionInputError,
    ExecutionNotAllowed,
    ExportError,
    GenerationError,
    InfillingFormatError,
    IsolationUnavailable,
    JournalMismatch,
    MissingExtraError,
    OSError,
    ProblemFormatError,
    RobustnessInputError,
    ResultsFormatError,
    PublishError,
    SampleFormatError,
    UnfitResultsError,
    TrackingError,
    UnknownConfigError,
    typer.BadParameter,
)

out = Console()
err = Console(stderr=True)

DEFAULTS = Settings()

Workers = Annotated[
    int,
    typer.Option("--workers", "-w", min=1, help="Programs in flight.", show_default="one a CPU"),
]
Timeout = Annotated[float, typer.Option(help="Seconds that a program may run.")]
Isolation = Annotated[
    str, typer.Option(help=f"One of {', '.join(LEVELS)}; never chosen weaker than asked.")
]
Engine = Annotated[
    str,
    typer.Option(help=f"One of {', '.join(ENGINES)}: servers that stay, or every step anew."),
]
Languages = Annotated[
    list[str] | None, typer.Option("--language", "-l", help="Only these; repeatable.")
]
DataDir = Annotated[
    Path | None, typer.Option(help="Local copy of the release's data.", show_default=False)
]
Source = Annotated[str, typer.Option(help="release, or convert: made from the Python problems.")]
Style = Annotated[
    str | None,
    typer.Option(help="Of --source convert: release or strict.", show_default="release"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]
Allow = Annotated[
    bool,
    typer.Option(
        "--allow-code-execution", help="Agree to execute model-written code (HF_ALLOW_CODE_EVAL=1)."
    ),
]


def languages(names: list[str] | None) -> list[str]:
    chosen = list(dict.fromkeys(name.lower() for name in names or LANGUAGES))
    unknown = [name for name in chosen if name not in LANGUAGES]
    if unknown:
        raise typer.BadParameter(f"no language {unknown[0]!r}; one of {', '.join(LANGUAGES)}")
    return chosen


def checked_settings(**values: Any) -> Settings:
    if values["isolation"] not in LEVELS:
        raise typer.BadParameter(f"--isolation {values['isolation']}: one of {', '.join(LEVELS)}")
    try:
        return Settings(**values)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def parse_k(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise typer.BadParameter(f"-k {text}: whole numbers from 1, as in 1,10, are expected")
    return tuple(int(part) for part in parts)


@contextmanager
def one_line_errors() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        plain(err, "mbxp: interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except USER_ERRORS as error:
        plain(err, f"mbxp: {_message(error)}")
        raise typer.Exit(USER_ERROR) from None


def _message(error: BaseException) -> str:
    if isinstance(error, typer.BadParameter):
        return error.message
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
