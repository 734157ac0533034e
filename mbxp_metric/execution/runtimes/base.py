"""The contract between the executor and a language: a `Runtime` is data and a few functions.

How a program proves that it reached the end of its tests: its standard input holds a
secret, made anew for each run, followed by end of file. The driver of the language reads it
before any line of the program runs, writes `READY` to file descriptor 3, and writes the secret
there when the tests have ended. Nothing else (argv, environment, file) ever holds the secret.
A driver that can tell a program that does not parse from one that fails also writes `STARTED`
once it has parsed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mbxp_metric.execution.program import Program

READY = b"R"
STARTED = b"S"
DEADLOCK = b"D"
"""Reported by a fork that waits for a thread which only its server has (see hook.c)."""
PROGRAM_DIR = "{dir}"
"""Stands for the program's directory in a command; the sandbox decides where that is."""

TEST_FAILED = re.compile(
    rb"test case \d+ (?:did not pass|failed to pass)|Error at (?:test case \d+|\d+th assert)"
)
"""How the release's tests say, in every language, that an assertion of theirs failed."""


class ToolchainMissing(Exception):
    """A tool of a language is not on this machine; the message names it and the remedy."""


@dataclass(frozen=True)
class Limits:
    """What one step may use. Seconds, mebibytes and counts."""

    seconds: float
    memory_mb: int
    file_mb: int = 64
    processes: int = 256


@dataclass(frozen=True)
class Toolchain:
    """The tools of one language as found on this machine."""

    version: str
    """One line for the signature, such as `CPython 3.11.7`."""
    tools: Mapping[str, str]
    """Absolute path of each executable, by name."""
    visible: Sequence[str] = ()
    """Directories and files outside /usr that the sandbox must show, read-only."""
    support: str = ""
    """Directory of what `Runtime.prepare` built; shown read-only."""
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Runtime:
    """How one language is compiled and run."""

    language: str
    probe: Callable[[], Toolchain]
    """Finds the tools. Raises `ToolchainMissing`."""
    files: Callable[[Program, Toolchain], Mapping[str, bytes]]
    """Files of the program's directory, by name, before compilation."""
    run: Callable[[Toolchain, Limits], Sequence[str]]
    """The command that runs the program; `{dir}` is its directory."""
    compile: Callable[[Toolchain, Limits], Sequence[str]] | None = None
    """The command that compiles it, started in its directory; None where there is none."""
    quick_compile: (
        Callable[[Toolchain, Limits, Mapping[str, bytes]], Sequence[str] | None] | None
    ) = None
    """A quicker command for a program's files, if they suit one. Only a success of it counts: it
    must then mean the same as `compile`."""
    prepare: Callable[[Toolchain, Path], None] | None = None
    """Builds what all programs of the language share (driver, library) into a directory."""
    sources: Sequence[str] = ()
    """Files of the `drivers` folder that `prepare` uses: they key its result."""
    interpreter: Callable[[Toolchain, Limits], Sequence[str]] | None = None
    """The command of an interpreter that becomes a fork server: its driver asks for its parent's
    number when it has loaded what programs need, and every program is a fork from there on."""
    compile_server: Callable[[Toolchain, Limits], Sequence[str]] | None = None
    """The command of the language's compile server, where there is one (see `servers`)."""
    compiled_exit_codes: frozenset[int] = frozenset({0})
    artifact: str = ""
    """A file that must exist in the directory after a successful compile, if named."""
    own_executable: bool = False
    """The program is a process image of its own, which may die before its driver runs."""
    starts: bool = False
    """Whether the driver reports `STARTED`; without it a failure is a compile error."""
    wrong_answer: re.Pattern[bytes] = TEST_FAILED
    """Found in the error output of a failed run when an assertion of the test failed."""
    out_of_memory: re.Pattern[bytes] = re.compile(rb"(?!)")
    """Found in the error output of a failed run when the language itself ran out of memory."""
    tampering: re.Pattern[str] = re.compile(r"(?!)")
    """Found in a completion that replaces what its test relies on: a pass does not count."""
    canary: Mapping[str, str] = field(default_factory=dict)
    """A tiny problem of the language: prompt, test, entry_point, canonical_solution, which adds two
    numbers, and early_exit, a completion that ends with status 0 before the end of the tests."""


DRIVERS = Path(__file__).parent.parent / "drivers"


def toolchain_prefix() -> Path:
    """Where the toolchain script puts what Debian does not package."""
    return Path(os.environ.get("MBXP_TOOLCHAINS", "/opt/mbxp-toolchains"))


def find_tool(name: str, remedy: str) -> str:
    """Absolute path of an executable, looked for on PATH and in the toolchain prefix.

    Raises:
        ToolchainMissing: it is in neither; the message ends with `remedy`.
    """
    extra = os.pathsep.join([str(toolchain_prefix() / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    path = os.pathsep.join(filter(None, [os.environ.get("PATH"), extra]))
    found = shutil.which(name, path=path)
    if not found:
        raise ToolchainMissing(f"{name} not found: {remedy}")
    return found


def tool_output(*command: str, env: Mapping[str, str] | None = None) -> str:
    """What a tool prints when asked for its version, both streams, decoded loosely.

    Raises:
        ToolchainMissing: it cannot be started or does not answer in time.
    """
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            env={**os.environ, **(env or {})},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainMissing(f"{command[0]} does not answer: {error}") from error
    if done.returncode:
        raise ToolchainMissing(f"{' '.join(command)} exits with {done.returncode}")
    return done.stdout.decode("utf-8", "replace").strip()


def build(
    what: str, command: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None
) -> str:
    """Run a command of `Runtime.prepare` and return what it prints.

    Raises:
        ToolchainMissing: it fails; the message has its first line of output.
    """
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
    except OSError as error:
        raise ToolchainMissing(f"{what} cannot be built: {error}") from error
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise ToolchainMissing(f"{what} cannot be built: {lines[0]}")
    return done.stdout
