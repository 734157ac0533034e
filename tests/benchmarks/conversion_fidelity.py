"""How much of the release the converter reproduces byte for byte.

    python -m tests.benchmarks.conversion_fidelity DIRECTORY [-l LANGUAGE] [--show N]

DIRECTORY is laid out as the release's `data/`. Per benchmark and language: rows of the file,
rows whose prompt, test, both, entry point and description are exact, tasks that the converter
lacks or has too many, and the seconds it took.
"""

from __future__ import annotations

import argparse
import difflib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mbxp_datasets import catalog, conversion
from mbxp_datasets.problem import Problem, read_problems
from mbxp_datasets.sources.files import python_problems

FIELDS = ("prompt", "test", "entry_point", "description")


@dataclass(frozen=True)
class Fidelity:
    """One language of one benchmark, measured."""

    rows: dict[str, Problem]
    """The release's."""
    converted: dict[str, Problem]
    reasons: dict[str, str]
    """Why a task was not converted."""
    seconds: float

    @property
    def common(self) -> list[str]:
        return sorted(self.rows.keys() & self.converted.keys())

    @property
    def missing(self) -> list[str]:
        return sorted(self.rows.keys() - self.converted.keys())

    @property
    def extra(self) -> list[str]:
        return sorted(self.converted.keys() - self.rows.keys())

    def exact(self, *fields: str) -> int:
        """Rows of which all these fields are the release's, byte for byte."""
        return sum(not self.differing(task, fields) for task in self.common)

    def differing(self, task: str, fields: tuple[str, ...] = FIELDS) -> list[str]:
        return [f for f in fields if self.rows[task][f] != self.converted[task][f]]  # type: ignore[literal-required]


def configs(directory: Path) -> Iterator[tuple[catalog.Config, Path, Path]]:
    """Each config that is in the directory and can be converted: Python's file and its own."""
    for benchmark in catalog.BENCHMARKS.values():
        folder = directory / benchmark.folder
        python = folder / catalog.resolve_config(benchmark.name, "python").file
        for config in benchmark.configs.values():
            official = folder / config.file
            known = config.file and config.language in conversion.languages("release")
            if known and python.is_file() and official.is_file():
                yield config, python, official


def measure(config: catalog.Config, python: Path, official: Path) -> Fidelity:
    """Convert a whole Python file and hold it against the release's."""
    rows = {row["task_id"]: row for row in read_problems(official)}
    converted: dict[str, Problem] = {}
    reasons: dict[str, str] = {}
    start = time.perf_counter()
    for problem in python_problems(python):
        try:
            row = conversion.convert(problem, config.language, "release")
            converted[row["task_id"]] = row
        except conversion.UnconvertibleError as error:
            reasons[conversion.task_id(problem.task_id, config.language)] = str(error)
    return Fidelity(rows, converted, reasons, time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("-l", "--language", action="append")
    parser.add_argument("--show", type=int, default=0, help="print so many differences each")
    arguments = parser.parse_args()
    columns = "benchmark       language    rows prompt   test   both  entry  descr"
    print(f"{columns}  both %  -/+ tasks  seconds")
    for config, python, official in configs(arguments.directory):
        if arguments.language and config.language not in arguments.language:
            continue
        found = measure(config, python, official)
        for line in _differences(found, arguments.show):
            print(line)
        counts = [found.exact("prompt"), found.exact("test"), found.exact("prompt", "test")]
        counts += [found.exact("entry_point"), found.exact("description")]
        share = 100 * counts[2] / max(1, len(found.rows))
        print(
            f"{config.benchmark:15} {config.language:11} {len(found.rows):4} "
            + " ".join(f"{count:6}" for count in counts)
            + f" {share:7.2f}  -{len(found.missing)}/+{len(found.extra)}  {found.seconds:.1f}",
            flush=True,
        )


def _differences(found: Fidelity, show: int) -> Iterator[str]:
    for task in [task for task in found.common if found.differing(task)][:show]:
        yield f"--- {task}: {', '.join(found.differing(task))}"
        for field in found.differing(task):
            left = found.rows[task][field].splitlines()  # type: ignore[literal-required]
            right = found.converted[task][field].splitlines()  # type: ignore[literal-required]
            lines = difflib.unified_diff(left, right, "official", "converted", "", "", n=0)
            yield from (repr(line) for line in list(lines)[2:14])
    yield from (f"missing {task}: {found.reasons.get(task)}" for task in found.missing[:show])
    yield from (f"extra {task}" for task in found.extra[:show])


if __name__ == "__main__":
    main()
