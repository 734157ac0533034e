"""The launcher, a C program of the package: how it is built, told what to do and listened to."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbxp_metric.execution.cache import build_once, digest
from mbxp_metric.execution.capture import Capture
from mbxp_metric.execution.runtimes.base import Limits

_SOURCES = Path(__file__).parent / "launcher"
_LAUNCHER, _HOOK = "mbxp-launcher", "mbxp-hook.so"
CLASSIFIED_BYTES = 65536
"""Of the end of stderr: what the kind of a failure is read from."""
_GRACE_SECONDS = 60.0
_TMP_MB = 64


class IsolationUnavailable(RuntimeError):
    """The asked isolation level cannot be had on this machine."""


class SandboxError(Exception):
    """The sandbox itself failed: says nothing about the program."""


@dataclass(frozen=True)
class Launcher:
    """What is built from the C sources."""

    program: str
    hook: str
    """The library that makes an interpreter a fork server."""


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


def build_launcher() -> Launcher:
    """The launcher, compiled from the package's own source once per machine.

    Raises:
        IsolationUnavailable: there is no C compiler, or it fails.
    """
    sources = sorted(_SOURCES.glob("*.[ch]"))
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    name = f"launcher-{digest(source.read_bytes() for source in sources)}"
    units = [source for source in sources if source.suffix == ".c"]
    library = ["-shared", "-fPIC", "-fvisibility=hidden"]
    flags: dict[str, list[str]] = {_LAUNCHER: [], _HOOK: library}
    left_out = {_LAUNCHER: "hook.c", _HOOK: "launcher.c"}

    def build(directory: Path) -> None:
        if not compiler:
            raise IsolationUnavailable("no C compiler to build the sandbox with: install gcc")
        for output, options in flags.items():
            files = [str(unit) for unit in units if unit.name != left_out[output]]
            command = [compiler, "-O2", "-std=gnu11", *options, "-o", output, *files]
            done = subprocess.run(
                command, cwd=directory, capture_output=True, text=True, stdin=subprocess.DEVNULL
            )
            if done.returncode:
                lines = done.stderr.strip().splitlines() or ["no message"]
                raise IsolationUnavailable(f"the sandbox does not compile: {lines[0]}")

    built = build_once(name, build)
    return Launcher(str(built / _LAUNCHER), str(built / _HOOK))


def run_options(
    uid: int, limits: Limits, cwd: str, env: Mapping[str, str], command: Sequence[str] = ()
) -> list[str]:
    """The launcher's options for one command; without one a fork itself is the program."""
    options = [
        *("--uid", str(uid)),
        *("--wall", f"{limits.seconds:.3f}"),
        *("--memory", str(limits.memory_mb)),
        *("--file", str(limits.file_mb)),
        *("--tmp", str(_TMP_MB)),
        *("--processes", str(limits.processes)),
        *("--cwd", cwd),
    ]
    for name, value in env.items():
        options += ["--env", f"{name}={value}"]
    return [*options, "--", *command] if command else options


class Channels:
    """The pipes of one program: its descriptors 0 to 3, and the launcher's status.

    Use it as a context manager: every end that is still open is closed at its end.
    """

    def __init__(self, secret: bytes) -> None:
        self._open: set[int] = set()
        stdin, feed = self._pipe()
        self._stdout, stdout = self._pipe()
        self._stderr, stderr = self._pipe()
        self._report, report = self._pipe()
        self._status, status = self._pipe()
        self.theirs = (stdin, stdout, stderr, report, status)
        """The program's stdin, stdout, stderr and report, and the launcher's status."""
        os.write(feed, secret)
        self._close(feed)

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open.update(ends)
        return ends

    def _close(self, *fds: int) -> None:
        for fd in fds:
            self._open.discard(fd)
            os.close(fd)

    def handed_over(self) -> None:
        """Close our copies of what the launcher now has."""
        self._close(*self.theirs)

    def follow(self, limits: Limits, output_bytes: int) -> Outcome:
        """Read everything to its end and put together what became of the program.

        Raises:
            SandboxError: the launcher could not start it, or died.
        """
        stdout, stderr = Capture(output_bytes), Capture(output_bytes)
        messages, reported, told = Capture(CLASSIFIED_BYTES), Capture(4096), Capture(8192)
        sinks: dict[int, tuple[Capture, ...]] = {
            self._stdout: (stdout,),
            self._stderr: (stderr, messages),
            self._report: (reported,),
            self._status: (told,),
        }
        deadline = time.monotonic() + limits.seconds + _GRACE_SECONDS
        with selectors.DefaultSelector() as selector:
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

    def __enter__(self) -> Channels:
        return self

    def __exit__(self, *_: object) -> None:
        self._close(*tuple(self._open))


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
