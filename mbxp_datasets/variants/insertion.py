"""i-: some lines of a solution are masked and have to be written between the others.

After section 4.6 and appendix K.1 of the paper. `left_context + masked_lines + right_context`
is `prompt + canonical_solution` of the problem, byte for byte, whatever the options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.base import Row, Variant, checked_at_least, generator, lines_of
from mbxp_datasets.variants.solutions import passing

MOST_MASKED = 8
_DRAWS = ((5, 1), (12, 2))
"""For solutions of fewer lines than the first number, how many masks are drawn; else three."""
_MOST_DRAWS = 3


@dataclass(frozen=True)
class Insertion(Variant):
    """Masks of one to eight consecutive lines of the solutions of two lines and more.

    Lines are counted from the first to the last that is not blank; at least one of them is
    left and at least one masked line is not blank. In a row `prompt` is the left context and
    `canonical_solution` the masked lines, so that a completion is what was masked.
    """

    seed: int = 0
    """Of the draws."""
    right_context_lines: int | None = None
    """How many lines of the right context a model is shown; None for all of them."""
    left_to_right: bool = False
    """The baseline: all from the mask on is written, so that the right context is empty and
    `canonical_solution` the masked lines with what follows them. Such a row is completed like
    a problem, and its `variant` is None."""

    letter: ClassVar[str] = "i"
    title: ClassVar[str] = "insertion"
    columns: ClassVar[dict[str, str]] = {
        "original_task_id": "string",
        "left_context": "string",
        "masked_lines": "string",
        "right_context": "string",
        "shown_right_context": "string",
        "n": "int32",
        "m": "int32",
        "left_to_right": "bool",
    }

    def __post_init__(self) -> None:
        checked_at_least("right_context_lines", self.right_context_lines, 0)

    def rows(self, problems: Iterable[Problem]) -> Iterator[Row]:
        for problem in passing(problems):
            for number, (start, m) in enumerate(self._masks(problem)):
                yield self._row(problem, number, start, m)

    def _masks(self, problem: Problem) -> list[tuple[int, int]]:
        """First line and number of lines of each mask, in the order of the solution."""
        lines = _lines(problem)
        first, end = _body(lines)
        n = end - first
        if n < 2:
            return []
        draw = generator(self.seed, problem["language"], problem["task_id"])
        found = set()
        for _ in range(draws(n)):
            m = draw.randint(1, min(MOST_MASKED, n - 1))
            starts = [
                start
                for start in range(first, end - m + 1)
                if any(line.strip() for line in lines[start : start + m])
            ]
            found.add((draw.choice(starts), m))
        return sorted(found)

    def _row(self, problem: Problem, number: int, start: int, m: int) -> Row:
        lines = _lines(problem)
        first, end = _body(lines)
        left = problem["prompt"] + "".join(lines[:start])
        masked = "".join(lines[start : start + m])
        right, following = lines[start + m :], ""
        if self.left_to_right:
            right, following = [], "".join(right)
        return {
            **problem,
            "variant": None if self.left_to_right else self.letter,
            "task_id": f"{problem['task_id']}/i{number}",
            "prompt": left,
            "canonical_solution": masked + following,
            "original_task_id": problem["task_id"],
            "left_context": left,
            "masked_lines": masked,
            "right_context": "".join(right),
            "shown_right_context": "".join(right[: self.right_context_lines]),
            "n": end - first,
            "m": m,
            "left_to_right": self.left_to_right,
        }


def draws(n: int) -> int:
    """How many masks are drawn for a solution of n lines, before duplicates are removed."""
    return next((count for below, count in _DRAWS if n < below), _MOST_DRAWS)


def without_overlap(inserted: str, right_context: str) -> str:
    """What a model inserted, up to where it goes on with the right context.

    It ends before the first copy of the whole right context, which ends the program, and
    else before two lines and more at its end that the right context begins with. One line
    alone proves nothing, since a solution may repeat one: it counts only if it is the whole
    right context and no line before it is less indented. White space at the end of a line and
    blank lines at the end of the right context are no matter.
    """
    lines = lines_of(inserted)
    written = [line.rstrip() for line in lines]
    following = [line.rstrip() for line in lines_of(right_context)]
    while following and not following[-1]:
        following.pop()
    for start in range(len(written)):
        end = start + len(following)
        if following and written[start:end] == following and _proves(written[:start], following):
            return "".join(lines[:start])
    for count in range(min(len(written), len(following)), 1, -1):
        if written[-count:] == following[:count] and sum(map(bool, following[:count])) > 1:
            return "".join(lines[:-count])
    return inserted


def _proves(before: list[str], following: list[str]) -> bool:
    """Whether a copy of the whole right context, after these lines, ends the program."""
    filled = [line for line in following if line]
    shallow = min(map(_indentation, filled))
    return len(filled) > 1 or all(_indentation(line) >= shallow for line in before if line)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lines(problem: Problem) -> list[str]:
    return lines_of(problem["canonical_solution"] or "")


def _body(lines: list[str]) -> tuple[int, int]:
    """The first line that is not blank, and the one after the last."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return (filled[0], filled[-1] + 1) if filled else (0, 0)
