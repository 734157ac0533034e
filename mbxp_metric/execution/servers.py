"""Processes that stay: fork servers, which run programs, and compile servers.

A fork server has its root and network made once; each program is a fork of it in namespaces of
its own, an interpreter that has already started or an executable. A compile server is a compiler
that stays loaded. Either stands in a sandbox like any program, and holds nothing that a program
could change: what it gave rise to has no descriptor, no writable file and no memory of it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import socket
import struct
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mbxp_metric.execution.capture import Capture
from mbxp_metric.execution.launching import Channels, Outcome, SandboxError
from mbxp_metric.execution.runtimes.base import PROGRAM_DIR, Limits
from mbxp_metric.execution.sandbox import Sandbox

_FOREVER = 10 * 24 * 3600.0
_LENGTH = struct.Struct(">I")
_MOST_BYTES = 1 << 28


class _Server:
    """A process inside the sandbox with pipes as its input and output."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._said = Capture(8192)
        self.programs = 0
        """How many it has had."""

    def close(self) -> None:
        """End the process and remove what it had."""
        self._stack.close()

    def _listen(self, fd: int) -> None:
        """Keep reading what the process says, in a thread, so that it never waits for us."""

        def read() -> None:
            with open(fd, "rb", buffering=0) as stream:
                while data := stream.read(4096):
                    self._said.feed(data)

        threading.Thread(target=read, daemon=True, name="mbxp-server").start()

    def _fault(self, error: object) -> SandboxError:
        lines = self._said.text.strip().splitlines()
        return SandboxError(f"{error}: {lines[-1]}" if lines else str(error))


class ForkServer(_Server):
    """Runs the programs of one language, one at a time, each in a fork.

    With `interpreter` the fork is that command, which must have become a fork server by the hook;
    without, each program has a command of its own.

    Raises:
        SandboxError: it cannot be started.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        directory: str,
        limits: Limits,
        visible: Sequence[str],
        env: Mapping[str, str],
        interpreter: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._sandbox, self._limits = sandbox, limits
        self._directory, self._env = directory, env
        self._interpreter = bool(interpreter)
        # Only these lie where a program's own /tmp will be.
        self._again = [
            part
            for path in visible
            if path.startswith("/tmp/")
            for part in ("--visible", path)
            if os.path.exists(path)
        ]
        try:
            self._uid = self._stack.enter_context(sandbox.uid())
            self._start(visible, interpreter)
        except BaseException:
            self.close()
            raise

    def _start(self, visible: Sequence[str], interpreter: Sequence[str]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._requests = self._stack.enter_context(ours)
        for part in interpreter:
            # An interpreter may open its program before it becomes a fork server.
            if part.startswith(f"{PROGRAM_DIR}/"):
                Path(self._directory, part.removeprefix(f"{PROGRAM_DIR}/")).touch()
        number = str(theirs.fileno())
        hook = self._sandbox.launcher.hook
        env = dict(self._env)
        if interpreter:
            env["LD_PRELOAD"] = hook
            visible = [*visible, hook]
        options = [
            *("--serve", number),
            *self._sandbox.root_options(self._directory, False, visible),
            *self._sandbox.command_options(
                interpreter, self._uid, self._limits, env, self._directory, False
            ),
        ]
        said, say = os.pipe()
        self._listen(said)
        # A pipe, not /dev/null: interpreters note what their standard streams are.
        empty, unused = os.pipe()
        with theirs:
            self._process = self._stack.enter_context(
                self._sandbox.launched(options, empty, say, say, [theirs.fileno()])
            )
        for fd in (empty, unused, say):
            os.close(fd)

    def run(self, command: Sequence[str], secret: bytes, output_bytes: int) -> Outcome:
        """Run the program that lies in the directory now.

        Raises:
            SandboxError: the server could not start it, or died; it is of no more use.
        """
        self.programs += 1
        options = self._sandbox.command_options(
            () if self._interpreter else command,
            self._uid,
            self._limits,
            self._env,
            self._directory,
            False,
        )
        message = b"".join(option.encode() + b"\0" for option in (*self._again, *options))
        with Channels(secret) as channels:
            try:
                socket.send_fds(self._requests, [message], channels.theirs)
            except OSError as error:
                raise self._fault(error) from error
            channels.handed_over()
            try:
                return channels.follow(self._limits, output_bytes)
            except SandboxError as error:
                raise self._fault(error) from error


@dataclass(frozen=True)
class Compiled:
    """What a compile server answers."""

    exit_code: int
    output: bytes
    files: Mapping[str, bytes]
    wall_s: float


class CompileServer(_Server):
    """A compiler that stays loaded: files in, files out, one program at a time.

    Both ways a message is a number of parts, each with its length before it, all numbers of four
    bytes, the highest first. A request has the names and contents of the program's files in
    turn; an answer the exit code as text, the output, and the names and contents of the results.

    Raises:
        SandboxError: it cannot be started.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        command: Sequence[str],
        limits: Limits,
        visible: Sequence[str],
        env: Mapping[str, str],
    ) -> None:
        super().__init__()
        try:
            self._start(sandbox, command, limits, visible, env)
        except BaseException:
            self.close()
            raise

    def _start(
        self,
        sandbox: Sandbox,
        command: Sequence[str],
        limits: Limits,
        visible: Sequence[str],
        env: Mapping[str, str],
    ) -> None:
        directory = self._stack.enter_context(sandbox.directory())
        uid = self._stack.enter_context(sandbox.uid())
        forever = Limits(_FOREVER, limits.memory_mb, limits.file_mb, limits.processes)
        requests, self._requests = os.pipe()
        self._stack.callback(os.close, self._requests)
        self._answers, answers = os.pipe()
        self._stack.callback(os.close, self._answers)
        said, say = os.pipe()
        status_read, status = os.pipe()
        self._listen(said)
        self._listen(status_read)
        options = [
            *("--status", str(status), "--report", str(answers)),
            *sandbox.root_options(directory, False, visible),
            *sandbox.command_options(command, uid, forever, env, directory, False),
        ]
        try:
            self._stack.enter_context(
                sandbox.launched(options, requests, say, say, [status, answers])
            )
        finally:
            for fd in (requests, answers, say, status):
                os.close(fd)

    def compile(self, files: Mapping[str, bytes], seconds: float) -> Compiled:
        """Compile one program.

        Raises:
            SandboxError: no answer in time, or the server died; it is of no more use.
        """
        self.programs += 1
        start = time.monotonic()
        parts = [part for name, content in files.items() for part in (name.encode(), content)]
        message = _LENGTH.pack(len(parts))
        message += b"".join(_LENGTH.pack(len(part)) + part for part in parts)
        try:
            answer = self._exchange(message, start + seconds)
        except (OSError, EOFError) as error:
            raise self._fault(f"the compile server died ({error})") from error
        try:
            code, output, *named = answer
            names = [_checked(name.decode()) for name in named[::2]]
            results = dict(zip(names, named[1::2], strict=True))
            return Compiled(int(code), output, results, time.monotonic() - start)
        except ValueError as error:
            raise self._fault(f"the compile server answers nonsense ({error})") from error

    def _exchange(self, message: bytes, deadline: float) -> list[bytes]:
        left = memoryview(message)
        os.set_blocking(self._requests, False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._requests, selectors.EVENT_WRITE)
            while left:
                _wait(selector, deadline)
                with contextlib.suppress(BlockingIOError):
                    left = left[os.write(self._requests, left) :]
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ)

            def read(size: int) -> bytes:
                if size > _MOST_BYTES:
                    raise EOFError(f"a part of {size} bytes")
                data = bytearray()
                while len(data) < size:
                    _wait(selector, deadline)
                    part = os.read(self._answers, size - len(data))
                    if not part:
                        raise EOFError("no more answer")
                    data += part
                return bytes(data)

            (count,) = _LENGTH.unpack(read(4))
            return [read(*_LENGTH.unpack(read(4))) for _ in range(count)]


def _wait(selector: selectors.BaseSelector, deadline: float) -> None:
    if not selector.select(max(0.0, deadline - time.monotonic())):
        raise SandboxError("the compile server does not answer in time")


def _checked(name: str) -> str:
    """The name of a result, which we write where the program will lie and nowhere else."""
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"a file named {name!r}")
    return name


def emptied(directory: str) -> None:
    """Remove everything in a directory, whatever a program or a compiler left there."""
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)
