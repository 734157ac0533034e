"""`mbxp score`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from mbxp_datasets import __version__, resolve_benchmark
from mbxp_metric.cli.common import (
    DEFAULTS,
    DONE,
    INTERRUPTED,
    NOT_SCORED,
    Allow,
    AsJson,
    DataDir,
    Engine,
    Isolation,
    Source,
    Style,
    Timeout,
    Workers,
    checked_settings,
    err,
    one_line_errors,
    out,
    parse_k,
)
from mbxp_metric.cli.texts import only_texts, score_texts
from mbxp_metric.completions import HELPERS
from mbxp_metric.console import Monitor, plain, print_report, print_texts, progress
from mbxp_metric.execution import Settings, ToolchainMissing, require_consent
from mbxp_metric.problem_sets import ProblemIndex, checked_style, named_set
from mbxp_metric.sample_scoring import SampleScoring
from mbxp_metric.scoring import DEFAULT_K, ScoreOptions, open_executor, open_journal, versions
from mbxp_metric.tracking import PROJECT, TRACKERS, log_scores, require_tracker, values_of
from mbxp_metric.writing import replacing


def score(
    samples: Annotated[list[Path], typer.Argument(help="JSONL (.gz) files, or lists of lists.")],
    problems: Annotated[
        list[str] | None,
        typer.Option(
            "--problems",
            "-p",
            help="JSONL file, config (mbkp, mbxp/i-mbkp, r-mbkp:case) or humaneval; by default "
            "told by task ids.",
        ),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(help="mbxp, multi-humaneval or mathqa-x.", show_default=False)
    ] = None,
    data_dir: DataDir = None,
    source: Source = "release",
    style: Style = None,
    truncate: Annotated[
        bool, typer.Option("--truncate/--no-truncate", help="Cut what follows the function.")
    ] = True,
    helpers: Annotated[
        str, typer.Option(help="keep or cut definitions after it that it needs.")
    ] = "keep",
    k: Annotated[
        str | None, typer.Option("-k", "--k", help="As in 1,10.", show_default="1,10,100")
    ] = None,
    workers: Workers = DEFAULTS.workers,
    timeout: Timeout = DEFAULTS.timeout,
    compile_timeout: Annotated[
        float, typer.Option(help="Seconds that its compilation may take.")
    ] = DEFAULTS.compile_timeout,
    memory_mb: Annotated[int, typer.Option(help="Mebibytes that it may use.")] = DEFAULTS.memory_mb,
    isolation: Isolation = DEFAULTS.isolation,
    engine: Engine = DEFAULTS.engine,
    reuse: Annotated[
        bool, typer.Option(help="Take the verdict of an equal program that was executed before.")
    ] = DEFAULTS.reuse,
    audit: Annotated[
        float, typer.Option(help="Share of programs to execute again cold, and compare.")
    ] = DEFAULTS.audit,
    directory: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where results go; again to resume.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="First problems of each score.", show_default=False)
    ] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples behind an interval.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling.")] = 0,
    log_with: Annotated[
        str | None,
        typer.Option(help=f"Log the scores: {', '.join(TRACKERS)}.", show_default=False),
    ] = None,
    step: Annotated[
        int | None, typer.Option(min=0, help="With --log-with.", show_default=False)
    ] = None,
    run_name: Annotated[
        str, typer.Option("--run", help="With --log-with; continued if it is there.")
    ] = PROJECT,
    log_dir: Annotated[Path, typer.Option(help="Where TensorBoard's runs are.")] = Path("runs"),
    allow: Allow = False,
    as_json: AsJson = False,
) -> None:
    """Execute samples and print pass@k for each file and language.

    With --out, results.jsonl holds one row a sample in the order of the input, scores.json
    the scores, problems.jsonl the problems, and journal.jsonl all results with what the
    programs printed; the same command resumes from it, and `mbxp report` reads them.
    Summaries (-p s-mbkp) are not executed, but compared with the descriptions by BLEU and chrF.
    """
    with one_line_errors():
        texts = only_texts(problems or [])
        if not texts:
            require_consent(allow)
        settings = checked_settings(
            isolation=isolation,
            workers=workers,
            timeout=timeout,
            compile_timeout=compile_timeout,
            memory_mb=memory_mb,
            engine=engine,
            reuse=reuse,
            audit=audit,
        )
        options = ScoreOptions(DEFAULT_K if k is None else parse_k(k), bootstrap, seed)
        if log_with is not None:
            require_tracker(log_with)
            if step is None:
                raise typer.BadParameter("--log-with needs --step, the step of the training")
        if benchmark:
            resolve_benchmark(benchmark)
        style = checked_style(source, style)
        sets = [named_set(name, benchmark, data_dir, style) for name in problems or []]
        index = ProblemIndex(sets, benchmark, data_dir, style)
        if texts:
            report = score_texts(samples, index, limit, not truncate, directory)
        else:
            work = SampleScoring(samples, index, limit, _helpers(helpers) if truncate else None)
            report = _score(work, settings, options, directory)
    notes = report.pop("notes")
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        show = print_texts if texts else print_report
        show(out, report)
        shown = [line for line in notes if texts or k is not None or "withheld" in line]
        missing = report.get("missing", {})
        for line in [*shown, *(f"{name}: {why}" for name, why in missing.items())]:
            plain(err, line)
        if directory:
            plain(out, f"results in {directory}")
    if log_with is not None and step is not None:
        with one_line_errors():
            log_scores(log_with, values_of(report["scores"]), step, run_name, log_dir)
    withheld = any(row.get("infra_errors") for row in report["scores"])
    raise typer.Exit(NOT_SCORED if withheld else DONE)


def _score(
    work: SampleScoring, settings: Settings, options: ScoreOptions, directory: Path | None
) -> dict[str, Any]:
    monitor = Monitor(work.n_samples)
    with ExitStack() as stack:
        executor = stack.enter_context(open_executor(settings))
        found = executor.toolchains(work.languages)
        toolchains = versions(found)
        journal = None
        if directory is not None:
            path = directory / "journal.jsonl"
            journal = stack.enter_context(open_journal(path, settings, toolchains))
        try:
            with progress(err, monitor) as finished:
                work.run(executor, journal, monitor.started, finished)
        except KeyboardInterrupt:
            hint = "the same command goes on from there" if directory else "use --out to resume"
            plain(err, f"mbxp: stopped after {monitor.done} of {monitor.total} samples; {hint}")
            raise typer.Exit(INTERRUPTED) from None
        if directory is not None and journal is not None:
            work.write_results(directory / "results.jsonl", journal)
            work.write_problems(directory / "problems.jsonl")
        level = f"{executor.isolation.name} ({executor.isolation.summary})"
        engines = {language: executor.engine(language) for language in work.languages}
        spared = {"reused": executor.reused, "audited": executor.audited}
    rows, notes = work.scores(settings, options, toolchains, engines)
    missing = {name: str(why) for name, why in found.items() if isinstance(why, ToolchainMissing)}
    about = {"version": __version__, "isolation": level, "engines": engines}
    report = {**about, "missing": missing, "scores": rows}
    if work.generation:
        report["generation"] = work.generation
    if directory is not None:
        with replacing(directory / "scores.json") as file:
            file.write(json.dumps(report, indent=1) + "\n")
    return {**report, **spared, "notes": notes}


def _helpers(text: str) -> str:
    if text not in HELPERS:
        raise typer.BadParameter(f"--helpers {text} is not known: {' or '.join(HELPERS)}")
    return text
