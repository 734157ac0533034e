"""The command in a process of its own, with real programs in the real sandbox."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.execution import Executor, IsolationUnavailable, Settings

from .conftest import jsonl, problem

MBXP = [sys.executable, "-m", "mbxp_metric.cli"]
ENDINGS = [
    ("    return 1\n", "PASSED"),
    ("    return 2\n", "WRONG_ANSWER"),
    ("    return (\n", "COMPILE_ERROR"),
    ("    raise KeyError\n", "RUNTIME_ERROR"),
    ("    exit(0)\n", "EARLY_EXIT"),
    ("    return '\ud800'\n", "WRONG_ANSWER"),
]


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> None:
    try:
        Executor(Settings()).close()
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    rows, samples = [], []
    for number in range(20):
        row = problem(f"Own/{number}") | {
            "prompt": f"def f{number}():\n",
            "test": "def check(candidate):\n    assert candidate() == 1\n",
            "entry_point": f"f{number}",
        }
        rows.append(row)
        completion = ENDINGS[number % len(ENDINGS)][0]
        samples.append({"task_id": row["task_id"], "completion": completion})
    return [jsonl(tmp_path / "s.jsonl", samples), "-p", jsonl(tmp_path / "p.jsonl", rows)]


def _command(files: list[str], folder: Path, *more: str) -> list[str]:
    return [*MBXP, "score", *files, "--no-reuse", "--out", str(folder), "-k", "1", "--json", *more]


def _results(folder: Path) -> tuple[list[dict[str, Any]], bytes]:
    rows = [json.loads(line) for line in (folder / "results.jsonl").open()]
    for row in rows:
        del row["times"]
    return rows, (folder / "scores.json").read_bytes()


def test_any_number_of_workers_gives_the_same_files(files: list[str], tmp_path: Path) -> None:
    for workers in ("1", "4"):
        done = subprocess.run(_command(files, tmp_path / workers, "-w", workers), check=True)
        assert done.returncode == 0
    rows, scores = _results(tmp_path / "1")
    assert (rows, scores) == _results(tmp_path / "4")
    assert [row["verdict"] for row in rows] == [ENDINGS[n % len(ENDINGS)][1] for n in range(20)]
    assert json.loads(scores)["scores"][0]["pass@1"] == 4 / 20


def test_a_killed_run_resumes_with_the_rest_only(files: list[str], tmp_path: Path) -> None:
    subprocess.run(_command(files, tmp_path / "whole"), check=True)
    journal = tmp_path / "killed" / "journal.jsonl"
    process = subprocess.Popen(_command(files, tmp_path / "killed", "-w", "1"))
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 5):
        time.sleep(0.01)
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    known = journal.read_bytes().count(b"\n")
    assert known < 21  # the first line is the header
    subprocess.run(_command(files, tmp_path / "killed"), check=True)
    assert journal.read_bytes().count(b"\n") == 21
    assert _results(tmp_path / "killed") == _results(tmp_path / "whole")
