"""The two ways to compile and run one program: each step anew, or by servers that stay."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mbxp_metric.execution.capture import Capture
from mbxp_metric.execution.job import ENGINES, Settings
from mbxp_metric.execution.launching import CLASSIFIED_BYTES, Outcome, SandboxError
from mbxp_metric.execution.runtimes.base import Limits, Runtime, Toolchain
from mbxp_metric.execution.sandbox import Sandbox
from mbxp_metric.execution.servers import CompileServer, ForkServer, emptied

_PROGRAMS_A_SERVER = 1000
"""After so many a server is started anew, so that nothing can pile up in it."""
_COMPILERS_KEPT = 2
"""Of each worker: a compiler that stays loaded holds some hundred megabytes."""


class Engine(ABC):
    """Compiles and runs the programs of one worker, one at a time."""

    def __init__(self, sandbox: Sandbox, settings: Settings) -> None:
        self._sandbox, self._settings = sandbox, settings
        self.run_limits = Limits(settings.timeout, settings.memory_mb)
        self.compile_limits = Limits(
            settings.compile_timeout, settings.compile_memory_mb, file_mb=512, processes=1024
        )

    @abstractmethod
    def has(self, language: str) -> bool:
        """Whether all that the language needs has started."""

    @abstractmethod
    def directory(self, language: Runtime) -> contextlib.AbstractContextManager[str]:
        """The path of an empty directory for one program."""

    def compile(
        self, language: Runtime, toolchain: Toolchain, directory: str, files: Mapping[str, bytes]
    ) -> Outcome:
        """Compile the files, which lie in the directory.

        Raises:
            SandboxError: a fault of ours.
        """
        assert language.compile
        command = language.compile(toolchain, self.compile_limits)
        return self._step(command, toolchain, directory, self.compile_limits, writable=True)

    def _step(
        self,
        command: Sequence[str],
        toolchain: Toolchain,
        directory: str,
        limits: Limits,
        *,
        writable: bool = False,
        secret: bytes = b"",
    ) -> Outcome:
        """Run one command in a process and a sandbox of its own, started for it."""
        return self._sandbox.run(
            command,
            directory=directory,
            writable=writable,
            limits=limits,
            visible=toolchain.visible,
            env=toolchain.env,
            secret=secret,
            output_bytes=self._settings.output_bytes,
        )

    @abstractmethod
    def run(
        self, language: Runtime, toolchain: Toolchain, directory: str, secret: bytes
    ) -> Outcome:
        """Run the program in the directory.

        Raises:
            SandboxError: a fault of ours.
        """

    @abstractmethod
    def close(self) -> None:
        """End what stays."""


class Cold(Engine):
    """Every step in a process and a sandbox of its own, started for it."""

    @contextlib.contextmanager
    def directory(self, language: Runtime) -> Iterator[str]:
        with self._sandbox.directory() as directory:
            yield directory

    def run(
        self, language: Runtime, toolchain: Toolchain, directory: str, secret: bytes
    ) -> Outcome:
        command = language.run(toolchain, self.run_limits)
        return self._step(command, toolchain, directory, self.run_limits, secret=secret)

    def has(self, language: str) -> bool:
        return True

    def close(self) -> None:
        """Nothing stays."""


class Warm(Engine):
    """Forks of what has started already, and compilers that stay loaded.

    Whatever is out of the ordinary in a compile server, such as no answer in time, is decided by
    the compiler started anew.
    """

    def __init__(self, sandbox: Sandbox, settings: Settings) -> None:
        super().__init__(sandbox, settings)
        self._directories: dict[str, str] = {}
        self._forks: dict[str, ForkServer] = {}
        self._compilers: dict[str, CompileServer] = {}
        self._stack = contextlib.ExitStack()

    def has(self, language: str) -> bool:
        return language in self._forks

    @contextlib.contextmanager
    def directory(self, language: Runtime) -> Iterator[str]:
        # The same for all programs of a language: its fork server shows no other.
        found = self._directories.get(language.language)
        if found is None:
            found = self._stack.enter_context(self._sandbox.directory())
            self._directories[language.language] = found
        try:
            yield found
        finally:
            emptied(found)

    def compile(
        self, language: Runtime, toolchain: Toolchain, directory: str, files: Mapping[str, bytes]
    ) -> Outcome:
        if language.quick_compile:
            quick = self._compile_quickly(language, toolchain, directory, files)
            if quick:
                return quick
        if language.compile_server is None:
            return super().compile(language, toolchain, directory, files)
        try:
            answer = self._compiler(language, toolchain).compile(
                files, self._settings.compile_timeout
            )
        except SandboxError:
            _drop(self._compilers, language.language)
            return super().compile(language, toolchain, directory, files)
        for name, content in answer.files.items():
            path = Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        stderr = Capture(self._settings.output_bytes)
        stderr.feed(answer.output)
        return Outcome(
            exit_code=answer.exit_code,
            signal=None,
            timed_out=False,
            out_of_memory=False,
            wall_s=answer.wall_s,
            cpu_s=0.0,
            threads=0,
            stdout=Capture(0),
            stderr=stderr,
            messages=answer.output[-CLASSIFIED_BYTES:],
            report=b"",
        )

    def _compile_quickly(
        self, language: Runtime, toolchain: Toolchain, directory: str, files: Mapping[str, bytes]
    ) -> Outcome | None:
        """The outcome of the language's quicker command; None where that decides nothing."""
        assert language.quick_compile
        command = language.quick_compile(toolchain, self.compile_limits, files)
        if command is None:
            return None
        outcome = self._step(command, toolchain, directory, self.compile_limits, writable=True)
        return outcome if outcome.exit_code == 0 else None

    def run(
        self, language: Runtime, toolchain: Toolchain, directory: str, secret: bytes
    ) -> Outcome:
        command = language.run(toolchain, self.run_limits)
        try:
            return self._fork(language, toolchain, directory).run(
                command, secret, self._settings.output_bytes
            )
        except SandboxError:
            _drop(self._forks, language.language)
            raise

    def _fork(self, language: Runtime, toolchain: Toolchain, directory: str) -> ForkServer:
        found = self._forks.get(language.language)
        if found is None or found.programs >= _PROGRAMS_A_SERVER:
            if found:
                found.close()
            start = language.interpreter
            interpreter = start(toolchain, self.run_limits) if start else ()
            found = ForkServer(
                self._sandbox,
                directory,
                self.run_limits,
                toolchain.visible,
                toolchain.env,
                interpreter,
            )
            self._forks[language.language] = found
        return found

    def _compiler(self, language: Runtime, toolchain: Toolchain) -> CompileServer:
        found = self._compilers.pop(language.language, None)
        if found is None or found.programs >= _PROGRAMS_A_SERVER:
            if found:
                found.close()
            while len(self._compilers) >= _COMPILERS_KEPT:  # the one used longest ago
                self._compilers.pop(next(iter(self._compilers))).close()
            assert language.compile_server
            found = CompileServer(
                self._sandbox,
                language.compile_server(toolchain, self.compile_limits),
                self.compile_limits,
                toolchain.visible,
                toolchain.env,
            )
        self._compilers[language.language] = found
        return found

    def close(self) -> None:
        for fork in self._forks.values():
            fork.close()
        for compiler in self._compilers.values():
            compiler.close()
        self._stack.close()


def _drop(servers: dict[str, ForkServer] | dict[str, CompileServer], language: str) -> None:
    server = servers.pop(language, None)
    if server:
        server.close()


class EnginePool:
    """Engines for the workers, each lent to one at a time."""

    def __init__(self, sandbox: Sandbox, settings: Settings) -> None:
        self._sandbox, self._settings = sandbox, settings
        self._free: dict[str, list[Engine]] = {name: [] for name in ENGINES}
        self._all: list[Engine] = []
        self._guard = threading.Lock()

    @contextlib.contextmanager
    def lent(self, language: str, kind: str) -> Iterator[Engine]:
        """An engine, `warm` or `cold`, that no one else uses now."""
        engine = self._take(language, kind)
        try:
            yield engine
        finally:
            with self._guard:
                self._free[kind].append(engine)

    def _take(self, language: str, kind: str) -> Engine:
        with self._guard:
            free = self._free[kind]
            # If possible one that has what the language needs.
            for engine in reversed(free):
                if engine.has(language):
                    free.remove(engine)
                    return engine
            if free:
                return free.pop()
            made = (Warm if kind == "warm" else Cold)(self._sandbox, self._settings)
            self._all.append(made)
            return made

    def close(self) -> None:
        """End everything that stays; no engine may be in use."""
        for engine in self._all:
            engine.close()
