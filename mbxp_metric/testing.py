"""A stand-in for execution, so that a suite built on the metric is fast and runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from mbxp_metric import scoring
from mbxp_metric.execution import (
    Isolation,
    Job,
    Result,
    Settings,
    Toolchain,
    ToolchainMissing,
    Verdict,
)


class FakeExecutor:
    """Has the shape of an `Executor`, but decides instead of executing.

    Results come in an order of their own, as they do from many workers.
    """

    def __init__(
        self, settings: Settings, decide: Callable[[Job], Verdict], missing: Iterable[str] = ()
    ) -> None:
        self.settings = settings
        self.reused = self.audited = 0
        self.isolation = Isolation("fake", "nothing is executed")
        self._decide = decide
        self._missing = frozenset(missing)

    def toolchains(self, languages: Iterable[str]) -> dict[str, Toolchain | ToolchainMissing]:
        return {
            name: ToolchainMissing(f"no tools for {name}: install them")
            if name in self._missing
            else Toolchain("fake", {})
            for name in languages
        }

    def engine(self, language: str) -> str:
        return self.settings.engine

    def execute(self, jobs: Iterable[Job]) -> Iterator[Result]:
        queue = iter(jobs)
        while window := list(islice(queue, 2 * self.settings.workers)):
            for job in reversed(window):
                verdict = self._decide(job)
                if job.language in self._missing:
                    verdict = Verdict.INFRA_ERROR
                result = Result(job.index, job.task_id, job.language, job.sample, verdict)
                result.digest, result.times = job.digest, {"run_s": 0.001 * job.index}
                yield result

    def __enter__(self) -> FakeExecutor:
        return self

    def __exit__(self, *_: object) -> None: ...


@contextmanager
def fake_execution(
    decide: Callable[[Job], Verdict] = lambda job: Verdict.PASSED, missing: Iterable[str] = ()
) -> Iterator[None]:
    """Within it, metric and command line take each verdict from `decide` and execute nothing.

    Languages in `missing` have no toolchain. The consent is asked for all the same.
    """
    before = scoring.executor_factory
    scoring.executor_factory = lambda settings: FakeExecutor(settings, decide, missing)
    try:
        yield
    finally:
        scoring.executor_factory = before
