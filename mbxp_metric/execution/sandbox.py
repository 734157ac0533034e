"""Isolation levels: probed, stated, and never weaker than what was asked for."""

from __future__ import annotations

import fcntl
import json
import os
import queue
import selectors
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mbxp_metric.execution.cache import build_once, digest
from mbxp_metric.execution.capture import Capture
from mbxp_metric.execution.runtimes.base import PROGRAM_DIR, Limits

LEVELS = ("strong", "limited")
SUMMARIES = {
    "strong": "own namespaces: no network, read-only root, private tmp and home, "
    "limits on processes, memory, files and CPU, nothing survives",
    "limited": "same user or a bare uid: no network, limits, but the machine's files are readable",
}
_SOURCES = Path(__file__).parent / "launcher"
_SYSTEM_PATHS = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
)
_FIRST_UID = 0x30000000
_CLASSIFIED_BYTES = 65536
_GRACE_SECONDS = 60.0


class IsolationUnavailable(RuntimeError):
    """The asked isolation level cannot be had on this machine."""


class SandboxError(Exception):
    """The sandbox itself failed: says nothing about the program."""


@dataclass(frozen=True)
class Isolation:
    """The level in force."""

    name: str
    summary: str


@dataclass(frozen=True)
class Outcome:
    """What one command came to inside the sandbox."""

    exit_code: int | None
    signal: int | None
    timed_out: bool
    out_of_memory: bool
    wall_s: float
    cpu_s: float
    threads: int
    """Threads alive when the clock ran out; 0 if it did not."""
    stdout: Capture
    stderr: Capture
    messages: bytes
    """The end of stderr, longer than what is stored: what the failure is read from."""
    report: bytes
    """What came over the report descriptor."""


def build_launcher() -> Path:
    """The launcher, compiled from the package's own source once per machine.

    Raises:
        IsolationUnavailable: there is no C compiler, or it fails.
    """
    sources = sorted(_SOURCES.glob("*.[ch]"))
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    name = f"launcher-{digest(source.read_bytes() for source in sources)}"

    def build(directory: Path) -> None:
        if not compiler:
            raise IsolationUnavailable("no C compiler to build the sandbox with: install gcc")
        units = [str(source) for source in sources if source.suffix == ".c"]
        command = [compiler, "-O2", "-std=gnu11", "-o", str(directory / "mbxp-launcher"), *units]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no message"]
            raise IsolationUnavailable(f"the sandbox does not compile: {lines[0]}")

    return build_once(name, build) / "mbxp-launcher"


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
        self._launcher = build_launcher()
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

    def _uid(self) -> int:
        """A user id that no program in flight has: their process limits stay apart."""
        try:
            slot = self._slots.get_nowait()
        except queue.Empty:
            with self._guard:
                slot = self._n_slots
                self._n_slots += 1
        return _FIRST_UID + (os.getpid() & 0xFFFFF) * 256 + slot

    def run(
        self,
        command: Sequence[str],
        *,
        directory: str | os.PathLike[str],
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
        uid = self._uid() if os.geteuid() == 0 else 0
        try:
            return self._run(
                command, str(directory), writable, limits, visible, env, secret, output_bytes, uid
            )
        finally:
            if uid:
                self._slots.put((uid - _FIRST_UID) % 256)

    def _arguments(
        self,
        command: Sequence[str],
        directory: str,
        writable: bool,
        limits: Limits,
        visible: Sequence[str],
        env: Mapping[str, str] | None,
        uid: int,
    ) -> list[str]:
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
        arguments = [
            str(self._launcher),
            *("--level", self.isolation.name),
            *("--uid", str(uid)),
            *("--wall", f"{limits.seconds:.3f}"),
            *("--memory", str(limits.memory_mb)),
            *("--file", str(limits.file_mb)),
            *("--processes", str(limits.processes)),
            *("--writable-program" if writable else "--read-only-program", directory),
            *("--cwd", inside if writable else scratch),
        ]
        for path in dict.fromkeys((*_SYSTEM_PATHS, *visible)):
            if os.path.exists(path) and not _in_system(path):
                arguments += ["--source", os.path.realpath(path), "--visible", path]
        for name, value in values.items():
            arguments += ["--env", f"{name}={value.replace(PROGRAM_DIR, inside)}"]
        return [*arguments, "--", *(part.replace(PROGRAM_DIR, inside) for part in command)]

    def _run(
        self,
        command: Sequence[str],
        directory: str,
        writable: bool,
        limits: Limits,
        visible: Sequence[str],
        env: Mapping[str, str] | None,
        secret: bytes,
        output_bytes: int,
        uid: int,
    ) -> Outcome:
        arguments = self._arguments(command, directory, writable, limits, visible, env, uid)
        if uid and (writable or self.isolation.name != "strong"):
            os.chown(directory, uid, uid)
        input_end, secret_end = os.pipe()
        status, status_end = os.pipe()
        report, report_end = os.pipe()
        inherited = [input_end, status_end, report_end]
        try:
            os.write(secret_end, secret)
            os.close(secret_end)
            fds = ["--status", str(status_end), "--report", str(report_end)]
            with self._guard:
                if self._closed:
                    raise SandboxError("closed")
                try:
                    process = subprocess.Popen(
                        [*arguments[:1], *fds, *arguments[1:]],
                        stdin=input_end,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        pass_fds=(status_end, report_end),
                        env={},
                        cwd="/",
                    )
                except OSError as error:
                    raise SandboxError(f"cannot start the launcher: {error}") from error
                self._running.add(process)
            for fd in inherited:
                os.close(fd)
            inherited = []
            try:
                return self._follow(process, status, report, limits, output_bytes)
            finally:
                process.kill()
                process.wait()
                with self._guard:
                    self._running.discard(process)
        finally:
            for fd in (*inherited, status, report):
                os.close(fd)

    def _follow(
        self,
        process: subprocess.Popen[bytes],
        status: int,
        report: int,
        limits: Limits,
        output_bytes: int,
    ) -> Outcome:
        assert process.stdout
        assert process.stderr
        stdout, stderr = Capture(output_bytes), Capture(output_bytes)
        messages, reported, told = Capture(_CLASSIFIED_BYTES), Capture(4096), Capture(8192)
        sinks: dict[int, tuple[Capture, ...]] = {
            process.stdout.fileno(): (stdout,),
            process.stderr.fileno(): (stderr, messages),
            report: (reported,),
            status: (told,),
        }
        deadline = time.monotonic() + limits.seconds + _GRACE_SECONDS
        with process.stdout, process.stderr, selectors.DefaultSelector() as selector:
            for fd in sinks:
                selector.register(fd, selectors.EVENT_READ)
            while selector.get_map():
                if time.monotonic() > deadline:
                    raise SandboxError("the launcher does not answer")
                for key, _ in selector.select(timeout=1.0):
                    data = os.read(key.fd, 65536)
                    for sink in sinks[key.fd]:
                        sink.feed(data)
                    if not data:
                        selector.unregister(key.fd)
        said = _status(told.data)
        return Outcome(
            exit_code=said["exit"] if said["exit"] >= 0 else None,
            signal=said["signal"] or None,
            timed_out=said["timed_out"],
            out_of_memory=said["out_of_memory"],
            wall_s=said["wall"],
            cpu_s=said["cpu"],
            threads=said["threads"],
            stdout=stdout,
            stderr=stderr,
            messages=messages.data,
            report=reported.data,
        )

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


def _status(line: bytes) -> dict[str, Any]:
    first = line.partition(b"\n")[0]
    if not first:
        raise SandboxError("the launcher died")
    said = json.loads(first)
    if "error" in said:
        raise SandboxError(str(said["error"]))
    if said["host_oom"]:
        raise SandboxError("the machine ran out of memory; use fewer workers")
    return dict(said)


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
