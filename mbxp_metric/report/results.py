"""Reading what `mbxp score --out` wrote: counts are held, texts stay on disk until asked for."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbxp_datasets import ProblemFormatError
from mbxp_datasets.catalog import config_of_task
from mbxp_datasets.problem import read_rows
from mbxp_metric.execution import Verdict

LETTERS = {
    Verdict.PASSED: "P",
    Verdict.WRONG_ANSWER: "W",
    Verdict.COMPILE_ERROR: "C",
    Verdict.RUNTIME_ERROR: "R",
    Verdict.TIMEOUT: "T",
    Verdict.OUT_OF_MEMORY: "M",
    Verdict.EARLY_EXIT: "E",
    Verdict.INFRA_ERROR: "I",
}
"""One letter a sample is how the verdicts of a problem are held."""

PROBLEMS_FILE = "problems.jsonl"
"""Beside the results: the problems that they are of."""

PLAIN = "plain"
_VARIANTS = ("t", "r", "i", "s")


class ResultsFormatError(ValueError):
    """A directory of results that cannot be reported; the message names it and the remedy."""


@dataclass
class Score:
    """The results of one model in one setting, for one problem set in one language."""

    model: str
    setting: str
    """`plain`, `few-shot`, or a variant: `t-`, `r-case`, `i-`, `s-`, `t- few-shot`."""
    language: str
    row: Mapping[str, Any]
    """What scores.json says of it."""
    directory: Path
    generation: Mapping[str, Any]
    """The generation.json beside its samples; empty without one."""
    benchmark: str = ""
    outcomes: dict[str, str] = field(default_factory=dict)
    """The letters of each problem's verdicts, by task id, in the order of the samples."""
    offsets: dict[str, list[int]] = field(default_factory=dict)
    """Where in results.jsonl each problem's samples are, in the same order."""

    @property
    def problems(self) -> str:
        """The name of its problem set, as in `mbxp/mbkp`."""
        return str(self.row["problems"])

    @property
    def withheld(self) -> int:
        """Samples that could not be executed; with any there is no score."""
        return int(self.row.get("infra_errors", 0))

    @property
    def coverage(self) -> float:
        """The share of the set's problems that there are samples for."""
        return float(self.row.get("coverage", 1.0))

    @property
    def ks(self) -> list[int]:
        """The `k` that scores.json has a pass@k for."""
        names = [name.removeprefix("pass@") for name in self.row if name.startswith("pass@")]
        return sorted(int(name) for name in names if name.isdecimal())

    @property
    def signature(self) -> dict[str, str]:
        """The parts of its signature by name; the first is `problems`."""
        first, *rest = str(self.row.get("signature", "")).split("|")
        parts = (part.partition(":") for part in rest)
        return {"problems": first, **{name: value for name, _, value in parts}}

    @property
    def name(self) -> str:
        """Model and setting, for headings."""
        return self.model if self.setting == PLAIN else f"{self.model} ({self.setting})"


def read_results(
    directories: Sequence[str | os.PathLike[str]],
    names: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> list[Score]:
    """The scores of some directories that `mbxp score --out` wrote.

    `names` of models and `settings` are one a directory; without, they are told by the
    generation that scores.json records, by the problem set, or by the directory's name.

    Raises:
        ResultsFormatError: a directory is no finished run, is damaged, or two hold the same.
        OSError: a file cannot be read.
    """
    for given, what in ((names, "--name"), (settings, "--setting")):
        if given and len(given) != len(directories):
            raise ResultsFormatError(
                f"{what} is given {len(given)} time(s) for {len(directories)} directories; "
                "give it once for each, in their order, or not at all"
            )
    scores: list[Score] = []
    for number, directory in enumerate(directories):
        name = names[number] if names else None
        setting = settings[number] if settings else None
        scores += _read_directory(Path(directory), name, setting)
    seen: dict[tuple[str, ...], Score] = {}
    for score in scores:
        key = _key_of(score)
        if key in seen:
            raise ResultsFormatError(
                f"{score.directory} and {seen[key].directory} both hold {score.benchmark} "
                f"({score.language}) of {score.name}; tell them apart by --name or --setting"
            )
        seen[key] = score
    return scores


def _read_directory(directory: Path, name: str | None, setting: str | None) -> list[Score]:
    report = _report(directory)
    rows = report["scores"]
    scores = []
    for row in rows:
        generation = _generation_of(row["file"], report)
        model = name or str(generation.get("model") or directory.resolve().name)
        scores.append(Score(model, "", row["language"], row, directory, generation))
    _count(directory, scores)
    problems = problem_rows(directory)
    for score in scores:
        first = next(iter(score.outcomes), "")
        row = problems.get((score.language, first), {})
        score.setting = setting or setting_of(score.problems, score.generation, row)
        score.benchmark = _benchmark_of(score.problems, score.language, first)
    # Two files of one model for the same problems are told apart by their names.
    several = Counter(map(_key_of, scores))
    for score in scores:
        if several[_key_of(score)] > 1:
            score.model += f"/{Path(score.row['file']).name.partition('.')[0]}"
    return scores


def _generation_of(file: str, report: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the samples of a file were generated; scores.json has it for each, or once for all."""
    told: Mapping[str, Any] = report.get("generation") or {}
    if any(row["file"] in told for row in report["scores"]):
        told = told.get(file) or {}
    return told


def _key_of(score: Score) -> tuple[str, ...]:
    return score.model, score.setting, score.benchmark, score.language


def _set(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["problems"], row["language"]


def _report(directory: Path) -> dict[str, Any]:
    if not directory.is_dir():
        raise ResultsFormatError(f"{directory}: no such directory; `mbxp score … -o` makes one")
    for name in ("scores.json", "results.jsonl"):
        if not (directory / name).is_file():
            raise ResultsFormatError(
                f"{directory}: there is no {name}; let `mbxp score … -o {directory}` end, or "
                "start it again to go on"
            )
    path = directory / "scores.json"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        rows = [(*_set(row), row["file"]) for row in report["scores"]]
    except (ValueError, TypeError, KeyError) as error:
        raise ResultsFormatError(f"{path}: not scores of mbxp ({error!r})") from None
    if not rows:
        raise ResultsFormatError(f"{path}: there are no scores in it")
    return dict(report)


def setting_of(
    problems: str, generation: Mapping[str, Any], row: Mapping[str, Any] | None = None
) -> str:
    """How a model was asked: the variant of the problems, and whether it had examples.

    The variant is told by the config's name or by a `row` of the problems, which also names the
    perturbation of r-; the examples by the `style` and `shots` of `GenerationSettings`.
    """
    row = row or {}
    letter, hyphen, _ = problems.rpartition("/")[2].partition("-")
    if not hyphen or letter not in _VARIANTS:
        letter = str(row.get("variant") or "")
    shown = generation.get("style") == "few-shot" or bool(generation.get("shots"))
    variant = f"{letter}-{row.get('perturbation') or ''}" if letter in _VARIANTS else ""
    return " ".join(filter(None, (variant, "few-shot" if shown else ""))) or PLAIN


def _benchmark_of(problems: str, language: str, task_id: str) -> str:
    """The benchmark of a config's name or a task id, else the file's name without its language."""
    named, _, name = problems.rpartition("/")
    if named:
        return named
    config = config_of_task(task_id, language)
    if config is not None:
        return config.benchmark
    return name.partition(".")[0].removesuffix(f"_{language}")


def problem_rows(directory: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The problems beside results by language and task id, with the columns of their variant.

    Raises:
        ProblemFormatError: the file is damaged.
    """
    path = directory / PROBLEMS_FILE
    if not path.is_file():
        return {}
    found = {}
    for number, row in read_rows(path):
        try:
            found[str(row["language"]).lower(), str(row["task_id"])] = row
        except (TypeError, KeyError) as error:
            raise ProblemFormatError(f"{path}, line {number}: no problem ({error!r})") from None
    return found


def _count(directory: Path, scores: Sequence[Score]) -> None:
    """Fill in the outcomes of each score from results.jsonl, and check their number."""
    path = directory / "results.jsonl"
    letters = {verdict.value: letter for verdict, letter in LETTERS.items()}
    by_set: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        by_set.setdefault((score.problems, score.language), []).append(score)
    found: dict[int, dict[str, list[tuple[int, str, int]]]] = {id(score): {} for score in scores}
    with open(path, "rb") as file:
        offset = 0
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                candidates = by_set[row["problems"], row["language"]]
                score = _owner(candidates, row["source"])
                # A summary has a score of its own and no verdict.
                if "bleu" not in score.row:
                    entry = int(row["sample"]), letters[row["verdict"]], offset
                    found[id(score)].setdefault(row["task_id"], []).append(entry)
            except (ValueError, TypeError, KeyError) as error:
                raise ResultsFormatError(
                    f"{path}, line {number}: not a result that scores.json counts ({error!r}); "
                    "score again into this directory"
                ) from None
            offset += len(line)
    for score in scores:
        if "bleu" in score.row:
            continue
        for task_id, entries in found[id(score)].items():
            entries.sort()
            score.outcomes[task_id] = "".join(letter for _, letter, _ in entries)
            score.offsets[task_id] = [offset for _, _, offset in entries]
        counted = sum(map(len, score.outcomes.values()))
        if counted != score.row.get("n_samples", counted):
            raise ResultsFormatError(
                f"{path} holds {counted} samples of {score.problems} ({score.language}), but "
                f"scores.json counts {score.row['n_samples']}; score again into this directory"
            )
        counts = Counter("".join(score.outcomes.values()))
        stated = score.row.get("verdicts", {})
        if any(counts[letters[name]] != number for name, number in stated.items()):
            raise ResultsFormatError(
                f"{path} and scores.json differ in the verdicts of {score.problems} "
                f"({score.language}); score again into this directory"
            )
        # Problems without a single sample count as zero passes, and have no row.
        for number in range(int(score.row.get("n_problems", 0)) - len(score.outcomes)):
            score.outcomes[f"(no samples {number + 1})"] = ""
            score.offsets[f"(no samples {number + 1})"] = []


def _owner(candidates: Sequence[Score], source: str) -> Score:
    if len(candidates) == 1:
        return candidates[0]
    return next(c for c in candidates if source.startswith(f"{c.row['file']}:"))


class Texts:
    """What samples wrote and printed, read one at a time from a directory of results."""

    def __init__(self, directory: Path) -> None:
        self._results = open(directory / "results.jsonl", "rb")
        journal = directory / "journal.jsonl"
        self._journal = open(journal, "rb") if journal.is_file() else None
        self._places: dict[int, int] = dict(self._index())

    def get(self, offset: int) -> dict[str, Any]:
        """The row of results.jsonl there, with `stdout` and `stderr` where the journal has it."""
        self._results.seek(offset)
        row: dict[str, Any] = json.loads(self._results.readline())
        place = self._places.get(_key(row))
        if place is not None and self._journal is not None:
            self._journal.seek(place)
            printed = json.loads(self._journal.readline())
            for name in ("stdout", "stderr", "stdout_truncated", "stderr_truncated"):
                row[name] = printed.get(name)
        return row

    def close(self) -> None:
        self._results.close()
        if self._journal is not None:
            self._journal.close()

    def _index(self) -> Iterator[tuple[int, int]]:
        offset = 0
        for line in self._journal or ():
            try:
                row = json.loads(line)
            except ValueError:  # torn by a kill; the run was resumed after it
                row = {}
            if "digest" in row:
                yield _key(row), offset
            offset += len(line)


def _key(row: Mapping[str, Any]) -> int:
    return hash((row["task_id"], row["language"], row["sample"], row["digest"], row["verdict"]))
