"""s-: what a program without natural language does is to be said in words.

After section 4.7 and appendix L of the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.base import Row, Variant, checked_at_least, generator
from mbxp_datasets.variants.comments import LINE_COMMENTS, without_natural_language
from mbxp_datasets.variants.solutions import passing

OPENING = "The above code writes"
_WRITE_A = re.compile(r"^\s*write\s+(?=an?\b)", re.IGNORECASE)
_EXAMPLES = re.compile(r"^\s*>", re.MULTILINE)


@dataclass(frozen=True)
class Summarization(Variant):
    """Signature and solution without comments and docstrings, then the begin of a summary.

    `target` is the problem's description as it is. Each example before the code is another
    problem of the same config, with its description, without the examples in it, on one line.
    """

    shots: int = 0
    """How many pairs of code and summary stand before the code; the paper takes 3."""
    seed: int = 0
    """Of the choice of these pairs."""

    letter: ClassVar[str] = "s"
    title: ClassVar[str] = "summarization"
    columns: ClassVar[dict[str, str]] = {"code": "string", "target": "string"}

    def __post_init__(self) -> None:
        checked_at_least("shots", self.shots, 0)

    def rows(self, problems: Iterable[Problem]) -> Iterator[Row]:
        """The rows; with `shots`, all problems are read before the first.

        Raises:
            ValueError: there are too few problems for so many shots.
        """
        # Without a description there is nothing to say.
        solved: Iterable[Problem] = (
            problem for problem in passing(problems) if problem["description"].strip()
        )
        pool: list[Problem] = []
        if self.shots:
            solved = list(solved)
            if len(solved) <= self.shots:
                raise ValueError(
                    f"shots={self.shots} needs as many other problems with a solution, but "
                    f"there are {max(0, len(solved) - 1)}"
                )
            # One more than needed, since a problem is no example of itself.
            pool = generator(self.seed, solved[0]["language"]).sample(solved, self.shots + 1)
        for problem in solved:
            yield self._row(problem, [each for each in pool if each is not problem][: self.shots])

    def _row(self, problem: Problem, examples: Sequence[Problem]) -> Row:
        mark = LINE_COMMENTS[problem["language"]]
        shown = [f"{_code(each)}{mark} {OPENING} {summary(each)}\n\n" for each in examples]
        code = _code(problem)
        return {
            **problem,
            "variant": self.letter,
            "prompt": "".join(shown) + f"{code}{mark} {OPENING} a",
            "code": code,
            "target": problem["description"],
        }


def summary(problem: Problem) -> str:
    """A description as one line that continues the opening: what is written, without "write"."""
    text = problem["description"]
    examples = _EXAMPLES.search(text)
    if examples is not None and text[: examples.start()].strip():
        text = text[: examples.start()]
    return " ".join(_WRITE_A.sub("", text).split())


def _code(problem: Problem) -> str:
    program = problem["prompt"] + (problem["canonical_solution"] or "")
    code = without_natural_language(program, problem["language"])
    return code if code.endswith("\n") else code + "\n"
