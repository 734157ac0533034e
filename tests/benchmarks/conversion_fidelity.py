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
from pathlib import Path

from mbxp_datasets import catalog, conversion
from mbxp_datasets.problem import Problem, read_problems
from mbxp_datasets.sources.files import python_problems

_FIELDS = ("prompt", "test", "entry_point", "description")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("-l", "--language", action="append")
    parser.add_argument("--show", type=int, default=0, help="print so many differences each")
    arguments = parser.parse_args()
    print(
        "benchmark       language    rows prompt   test   both  entry  descr  both %  -/+ tasks  s"
    )
    for benchmark in catalog.BENCHMARKS.values():
        folder = arguments.directory / benchmark.folder
        python = folder / benchmark.configs[benchmark.aliases.get("python", "python")].file
        for config in benchmark.configs.values():
            if config.language == "python" or not (folder / config.file).is_file():
                continue
            if arguments.language and config.language not in arguments.language:
                continue
            if config.language not in conversion.languages("release") or not config.file:
                continue
            print(_line(config, python, folder / config.file, arguments.show), flush=True)


def _line(config: catalog.Config, python: Path, official: Path, show: int) -> str:
    rows = {row["task_id"]: row for row in read_problems(official)}
    start = time.perf_counter()
    converted: dict[str, Problem] = {}
    reasons: dict[str, str] = {}
    for problem in python_problems(python):
        found = next(conversion.convert_all([problem], config.language, "release"))
        if isinstance(found, conversion.UnconvertibleError):
            reasons[conversion.task_id(problem.task_id, config.language)] = str(found)
        else:
            converted[found["task_id"]] = found
    seconds = time.perf_counter() - start
    common = rows.keys() & converted.keys()
    exact = {field: sum(_same(rows[i], converted[i], field) for i in common) for field in _FIELDS}
    both = [i for i in common if all(_same(rows[i], converted[i], f) for f in _FIELDS[:2])]
    missing = sorted(rows.keys() - converted.keys())
    extra = sorted(converted.keys() - rows.keys())
    for shown in _differences(rows, converted, show):
        print(shown)
    for task in missing[:show]:
        print(f"missing {task}: {reasons.get(task)}")
    if show and extra:
        print(f"extra {' '.join(extra)}")
    share = 100 * len(both) / len(rows) if rows else 0
    return (
        f"{config.benchmark:15} {config.language:11} {len(rows):4} {exact['prompt']:6} "
        f"{exact['test']:6} {len(both):6} {exact['entry_point']:6} {exact['description']:6} "
        f"{share:7.2f}  -{len(missing)}/+{len(extra)}  {seconds:.1f}"
    )


def _same(official: Problem, converted: Problem, field: str) -> bool:
    return bool(official[field] == converted[field])  # type: ignore[literal-required]


def _differences(
    rows: dict[str, Problem], converted: dict[str, Problem], show: int
) -> Iterator[str]:
    for task in sorted(rows.keys() & converted.keys()):
        fields = [f for f in _FIELDS if not _same(rows[task], converted[task], f)]
        if fields and show > 0:
            show -= 1
            yield f"--- {task}: {', '.join(fields)}"
            for field in fields:
                left = rows[task][field].splitlines()  # type: ignore[literal-required]
                right = converted[task][field].splitlines()  # type: ignore[literal-required]
                lines = difflib.unified_diff(left, right, "official", "converted", "", "", n=0)
                yield from (repr(line) for line in list(lines)[2:14])


if __name__ == "__main__":
    main()
