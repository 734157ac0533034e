"""From a program to its verdict: compile, run, judge. One way for all languages."""

from __future__ import annotations

import dataclasses
import os
import secrets
import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from mbxp_metric.execution.cache import build_once, digest
from mbxp_metric.execution.engines import EnginePool
from mbxp_metric.execution.job import Job, Result, Settings
from mbxp_metric.execution.launching import Outcome, SandboxError
from mbxp_metric.execution.program import assemble
from mbxp_metric.execution.runtimes import base, runtime
from mbxp_metric.execution.runtimes.base import (
    DEADLOCK,
    DRIVERS,
    READY,
    STARTED,
    Runtime,
    Toolchain,
    ToolchainMissing,
)
from mbxp_metric.execution.sandbox import Sandbox
from mbxp_metric.execution.verdict import Verdict

_SINGLE_THREAD_SHARE = 0.95


def equip(language: str) -> tuple[Runtime, Toolchain]:
    """The runtime of a language with its tools found and its driver built.

    Raises:
        ToolchainMissing: a tool is not there, or the driver does not build.
    """
    found = runtime(language)
    toolchain = found.probe()
    prepare = found.prepare
    if prepare is None:
        return found, toolchain
    parts = [toolchain.version.encode(), repr(sorted(toolchain.tools.items())).encode()]
    parts += [(DRIVERS / name).read_bytes() for name in found.sources]
    # The code that builds it too: another version of this package may do it in another way.
    parts += [module.read_bytes() for module in sorted(Path(base.__file__).parent.glob("*.py"))]
    try:
        support = build_once(
            f"{language}-{digest(parts)}", lambda directory: prepare(toolchain, directory)
        )
    except OSError as error:
        raise ToolchainMissing(f"the driver of {language} cannot be built: {error}") from error
    visible = (*toolchain.visible, str(support))
    return found, dataclasses.replace(toolchain, support=str(support), visible=visible)


@dataclasses.dataclass
class Attempt:
    """A result, and whether it may not be the program's own doing."""

    result: Result
    doubtful: bool = False
    """The load of other programs, or a server, may be to blame."""


class Runner:
    """Executes single jobs; the scheduler decides how many at once."""

    def __init__(self, settings: Settings, sandbox: Sandbox) -> None:
        self.settings = settings
        self.sandbox = sandbox
        self._equipped: dict[str, tuple[Runtime, Toolchain] | ToolchainMissing] = {}
        self._engines = EnginePool(sandbox, settings)
        # Only the strongest level has what a fork server needs.
        self._asked = settings.engine if sandbox.isolation.name == "strong" else "cold"
        self._tested: dict[str, str] = {}
        self._testing: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def equip(self, languages: Iterable[str]) -> dict[str, Toolchain | ToolchainMissing]:
        """The toolchain of each language, or why it is not to be had."""
        answer: dict[str, Toolchain | ToolchainMissing] = {}
        for language in languages:
            if language not in self._equipped:
                try:
                    self._equipped[language] = equip(language)
                except ToolchainMissing as missing:
                    self._equipped[language] = missing
            found = self._equipped[language]
            answer[language] = found if isinstance(found, ToolchainMissing) else found[1]
        return answer

    def engine_so_far(self, language: str) -> str:
        """What `engine` says, or would say if the language's servers proved themselves."""
        return self._tested.get(language, self._asked)

    def engine(self, language: str) -> str:
        """`warm` or `cold`: how programs of the language are executed.

        Before the first program of a language its servers have to prove themselves on one that
        is known to pass; where they do not, or where the isolation level has none, it is `cold`.
        """
        with self._testing[language]:
            if language not in self._tested:
                warm = self._asked == "warm" and self._proves_itself(language)
                self._tested[language] = "warm" if warm else "cold"
            return self._tested[language]

    def _proves_itself(self, language: str) -> bool:
        canary = {**runtime(language).canary, "language": language}
        program = assemble(canary, canary["canonical_solution"])
        try:
            attempt = self.execute(Job(0, canary["task_id"], 0, program), "warm")
        except (SandboxError, OSError):
            return False
        return attempt.result.passed

    def execute(self, job: Job, engine: str | None = None) -> Attempt:
        """Compile and run one job, with the language's own engine or the one named.

        Raises:
            SandboxError: a fault of ours; worth another try.
        """
        result = Result(
            job.index, job.task_id, job.language, job.sample, Verdict.INFRA_ERROR, digest=job.digest
        )
        self.equip([job.language])
        equipped = self._equipped[job.language]
        if isinstance(equipped, ToolchainMissing):
            result.detail = str(equipped)
            return Attempt(result)
        language, toolchain = equipped
        text = job.program.head + job.program.test
        result.replaced_surrogates = any("\ud800" <= c <= "\udfff" for c in text)
        kind = engine or self.engine(job.language)
        with (
            self._engines.lent(job.language, kind) as lent,
            lent.directory(language) as directory,
        ):
            files = language.files(job.program, toolchain)
            for name, content in files.items():
                (Path(directory) / name).write_bytes(content)
            if language.compile:
                outcome = lent.compile(language, toolchain, directory, files)
                attempt = self._compiled(language, outcome, directory, result)
                if attempt:
                    return attempt
            secret = secrets.token_hex(16).encode()
            outcome = lent.run(language, toolchain, directory, secret)
            attempt = self._ran(job, language, outcome, secret, directory, result)
            attempt.doubtful |= kind == "warm" and DEADLOCK in outcome.report
            return attempt

    def _compiled(
        self, language: Runtime, outcome: Outcome, directory: str, result: Result
    ) -> Attempt | None:
        result.times["compile_s"] = round(outcome.wall_s, 3)
        missing = language.artifact and not os.path.exists(
            os.path.join(directory, language.artifact)
        )
        if outcome.exit_code in language.compiled_exit_codes and not missing:
            return None
        self._record(result, outcome, "compile", directory)
        if outcome.timed_out:
            result.verdict = Verdict.TIMEOUT
            doubtful = not _was_alone(outcome, self.settings.compile_timeout)
            return Attempt(result, doubtful)
        if outcome.out_of_memory or language.out_of_memory.search(outcome.messages):
            result.verdict = Verdict.OUT_OF_MEMORY
        else:
            result.verdict = Verdict.COMPILE_ERROR
        return Attempt(result)

    def _ran(
        self,
        job: Job,
        language: Runtime,
        outcome: Outcome,
        secret: bytes,
        directory: str,
        result: Result,
    ) -> Attempt:
        result.times.update(run_s=round(outcome.wall_s, 3), cpu_s=round(outcome.cpu_s, 3))
        self._record(result, outcome, "run", directory)
        result.verdict = judge(language, outcome, secret)
        if result.verdict is Verdict.PASSED and language.tampering.search(job.program.head):
            result.verdict = Verdict.WRONG_ANSWER
            result.detail = "the completion replaces what its test relies on"
        timed_out = result.verdict is Verdict.TIMEOUT
        return Attempt(result, timed_out and not _was_alone(outcome, self.settings.timeout))

    def close(self) -> None:
        """End the servers."""
        self._engines.close()

    def _record(self, result: Result, outcome: Outcome, stage: str, directory: str) -> None:
        result.stage = stage
        result.exit_code, result.signal = outcome.exit_code, outcome.signal
        # Weaker levels show the real directory, whose name differs from run to run.
        result.stdout = outcome.stdout.text.replace(directory, "/program")
        result.stderr = outcome.stderr.text.replace(directory, "/program")
        result.stdout_truncated = outcome.stdout.truncated
        result.stderr_truncated = outcome.stderr.truncated


def judge(language: Runtime, outcome: Outcome, secret: bytes) -> Verdict:
    """The verdict on a run: from its exit status and the secret, never from what it printed.

    Only the kind of a failure is read from the error output; no output makes a pass.

    Raises:
        SandboxError: not even the driver of the language ran: the program was not tried.
    """
    if outcome.timed_out:
        return Verdict.TIMEOUT
    ready = outcome.report.startswith(READY)
    if not ready and not (language.own_executable and outcome.exit_code in (0, None)):
        lines = outcome.messages.decode("utf-8", "replace").strip().splitlines()
        said = f": {lines[-1]}" if lines else ""
        raise SandboxError(f"{language.language} does not start{said}")
    if outcome.out_of_memory:
        return Verdict.OUT_OF_MEMORY
    if outcome.exit_code == 0:
        return Verdict.PASSED if secret in outcome.report else Verdict.EARLY_EXIT
    if language.starts and not outcome.report.startswith(READY + STARTED):
        return Verdict.COMPILE_ERROR
    if language.out_of_memory.search(outcome.messages):
        return Verdict.OUT_OF_MEMORY
    if language.wrong_answer.search(outcome.messages):
        return Verdict.WRONG_ANSWER
    return Verdict.RUNTIME_ERROR


def _was_alone(outcome: Outcome, seconds: float) -> bool:
    """Whether load can't explain a timeout: a single thread that had a processor throughout."""
    return outcome.threads == 1 and outcome.cpu_s >= _SINGLE_THREAD_SHARE * seconds
