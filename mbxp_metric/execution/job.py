"""What goes into the queue and what comes out of it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from mbxp_metric.execution.program import Program
from mbxp_metric.execution.verdict import Verdict

ENGINES = ("warm", "cold")
_HARMLESS = ("workers", "reuse", "audit")
_WORKER_MB = 1024
"""What a worker with the compilers of a language or two takes."""


def default_workers() -> int:
    """One a processor that this process may use, but no more than the free memory is enough for."""
    processors = len(os.sched_getaffinity(0))
    try:
        with open("/proc/meminfo") as file:
            free = {line.split(":")[0]: int(line.split()[1]) for line in file}["MemAvailable"]
    except (OSError, KeyError, ValueError, IndexError):
        return processors
    return max(1, min(processors, free // 1024 // _WORKER_MB))


@dataclass(frozen=True)
class Settings:
    """How programs are executed. What can change a verdict is named by a score."""

    timeout: float = 10.0
    """Seconds of wall clock that a program may run, from its own start."""
    compile_timeout: float = 60.0
    """Seconds that its compilation may take; never charged to the run."""
    memory_mb: int = 2048
    """Mebibytes that the processes of a program may hold together."""
    compile_memory_mb: int = 4096
    isolation: str = "strong"
    engine: str = "warm"
    """`warm`: forks of started interpreters and compilers that stay loaded; `cold`: every step
    in a process of its own, which is the reference."""
    workers: int = field(default_factory=default_workers)
    """Programs in flight at once; by default one a processor, if there is memory for so many."""
    reuse: bool = True
    """Whether a verdict that is known is taken for an equal program."""
    audit: float = 0.0
    """Share of the programs that are executed again cold, to compare the verdicts."""
    output_bytes: int = 4096
    """Bytes stored of each of stdout and stderr: the first and the last half."""

    def __post_init__(self) -> None:
        for name in ("timeout", "compile_timeout", "memory_mb", "compile_memory_mb", "workers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
        if self.engine not in ENGINES:
            raise ValueError(f"engine must be {' or '.join(ENGINES)}, not {self.engine!r}")
        if not 0 <= self.audit <= 1:
            raise ValueError(f"audit must be a share from 0 to 1, not {self.audit!r}")
        if self.output_bytes < 0:
            raise ValueError(f"output_bytes must not be negative, not {self.output_bytes!r}")

    def fingerprint(self) -> dict[str, Any]:
        """The settings that a stored verdict depends on."""
        return {name: value for name, value in asdict(self).items() if name not in _HARMLESS}


@dataclass(frozen=True)
class Job:
    """One sample to execute."""

    index: int
    """Position in the input; results are reported under it."""
    task_id: str
    sample: int
    """Number of the completion among those of its problem, from 0."""
    program: Program

    @property
    def language(self) -> str:
        return self.program.language

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what is executed: a stored verdict belongs to exactly this text."""
        program = self.program
        parts = (program.language, program.head, program.test, program.entry_point)
        text = "\0".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Result:
    """What one sample came to."""

    index: int
    task_id: str
    language: str
    sample: int
    verdict: Verdict
    stage: str = "run"
    """`compile` or `run`: where the verdict fell."""
    detail: str = ""
    """One line for people, such as the reason of an `INFRA_ERROR`."""
    exit_code: int | None = None
    signal: int | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    replaced_surrogates: bool = False
    """The completion held lone surrogates, which no source file can: each became `?`."""
    digest: str = ""
    reused: bool = False
    """The verdict was known already, from an equal program."""
    times: dict[str, float] = field(default_factory=dict)
    """Seconds: `compile_s`, `run_s`, `cpu_s`; with `reused` all that differs in equal runs."""

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASSED

    @property
    def why(self) -> str:
        """One line for people: `detail`, else the line of its output that tells most, if any.

        A compiler's first complaint causes the others; a program says last what ended it.
        """
        lines = [line for line in (self.stderr or self.stdout).splitlines() if line.strip()]
        said = lines[0 if self.stage == "compile" else -1].strip()[:200] if lines else ""
        return self.detail or said

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the verdict as text; `from_json` reads it back."""
        return {**asdict(self), "verdict": self.verdict.value}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Result:
        return cls(**{**row, "verdict": Verdict(row["verdict"])})
