"""The release's canonical solutions against strict tests: who passes the official one only?

    python -m tests.benchmarks.strict_acceptance path/to/data [--languages ruby,php] [--limit 100]

The directory is laid out as the release's `data/`. Per language of MBXP: canonical solutions,
those that pass the official test, those of them whose task converts, those that pass the strict
test; then each exception with its verdict, first line of error and, where it has been looked
into, the reason from `strict_exceptions.jsonl`.

A solution is judged with the release's own prompt and only the test replaced. Where that fails,
it may pass with the strict prompt and the release's names in it: declared types differ.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mbxp_datasets import catalog, conversion
from mbxp_datasets.conversion import PythonProblem, UnconvertibleError
from mbxp_datasets.problem import Problem, read_problems
from mbxp_datasets.sources.files import python_problems
from mbxp_metric.execution import Executor, Job, Journal, Program, Result, Settings, assemble
from mbxp_metric.scoring import open_journal, run, versions

LANGUAGES = ("ruby", "php", "javascript", "csharp", "cpp", "java", "kotlin")
REASONS = Path(__file__).with_name("strict_exceptions.jsonl")
SETTINGS = Settings(timeout=10.0, workers=2)


@dataclass
class Acceptance:
    """One language, measured."""

    language: str
    solutions: int
    official: int = 0
    """Solutions that pass the official test; only these are run against the strict one."""
    unconvertible: int = 0
    strict: int = 0
    exceptions: dict[str, Result] = field(default_factory=dict)
    """By task: those that pass the official test alone."""


def measure(
    language: str, directory: Path, executor: Executor, journal: Journal, limit: int | None = None
) -> Acceptance:
    """Run a language's solutions against both tests; with a limit, so many drawn at random."""
    config = catalog.resolve_config("mbxp", language)
    folder = directory / catalog.resolve_benchmark("mbxp").folder
    python = folder / catalog.resolve_config("mbxp", "python").file
    problems = {conversion.task_id(p.task_id, language): p for p in python_problems(python)}
    rows = {
        row["task_id"]: row
        for row in read_problems(folder / config.file)
        if row["canonical_solution"] and row["task_id"] in problems
    }
    if limit is not None and limit < len(rows):
        kept = {*random.Random(0).sample(sorted(rows), limit)}
        rows = {task: row for task, row in rows.items() if task in kept}
    found = Acceptance(language, len(rows))

    def results(programs: dict[str, Program]) -> dict[str, Result]:
        jobs = (Job(i, task, 0, programs[task]) for i, task in enumerate(programs))
        done: list[Result] = []
        run(executor, jobs, done.append, journal)
        return {result.task_id: result for result in done}

    official = results({t: assemble(r, r["canonical_solution"] or "") for t, r in rows.items()})
    passing = [task for task in rows if official[task].passed]
    found.official = len(passing)
    joined: dict[str, tuple[Program, Program]] = {}
    for task in passing:
        try:
            strict = conversion.convert(problems[task], language, "strict")
        except UnconvertibleError:
            found.unconvertible += 1
        else:
            joined[task] = _programs(rows[task], strict, problems[task])
    own = results({task: programs[0] for task, programs in joined.items()})
    failed = [task for task in joined if not own[task].passed]
    declared = results({task: joined[task][1] for task in failed})
    for task in failed:
        if not declared[task].passed:
            # The one that ran says more than the one that did not compile.
            ran = [each for each in (own[task], declared[task]) if each.stage == "run"]
            found.exceptions[task] = (ran or [own[task]])[0]
    found.strict = len(joined) - len(found.exceptions)
    return found


def _programs(
    official: Problem, strict: Problem, problem: PythonProblem
) -> tuple[Program, Program]:
    """The official row with the strict test, and the strict row with the official names."""
    language = strict["language"]
    names = {strict["entry_point"]: official["entry_point"]}
    test = _renamed(strict["test"], names)
    solution = official["canonical_solution"] or ""
    mine, theirs = (
        conversion.target(language, style).parameter_names(problem.parameters)
        for style in (
            "strict",
            "release" if language in conversion.languages("release") else "strict",
        )
    )
    names.update(zip(mine, theirs, strict=True))
    program = assemble({**official, "test": test}, solution)
    return program, replace(program, head=_renamed(strict["prompt"], names) + solution)


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\b\w+\b", lambda match: names.get(match[0], match[0]), text)


def first_line(result: Result) -> str:
    """The first line of what a program said when it failed."""
    lines = (result.stderr or result.stdout or result.detail).splitlines()
    said = [line.strip() for line in lines if line.strip()] or [""]
    named = [line for line in said if re.search(r"error|exception", line, re.IGNORECASE)]
    telling = [line for line in named if re.search(r"(error|exception).*\w", line, re.IGNORECASE)]
    # The place is that of a driver, and another on every machine.
    return re.sub(r" in \S+: eval.*", "", (telling + named + said)[0])[:160]


def reasons() -> dict[str, str]:
    """Why a task is an exception, by task."""
    found = {}
    for line in REASONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        prefix = catalog.resolve_config("mbxp", row["language"]).task_prefix
        found.update({f"{prefix}{number}": row["reason"] for number in row["tasks"]})
    return found


def report(found: Acceptance, known: dict[str, str]) -> Iterator[str]:
    """The lines to print for a language."""
    yield (
        f"{found.language:11} {found.solutions:9} {found.official:8} "
        f"{found.unconvertible:13} {found.strict:6} {len(found.exceptions):10}"
    )
    counts = Counter(known.get(task, "unexplained") for task in found.exceptions)
    for reason, count in counts.most_common():
        yield f"  {count} x {reason}"
        for task, result in found.exceptions.items():
            if known.get(task, "unexplained") == reason:
                yield f"    {task} {result.verdict.value}: {first_line(result)}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("-l", "--languages", default=",".join(LANGUAGES))
    parser.add_argument("--limit", type=int, help="so many solutions a language, drawn at random")
    parser.add_argument("--journal", type=Path, help="results known before, and where to keep them")
    chosen = parser.parse_args(arguments)
    languages = chosen.languages.split(",")
    known = reasons()
    print("language    solutions official unconvertible strict exceptions")
    with Executor(SETTINGS) as executor, tempfile.TemporaryDirectory() as temporary:
        path = chosen.journal or Path(temporary) / "journal.jsonl"
        tools = versions(executor.toolchains(languages))
        with open_journal(path, SETTINGS, tools) as journal:
            for language in languages:
                found = measure(language, chosen.directory, executor, journal, chosen.limit)
                print("\n".join(report(found, known)), flush=True)


if __name__ == "__main__":
    main()
