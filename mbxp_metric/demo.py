"""The whole corridor: HumanEval's own solutions in Python, then problems in every language.

In Python, HumanEval's solutions pass and deliberate failures do not. In each language, HumanEval
is converted, some of it is compiled with a stub for a solution, and problems of our own are
solved, rightly and wrongly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mbxp_datasets import (
    Problem,
    UnconvertibleError,
    convert,
    human_eval_file,
    python_problems,
)
from mbxp_datasets.conversion import target
from mbxp_metric import demo_problems
from mbxp_metric.converting import FAILING
from mbxp_metric.execution import (
    Executor,
    Job,
    Result,
    Settings,
    ToolchainMissing,
    Verdict,
)
from mbxp_metric.problem_sets import HUMAN_EVAL, human_eval_set
from mbxp_metric.scoring import Group, ScoreOptions, open_executor, run, sample_job, score, versions
from mbxp_metric.signature import score_signature

FAILURES = {
    "wrong answer": ("    return None\n", Verdict.WRONG_ANSWER),
    "exit(0) before the tests": ("    import sys\n    sys.exit(0)\n", Verdict.EARLY_EXIT),
    "endless loop": ("    while True:\n        pass\n", Verdict.TIMEOUT),
    "syntax error": ("    return (\n", Verdict.COMPILE_ERROR),
    "runtime error": ("    return {}['missing']\n", Verdict.RUNTIME_ERROR),
}
"""What is put in the place of a solution, and what must come of it."""

SOLUTION = "solution"
EXPECTED = {
    SOLUTION: (Verdict.PASSED,),
    "right": (Verdict.PASSED,),
    "wrong": FAILING,
    "stub": FAILING,
}
"""The kinds of programs, and the verdicts that each may come to."""

OWN_PROBLEMS, STUBS = 6, 5
"""Programs of each kind and language: compiling them all would take half an hour."""

LEAST_CONVERTED = 0.98
"""Some problems hold what no language but Python has; this share of HumanEval does not."""

_FAILURE_TIMEOUT = 2.0
_SHOWN = 10


@dataclass(frozen=True)
class Deliberate:
    """One deliberate failure: what was expected, what came."""

    name: str
    expected: Verdict
    got: Verdict

    @property
    def as_expected(self) -> bool:
        return self.expected is self.got


@dataclass(frozen=True)
class Surprise:
    """A program that came to what it must not; its task id names the kind of program."""

    result: Result
    expected: tuple[Verdict, ...]

    def __str__(self) -> str:
        expected = " or ".join(self.expected)
        got = f"{self.result.verdict} {self.result.why}".rstrip()
        return f"{self.result.task_id}: {expected} expected, got {got}"


@dataclass
class LanguageDemo:
    """What the demonstration showed in one language."""

    language: str
    problems: int = 0
    """Of HumanEval."""
    unconvertible: list[UnconvertibleError] = field(default_factory=list)
    missing: str = ""
    """What its toolchain lacks, and what to do; then nothing was executed."""
    verdicts: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    """By kind of program."""

    @property
    def converted(self) -> tuple[int, int]:
        """How many problems of HumanEval, and of how many."""
        return self.problems - len(self.unconvertible), self.problems

    @property
    def validated(self) -> tuple[int, int]:
        """How many compiled with a stub, and of how many."""
        stubs = self.verdicts["stub"]
        refused = stubs[Verdict.COMPILE_ERROR] + stubs[Verdict.INFRA_ERROR]
        return stubs.total() - refused, stubs.total()

    def as_expected_of(self, kind: str) -> tuple[int, int]:
        """How many programs of a kind came to a verdict that it may have, and of how many."""
        counts = self.verdicts[kind]
        return sum(counts[verdict] for verdict in EXPECTED[kind]), counts.total()

    @property
    def as_expected(self) -> bool:
        """Whether all that could be executed came to what it must; a missing tool is no fault."""
        done, total = self.converted
        counts = (self.as_expected_of(kind) for kind in self.verdicts)
        return done >= LEAST_CONVERTED * total and all(met == total for met, total in counts)


@dataclass(frozen=True)
class Demo:
    """What the demonstration showed."""

    scores: dict[str, Any]
    languages: list[LanguageDemo]
    deliberate: list[Deliberate]
    surprises: list[Surprise]
    """Among all programs but the deliberate failures, in the order of execution."""

    @property
    def as_expected(self) -> bool:
        """Whether every right program passed and every other one failed in its own way."""
        shown = [report.as_expected for report in self.languages]
        return not self.surprises and all(shown + [each.as_expected for each in self.deliberate])

    @property
    def notes(self) -> list[str]:
        """A line for each thing that is missing, left out or not as expected."""
        lines = [f"{each.language}: {each.missing}" for each in self.languages if each.missing]
        reasons = Counter(str(error) for each in self.languages for error in each.unconvertible)
        lines += [
            f"not converted ({count} languages): {reason}" for reason, count in reasons.items()
        ]
        lines += [str(each) for each in self.surprises[:_SHOWN]]
        if len(self.surprises) > _SHOWN:
            lines.append(f"and {len(self.surprises) - _SHOWN} more")
        return lines


class Demonstration:
    """The programs of the demonstration, ready to be executed.

    Raises:
        MissingExtraError, FileNotFoundError: the human-eval package is not installed.
    """

    def __init__(self, executor: Executor, languages: Sequence[str]) -> None:
        self._executor = executor
        self._human_eval = human_eval_set()
        self._kinds: list[tuple[LanguageDemo | None, str]] = []
        self._jobs: list[Job] = []
        self._found = executor.toolchains(dict.fromkeys(["python", *languages]))
        for row in self._human_eval.problems.values():
            self._add(None, SOLUTION, row, row["canonical_solution"] or "")
        self._languages = [LanguageDemo(language) for language in languages]
        stubbed = self._convert_human_eval()
        own = list(python_problems(demo_problems.PROBLEMS))[:OWN_PROBLEMS]
        for report in self._languages:
            found = self._found[report.language]
            if isinstance(found, ToolchainMissing):
                report.missing = str(found)
                continue
            stub = target(report.language).stub
            for row in stubbed[report.language]:
                self._add(report, "stub", row, stub)
            texts = demo_problems.completions(report.language)
            for problem in own:
                row = convert(problem, report.language)
                for kind in ("right", "wrong"):
                    self._add(report, kind, row, texts[problem.task_id, kind])

    @property
    def total(self) -> int:
        """Programs that `run` executes."""
        return len(self._jobs) + len(FAILURES)

    def _convert_human_eval(self) -> dict[str, list[Problem]]:
        """Convert all of it and keep a few problems of each language, from all over it."""
        rows: dict[str, list[Problem]] = defaultdict(list)
        # Problem by problem, since a problem's test is read once for all languages.
        for problem in python_problems(human_eval_file()):
            for report in self._languages:
                report.problems += 1
                try:
                    rows[report.language].append(convert(problem, report.language))
                except UnconvertibleError as error:
                    report.unconvertible.append(error)
        chosen = {}
        for report in self._languages:
            found = rows[report.language]
            chosen[report.language] = found[:: max(1, len(found) // STUBS)][:STUBS]
        return chosen

    def _add(
        self, report: LanguageDemo | None, kind: str, problem: Problem, completion: str
    ) -> None:
        task_id = problem["task_id"] if kind == SOLUTION else f"{problem['task_id']} ({kind})"
        self._jobs.append(
            sample_job(len(self._jobs), {**problem, "task_id": task_id}, 0, completion)
        )
        self._kinds.append((report, kind))

    def run(
        self,
        started: Callable[[Job], None] = lambda job: None,
        finished: Callable[[Result], None] = lambda result: None,
    ) -> Demo:
        """Execute all programs.

        Raises:
            IsolationUnavailable: the isolation level cannot be had here.
        """
        rows = self._human_eval.problems
        python = Group("python", len(rows))
        for _, task_id in rows:
            python.expect(task_id, 1)
        surprises: list[Surprise] = []

        def count(result: Result) -> None:
            report, kind = self._kinds[result.index]
            if report is None:
                python.record(result.task_id, result.verdict)
            else:
                report.verdicts[kind][result.verdict] += 1
            if result.verdict not in EXPECTED[kind]:
                surprises.append(Surprise(result, EXPECTED[kind]))
            finished(result)

        run(self._executor, self._jobs, count, started=started)
        settings = self._executor.settings
        deliberate = self._deliberate(
            replace(settings, timeout=_FAILURE_TIMEOUT), started, finished
        )
        surprises.sort(key=lambda each: each.result.index)
        return Demo(self._scores(python), self._languages, deliberate, surprises)

    def _scores(self, python: Group) -> dict[str, Any]:
        options = ScoreOptions(k=(1,))
        scores, _ = score([python], options)
        signature = score_signature(
            problems=self._human_eval.name,
            data=self._human_eval.revision,
            samples=python.samples.values(),
            k=options.k,
            settings=self._executor.settings,
            toolchains=versions({"python": self._found["python"]}),
            engines={"python": self._executor.engine("python")},
            bootstrap=options.bootstrap,
            seed=options.seed,
        )
        about = {"file": "", "problems": HUMAN_EVAL, "language": "python"}
        return {**about, **scores, "signature": signature}

    def _deliberate(
        self,
        settings: Settings,
        started: Callable[[Job], None],
        finished: Callable[[Result], None],
    ) -> list[Deliberate]:
        problem = next(iter(self._human_eval.problems.values()))
        jobs = [
            sample_job(index, problem, 0, completion)
            for index, (completion, _) in enumerate(FAILURES.values())
        ]
        got: dict[int, Verdict] = {}

        def count(result: Result) -> None:
            got[result.index] = result.verdict
            finished(result)

        with open_executor(settings) as executor:
            run(executor, jobs, count, started=started)
        return [
            Deliberate(name, expected, got[number])
            for number, (name, (_, expected)) in enumerate(FAILURES.items())
        ]
