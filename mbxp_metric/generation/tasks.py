"""The problems that are asked for: rows of a config, a variant's too, or of a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbxp_datasets import human_eval_problems, read_problems, resolve_benchmark
from mbxp_datasets.variants import make_variant, resolve_variant
from mbxp_datasets.variants.few_shot import SHOTS, SHOTS_BY_BENCHMARK, few_shot_examples
from mbxp_datasets.variants.solutions import read_solutions
from mbxp_metric.generation.infilling import InfillingFormat
from mbxp_metric.generation.prompts import PromptBuilder, Request
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.generation.store import Key
from mbxp_metric.problem_sets import HUMAN_EVAL

Row = Mapping[str, Any]


@dataclass(frozen=True)
class TaskSet:
    """The rows of one config."""

    name: str
    """As in `mbxp/t-mbkp`, `mbxp/r-mbkp:case`; of a file its name."""
    benchmark: str
    """Empty for a file."""
    rows: Sequence[Row]
    examples: Sequence[Row] = ()
    """The solved rows that stand before each prompt, and are no tasks."""
    all_rows: Sequence[Row] = ()
    """What `rows` are the first of; empty if they are all."""

    @property
    def language(self) -> str:
        return str(self.rows[0]["language"]) if self.rows else ""

    def about(self) -> dict[str, Any]:
        """What `generation.json` says of it."""
        return {
            "problems": f"{self.benchmark or self.name} {self.language}",
            # Of all rows, so that a run with a limit can be gone on with without it.
            "rows": len(self.all_rows or self.rows),
            "revision": _revision(self.all_rows or self.rows),
            "examples": [row["task_id"] for row in self.examples],
        }

    def with_examples(self, shots: int, solutions: str | os.PathLike[str] | None = None) -> TaskSet:
        """The same set with its first solved rows as examples.

        Args:
            solutions: a file of samples, used before the rows' own solutions.

        Raises:
            GenerationError: there are too few, or the variant's rows can be no examples.
            ProblemFormatError, OSError: the file cannot be read.
        """
        variant = self.rows[0].get("variant") if self.rows else None
        if variant in ("i", "s"):
            remedy = "; it has examples of its own: --option shots=3" if variant == "s" else ""
            raise GenerationError(f"{self.name}: {variant}- takes no --few-shot{remedy}")
        given = {}
        if solutions is not None and self.rows:
            given = read_solutions(solutions, self.language)
        try:
            return replace(self, examples=few_shot_examples(self.rows, shots, given))
        except ValueError as error:
            raise GenerationError(
                f"{self.name}: {error}; name a file of samples by --few-shot-solutions"
            ) from None

    def limited(self, count: int | None) -> TaskSet:
        """The first so many rows that are no examples, and the examples."""
        if count is None:
            return self
        shown = {row["task_id"] for row in self.examples}
        rows = [row for row in self.rows if row["task_id"] not in shown]
        return replace(self, rows=rows[:count], all_rows=self.rows)


def all_requests(
    sets: Iterable[TaskSet],
    settings: GenerationSettings,
    infilling: InfillingFormat | None = None,
    local: bool = True,
) -> list[Request]:
    """All samples that are asked for, in the order of the sets.

    Args:
        local: Whether a transformers tokenizer reads the prompts, and no server.

    Raises:
        GenerationError: two sets hold the same tasks, or a row cannot be asked for.
    """
    found: dict[Key, Request] = {}
    for each in sets:
        builder = PromptBuilder(settings, each.examples, infilling, local)
        for request in builder.requests(each.rows):
            if request.key in found:
                raise GenerationError(
                    f"{each.name}: task {request.task_id} is in another config too; generate "
                    "them into directories of their own"
                )
            found[request.key] = request
    return list(found.values())


def load_tasks(
    name: str,
    data_dir: str | os.PathLike[str] | None = None,
    source: str = "release",
    style: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> TaskSet:
    """The rows that a name stands for: `benchmark/config`, `humaneval` or a JSONL file.

    A config may be a variant's, and of r- a split may be named, as in `mbxp/r-mbkp:case`.

    Args:
        options: of the variant.

    Raises:
        GenerationError: it is neither, or a variant's option is wrong.
        UnknownConfigError: there is no such config.
        ReleaseError, ProblemFormatError, OSError: its rows cannot be read.
    """
    if Path(name).is_file():
        return TaskSet(Path(name).name, "", list(read_problems(name)))
    if name.lower() == HUMAN_EVAL:
        return TaskSet(HUMAN_EVAL, "multi_humaneval", list(human_eval_problems()))
    benchmark_name, slash, rest = name.partition("/")
    if not slash:
        raise GenerationError(
            f"--config {name}: neither a file nor a config; write benchmark/config, as in mbxp/mbkp"
        )
    benchmark = resolve_benchmark(benchmark_name)
    config_name, _, split = rest.partition(":")
    variant, config = resolve_variant(benchmark, config_name)
    full_name = config.name if variant is None else f"{variant.letter}-{config.name}"
    splits: Sequence[str] = ("test",)
    chosen: dict[str, Any] = {}
    if variant is not None:
        chosen = dict(options or {})
        try:
            splits = make_variant(variant, full_name, chosen).splits
        except (TypeError, ValueError) as error:
            raise GenerationError(f"--option: {error}") from None
    if (split or splits[0]) not in splits:
        raise GenerationError(f"--config {name}: no split {split!r}; one of {', '.join(splits)}")

    import datasets

    import mbxp_datasets._autoload

    mbxp_datasets._autoload.install()
    datasets.disable_progress_bars()
    if source == "convert":
        chosen.update(source=source, style=style)
    rows = datasets.load_dataset(
        benchmark.name,
        full_name,
        split=split or splits[0],
        data_dir=os.fspath(data_dir) if data_dir is not None else None,
        **chosen,
    )
    title = f"{benchmark.name}/{full_name}" + (f":{split}" if split else "")
    return TaskSet(title, benchmark.name, list(rows))


def parse_shots(text: str, benchmark: str) -> int:
    """The number that `--few-shot` means: `paper` is three, and four for MathQA-X.

    Raises:
        GenerationError: it is neither that nor a number.
    """
    if text == "paper":
        return SHOTS_BY_BENCHMARK.get(benchmark, SHOTS)
    if not text.isdecimal():
        raise GenerationError(f"--few-shot {text}: a number, or paper, is expected")
    return int(text)


def _revision(rows: Iterable[Row]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        for field in ("task_id", "language", "prompt"):
            digest.update(str(row[field]).encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:12]
