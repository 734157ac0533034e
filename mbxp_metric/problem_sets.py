"""Which problem a row of a sample file is for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

from mbxp_datasets import (
    BENCHMARKS,
    Config,
    Problem,
    UnknownConfigError,
    config_of_task,
    converted_problems,
    converted_revision,
    data_revision,
    file_revision,
    human_eval_problems,
    load_problems,
    python_file,
    read_problems,
    resolve_benchmark,
)
from mbxp_datasets.converted import DEFAULT_STYLE, SOURCES
from mbxp_datasets.variants import Variant, resolve_variant
from mbxp_metric.samples import SampleFormatError, SampleRow
from mbxp_metric.signature import content_revision
from mbxp_metric.variant_sets import named_variant, split_name, variant_columns

HUMAN_EVAL = "humaneval"
_HUMAN_EVAL_NAMES = (HUMAN_EVAL, "human-eval")


@dataclass(frozen=True)
class ProblemSet:
    """Problems of one origin, by language and task id."""

    name: str
    revision: str
    problems: Mapping[tuple[str, str], Problem]
    """Of a variant with its columns beside a problem's fields."""

    @property
    def sizes(self) -> dict[str, int]:
        """Number of problems of each language."""
        sizes: dict[str, int] = {}
        for language, _ in self.problems:
            sizes[language] = sizes.get(language, 0) + 1
        return sizes


def human_eval_set() -> ProblemSet:
    """The 164 HumanEval problems of the `human-eval` package.

    Raises:
        MissingExtraError, FileNotFoundError: the package or its data are not installed.
    """
    problems = list(human_eval_problems())
    return _problem_set(HUMAN_EVAL, content_revision(problems), problems)


def named_set(
    name: str,
    benchmark: str | None = None,
    data_dir: str | os.PathLike[str] | None = None,
    style: str | None = None,
) -> ProblemSet:
    """The problems that a user names: a JSONL file, a config or `humaneval`.

    A config may stand with its benchmark, as in `mbxp/mbkp`, and may be a variant's, as
    `mbxp_metric.variant_sets` says; a file may hold a variant's rows too. With a
    style its problems are converted from the Python ones.

    Raises:
        UnknownConfigError: it is neither a file nor a config, or a config of several.
        ReleaseError, ProblemFormatError, OSError: its problems cannot be read.
    """
    if Path(name).is_file():
        return _problem_set(Path(name).name, file_revision(name), _file_problems(name))
    if name.lower() in _HUMAN_EVAL_NAMES:
        return human_eval_set()
    variant, config = _config(name, benchmark)
    if variant is None:
        return config_set(config, data_dir, style)
    return variant_set(variant, config, split_name(name)[2], data_dir, style)


def variant_set(
    kind: type[Variant],
    config: Config,
    options: str = "",
    data_dir: str | os.PathLike[str] | None = None,
    style: str | None = None,
) -> ProblemSet:
    """The rows of a variant's config, with `options` as a name has them after its colon.

    Raises:
        UnknownConfigError: there is no such option, split or source.
        ReleaseError, ProblemFormatError, OSError: its problems cannot be read.
    """
    name = f"{config.benchmark}/{kind.letter}-{config.name}"
    named = named_variant(kind, name, options)
    base = config_set(config, data_dir, style)

    def load(source: Config) -> Iterable[Problem]:
        return config_set(source, data_dir, style).problems.values()

    try:
        rows = list(named.rows(base.problems.values(), config, load))
    except ValueError as error:
        raise UnknownConfigError(f"--problems {name}: {error}") from None
    revision = f"{base.revision}+{content_revision(rows)}"
    return _problem_set(name + named.suffix, revision, cast("list[Problem]", rows))


def named_config(name: str, benchmark: str | None = None) -> Config | None:
    """The config that a name means to `named_set`; None for a file and `humaneval`.

    Raises:
        UnknownConfigError: it is no config, a variant's, or one of several.
    """
    if Path(name).is_file() or name.lower() in _HUMAN_EVAL_NAMES:
        return None
    variant, config = _config(name, benchmark)
    if variant is not None:
        raise UnknownConfigError(
            f"{name} is a variant; name what it is made from, {config.benchmark}/{config.name}"
        )
    return config


def config_set(
    config: Config,
    data_dir: str | os.PathLike[str] | None = None,
    style: str | None = None,
) -> ProblemSet:
    """The problems of one config: the release's, or in a style of conversion ours.

    Raises:
        ReleaseError, ProblemFormatError: a file cannot be had or is damaged.
        UnknownConfigError: there is no such style, or no such language in it.
    """
    return (
        release_set(config, data_dir) if style is None else converted_set(config, style, data_dir)
    )


def converted_set(
    config: Config, style: str, data_dir: str | os.PathLike[str] | None = None
) -> ProblemSet:
    """The problems of one config, made from its Python problems."""
    files = [python_file(config, data_dir)]
    problems = converted_problems(config, files, style)
    revision = converted_revision(files, style)
    return _problem_set(f"{config.benchmark}/{config.name}", revision, problems)


def release_set(config: Config, data_dir: str | os.PathLike[str] | None = None) -> ProblemSet:
    """The problems of one config of the release.

    Raises:
        ReleaseError, ProblemFormatError: its file cannot be had or is damaged.
    """
    problems = load_problems(config.benchmark, config.name, data_dir)
    revision = data_revision(config.benchmark, config.name, data_dir)
    return _problem_set(f"{config.benchmark}/{config.name}", revision, problems)


def checked_style(source: str, style: str | None) -> str | None:
    """The style to convert in for the options `--source` and `--style`; None for the release.

    Raises:
        UnknownConfigError: there is no such source, or a style without a conversion.
    """
    if source not in SOURCES:
        raise UnknownConfigError(f"--source {source}: one of {', '.join(SOURCES)}")
    if source == "release" and style is not None:
        raise UnknownConfigError(f"--style {style} has a meaning only with --source convert")
    return (style or DEFAULT_STYLE) if source == "convert" else None


def _file_problems(path: str) -> Iterator[Problem]:
    columns = variant_columns(path)
    for problem in read_problems(path):
        own = columns.get((problem["language"], problem["task_id"]), {})
        yield cast("Problem", {**problem, **own})


def _problem_set(name: str, revision: str, problems: Iterable[Problem]) -> ProblemSet:
    table = {(problem["language"].lower(), problem["task_id"]): problem for problem in problems}
    return ProblemSet(name, revision, table)


def _config(name: str, benchmark: str | None) -> tuple[type[Variant] | None, Config]:
    named = benchmark
    if not name.endswith((".jsonl", ".gz", ".json")):
        before, name, _ = split_name(name)
        named = before if named is None else named
    if named is not None:
        return resolve_variant(resolve_benchmark(named), name)
    found, reasons = [], []
    for each in BENCHMARKS.values():
        try:
            found.append(resolve_variant(each, name))
        except UnknownConfigError as error:
            reasons.append(error)
    if len(found) == 1:
        return found[0]
    if found:
        prefix = f"{found[0][0].letter}-" if found[0][0] is not None else ""
        choices = " or ".join(f"{config.benchmark}/{prefix}{config.name}" for _, config in found)
        raise UnknownConfigError(f"--problems {name}: several benchmarks have it; write {choices}")
    known = [str(reason) for reason in reasons if "since the release has no" in str(reason)]
    raise UnknownConfigError(
        f"--problems {known[0]}"
        if known
        else f"--problems {name}: neither a file nor a config; write benchmark/config, as in "
        f"mbxp/mbkp, with one of the benchmarks {', '.join(BENCHMARKS)}"
    )


class ProblemIndex:
    """Finds the problem of a row, among named sets or in the release by its task id."""

    def __init__(
        self,
        sets: Sequence[ProblemSet] = (),
        benchmark: str | None = None,
        data_dir: str | os.PathLike[str] | None = None,
        style: str | None = None,
    ) -> None:
        self._sets = list(sets)
        self._inferring = not self._sets
        self._benchmark = resolve_benchmark(benchmark).name if benchmark else None
        self._data_dir = data_dir
        self._style = style
        self._loaded: dict[Config, ProblemSet] = {}

    def find(self, row: SampleRow) -> tuple[ProblemSet, Problem] | None:
        """The set and the problem of a row; None if no problem has its task id.

        Raises:
            SampleFormatError: the row's problem cannot be told, or is in another language.
            ReleaseError, ProblemFormatError: the release's file cannot be had.
        """
        if row.task_id is None:
            return self._at(row)
        if self._inferring:
            config = self._config_of(row, row.task_id)
            if config is None:
                return None
            if config not in self._loaded:
                self._loaded[config] = config_set(config, self._data_dir, self._style)
            sets: Iterable[ProblemSet] = [self._loaded[config]]
        else:
            sets = self._sets
        found = list(islice(self._matches(sets, row, row.task_id), 2))
        if len(found) > 1:
            raise SampleFormatError(
                f"{row.where}: task_id {row.task_id!r} is that of several problems "
                f"({found[0][0].name}, {found[0][1]['language']} and {found[1][0].name}, "
                f"{found[1][1]['language']}); {_remedy(row)}"
            )
        return found[0] if found else None

    @staticmethod
    def _matches(
        sets: Iterable[ProblemSet], row: SampleRow, task_id: str
    ) -> Iterator[tuple[ProblemSet, Problem]]:
        for each in sets:
            languages = [row.language] if row.language else each.sizes
            for language in languages:
                problem = each.problems.get((language, task_id))
                if problem is not None:
                    yield each, problem

    def _at(self, row: SampleRow) -> tuple[ProblemSet, Problem]:
        if len(self._sets) != 1:
            raise SampleFormatError(
                f"{row.where}: a list of lists has no task ids, so exactly one --problems "
                "must give their order"
            )
        problems = self._sets[0].problems
        if row.position >= len(problems):
            raise SampleFormatError(
                f"{row.where}: {self._sets[0].name} has only {len(problems)} problems"
            )
        return self._sets[0], next(islice(problems.values(), row.position, None))

    def _config_of(self, row: SampleRow, task_id: str) -> Config | None:
        config = config_of_task(task_id, row.language)
        if config is None:
            return None
        if row.language is None:
            prefix = config.task_prefix
            configs = BENCHMARKS[config.benchmark].configs.values()
            if sum(each.task_prefix == prefix for each in configs) > 1:
                raise SampleFormatError(
                    f"{row.where}: task_id {task_id!r} is that of problems in several languages; "
                    f"{_remedy(row)}"
                )
        elif config.language != row.language:
            raise SampleFormatError(
                f"{row.where}: language {row.language!r} does not fit task_id {task_id!r}, "
                f"which is in {config.language}"
            )
        if self._benchmark not in (None, config.benchmark):
            raise SampleFormatError(
                f"{row.where}: task_id {task_id!r} is of {config.benchmark}, not of "
                f"{self._benchmark}"
            )
        return config


def _remedy(row: SampleRow) -> str:
    return "add a 'language' field" if row.language is None else "name one of them by --problems"
