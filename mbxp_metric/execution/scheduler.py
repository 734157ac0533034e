"""One queue for all samples: many in flight, results as they come, timeouts asked twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from mbxp_metric.execution.job import Job, Result, Settings
from mbxp_metric.execution.runner import Attempt, Runner
from mbxp_metric.execution.runtimes.base import Toolchain, ToolchainMissing
from mbxp_metric.execution.sandbox import Isolation, Sandbox, SandboxError
from mbxp_metric.execution.verdict import Verdict

_TRIES = 3
_SUSPECTS_HELD = 64


class Executor:
    """Executes jobs inside a sandbox; use it as a context manager.

    Raises:
        IsolationUnavailable: the asked level cannot be had here.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sandbox = Sandbox(settings.isolation)
        self._runner = Runner(settings, self._sandbox)
        self._guard = threading.Lock()
        self._in_flight = 0
        self._started = 0
        self._stopping = False

    @property
    def isolation(self) -> Isolation:
        """The level in force."""
        return self._sandbox.isolation

    def toolchains(self, languages: Iterable[str]) -> dict[str, Toolchain | ToolchainMissing]:
        """The toolchain of each language, or why it is not to be had."""
        return self._runner.equip(languages)

    def execute(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Results in the order in which they are ready; `jobs` is read only as fast as needed.

        A timeout that other programs in flight may explain is run again alone, once, before
        it counts. A fault of the sandbox is tried again before it becomes an `INFRA_ERROR`.
        """
        self._stopping = False
        suspects: list[Job] = []
        waiting: dict[Future[Attempt], Job] = {}
        pool = ThreadPoolExecutor(self.settings.workers, thread_name_prefix="mbxp")
        try:
            for job in jobs:
                self._runner.equip([job.language])
                waiting[pool.submit(self._attempt, job)] = job
                while len(waiting) >= 2 * self.settings.workers:
                    yield from self._collect(waiting, suspects)
                if len(suspects) >= _SUSPECTS_HELD:
                    while waiting:
                        yield from self._collect(waiting, suspects)
                    yield from self._retrials(suspects)
            while waiting:
                yield from self._collect(waiting, suspects)
            yield from self._retrials(suspects)
        finally:
            self._stopping = True
            left = {future for future in waiting if not future.cancel()}
            while left:  # again and again: a thread may be about to start its program
                self._sandbox.interrupt()
                left = wait(left, timeout=0.1).not_done
            pool.shutdown(wait=True, cancel_futures=True)

    def _collect(
        self, waiting: dict[Future[Attempt], Job], suspects: list[Job]
    ) -> Iterator[Result]:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            job = waiting.pop(future)
            attempt = future.result()
            if attempt.doubtful:
                suspects.append(job)
            else:
                yield attempt.result

    def _retrials(self, suspects: list[Job]) -> Iterator[Result]:
        while suspects:
            yield self._attempt(suspects.pop(0)).result

    def _attempt(self, job: Job) -> Attempt:
        reason = ""
        for number in range(_TRIES):
            if self._stopping:
                break
            if number:
                time.sleep(0.1 * number)
            with self._guard:
                self._in_flight += 1
                self._started += 1
                started, company = self._started, self._in_flight > 1
            try:
                attempt = self._runner.execute(job)
            except (SandboxError, OSError) as error:
                reason = str(error)
                continue
            finally:
                with self._guard:
                    self._in_flight -= 1
                    company = company or self._started != started
            attempt.doubtful = attempt.doubtful and company
            return attempt
        result = Result(job.index, job.task_id, job.language, job.sample, Verdict.INFRA_ERROR)
        result.detail, result.digest = reason or "interrupted", job.digest
        return Attempt(result)

    def close(self) -> None:
        """End whatever runs and remove all temporary files."""
        self._stopping = True
        self._sandbox.close()

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
