"""Problems of our own, and verdicts that are decided instead of executed."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.execution import Job, Verdict


def row(number: int = 0, language: str = "python", **changes: Any) -> dict[str, Any]:
    """A problem; completions of it say their verdict."""
    problem = {
        "task_id": f"Own/{number}",
        "language": language,
        "prompt": f"def f{number}():\n",
        "test": "def check(candidate):\n    assert candidate() == 1\n",
        "entry_point": f"f{number}",
        "canonical_solution": None,
        "description": "",
    }
    return {**problem, **changes}


def as_written(job: Job) -> Verdict:
    """The verdict whose name a completion ends with; without one it passes."""
    for verdict in Verdict:
        if job.program.head.endswith(verdict.value):
            return verdict
    return Verdict.PASSED


@pytest.fixture(autouse=True)
def _own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_ALLOW_CODE_EVAL", "1")
    monkeypatch.setattr("evaluate.config.HF_METRICS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MBXP_DATA_DIR", raising=False)

    def refuse(*args: Any) -> None:
        raise AssertionError("the network is used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
