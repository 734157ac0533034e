"""`mbxp push`: results, datasets and Spaces to the Hub."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from mbxp_datasets import resolve_benchmark
from mbxp_metric.cli.common import DONE, EXIT_CODES, USER_ERROR, err, one_line_errors, out
from mbxp_metric.console import plain
from mbxp_metric.publishing.checks import (
    SCORES,
    About,
    UnfitResultsError,
    check,
    generated_with,
    read_scores,
)

push = typer.Typer(help="Put results, datasets or Spaces on the Hub.", no_args_is_help=True)

Repo = Annotated[str, typer.Option("--repo", help="On the Hub, as in org/name.")]
Private = Annotated[bool, typer.Option("--private", help="If the repository is created.")]
PullRequest = Annotated[
    bool, typer.Option("--pull-request/--commit", help="Propose the change, or make it.")
]
Requirement = Annotated[
    str, typer.Option(help="What pip takes for this package, as in mbxp @ git+https://…")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the files, send nothing.")]


@push.command(epilog=EXIT_CODES)
def results(
    directory: Annotated[Path, typer.Argument(help="Written by `mbxp score -o`.")],
    repo: Annotated[str, typer.Option("--repo", help="Of the model, as in org/name.")],
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            "--dataset",
            help="On the Hub, of the results' benchmark, or mbxp=org/name; repeatable.",
            show_default=False,
        ),
    ] = None,
    dataset_revision: Annotated[
        str | None, typer.Option(help="Its commit, 40 digits.", show_default=False)
    ] = None,
    revision: Annotated[
        str | None,
        typer.Option(help="Commit of the model.", show_default="that of generation.json"),
    ] = None,
    date: Annotated[
        str | None, typer.Option(help="ISO 8601.", show_default="when the scores were written")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="Where the report is.", show_default=False)
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace other values of the same config.")
    ] = False,
    pull_request: PullRequest = True,
    dry_run: DryRun = False,
) -> None:
    """Write scores into a model's card and its .eval_results, by default as a pull request.

    Only whole, strongly isolated results without faults are sent; each reason is printed. With
    --dataset the Hub's benchmark leaderboards see them too.
    """
    with one_line_errors():
        from mbxp_metric.publishing.hub import repository, send
        from mbxp_metric.publishing.model_results import planned_files, scored_at

        document = read_scores(directory)
        scores = directory / SCORES if directory.is_dir() else directory
        known = generated_with(document, "revision")
        about = About(
            model=repo,
            revision=revision or (known[0] if len(known) == 1 and len(known[0]) == 40 else None),
            date=date or scored_at(scores),
            dataset_revision=dataset_revision,
            url=url,
        )
        rows = _checked(document, about, str(directory))
        benchmarks = sorted({row["problems"].partition("/")[0] for row in rows})
        datasets = _datasets(dataset or [], benchmarks, about)
        model = repository(repo, "model", must_exist=True)
        files = planned_files(rows, about, model.read, datasets=datasets, overwrite=overwrite)
        if not datasets:
            plain(err, "no --dataset: only the card is written, and no .eval_results")
        if dry_run:
            _show(files, model.differing(files), repo)
        else:
            sent = send(model, files, "Add MBXP results", pull_request=pull_request)
            _tell(sent.url, sent.changed)
    raise typer.Exit(DONE)


@push.command(epilog=EXIT_CODES)
def dataset(
    directory: Annotated[Path, typer.Argument(help="Written by `mbxp export`.")],
    repo: Repo,
    private: Private = False,
    pull_request: PullRequest = False,
    dry_run: DryRun = False,
) -> None:
    """Put an exported benchmark on the Hub; only what differs is sent."""
    with one_line_errors():
        from builder_scripts.export import exported_files

        files = {str(path): directory / path for path in exported_files(directory)}
        if "README.md" not in files or "eval.yaml" not in files:
            raise typer.BadParameter(f"{directory}: is no export; make one with `mbxp export`")
        _push_folder(files, repo, "dataset", "Add the benchmark", private, pull_request, dry_run)
    raise typer.Exit(DONE)


@push.command(epilog=EXIT_CODES)
def metric(
    repo: Repo,
    requirement: Requirement = "mbxp[completions]",
    private: Private = False,
    pull_request: PullRequest = False,
    dry_run: DryRun = False,
) -> None:
    """Make the Space that `evaluate.load("org/mbxp_exec")` takes the metric from."""
    with one_line_errors():
        from mbxp_metric.publishing.spaces import metric_files

        _check_repo(repo)
        files = metric_files(repo, requirement)
        _push_folder(dict(files), repo, "space", "Add the metric", private, pull_request, dry_run)
    raise typer.Exit(DONE)


@push.command(epilog=EXIT_CODES)
def leaderboard(
    repo: Repo,
    results: Annotated[str, typer.Option("--results", help="Dataset of results on the Hub.")],
    requirement: Requirement = "mbxp[leaderboard]",
    private: Private = False,
    pull_request: PullRequest = False,
    dry_run: DryRun = False,
) -> None:
    """Make the Space that shows a dataset of results, and that dataset if there is none.

    `python -m hub_cards.leaderboard.app --samples` shows one locally.
    """
    with one_line_errors():
        from mbxp_metric.publishing.hub import repository
        from mbxp_metric.publishing.spaces import leaderboard_files, results_files

        faults = About(repo, dataset=results).faults()
        if faults:
            names = {"model": "--repo", "dataset": "--results"}
            name, _, fault = faults[0].partition(":")
            raise typer.BadParameter(f"{names[name]}:{fault}")
        files = leaderboard_files(results, requirement)
        if repository(results, "dataset", must_exist=False).head is None:
            first = results_files(repo)
            message = "Add the card of the results"
            _push_folder(first, results, "dataset", message, private, False, dry_run)
        _push_folder(files, repo, "space", "Add the leaderboard", private, pull_request, dry_run)
    raise typer.Exit(DONE)


def _push_folder(
    files: Mapping[str, bytes | Path],
    repo: str,
    kind: str,
    message: str,
    private: bool,
    pull_request: bool,
    dry_run: bool,
) -> None:
    from mbxp_metric.publishing.hub import repository, send

    _check_repo(repo)
    found = repository(repo, kind, must_exist=False)
    if dry_run:
        _show(files, found.differing(files), repo)
    else:
        sdk = "gradio" if kind == "space" else None
        sent = send(
            found, files, message, pull_request=pull_request, private=private, space_sdk=sdk
        )
        _tell(sent.url, sent.changed)


def _check_repo(repo: str) -> None:
    faults = About(repo).faults()
    if faults:
        raise typer.BadParameter(faults[0].replace("model:", "--repo:"))


def _checked(document: dict[str, Any], about: About, where: str) -> list[dict[str, Any]]:
    try:
        return check(document, about, where)
    except UnfitResultsError as error:
        plain(err, f"mbxp: {where} must not be published; nothing was sent:")
        for fault in error.faults:
            plain(err, f"  {fault}")
        raise typer.Exit(USER_ERROR) from None


def _datasets(named: list[str], benchmarks: list[str], about: About) -> dict[str, str]:
    found = {}
    for text in named:
        benchmark, equals, name = text.rpartition("=")
        if not equals and len(benchmarks) > 1:
            raise typer.BadParameter(
                f"--dataset {text}: the results are of {' and '.join(benchmarks)}; say which, as "
                f"in --dataset {benchmarks[0]}={text}"
            )
        key = resolve_benchmark(benchmark).name if equals else benchmarks[0]
        faults = About(about.model, dataset=name).faults()
        if faults:
            raise typer.BadParameter(f"--{faults[0]}")
        found[key] = name
    return found


def _show(files: Mapping[str, bytes | Path], changed: list[str], repo: str) -> None:
    """The files as they would be sent; of data only the size."""
    if not changed:
        plain(out, f"{repo}: nothing would change")
    for path in changed:
        content = files[path]
        data = content if isinstance(content, bytes) else content.read_bytes()
        if path.endswith(".parquet"):
            plain(out, f"--- {path} ({len(data)} bytes)")
            continue
        plain(out, f"--- {path}")
        # As it is, whatever the width of the terminal.
        typer.echo(data.decode("utf-8", "replace"), nl=not data.endswith(b"\n"))


def _tell(url: str, changed: tuple[str, ...]) -> None:
    if not changed:
        plain(out, f"nothing to change: {url}")
    for path in changed:
        plain(out, path)
    if changed:
        plain(out, url)
