"""Isolation levels: probed, stated, and never weaker than what was asked for."""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mbxp_metric.execution.launching import (
    Channels,
    IsolationUnavailable,
    Outcome,
    SandboxError,
    build_launcher,
    run_options,
)
from mbxp_metric.execution.runtimes.base import PROGRAM_DIR, Limits

LEVELS = ("strong", "limited")
SUMMARIES = {
    "strong": "own namespaces: no network, read-only root, private tmp and home, "
    "limits on processes, memory, files and CPU, nothing survives",
    "limited": "same user or a bare uid: no network, limits, but the machine's files are readable",
}
_SYSTEM_PATHS = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
)
_FIRST_UID, _SLOTS = 0x30000000, 256


@dataclass(frozen=True)
class Isolation:
    """The level in force."""

    name: str
    summary: str


class Sandbox:
    """Runs commands at one isolation level. Thread-safe; close it to remove its directory.

    Raises:
        IsolationUnavailable: the level is unknown or does not work here.
    """

    def __init__(self, level: str) -> None:
        if level not in LEVELS:
            raise IsolationUnavailable(
                f"unknown isolation level {level!r}; one of {', '.join(LEVELS)}"
            )
        self.isolation = Isolation(level, SUMMARIES[level])
        self.launcher = build_launcher()
        _sweep()
        unborn = Path(tempfile.mkdtemp(prefix="new-mbxp-"))
        unborn.chmod(0o711)
        # Held for as long as we live, and before a sweep can see the directory.
        self._lock = open(unborn / "lock", "w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.root = unborn.rename(unborn.with_name(unborn.name.removeprefix("new-")))
        self._slots: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._n_slots = 0
        self._running: set[subprocess.Popen[bytes]] = set()
        self._guard = threading.Lock()
        self._closed = False
        try:
            self._probe()
        except BaseException:
            self.close()
            raise

    def _probe(self) -> None:
        try:
            with self.directory() as program:
                outcome = self.run(
                    ["/bin/true"], directory=program, writable=False, limits=Limits(10, 256)
                )
        except SandboxError as error:
            hint = "" if self.isolation.name == LEVELS[-1] else "; --isolation limited is weaker"
            raise IsolationUnavailable(
                f"isolation {self.isolation.name!r} does not work here ({error}){hint}"
            ) from None
        if outcome.exit_code != 0:
            raise IsolationUnavailable(f"isolation {self.isolation.name!r} cannot run /bin/true")

    def directory(self) -> tempfile.TemporaryDirectory[str]:
        """A new directory for one program, removed on exit."""
        made = tempfile.TemporaryDirectory(dir=self.root, ignore_cleanup_errors=True)
        os.chmod(made.name, 0o755)  # programs run as another user where we are root
        return made

    @contextlib.contextmanager
    def uid(self) -> Iterator[int]:
        """A user id that no program in flight has: their process limits stay apart.

        0, where we are not root, stands for the user that we are.
        """
        if os.geteuid() != 0:
            yield 0
            return
        try:
            slot = self._slots.get_nowait()
        except queue.Empty:
            with self._guard:
                slot = self._n_slots
                self._n_slots += 1
        try:
            yield _FIRST_UID + (os.getpid() & 0xFFFFF) * _SLOTS + slot
        finally:
            self._slots.put(slot)

    def run(
        self,
        command: Sequence[str],
        *,
        directory: str,
        writable: bool,
        limits: Limits,
        visible: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        secret: bytes = b"",
        output_bytes: int = 4096,
    ) -> Outcome:
        """Run one command; `{dir}` in it stands for the program's directory.

        Raises:
            SandboxError: the sandbox could not start or died.
        """
        with self.uid() as uid, Channels(secret) as channels:
            if uid and (writable or self.isolation.name != "strong"):
                os.chown(directory, uid, uid)
            stdin, stdout, stderr, report, status = channels.theirs
            arguments = [
                *("--status", str(status), "--report", str(report)),
                *self.root_options(directory, writable, visible),
                *self.command_options(command, uid, limits, env, directory, writable),
            ]
            with self.launched(arguments, stdin, stdout, stderr, (report, status)):
                channels.handed_over()
                return channels.follow(limits, output_bytes)

    def root_options(self, directory: str, writable: bool, visible: Sequence[str]) -> list[str]:
        """The launcher's options for what a program sees."""
        options = ["--writable-program" if writable else "--read-only-program", directory]
        for path in dict.fromkeys((*_SYSTEM_PATHS, *visible)):
            if os.path.exists(path) and not _in_system(path):
                options += ["--source", os.path.realpath(path), "--visible", path]
        return options

    def command_options(
        self,
        command: Sequence[str],
        uid: int,
        limits: Limits,
        env: Mapping[str, str] | None,
        directory: str,
        writable: bool,
    ) -> list[str]:
        """The launcher's options for how a command runs."""
        strong = self.isolation.name == "strong"
        inside = "/program" if strong else directory
        scratch = "/tmp/work" if strong else directory
        values = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": "/tmp/home" if strong else directory,
            "TMPDIR": "/tmp" if strong else directory,
            "LANG": "C",
            "LC_ALL": "C",
            **(env or {}),
        }
        values = {name: value.replace(PROGRAM_DIR, inside) for name, value in values.items()}
        command = [part.replace(PROGRAM_DIR, inside) for part in command]
        cwd = inside if writable else scratch
        return ["--level", self.isolation.name, *run_options(uid, limits, cwd, values, command)]

    @contextlib.contextmanager
    def launched(
        self,
        arguments: Sequence[str],
        stdin: int,
        stdout: int,
        stderr: int,
        pass_fds: Sequence[int],
    ) -> Iterator[subprocess.Popen[bytes]]:
        """The launcher, started with these options and descriptors, ended at the end.

        Raises:
            SandboxError: it cannot be started.
        """
        with self._guard:
            if self._closed:
                raise SandboxError("closed")
            try:
                process = subprocess.Popen(
                    [self.launcher.program, *arguments],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    pass_fds=pass_fds,
                    env={},
                    cwd="/",
                )
            except OSError as error:
                raise SandboxError(f"cannot start the launcher: {error}") from error
            self._running.add(process)
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            with self._guard:
                self._running.discard(process)

    def interrupt(self) -> None:
        """End what is running now."""
        with self._guard:
            running = list(self._running)
        for process in running:
            process.kill()

    def close(self) -> None:
        """End what is running, start nothing more and remove the directory."""
        with self._guard:
            self._closed = True
        self.interrupt()
        self._lock.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _in_system(path: str) -> bool:
    """Whether a path is shown anyway: it lies under a system directory that every program sees."""
    real = os.path.realpath(path)
    return (real == path and path.startswith("/usr/")) or path in ("/usr", "/bin", "/lib", "/lib64")


def _sweep() -> None:
    """Remove directories that killed runs of this user left behind."""
    for path in Path(tempfile.gettempdir()).glob("mbxp-*"):
        lock: IO[str] | None = None
        try:
            if path.is_symlink() or path.stat().st_uid != os.geteuid():
                continue
            lock = open(path / "lock")
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue  # in use, being made, or not ours
        else:
            shutil.rmtree(path, ignore_errors=True)
        finally:
            if lock:
                lock.close()
