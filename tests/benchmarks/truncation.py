"""What models write on after a solution: does truncation give the solution back?

    python -m tests.benchmarks.truncation path/to/data [--languages go,scala] [--limit 50] [--run]
        [--results path/to/results.jsonl]

The directory is laid out as the release's `data/`. Per language of MBXP: its canonical solutions
(where the release has none, the first example sample of each problem) are each followed by the
ten tails of `tests/completions/tails.py` and truncated. A case is good if what comes back is the
solution, blanks at the end apart: an equal text has an equal verdict. With --run, solutions with
other cases are executed: one that does not pass itself is set apart, with its cases; of one that
passes, the cases that differ are executed too, and one that passes is good as well.

The example samples are a model's: many do not pass, and those that are not closed have no end to
be found. With --results, what `mbxp score examples/*.jsonl -o DIR` wrote to DIR/results.jsonl,
only those that pass stand in for solutions.

Then the release's example samples: those whose text changes when they are truncated as they are.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbxp_datasets import catalog, read_problems
from mbxp_metric.completions import truncate
from mbxp_metric.execution import Executor, Job, Settings, assemble
from mbxp_metric.samples import read_samples
from tests.completions.tails import tails

_LANGUAGES = tuple(
    each.language for each in catalog.BENCHMARKS["mbxp"].configs.values() if each.file
)
Case = tuple[str, str]
"""A task and a tail."""


@dataclass
class Truncation:
    """One language, measured."""

    language: str
    kind: str
    solutions: int = 0
    equal: int = 0
    """Cases that came back with the same text."""
    others: dict[Case, str] = field(default_factory=dict)
    """What came back of the other cases."""
    failing: set[str] = field(default_factory=set)
    """Tasks of other cases whose solution does not pass itself, if they were executed."""
    same: set[Case] = field(default_factory=set)
    """Other cases that passed all the same."""

    @property
    def lost(self) -> list[Case]:
        """The cases that are not good."""
        return [
            case for case in self.others if case not in self.same and case[0] not in self.failing
        ]

    @property
    def share(self) -> float:
        """Good cases, of those of solutions that pass."""
        good = self.equal + len(self.same)
        good -= sum(len(tails(self.language)) for _ in self.failing)
        good += sum(case[0] in self.failing for case in self.others)
        return good / max(1, good + len(self.lost))


def measure(
    language: str,
    rows: dict[str, dict[str, Any]],
    solutions: dict[str, str],
    kind: str,
    executor: Executor | None = None,
) -> Truncation:
    """Truncate each solution behind each tail; with an executor, execute what differs."""
    found = Truncation(language, kind, len(solutions))
    for task, solution in solutions.items():
        for name, tail in tails(language).items():
            cut = truncate(solution.rstrip("\n") + tail, rows[task])
            if cut.rstrip() == solution.rstrip():
                found.equal += 1
            else:
                found.others[task, name] = cut
    if executor is not None and found.others:
        tasks = {task: solutions[task] for task, _ in found.others}
        passing = set(_passing(executor, rows, {(task, ""): text for task, text in tasks.items()}))
        found.failing = {task for task in tasks if (task, "") not in passing}
        unclear = {case: text for case, text in found.others.items() if (case[0], "") in passing}
        found.same = set(_passing(executor, rows, unclear))
    return found


def _passing(
    executor: Executor, rows: dict[str, dict[str, Any]], texts: dict[Case, str]
) -> Iterator[Case]:
    cases = list(texts)
    jobs = (
        Job(number, case[0], number, assemble(rows[case[0]], texts[case]))
        for number, case in enumerate(cases)
    )
    for result in executor.execute(jobs):
        if result.passed:
            yield cases[result.index]


def passing_tasks(results: Path) -> set[str]:
    """The tasks of which a sample passed, as `mbxp score` wrote it down."""
    with open(results, encoding="utf-8") as file:
        return {row["task_id"] for row in map(json.loads, file) if row["verdict"] == "PASSED"}


def changed(rows: dict[str, dict[str, Any]], samples: Iterable[tuple[str, str]]) -> list[str]:
    """The tasks whose sample truncation does not leave as it is."""
    return [task for task, text in samples if truncate(text, rows[task]) != text]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("-l", "--languages", default=",".join(_LANGUAGES))
    parser.add_argument("--limit", type=int, help="so many solutions a language, the first")
    parser.add_argument("--run", action="store_true", help="execute the cases that differ")
    parser.add_argument("--results", type=Path, help="verdicts of the example samples")
    chosen = parser.parse_args(arguments)
    passed = passing_tasks(chosen.results) if chosen.results else None
    folder = chosen.directory / catalog.resolve_benchmark("mbxp").folder
    print(
        "language    of        solutions  cases  equal  failing same lost  good %  samples changed"
    )
    for language in chosen.languages.split(","):
        config = catalog.resolve_config("mbxp", language)
        rows: dict[str, dict[str, Any]] = {
            row["task_id"]: dict(row) for row in read_problems(folder / config.file)
        }
        examples = folder / "examples" / f"{config.name}_samples.jsonl"
        samples = [(str(row.task_id), row.completions[0]) for row in read_samples(examples)]
        samples = [(task, text) for task, text in samples if task in rows]
        solutions = {t: r["canonical_solution"] for t, r in rows.items() if r["canonical_solution"]}
        kind = "canonical" if solutions else "examples"
        solutions = solutions or {
            task: text for task, text in reversed(samples) if passed is None or task in passed
        }
        solutions = dict(list(solutions.items())[: chosen.limit])
        if chosen.run:
            with Executor(Settings(workers=1)) as executor:
                found = measure(language, rows, solutions, kind, executor)
        else:
            found = measure(language, rows, solutions, kind)
        other = changed(rows, samples)
        print(
            f"{language:11} {kind:10} {found.solutions:8} {found.equal + len(found.others):6} "
            f"{found.equal:6} {len(found.failing):8} {len(found.same):4} {len(found.lost):4} "
            f"{100 * found.share:7.2f}  {len(other)} of {len(samples)} {' '.join(other)}",
            flush=True,
        )
        for name, count in Counter(case[1] for case in found.lost).items():
            some = [task for task, tail in found.lost if tail == name][:12]
            print(f"    {count} x {name}: {' '.join(some)}")


if __name__ == "__main__":
    main()
