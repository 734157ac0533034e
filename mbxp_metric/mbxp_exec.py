"""The `evaluate` module: completions are executed and scored by pass@k."""

from __future__ import annotations

import dataclasses
import operator
import os
import re
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

# Not `from evaluate import Metric`: the library takes the first such class it finds here.
import datasets
import evaluate

from mbxp_datasets.catalog import config_of_task
from mbxp_metric.completions import require_grammars
from mbxp_metric.execution import (
    LANGUAGES,
    Job,
    Result,
    Settings,
    require_consent,
)
from mbxp_metric.scoring import (
    DEFAULT_K,
    OFF,
    TRIMS,
    Group,
    ScoreOptions,
    open_executor,
    open_journal,
    run,
    sample_job,
    score,
    versions,
)
from mbxp_metric.signature import content_revision, problem_digest, score_signature

_DESCRIPTION = """\
Executes completions of programming problems in fourteen languages inside a sandbox and
estimates pass@k, the chance that at least one of k completions passes all tests.
"""
_CITATION = """\
@inproceedings{athiwaratkun2023multilingual,
  title = {Multi-lingual Evaluation of Code Generation Models},
  author = {Ben Athiwaratkun and others},
  booktitle = {International Conference on Learning Representations},
  year = {2023},
  url = {https://openreview.net/forum?id=Bo7eeXm6An8}
}
"""
_INPUTS = """
Args:
    predictions: for each problem, the list of its completions (or one completion).
    references: the rows of the problems, in the same order, or their columns. Of a row with a
        `target_prompt` (translation) that begins the program instead of `prompt`; of one with
        a `right_context` (insertion) that follows each completion.
    k: numbers of completions to estimate pass@k for.
    num_workers: programs in flight at once; by default one a processor.
    timeout: seconds that a program may run.
    compile_timeout: seconds that its compilation may take.
    memory_mb: mebibytes that it may use.
    isolation: "strong", or a weaker level that has to be asked for.
    journal: a file of results that a rerun continues.
    truncate: what of a prediction is executed: True or "keep", as `mbxp score` (the function and
        what it needs of the definitions after it), "cut" (the function alone), False (all of
        it), or "extract" where predictions are a chat model's whole answers. Insertions are
        never truncated.
    bootstrap: resamples behind each interval; 0 for no intervals.
    seed: of the resampling.
Returns:
    pass@k and pass@k_ci95 for each k, n_problems, n_samples, coverage, verdicts,
    infra_errors, signature, results, and with several languages by_language.
Example:
    >>> import evaluate, mbxp_metric
    >>> metric = evaluate.load("mbxp_exec")
    >>> metric.compute(references=rows, predictions=[["    return 1"]], k=[1])
"""
_FIELDS = ("task_id", "language", "prompt", "test", "entry_point")
"""Of a problem, what execution needs; its other fields are not looked at."""

# Arrow stores UTF-8 only, which has no lone surrogates; generated text does.
_ESCAPE = "\ufdd0"
_TO_ESCAPE = re.compile("[\ud800-\udfff\ufdd0]")
_ESCAPED = re.compile(_ESCAPE + "([0-9a-f]{4})")


class MbxpExec(evaluate.Metric):
    """pass@k of completions in fourteen languages, by executing them."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Sequence(datasets.Value("string")),
                    "references": {
                        name: datasets.Value("string") for name in (*_FIELDS, "variant")
                    },
                }
            ),
            homepage="https://github.com/amazon-science/mxeval",
            license="Apache-2.0",
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one problem's completions and its row.

        Raises:
            ExecutionNotAllowed: `HF_ALLOW_CODE_EVAL` is not 1.
            ValueError: an input is not of the expected form.
        """
        require_consent()
        # Not the library's own: single rows it may store behind batches that came later.
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add the completions of several problems and their rows.

        Raises:
            ExecutionNotAllowed: `HF_ALLOW_CODE_EVAL` is not 1.
            ValueError: an input is not of the expected form.
        """
        require_consent()
        candidates, found = list(_candidates(predictions)), list(_rows(references))
        if len(candidates) != len(found):
            raise ValueError(
                f"there are {len(candidates)} predictions, but {len(found)} references"
            )
        candidates = [
            [text + following for text in texts]
            for texts, (_, following) in zip(candidates, found, strict=True)
        ]
        rows = [row for row, _ in found]
        evaluate.Metric.add_batch(self, predictions=candidates, references=rows, **kwargs)

    def compute(
        self, *, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Execute what was given or added before, and score it.

        Raises:
            ExecutionNotAllowed: `HF_ALLOW_CODE_EVAL` is not 1.
            IsolationUnavailable: the asked isolation level cannot be had here.
            JournalMismatch: the journal holds results of other settings.
            MissingExtraError: predictions cannot be truncated here, and `truncate` is not False.
            ValueError, TypeError: an argument is not of the expected form.
        """
        require_consent()
        _options(**kwargs)  # before anything is written
        result: dict[str, Any] | None = evaluate.Metric.compute(
            self, predictions=predictions, references=references, **kwargs
        )
        return result

    def _compute(
        self, predictions: Iterable[list[str]], references: Iterable[dict[str, Any]], **kwargs: Any
    ) -> dict[str, Any]:
        settings, options, journal_path, trim = _options(**kwargs)
        rows = [{name: _unescape(text) for name, text in row.items()} for row in references]
        work = _Work(rows, [[_unescape(text) for text in texts] for texts in predictions], trim)
        with open_executor(settings) as executor:
            toolchains = versions(executor.toolchains(work.groups))
            if journal_path is None:
                run(executor, work.jobs(), work.finish)
            else:
                with open_journal(journal_path, settings, toolchains) as journal:
                    run(executor, work.jobs(), work.finish, journal)
            engines = {language: executor.engine(language) for language in work.groups}
        groups = list(work.groups.values())
        scores, notes = score(groups, options)
        for note in notes:
            warnings.warn(f"mbxp_exec: {note}", stacklevel=2)
        if len(groups) > 1:
            scores["by_language"] = {each.language: score([each], options)[0] for each in groups}
        scores["signature"] = score_signature(
            problems=_set_name(rows),
            data=content_revision(rows),
            samples=[count for group in groups for count in group.samples.values()],
            k=options.k,
            settings=settings,
            toolchains=toolchains,
            engines=engines,
            bootstrap=options.bootstrap,
            seed=options.seed,
            truncation="+".join(sorted(work.trims, reverse=True)) or trim,
        )
        scores["results"] = work.results
        return scores


class _Work:
    """The samples of one call: which problem each belongs to, and what it came to."""

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], predictions: list[list[str]], trim: str
    ) -> None:
        self.groups: dict[str, Group] = {}
        self.trims: set[str] = set()
        """What was done to samples, of `mbxp_metric.scoring.TRIMS`."""
        self._trim = trim
        self._rows = rows
        self._predictions = predictions
        # Rows of the same problem are one problem; the id alone does not tell, since some
        # benchmarks share ids.
        self._problems = [(row["task_id"], problem_digest(row)) for row in rows]
        self._owners: list[tuple[Group, Hashable]] = []
        self._results: list[Result | None] = []
        for row, problem, completions in zip(rows, self._problems, predictions, strict=True):
            group = self.groups.setdefault(row["language"], Group(row["language"]))
            group.total += problem not in group.samples
            group.expect(problem, len(completions))

    def jobs(self) -> Iterator[Job]:
        number: dict[Hashable, int] = {}
        for row, problem, completions in zip(
            self._rows, self._problems, self._predictions, strict=True
        ):
            # What was inserted ends where the right context begins.
            trim = OFF if row["variant"] == "i" else self._trim
            for completion in completions:
                self.trims.add(trim)
                sample = number.get(problem, 0)
                number[problem] = sample + 1
                self._owners.append((self.groups[row["language"]], problem))
                self._results.append(None)
                index = len(self._results) - 1
                yield sample_job(index, row, sample, completion, trim)

    def finish(self, result: Result) -> None:
        group, problem = self._owners[result.index]
        group.record(problem, result.verdict)
        self._results[result.index] = result

    @property
    def results(self) -> list[dict[str, Any]]:
        rows = []
        for result in self._results:
            assert result is not None
            row = result.to_json()
            del row["index"]
            rows.append({**row, "passed": result.passed})
        return rows


def _options(
    k: int | Iterable[int] = DEFAULT_K,
    num_workers: int | None = None,
    timeout: float = 10.0,
    compile_timeout: float = 60.0,
    memory_mb: int = 2048,
    isolation: str = "strong",
    engine: str = "warm",
    journal: str | os.PathLike[str] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
    truncate: str | bool | None = True,
) -> tuple[Settings, ScoreOptions, str | os.PathLike[str] | None, str]:
    settings = Settings(
        timeout=timeout,
        compile_timeout=compile_timeout,
        memory_mb=memory_mb,
        isolation=isolation,
        engine=engine,
    )
    if num_workers is not None:
        settings = dataclasses.replace(settings, workers=num_workers)
    ks = (k,) if isinstance(k, int) else tuple(operator.index(each) for each in k)
    trim = "keep" if truncate is True else truncate or OFF
    if trim not in TRIMS:
        raise ValueError(f"truncate is {truncate!r}; it may be False or {', '.join(TRIMS[:-1])}")
    if trim != OFF:
        require_grammars()
    return settings, ScoreOptions(ks, bootstrap, seed), journal, trim


def _candidates(predictions: Any) -> Iterator[list[str]]:
    if predictions is None or isinstance(predictions, str | bytes | Mapping):
        raise ValueError("predictions must be a list with the completions of each problem")
    for number, candidates in enumerate(predictions):
        if isinstance(candidates, str):
            candidates = [candidates]
        if candidates is None or isinstance(candidates, bytes | Mapping):
            raise ValueError(f"predictions[{number}] must be a list of completions")
        texts = list(candidates)
        for sample, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(
                    f"predictions[{number}][{sample}] is {type(text).__name__}, not a string"
                )
        yield [_escape(text) for text in texts]


def _rows(references: Any) -> Iterator[tuple[dict[str, str], str]]:
    """What execution needs of each row, and what follows its completions."""
    if references is None or isinstance(references, str | bytes):
        raise ValueError("references must be the rows of the problems or their columns")
    if isinstance(references, Mapping):
        lengths = {name: len(column) for name, column in references.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns of references differ in length: {lengths}")
        names = list(references)
        references = [
            dict(zip(names, values, strict=True))
            for values in zip(*references.values(), strict=False)
        ]
    for number, row in enumerate(references):
        if not isinstance(row, Mapping):
            raise ValueError(
                f"references[{number}] is {type(row).__name__}, not the row of a problem"
            )
        yield _checked(row, f"references[{number}]"), _following(row, f"references[{number}]")


def _following(row: Mapping[str, Any], where: str) -> str:
    """What stands between a completion and the test: the right context of an insertion."""
    text = row.get("right_context")
    if text is not None and not isinstance(text, str):
        raise ValueError(f"{where}: field 'right_context' is {type(text).__name__}, not a string")
    return _escape(text or "")


def _checked(row: Mapping[str, Any], where: str) -> dict[str, str]:
    variant = row.get("variant") or ("i" if row.get("right_context") else "")
    if variant == "s":
        raise ValueError(f"{where}: a summary is text, which is not executed; compare it by BLEU")
    if row.get("target_prompt") is not None:
        # A translation's own prompt has the source before it, which is no part of the program.
        row = {**row, "prompt": row["target_prompt"]}
    for name in _FIELDS:
        if not isinstance(row.get(name), str):
            what = f"is {type(row[name]).__name__}, not a string" if name in row else "is missing"
            raise ValueError(f"{where}: field {name!r} {what}")
    language = row["language"].lower()
    if language not in LANGUAGES:
        raise ValueError(
            f"{where}: language {row['language']!r} is not one of {', '.join(LANGUAGES)}"
        )
    checked = {name: _escape(row[name]) for name in _FIELDS}
    return {**checked, "language": language, "variant": str(variant)}


def _set_name(rows: Iterable[Mapping[str, Any]]) -> str:
    configs = {(row["variant"], config_of_task(row["task_id"], row["language"])) for row in rows}
    names = sorted(
        "custom"
        if config is None
        else f"{config.benchmark}/{variant and variant + '-'}{config.name}"
        for variant, config in configs
    )
    return "+".join(names) or "custom"


def _escape(text: str) -> str:
    if text.isascii():
        return text
    return _TO_ESCAPE.sub(lambda match: f"{_ESCAPE}{ord(match[0]):04x}", text)


def _unescape(text: str) -> str:
    if _ESCAPE not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
