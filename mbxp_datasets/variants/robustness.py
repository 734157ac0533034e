"""r-: the words of the docstring are changed, and nothing that a program depends on.

After section 4.5 and appendix J of the paper. A split of its own holds the rows of each
perturbation, and the split `nominal` the unchanged ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbxp_datasets.catalog import Config
from mbxp_datasets.problem import Problem
from mbxp_datasets.variants import wordnet
from mbxp_datasets.variants.back_translation import MODELS, RoundTrip, back_translated
from mbxp_datasets.variants.base import Row, Variant, checked_at_least, generator
from mbxp_datasets.variants.formats import FORMAT_CHANGES
from mbxp_datasets.variants.prose import prose_words
from mbxp_datasets.variants.word_changes import NEEDS_WORDNET, WORD_CHANGES

NOMINAL = "nominal"
BACK_TRANSLATION = "back_translation"
PERTURBATIONS = (*WORD_CHANGES, BACK_TRANSLATION, *FORMAT_CHANGES)
"""The names of the splits beside it: words of the prose are other, or the layout is."""


@dataclass(frozen=True)
class Robustness(Variant):
    """Each prompt as it is and with its prose perturbed; signature and examples stay."""

    seed: int = 0
    """Of the changes; each task has numbers of its own. Of translations it is the rank."""
    perturbations: tuple[str, ...] = ("case",)
    """Which splits there are beside `nominal`."""
    case_share: float = 0.35
    """The chance of each letter to change its case; ReCode's."""
    letter_share: float = 0.05
    """The chance of each letter to be mistyped or swapped with the next; ReCode's."""
    word_share: float = 0.5
    """The chance of each word with synonyms to be replaced or followed by one."""
    wordnet: str = wordnet.FOLDER
    """The folder of WordNet's database files, for `synonyms` and `word_insertion`."""
    translation_models: tuple[str, str] = MODELS
    """For `back_translation`: from English and back, as Hub ids or folders."""
    batch_size: int = 16
    """Of sentences that these models translate at once."""
    keep_code_words: bool = True
    """Whether quoted words, names of the signature and reserved words stay as they are."""

    letter: ClassVar[str] = "r"
    title: ClassVar[str] = "robustness"
    columns: ClassVar[dict[str, str]] = {
        "perturbation": "string",
        "nominal_prompt": "string",
        "changed_words": "int32",
    }
    needs_solutions: ClassVar[bool] = False

    def __post_init__(self) -> None:
        given = self.perturbations
        names = (given,) if isinstance(given, str) else tuple(given)
        for name in names:
            if name not in PERTURBATIONS:
                raise ValueError(
                    f"perturbations={name!r} is unknown; there are {', '.join(PERTURBATIONS)}"
                )
        object.__setattr__(self, "perturbations", tuple(dict.fromkeys(names)))
        pair = self.translation_models
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"translation_models={pair!r} must be two models, there and back")
        object.__setattr__(self, "translation_models", (str(pair[0]), str(pair[1])))
        checked_at_least("batch_size", self.batch_size, 1)
        for name in ("case_share", "letter_share", "word_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)!r} must be from 0 to 1")
        if NEEDS_WORDNET & set(self.perturbations):
            wordnet.opened(self.wordnet)
        if BACK_TRANSLATION in self.perturbations:
            self._trip.require()

    @classmethod
    def available(cls, config: Config) -> bool:
        return True

    @property
    def files_read(self) -> list[str]:
        return wordnet.files(self.wordnet) if NEEDS_WORDNET & set(self.perturbations) else []

    @property
    def splits(self) -> tuple[str, ...]:
        return (NOMINAL, *self.perturbations)

    def split_rows(self, problems: Iterable[Problem], split: str) -> Iterator[Row]:
        if split == BACK_TRANSLATION:
            return self._back_translated(problems)
        return (self._row(problem, split) for problem in problems)

    def rows(self, problems: Iterable[Problem]) -> Iterator[Row]:
        for problem in problems:
            for split in self.splits:
                yield from self.split_rows([problem], split)

    @property
    def _trip(self) -> RoundTrip:
        return RoundTrip(self.translation_models, self.seed, self.batch_size)

    def _back_translated(self, problems: Iterable[Problem]) -> Iterator[Row]:
        """All sentences go through the models before the first row is there."""
        given = list(problems)
        prompts = back_translated(given, self._trip, self.keep_code_words)
        for problem, (prompt, changed) in zip(given, prompts, strict=True):
            solution = problem["canonical_solution"]
            yield self._made(problem, BACK_TRANSLATION, prompt, solution, changed)

    def _row(self, problem: Problem, split: str) -> Row:
        prompt, solution, changed = problem["prompt"], problem["canonical_solution"], 0
        draw = generator(self.seed, split, problem["language"], problem["task_id"])
        if split in FORMAT_CHANGES:
            prompt, solution, changed = FORMAT_CHANGES[split](problem, draw)
        elif split != NOMINAL:
            change = WORD_CHANGES[split]
            pieces, at = [], 0
            for start, end in prose_words(problem, self.keep_code_words):
                word = prompt[start:end]
                other = change(self, word, _word_before(prompt, start), draw)
                pieces += [prompt[at:start], other]
                at = end
                changed += other != word
            prompt = "".join([*pieces, prompt[at:]])
        return self._made(problem, split, prompt, solution, changed)

    def _made(
        self, problem: Problem, split: str, prompt: str, solution: str | None, changed: int
    ) -> Row:
        return {
            **problem,
            "variant": self.letter,
            "prompt": prompt,
            "canonical_solution": solution,
            "perturbation": split,
            "nominal_prompt": problem["prompt"],
            "changed_words": changed,
        }


def _word_before(prompt: str, start: int) -> str:
    """The word of the same line before a word, in lower case; empty if something is between."""
    before = re.search(r"([A-Za-z]+)[ ]+$", prompt[max(0, start - 40) : start])
    return before[1].lower() if before else ""
