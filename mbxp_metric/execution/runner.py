"""From a program to its verdict: compile, run, judge. One way for all languages."""

from __future__ import annotations

import dataclasses
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from mbxp_metric.execution.cache import build_once, digest
from mbxp_metric.execution.job import Job, Result, Settings
from mbxp_metric.execution.runtimes import runtime
from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    READY,
    STARTED,
    Limits,
    Runtime,
    Toolchain,
    ToolchainMissing,
)
from mbxp_metric.execution.sandbox import Outcome, Sandbox, SandboxError
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
    """A result, and whether it was a timeout that the load of other programs may explain."""

    result: Result
    doubtful: bool = False


class Runner:
    """Executes single jobs; the scheduler decides how many at once."""

    def __init__(self, settings: Settings, sandbox: Sandbox) -> None:
        self.settings = settings
        self.sandbox = sandbox
        self._equipped: dict[str, tuple[Runtime, Toolchain] | ToolchainMissing] = {}
        self._run_limits = Limits(settings.timeout, settings.memory_mb)
        self._compile_limits = Limits(
            settings.compile_timeout, settings.compile_memory_mb, file_mb=512, processes=1024
        )

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

    def execute(self, job: Job) -> Attempt:
        """Compile and run one job.

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
        with self.sandbox.directory() as directory:
            for name, content in language.files(job.program, toolchain).items():
                (Path(directory) / name).write_bytes(content)
            if language.compile:
                attempt = self._compile(job, language, toolchain, directory, result)
                if attempt:
                    return attempt
            return self._run(job, language, toolchain, directory, result)

    def _compile(
        self, job: Job, language: Runtime, toolchain: Toolchain, directory: str, result: Result
    ) -> Attempt | None:
        assert language.compile
        limits = self._compile_limits
        outcome = self.sandbox.run(
            language.compile(toolchain, limits),
            directory=directory,
            writable=True,
            limits=limits,
            visible=toolchain.visible,
            env=toolchain.env,
            output_bytes=self.settings.output_bytes,
        )
        result.times["compile_s"] = round(outcome.wall_s, 3)
        missing = language.artifact and not os.path.exists(
            os.path.join(directory, language.artifact)
        )
        if outcome.exit_code in language.compiled_exit_codes and not missing:
            return None
        self._record(result, outcome, "compile", directory)
        if outcome.timed_out:
            result.verdict = Verdict.TIMEOUT
            return Attempt(result, doubtful=not _was_alone(outcome, limits))
        if outcome.out_of_memory or language.out_of_memory.search(outcome.messages):
            result.verdict = Verdict.OUT_OF_MEMORY
        else:
            result.verdict = Verdict.COMPILE_ERROR
        return Attempt(result)

    def _run(
        self, job: Job, language: Runtime, toolchain: Toolchain, directory: str, result: Result
    ) -> Attempt:
        limits = self._run_limits
        secret = secrets.token_hex(16).encode()
        outcome = self.sandbox.run(
            language.run(toolchain, limits),
            directory=directory,
            writable=False,
            limits=limits,
            visible=toolchain.visible,
            env=toolchain.env,
            secret=secret,
            output_bytes=self.settings.output_bytes,
        )
        result.times.update(run_s=round(outcome.wall_s, 3), cpu_s=round(outcome.cpu_s, 3))
        self._record(result, outcome, "run", directory)
        result.verdict = judge(language, outcome, secret)
        if result.verdict is Verdict.PASSED and language.tampering.search(job.program.head):
            result.verdict = Verdict.WRONG_ANSWER
            result.detail = "the completion replaces what its test relies on"
        doubtful = result.verdict is Verdict.TIMEOUT and not _was_alone(outcome, limits)
        return Attempt(result, doubtful)

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


def _was_alone(outcome: Outcome, limits: Limits) -> bool:
    """Whether load can't explain a timeout: a single thread that had a processor throughout."""
    return outcome.threads == 1 and outcome.cpu_s >= _SINGLE_THREAD_SHARE * limits.seconds
