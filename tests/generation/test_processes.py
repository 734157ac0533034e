"""Two processes, started by torchrun as a user would, and one that does the same alone."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbxp_metric import cli
from tests.generation import tiny
from tests.generation.conftest import Run, lines

TASKS = tiny.PROBLEMS * len(tiny.LANGUAGES)


def test_two_processes_write_what_one_writes_and_it_passes(
    launch: Callable[..., Any], run: Run, problem_files: list[Path], tmp_path: Path
) -> None:
    process = launch("two", "-n", "2", "--temperature", "0.6", "--batch-size", "3")
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    told = json.loads((tmp_path / "two/generation.json").read_text())
    assert told["processes"] == 2
    assert "of process 0 of 2" in output
    assert output.count("asked for are in") == 1

    alone = run("one", batch_size=8, n=2, temperature=0.6, max_new_tokens=256)
    assert (alone.processes, alone.samples, alone.new) == (1, 2 * TASKS, 2 * TASKS)
    assert lines(tmp_path / "two") == lines(tmp_path / "one")

    problems = [argument for path in problem_files for argument in ("-p", str(path))]
    samples = str(tmp_path / "two/samples.jsonl")
    arguments = ["score", samples, *problems, "--allow-code-execution", "--json", "-k", "1"]
    result = CliRunner().invoke(cli.app, [*arguments, "--workers", "2"])
    scores = json.loads(result.stdout)["scores"]
    assert [row["language"] for row in scores] == list(tiny.LANGUAGES)
    assert all(row["pass@1"] > 0.5 for row in scores)


def test_killed_at_half_way_nothing_is_lost_or_doubled(
    launch: Callable[..., Any], run: Run, tmp_path: Path
) -> None:
    settings = ("-n", "12", "--temperature", "1", "--max-new-tokens", "16", "--no-stop")
    process = launch("killed", *settings, "--batch-size", "1")
    workers = _killed(process, tmp_path / "killed", TASKS * 12 // 2)
    assert len(workers) == 2

    before = _written(tmp_path / "killed")
    assert 0 < len(before) < TASKS * 12
    # As a kill in the middle of a line leaves it.
    with open(tmp_path / "killed/samples.jsonl", "a") as file:
        file.write('{"task_id": "pyth')
    process = launch("killed", *settings, "--batch-size", "16")
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    whole = lines(tmp_path / "killed")
    assert set(before) <= set(whole)
    assert not list((tmp_path / "killed").glob("samples.rank*"))

    run("alone", n=12, temperature=1, max_new_tokens=16, stop=False)
    assert whole == lines(tmp_path / "alone")


def _written(folder: Path) -> list[str]:
    """Whole lines of all processes' files."""
    return [
        line.rstrip("\n")
        for path in folder.glob("samples*.jsonl")
        for line in path.read_text(encoding="ascii").splitlines(keepends=True)
        if line.endswith("\n")
    ]


def _killed(process: Any, folder: Path, count: int) -> list[int]:
    """Kill the launcher and its workers, all at once, as soon as so much is written."""
    deadline = time.monotonic() + 120
    while len(_written(folder)) < count:
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(process.communicate()[0])
        time.sleep(0.02)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [int(pid) for pid in children]
    for pid in (process.pid, *workers):
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    return workers
