"""What the rows of i- are like, one line a config: `python -m mbxp_datasets.variants.statistics`.

The figures are those that table 3 of the paper is about: how many problems, how many masks, and
how many lines before, in and after them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from mbxp_datasets.catalog import BENCHMARKS, Config, UnknownConfigError
from mbxp_datasets.download import ReleaseError
from mbxp_datasets.problem import Problem, ProblemFormatError
from mbxp_datasets.release import load_problems
from mbxp_datasets.variants import Insertion, resolve_variant, variant_configs
from mbxp_datasets.variants.base import lines_of

COLUMNS = {
    "problems": "problems",
    "with_solution": "solved",
    "masked": "masked",
    "rows": "rows",
    "n": "lines",
    "m": "masked lines",
    "left": "left",
    "right": "right",
}
"""Titles of the figures in the table."""


def insertion_statistics(problems: Iterable[Problem], variant: Insertion) -> dict[str, Any]:
    """The figures of one config.

    Returns:
        problems, with_solution and masked (those with a row): how many; rows; and the means
        over rows of n (lines of a solution), m (masked lines), left and right (lines of the
        contexts, the prompt among the left one's), None without a row.
    """
    given = list(problems)
    rows = list(variant.rows(given))
    columns: dict[str, list[int]] = {
        "n": [row["n"] for row in rows],
        "m": [row["m"] for row in rows],
        "left": [len(lines_of(row["left_context"])) for row in rows],
        "right": [len(lines_of(row["right_context"])) for row in rows],
    }
    return {
        "problems": len(given),
        "with_solution": sum(each["canonical_solution"] is not None for each in given),
        "masked": len({row["original_task_id"] for row in rows}),
        "rows": len(rows),
        **{name: sum(each) / len(each) if each else None for name, each in columns.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 2 if a config or its data cannot be had."""
    parser = argparse.ArgumentParser(
        prog="python -m mbxp_datasets.variants.statistics", description=__doc__
    )
    parser.add_argument("configs", nargs="*", help="as in mbxp/mbjp; by default all with solutions")
    parser.add_argument("--data-dir", help="local copy of the release's data")
    parser.add_argument("--seed", type=int, default=0, help="of the masks")
    parser.add_argument("--json", action="store_true", help="print JSON, nothing else")
    options = parser.parse_args(arguments)
    try:
        found = {
            f"{config.benchmark}/i-{config.name}": insertion_statistics(
                load_problems(config.benchmark, config.name, options.data_dir),
                Insertion(seed=options.seed),
            )
            for config in _configs(options.configs)
        }
    except (UnknownConfigError, ReleaseError, ProblemFormatError, OSError) as error:
        print(f"statistics: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, indent=1) if options.json else "\n".join(_table(found)))
    return 0


def _configs(names: Sequence[str]) -> list[Config]:
    if not names:
        return [
            config
            for benchmark in BENCHMARKS.values()
            for config in variant_configs(benchmark, Insertion)
        ]
    chosen = []
    for name in names:
        benchmark, slash, config = name.partition("/")
        if not slash or benchmark.replace("-", "_") not in BENCHMARKS:
            raise UnknownConfigError(f"{name}: write benchmark/config, as in mbxp/mbjp")
        letter = "" if config.lower().startswith("i-") else "i-"
        found = resolve_variant(BENCHMARKS[benchmark.replace("-", "_")], letter + config)
        chosen.append(found[1])
    return chosen


def _table(found: dict[str, dict[str, Any]]) -> list[str]:
    width = max(map(len, found))
    lines = [" ".join([" " * width, *COLUMNS.values()])]
    for name, figures in found.items():
        cells = [
            (f"{figures[key]:.2f}" if isinstance(figures[key], float) else str(figures[key] or 0))
            .rjust(len(title))
            for key, title in COLUMNS.items()
        ]  # fmt: skip
        lines.append(" ".join([name.ljust(width), *cells]))
    return lines


if __name__ == "__main__":
    sys.exit(main())
