"""How much faster programs are executed here than the way the release's executor does it.

    python -m tests.benchmarks.execution_speed path/to/data [--programs 60] [--language kotlin]

The same programs (half canonical solutions, half example samples where there are both) go in turn
through (a) the release's way, a new compiler and a new process for each, without a sandbox and here
at least as a user without rights, and (b) ours, sandboxed and captured. Programs that run into the
time limit are counted apart. Only the ratios mean anything: they come from one run on one machine.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mbxp_datasets import catalog, problem
from mbxp_metric.execution import (
    LANGUAGES,
    Executor,
    Job,
    Program,
    Result,
    Settings,
    Toolchain,
    ToolchainMissing,
    Verdict,
    assemble,
)
from mbxp_metric.samples import read_samples

_TIMEOUT = 10.0
_COMPILE_TIMEOUT = 120.0
_NOBODY = 65534
_GOAL, _FLOOR = 10.0, 2.0


@dataclasses.dataclass(frozen=True)
class Naive:
    """The release's way with one language: a file, and commands one after the other."""

    file: str
    commands: Callable[[Toolchain], list[list[str]]]
    compiled: frozenset[int] = frozenset({0})
    """Exit codes of a compiler that do not end it."""


_JAVA_MAIN = ["java", "-cp", ".", "Main"]
NAIVE = {
    "java": Naive("main.java", lambda t: [["javac", "main.java"], _JAVA_MAIN]),
    "javascript": Naive("main.js", lambda t: [[t.tools["node"], "main.js"]]),
    "typescript": Naive(
        "main.ts",
        lambda t: [
            [
                *(t.tools["node"], f"{t.env['NODE_PATH']}/typescript/bin/tsc", "main.ts"),
                *("--target", "es5", "--lib", "es2016"),
            ],
            [t.tools["node"], "main.js"],
        ],
        frozenset({0, 1, 2}),
    ),
    "kotlin": Naive(
        "main.kt",
        lambda t: [
            [
                *("bash", f"{t.tools['kotlin']}/bin/kotlinc", "main.kt"),
                *("-include-runtime", "-d", "main.jar"),
            ],
            ["java", "-jar", "main.jar"],
        ],
    ),
    "ruby": Naive("main.rb", lambda t: [[t.tools["ruby"], "main.rb"]]),
    "php": Naive("main.php", lambda t: [[t.tools["php"], "main.php"]]),
    "perl": Naive("main.pl", lambda t: [[t.tools["perl"], "main.pl"]]),
    "cpp": Naive("main.cpp", lambda t: [[t.tools["g++"], "main.cpp", "-o", "main"], ["./main"]]),
    "csharp": Naive(
        "main.cs",
        lambda t: [
            [
                *(t.tools["mcs"], "-langversion:latest", f"-r:{t.support}/CompareLogic.dll"),
                *("-r:System.Numerics.dll", "-r:System.Net.Http.dll", "main.cs"),
            ],
            [t.tools["mono"], "main.exe"],
        ],
    ),
    "go": Naive("main.go", lambda t: [[t.tools["go"], "run", "main.go"]]),
    "scala": Naive(
        "main.scala",
        lambda t: [
            [
                *("java", "-cp", t.tools["classpath"], "-Dscala.usejavacp=true"),
                *("scala.tools.nsc.Main", "main.scala"),
            ],
            ["java", "-cp", f"{t.tools['library']}:.", "Main"],
        ],
    ),
    "swift": Naive("main.swift", lambda t: [[t.tools["swiftc"], "main.swift"], ["./main"]]),
}
"""Python has no entry: the release forks its own process for it."""


@dataclasses.dataclass
class Row:
    """What came out for one language."""

    language: str
    naive_ms: list[float] = dataclasses.field(default_factory=list)
    ours_ms: list[float] = dataclasses.field(default_factory=list)
    agreed: int = 0
    timeouts: int = 0
    exceptions: list[str] = dataclasses.field(default_factory=list)
    start_s: float = 0.0

    @property
    def ratio(self) -> float:
        return statistics.median(self.naive_ms) / statistics.median(self.ours_ms)


def programs(data_dir: Path, language: str, count: int) -> list[tuple[str, Program]]:
    """Evenly spaced programs of MBXP's rows: canonical solutions and example samples."""
    config = catalog.resolve_config("mbxp", language)
    rows = {row["task_id"]: row for row in problem.read_problems(data_dir / "mbxp" / config.file)}
    found = [
        (f"{task_id} canonical", assemble(row, solution))
        for task_id, row in rows.items()
        if (solution := row["canonical_solution"])
    ]
    samples = []
    for path in sorted((data_dir / "mbxp" / "examples").glob(f"*{config.name}*")):
        for sample in read_samples(path):
            if sample.task_id in rows:
                samples += [
                    (f"{sample.task_id} sample", assemble(rows[sample.task_id], text))
                    for text in sample.completions
                ]
    half = count // 2 if found and samples else count
    return [*_spaced(found, half), *_spaced(samples, half)]


def _spaced(items: list[tuple[str, Program]], count: int) -> list[tuple[str, Program]]:
    step = max(1.0, len(items) / count)
    return [items[int(at * step)] for at in range(min(count, len(items)))]


def run_naively(program: Program, toolchain: Toolchain) -> bool | None:
    """Whether it ends with status 0 the release's way; None if it takes too long."""
    if program.language == "python":
        return _run_python(program)
    naive = NAIVE[program.language]
    with tempfile.TemporaryDirectory(prefix="naive-") as directory:
        Path(directory, naive.file).write_bytes(program.source)
        os.chmod(directory, 0o777)
        commands = naive.commands(toolchain)
        environment = {**os.environ, **toolchain.env, "HOME": directory, "TMPDIR": directory}
        environment.update(GOCACHE=_GO_CACHE, MONO_PATH=toolchain.support)
        for number, command in enumerate(commands):
            last = number == len(commands) - 1
            try:
                done = subprocess.run(
                    command,
                    cwd=directory,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_TIMEOUT if last else _COMPILE_TIMEOUT,
                    user=_user(),
                    group=_user(),
                    extra_groups=[] if _user() else None,
                )
            except subprocess.TimeoutExpired:
                return None
            if done.returncode not in (naive.compiled if not last else {0}):
                return False
    return True


_GO_CACHE = tempfile.mkdtemp(prefix="naive-go-")
os.chmod(_GO_CACHE, 0o777)


def _user() -> int | None:
    return None if os.geteuid() else _NOBODY


def _run_python(program: Program) -> bool | None:
    # A manager for each program, as the release has it.
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        result = manager.list()
        child = context.Process(target=_execute, args=(program, result))
        child.start()
        child.join(_TIMEOUT)
        if child.is_alive():
            child.kill()
            child.join()
            return None
        return list(result) == ["passed"]


def _execute(program: Program, result: Any) -> None:
    result.append("failed")  # and so connect to the manager, while we may
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.stdout = sys.stderr = open(os.devnull, "w")
    call = f"\n{program.check}({program.entry_point})"
    exec(compile(program.source.decode() + call, "main.py", "exec"), {"__name__": "__main__"})
    result[:] = ["passed"]


def compare(executor: Executor, language: str, chosen: list[tuple[str, Program]]) -> Row | None:
    """Both ways in turn; None where the language's tools are missing."""
    toolchain = executor.toolchains([language])[language]
    if isinstance(toolchain, ToolchainMissing):
        print(f"{language}: {toolchain}", file=sys.stderr)
        return None
    row = Row(language)
    start = time.perf_counter()
    _ours(executor, chosen[0][1])
    row.start_s = time.perf_counter() - start
    for name, program in chosen:
        before = time.perf_counter()
        naive = run_naively(program, toolchain)
        between = time.perf_counter()
        ours = _ours(executor, program)
        after = time.perf_counter()
        if naive is None or ours.verdict is Verdict.TIMEOUT:
            row.timeouts += 1
            continue
        row.naive_ms.append(1000 * (between - before))
        row.ours_ms.append(1000 * (after - between))
        if naive == ours.passed:
            row.agreed += 1
        else:
            row.exceptions.append(f"{name}: {'passes' if naive else 'fails'} there, {ours.verdict}")
    return row


def _ours(executor: Executor, program: Program) -> Result:
    (result,) = executor.execute([Job(0, "benchmark", 0, program)])
    return result


def line(row: Row, executor: Executor) -> str:
    """A row of the report."""
    n = len(row.ours_ms)
    return (
        f"{row.language:<12}{n:>4}{statistics.median(row.naive_ms):>10.1f}"
        f"{statistics.median(row.ours_ms):>9.1f}{row.ratio:>7.1f}{row.agreed:>5}/{n:<3}"
        f"{row.timeouts:>10}{row.start_s:>9.1f}  {executor.engine(row.language)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data_dir", type=Path, help="copy of the release's data")
    parser.add_argument("--programs", type=int, default=60, help="of each language")
    parser.add_argument("--language", action="append", choices=["python", *NAIVE])
    options = parser.parse_args()
    languages = options.language or [name for name in LANGUAGES if name in ("python", *NAIVE)]
    settings = Settings(timeout=_TIMEOUT, compile_timeout=_COMPILE_TIMEOUT, workers=1, reuse=False)
    rows = []
    print(
        f"{'language':<12}{'n':>4}{'naive ms':>10}{'ours ms':>9}{'ratio':>7}"
        f"{'agree':>9}{'timeouts':>10}{'start s':>9}  engine"
    )
    with Executor(settings) as executor:
        for language in languages:
            chosen = programs(options.data_dir, language, options.programs)
            row = compare(executor, language, chosen)
            if row and row.ours_ms:
                rows.append(row)
                print(line(row, executor), flush=True)
    mean = math.exp(statistics.fmean(math.log(row.ratio) for row in rows))
    least = min(rows, key=lambda row: row.ratio)
    print(f"geometric mean {mean:.1f} (aim {_GOAL:g}), ", end="")
    print(f"least {least.ratio:.1f} {least.language} (aim {_FLOOR:g})")
    for row in rows:
        for exception in row.exceptions:
            print(exception)


if __name__ == "__main__":
    main()
