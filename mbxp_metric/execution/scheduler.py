"""One queue for all samples: many in flight, results as they come, timeouts asked twice."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from mbxp_metric.execution.job import Job, Result, Settings
from mbxp_metric.execution.launching import SandboxError
from mbxp_metric.execution.reuse import VerdictStore, as_result_of, is_reusable
from mbxp_metric.execution.runner import Attempt, Runner
from mbxp_metric.execution.runtimes.base import Toolchain, ToolchainMissing
from mbxp_metric.execution.sandbox import Isolation, Sandbox
from mbxp_metric.execution.verdict import Verdict

_TRIES = 3
_SUSPECTS_HELD = 64
_EQUALS_HELD = 1024


class Executor:
    """Executes jobs inside a sandbox; use it as a context manager.

    Raises:
        IsolationUnavailable: the asked level cannot be had here.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._sandbox = Sandbox(settings.isolation)
        self._runner = Runner(settings, self._sandbox)
        # For as long as we live: what a thread has started dies with it.
        self._pool = ThreadPoolExecutor(settings.workers, thread_name_prefix="mbxp")
        self._guard = threading.Lock()
        self._in_flight = 0
        self._started = 0
        self._stopping = False
        self.reused = self.audited = 0
        """Verdicts taken from equal programs, and programs executed again cold."""

    def engine(self, language: str) -> str:
        """`warm` or `cold`: how programs of the language are executed, as far as is known."""
        return self._runner.engine_so_far(language)

    @property
    def isolation(self) -> Isolation:
        """The level in force."""
        return self._sandbox.isolation

    def toolchains(self, languages: Iterable[str]) -> dict[str, Toolchain | ToolchainMissing]:
        """The toolchain of each language, or why it is not to be had."""
        return self._runner.equip(languages)

    def execute(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Results in the order in which they are ready; `jobs` is read only as fast as needed.

        A timeout that other programs in flight or a server may explain is run again alone and
        cold, once, before it counts. A fault of the sandbox is tried again before it becomes an
        `INFRA_ERROR`. With `Settings.reuse` a program that equals one before it is not executed.
        """
        if not self.settings.reuse:
            yield from self._execute(jobs)
            return
        with contextlib.closing(VerdictStore(self.settings)) as store:
            yield from self._execute_once(jobs, store)

    def _execute_once(self, jobs: Iterable[Job], store: VerdictStore) -> Iterator[Result]:
        """The results of all, each program executed once if its verdict may be reused."""
        equal: dict[bytes, list[Job]] = {}
        keys: dict[int, bytes] = {}
        held = 0

        def unknown() -> Iterator[Job | Result]:
            nonlocal held
            for job in jobs:
                toolchain = self.toolchains([job.language])[job.language]
                if isinstance(toolchain, ToolchainMissing):
                    yield job
                    continue
                key = store.key(job, toolchain.version)
                if key in equal and held < _EQUALS_HELD:
                    equal[key].append(job)
                    held += 1
                    continue
                known = store.get(key, job)
                if known is None and key not in equal:
                    keys[job.index] = key
                    equal[key] = []
                yield known or job

        late: list[Job] = []
        for result in self._execute(unknown()):
            self.reused += result.reused
            yield result
            key = keys.pop(result.index, None)
            if key is None:
                continue
            store.put(key, result)
            followers = equal.pop(key)
            held -= len(followers)
            if is_reusable(result):
                self.reused += len(followers)
                for job in followers:
                    yield as_result_of(job, result)
            else:
                late += followers
        yield from self._execute(late)

    def _execute(self, jobs: Iterable[Job | Result]) -> Iterator[Result]:
        """The results of the jobs; results among them are handed on."""
        self._stopping = False
        suspects: list[Job] = []
        waiting: dict[Future[Attempt], Job] = {}
        try:
            for job in jobs:
                if isinstance(job, Result):
                    yield job
                    continue
                self._runner.equip([job.language])
                waiting[self._pool.submit(self._attempt, job)] = job
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
            yield self._attempt(suspects.pop(0), "cold").result

    def _attempt(self, job: Job, engine: str | None = None) -> Attempt:
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
                attempt = self._runner.execute(job, engine)
            except (SandboxError, OSError) as error:
                reason = str(error)
                continue
            finally:
                with self._guard:
                    self._in_flight -= 1
                    company = company or self._started != started
            warm = (engine or self._runner.engine_so_far(job.language)) == "warm"
            attempt.doubtful = attempt.doubtful and (company or warm)
            if not attempt.doubtful and self._is_audited(job):
                self._audit(job, attempt.result)
            return attempt
        result = Result(job.index, job.task_id, job.language, job.sample, Verdict.INFRA_ERROR)
        result.detail, result.digest = reason or "interrupted", job.digest
        return Attempt(result)

    def _is_audited(self, job: Job) -> bool:
        # By its text, so that the same programs are in every run.
        return int(job.digest[:8], 16) < self.settings.audit * 2**32

    def _audit(self, job: Job, result: Result) -> None:
        """Execute a job again, cold; where the verdicts differ we are at fault, not the sample."""
        again = self._runner.execute(job, "cold").result
        with self._guard:
            self.audited += 1
        if again.verdict is not result.verdict:
            said = f"{result.verdict} at first and {again.verdict} again, cold"
            result.verdict, result.detail = Verdict.INFRA_ERROR, f"the audit disagrees: {said}"

    def close(self) -> None:
        """End whatever runs and remove all temporary files."""
        self._stopping = True
        self._sandbox.interrupt()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._runner.close()
        self._sandbox.close()

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
