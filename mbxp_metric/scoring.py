"""Jobs become results, results become counts, counts become scores."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mbxp_datasets import __version__
from mbxp_metric.completions import HELPERS, extract, truncate
from mbxp_metric.execution import (
    Executor,
    Job,
    Journal,
    JournalMismatch,
    Result,
    Settings,
    Toolchain,
    ToolchainMissing,
    Verdict,
    assemble,
)
from mbxp_metric.pass_at_k import bootstrap_interval, estimates_pass_at_k
from mbxp_metric.signature import MODE
from mbxp_metric.writing import replacing

DEFAULT_K = (1, 10, 100)
MISSING = "missing"
EXTRACT, OFF = "extract", "off"
TRIMS = (*HELPERS, EXTRACT, OFF)
"""What of a sample is executed: a completion truncated or as it is, or an answer's code."""

executor_factory: Callable[[Settings], Any] = Executor
"""What `open_executor` calls; `mbxp_metric.testing` puts another in its place."""


def open_executor(settings: Settings) -> Executor:
    """A new executor, to be used as a context manager.

    Raises:
        IsolationUnavailable: the asked isolation level cannot be had here.
    """
    executor: Executor = executor_factory(settings)
    return executor


@dataclass(frozen=True)
class ScoreOptions:
    """How counts become scores.

    Raises:
        ValueError: no `k`, one below 1, or a negative `bootstrap` or `seed`.
    """

    k: tuple[int, ...] = DEFAULT_K
    bootstrap: int = 1000
    """Resamples behind each interval; 0 for no intervals."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.k or any(not isinstance(k, int) or k < 1 for k in self.k):
            raise ValueError(f"k must be one or more whole numbers from 1, not {list(self.k)}")
        if self.bootstrap < 0 or self.seed < 0:
            raise ValueError("bootstrap and seed must not be negative")


@dataclass
class Group:
    """The problems and samples of one language that get one score."""

    language: str
    total: int = 0
    """Problems in the set that the samples are for, with samples or without."""
    samples: dict[Hashable, int] = field(default_factory=dict)
    """Samples of each problem, in order of appearance."""
    passes: Counter[Hashable] = field(default_factory=Counter)
    verdicts: Counter[Verdict] = field(default_factory=Counter)

    def expect(self, problem: Hashable, samples: int) -> None:
        """Announce samples of a problem; with none it counts as zero passes."""
        self.samples[problem] = self.samples.get(problem, 0) + samples

    def record(self, problem: Hashable, verdict: Verdict) -> None:
        """Count the outcome of one announced sample."""
        self.verdicts[verdict] += 1
        if verdict is Verdict.PASSED:
            self.passes[problem] += 1


def score(groups: Sequence[Group], options: ScoreOptions) -> tuple[dict[str, Any], list[str]]:
    """The scores of the groups' problems together, and a line for each that is absent.

    A sample that met an `INFRA_ERROR` says nothing, so with one there is no pass@k at all.
    """
    n = [count for group in groups for count in group.samples.values()]
    c = [group.passes[problem] for group in groups for problem in group.samples]
    verdicts: Counter[Verdict] = sum((group.verdicts for group in groups), Counter())
    total = sum(group.total for group in groups)
    infra = verdicts[Verdict.INFRA_ERROR]
    scores: dict[str, Any] = {}
    notes = []
    smallest = min((count for count in n if count), default=None)
    for k in sorted(set(options.k)):
        if infra or not n:
            continue
        if smallest is not None and smallest < k:
            notes.append(f"pass@{k} is absent: a problem has only {smallest} sample(s)")
            continue
        values = estimates_pass_at_k(np.array(n), np.array(c), k)
        scores[f"pass@{k}"] = float(values.mean())
        if options.bootstrap:
            interval = bootstrap_interval(values, options.bootstrap, options.seed)
            scores[f"pass@{k}_ci95"] = interval
    if infra:
        languages = sorted({g.language for g in groups if g.verdicts[Verdict.INFRA_ERROR]})
        notes.append(
            f"pass@k is withheld: {infra} sample(s) of {', '.join(languages)} could not be "
            "executed (INFRA_ERROR)"
        )
    if not n:
        notes.append("pass@k is absent: there are no problems")
    scores["n_problems"] = len(n)
    scores["n_samples"] = sum(n)
    scores["coverage"] = sum(1 for count in n if count) / total if total else 0.0
    scores["verdicts"] = {verdict.value: verdicts[verdict] for verdict in Verdict}
    scores["infra_errors"] = infra
    return scores, notes


def sample_job(
    index: int, problem: Mapping[str, Any], sample: int, completion: str, trim: str = OFF
) -> Job:
    """The job of one completion of a problem, or of a chat answer if `trim` is `extract`.

    Raises:
        MissingExtraError: `trim` is not `off`, and the grammars are not installed.
    """
    if trim == EXTRACT:
        problem, completion = {**problem, "prompt": ""}, extract(completion, problem)
    elif trim != OFF:
        completion = truncate(completion, problem, trim)
    return Job(index, problem["task_id"], sample, assemble(problem, completion))


def run(
    executor: Executor,
    jobs: Iterable[Job],
    finished: Callable[[Result], None],
    journal: Journal | None = None,
    started: Callable[[Job], None] = lambda job: None,
) -> None:
    """Get a result for each job, from the journal or else by executing it.

    `finished` is called with each result as soon as it is there, in no fixed order; it is
    on disk by then. `started` is called with each job that has to be executed.
    """

    def unknown() -> Iterator[Job]:
        for job in jobs:
            known = journal.get(job) if journal is not None else None
            if known is not None:
                finished(known)
            else:
                started(job)
                yield job

    for result in executor.execute(unknown()):
        if journal is not None:
            journal.append(result)
        finished(result)


def versions(toolchains: Mapping[str, Toolchain | ToolchainMissing]) -> dict[str, str]:
    """The version of each language's toolchain, or `missing`."""
    return {
        language: MISSING if isinstance(found, ToolchainMissing) else found.version
        for language, found in toolchains.items()
    }


def open_journal(
    path: str | os.PathLike[str], settings: Settings, toolchains: Mapping[str, str]
) -> Journal:
    """Open the journal of results made with these settings and toolchains.

    The versions stand in a file beside it: more languages may join later, or a missing
    tool be installed, but none may change.

    Raises:
        JournalMismatch: it holds results of other settings or of another toolchain.
    """
    fingerprint = {**settings.fingerprint(), "mode": MODE, "version": __version__}
    journal = Journal.open(path, fingerprint)
    try:
        record = Path(f"{os.fspath(path)}.toolchains")
        known: dict[str, str] = json.loads(record.read_text()) if record.exists() else {}
        for language, version in toolchains.items():
            before = known.get(language, MISSING)
            if MISSING not in (before, version) and before != version:
                raise JournalMismatch(
                    f"{path}: made with other tools ({language} was {before!r}, is {version!r}); "
                    "choose another place or delete it"
                )
            known[language] = before if version == MISSING else version
        with replacing(record) as file:
            file.write(json.dumps(known, sort_keys=True, indent=1) + "\n")
    except BaseException:
        journal.close()
        raise
    return journal
