"""What works on this machine: the toolchains, the isolation, and a canary in each language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mbxp_metric.execution import (
    IsolationUnavailable,
    Job,
    Settings,
    Toolchain,
    ToolchainMissing,
    Verdict,
    assemble,
    runtime,
)
from mbxp_metric.scoring import open_executor

CANARIES = {
    "canonical_solution": Verdict.PASSED,
    "wrong_answer": Verdict.WRONG_ANSWER,
    "early_exit": Verdict.EARLY_EXIT,
}
"""Completions of a runtime's canary, and what each must come to."""


@dataclass
class LanguageReport:
    """One language: its tools, and what its canaries came to."""

    language: str
    available: bool
    version: str = ""
    problem: str = ""
    """Why it is not available, and what to do."""
    canaries: dict[str, str] = field(default_factory=dict)
    """Verdict of each canary that was run."""
    engine: str = ""
    """`warm` or `cold`: how its programs are executed here."""


@dataclass
class Diagnosis:
    """What `diagnose` found."""

    isolation: str
    isolation_summary: str
    """What the level gives, or why it cannot be had."""
    isolated: bool
    languages: list[LanguageReport]

    @property
    def healthy(self) -> bool:
        """Whether everything asked for works."""
        return self.isolated and all(report.available for report in self.languages)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "healthy": self.healthy}


def diagnose(languages: Sequence[str], settings: Settings) -> Diagnosis:
    """Probe the languages and run their canaries, which are programs of our own.

    Raises:
        ValueError: a language is unknown.
    """
    for language in languages:
        runtime(language)
    try:
        with open_executor(replace(settings, reuse=False)) as executor:
            found = executor.toolchains(languages)
            reports = {language: _report(language, found[language]) for language in languages}
            jobs = list(_jobs(report.language for report in reports.values() if report.available))
            for result in executor.execute(jobs):
                report = reports[result.language]
                report.canaries[result.task_id] = result.verdict.value
                if result.verdict is not CANARIES[result.task_id]:
                    report.available = False
                    report.problem = (
                        f"canary {result.task_id} came to {result.verdict}, not "
                        f"{CANARIES[result.task_id]}: {result.why or 'it printed nothing'}"
                    )
            for language, report in reports.items():
                if report.canaries:
                    report.engine = executor.engine(language)
            level = executor.isolation
            return Diagnosis(level.name, level.summary, True, list(reports.values()))
    except IsolationUnavailable as error:
        reports = {language: _report(language, _probe(language)) for language in languages}
        return Diagnosis(settings.isolation, str(error), False, list(reports.values()))


def _probe(language: str) -> Toolchain | ToolchainMissing:
    try:
        return runtime(language).probe()
    except ToolchainMissing as error:
        return error


def _report(language: str, found: Toolchain | ToolchainMissing) -> LanguageReport:
    if isinstance(found, ToolchainMissing):
        return LanguageReport(language, False, problem=str(found))
    return LanguageReport(language, True, found.version)


def _jobs(languages: Iterable[str]) -> Iterator[Job]:
    index = 0
    for language in languages:
        canary = runtime(language).canary
        # Every canary adds two numbers, so it is wrong once it subtracts them.
        wrong = canary["canonical_solution"].replace("+", "-")
        completions = {"wrong_answer": wrong, **canary}
        for name in CANARIES:
            program = assemble({**canary, "language": language}, completions[name])
            yield Job(index, name, 0, program)
            index += 1
