"""The command line as a user meets it, with verdicts decided instead of executed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mbxp_metric import cli
from mbxp_metric.cli import common
from mbxp_metric.execution import Job, Verdict
from mbxp_metric.testing import fake_execution

Command = Callable[..., Result]


def problem(task_id: str, language: str = "python") -> dict[str, Any]:
    return {
        "task_id": task_id,
        "language": language,
        "prompt": "",
        "test": "",
        "entry_point": "f",
        "canonical_solution": None,
        "description": "",
    }


def sample(task_id: str, completion: str = "", language: str | None = None) -> dict[str, Any]:
    row = {"task_id": task_id, "completion": completion}
    return row if language is None else {**row, "language": language}


def jsonl(path: Path, rows: list[dict[str, Any]]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return str(path)


def as_written(job: Job) -> Verdict:
    """The verdict whose name a completion is; otherwise it passes."""
    names = {verdict.value for verdict in Verdict}
    return Verdict(job.program.head) if job.program.head in names else Verdict.PASSED


@pytest.fixture(autouse=True)
def _own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("HF_ALLOW_CODE_EVAL", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("MBXP_DATA_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    with fake_execution(as_written):
        yield


@pytest.fixture
def mbxp(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command; a traceback is never what it answers."""

    def run(*arguments: str, width: int = 200) -> Result:
        for console in (common.out, common.err):
            monkeypatch.setattr(console, "_width", width)
        result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
        assert isinstance(result.exception, SystemExit | None), result.exception
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A directory in the release's layout with a few rows of our own."""
    folder = tmp_path / "data"
    jsonl(folder / "mbxp/mbpp_release_v1.jsonl", [problem(f"MBPP/{n}") for n in range(4)])
    jsonl(
        folder / "mbxp/mbkp_release_v1.2.jsonl",
        [problem(f"MBKP/{n}", "kotlin") for n in range(4)],
    )
    for language in ("python", "java", "javascript"):
        jsonl(
            folder / f"multilingual_mathqa/mathqa-test-{language}_v1.jsonl",
            [problem("MathQA/0", language)],
        )
    return folder
