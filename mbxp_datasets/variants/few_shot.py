"""Few-shot prompts: solved problems of a config stand before the one that is asked for.

After section 4.4 and appendix G of the paper: three problems of the benchmark with solutions
that pass, four for MathQA. They are no tasks any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.solutions import known_to_fail

SHOTS = 3
SHOTS_BY_BENCHMARK: Mapping[str, int] = {"mathqa_x": 4}
"""How many the paper takes where it is not `SHOTS`."""

AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


def few_shot_examples(
    rows: Iterable[AnyRow], shots: int, solutions: Mapping[str, str] | None = None
) -> list[AnyRow]:
    """The first rows, in their order, whose canonical solution is not known to fail.

    The same rows for the same data, so that their ids are fixed. A translation without a
    source is none.

    Args:
        rows: of one config, or of a variant's that has whole solutions (not i- or s-).
        shots: how many.
        solutions: by task id, in place of the rows' own.

    Raises:
        ValueError: there are too few.
    """
    found: list[AnyRow] = []
    for row in rows:
        solution = (solutions or {}).get(row["task_id"], row["canonical_solution"])
        if len(found) == shots:
            break
        solved = cast("AnyRow", {**row, "canonical_solution": solution})
        if solution is not None and row.get("has_source", True) and not _fails(solved):
            found.append(solved)
    if len(found) < shots:
        raise ValueError(f"{shots} solved problems are needed, but there are {len(found)}")
    return found


def shot(row: Mapping[str, Any]) -> str:
    """A solved row as it stands before others: as in the data set, then a blank line."""
    text = f"{row['prompt']}{row['canonical_solution']}"
    return text.rstrip("\n") + "\n\n"


def head_of(row: Mapping[str, Any]) -> str:
    """What a program of the row begins with: of a translation the source is no part."""
    return str(row["target_prompt"] if "target_prompt" in row else row["prompt"])


def _fails(row: Mapping[str, Any]) -> bool:
    return known_to_fail(cast("Problem", row))
