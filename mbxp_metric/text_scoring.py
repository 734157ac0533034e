"""Scoring summaries in sample files: they are compared with the descriptions, nothing runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbxp_datasets import __version__
from mbxp_datasets.extras import MissingExtraError
from mbxp_metric.bleu import mean_bleu, smoothed_bleu
from mbxp_metric.chrf import chrf_version, corpus_chrf
from mbxp_metric.completions import strip_special_tokens
from mbxp_metric.problem_sets import ProblemIndex, ProblemSet
from mbxp_metric.samples import SampleFormatError, SampleRow, read_samples
from mbxp_metric.variant_sets import letter_of, variant_columns
from mbxp_metric.writing import replacing

FIRST_LINE, OFF = "line", "off"


def is_text_set(name: str) -> bool:
    """Whether problems are summaries: by their name, `s-mbjp`, or by the rows of a file.

    Raises:
        ProblemFormatError, OSError: the file cannot be read.
    """
    if not Path(name).is_file():
        return letter_of(name) == "s"
    return any(row["variant"] == "s" for row in variant_columns(name).values())


@dataclass
class _Group:
    """The summaries of one file for the problems of one set in one language."""

    file: str
    problems: ProblemSet
    language: str
    samples: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)


class TextScoring:
    """The summaries of some files, compared with their targets when it is made.

    Of a completion the first line that is not blank counts, as a comment ends with its line;
    with `whole` all of it, as always of a chat model's answer.

    Raises:
        SampleFormatError: a row cannot be used, or names a problem that there is not.
        OSError: a file cannot be read.
    """

    def __init__(
        self,
        files: Sequence[str | os.PathLike[str]],
        problems: ProblemIndex,
        limit: int | None = None,
        whole: bool = False,
    ) -> None:
        self._problems = problems
        self._limit = limit
        self._whole = whole
        self._groups: dict[tuple[str, str, str], _Group] = {}
        self._results: list[dict[str, Any]] = []
        for file in dict.fromkeys(os.fspath(file) for file in files):
            empty = True
            for row in read_samples(file):
                empty = False
                self._add(file, row)
            if empty:
                raise SampleFormatError(f"{file}: there are no samples in it")

    def scores(self) -> tuple[list[dict[str, Any]], list[str]]:
        """The scores of each file and language, and a line for what is absent."""
        notes: list[str] = []
        try:
            chrf = chrf_version()
        except MissingExtraError as error:
            chrf = "off"
            notes.append(f"chrF is absent: {error}")
        rows = []
        for group in self._groups.values():
            total = group.problems.sizes[group.language]
            numbers: dict[str, Any] = {"bleu": mean_bleu(group.pairs)}
            if chrf != "off":
                numbers["chrf"] = corpus_chrf(group.pairs)
            numbers["n_problems"] = len(group.samples)
            numbers["n_samples"] = len(group.pairs)
            numbers["coverage"] = len(group.samples) / total if total else 0.0
            about = {
                "file": group.file,
                "problems": group.problems.name,
                "language": group.language,
            }
            rows.append({**about, **numbers, "signature": self._signature(group, chrf)})
        return rows, notes

    def write_results(self, path: str | os.PathLike[str]) -> None:
        """Write one row a sample in the order of the input, with its own BLEU from 0 to 100."""
        with replacing(path) as file:
            for row in self._results:
                file.write(json.dumps(row) + "\n")

    def _add(self, file: str, row: SampleRow) -> None:
        found = self._problems.find(row)
        if found is None:
            raise SampleFormatError(
                f"{row.where} has task_id {row.task_id!r}, which is not among the problems; "
                "name the right ones by --problems"
            )
        problems, problem = found
        language, task_id = problem["language"].lower(), problem["task_id"]
        key = file, problems.name, language
        group = self._groups.setdefault(key, _Group(file, problems, language))
        full = self._limit is not None and len(group.samples) >= self._limit
        if full and task_id not in group.samples:
            return
        target = str(problem.get("target"))
        for text in row.completions:
            number = group.samples.get(task_id, 0)
            group.samples[task_id] = number + 1
            summary = summary_of(text, self._whole or row.is_answer)
            group.pairs.append((summary, target))
            self._results.append(
                {
                    "source": row.where,
                    "problems": problems.name,
                    "task_id": task_id,
                    "language": language,
                    "sample": number,
                    "answer" if row.is_answer else "completion": text,
                    "summary": summary,
                    "target": target,
                    "bleu": 100 * smoothed_bleu(summary, target),
                }
            )

    def _signature(self, group: _Group, chrf: str) -> str:
        counts = sorted(set(group.samples.values()))
        n = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
        pairs = [
            ("data", group.problems.revision),
            ("n", n),
            ("trunc", OFF if self._whole else FIRST_LINE),
            ("bleu", "codexglue"),
            ("chrf", f"sacrebleu-{chrf}" if chrf != "off" else chrf),
            ("v", __version__),
        ]
        return "|".join([group.problems.name, *(f"{name}:{value}" for name, value in pairs)])


def summary_of(text: str, whole: bool = False) -> str:
    """What of a model's text is its summary: the first line that is not blank, or all of it."""
    text = strip_special_tokens(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines if whole else lines[:1])
