"""`mbxp generate` and `mbxp bootstrap` with a model on a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, jsonl, problem
from tests.generation.endpoint_app import App, serving

KEY = "sk-secret-of-the-user"


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setenv("MBXP_API_KEY", KEY)
    with serving() as app:
        yield app


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_samples_come_from_a_server_and_go_on(mbxp: Command, app: App, tmp_path: Path) -> None:
    problems = jsonl(tmp_path / "p.jsonl", [problem(f"T/{n}") for n in range(3)])
    command = ["generate", "--endpoint", app.url, "-m", "tiny", "-c", problems, "-o", "out"]
    app.faults = [None, 403]
    failed = mbxp(*command, "-n", "2", "--concurrency", "1")
    assert failed.exit_code == 2
    assert "fault 403" in failed.output
    done = mbxp(*command, "-n", "2")
    assert done.exit_code == 0, done.output
    rows = _read(Path("out/samples.jsonl"))
    assert [(row["task_id"], row["sample"]) for row in rows] == [
        (f"T/{n}", sample) for n in range(3) for sample in range(2)
    ]
    assert len(app.asked) == 7
    assert app.keys == {f"Bearer {KEY}"}
    texts = [path.read_text() for path in Path("out").iterdir()]
    assert not any(KEY in text for text in [*texts, failed.output, done.output])
    assert "made with other settings" in mbxp(*command, "-n", "2", "--top-p", "0.5").output


def test_answers_of_a_chat_model_are_marked(mbxp: Command, app: App, tmp_path: Path) -> None:
    problems = jsonl(tmp_path / "p.jsonl", [problem("T/0")])
    command = ["generate", "--endpoint", app.url, "-m", "tiny", "-c", problems, "-o", "out"]
    assert mbxp(*command, "--chat").exit_code == 0
    assert "answer" in _read(Path("out/samples.jsonl"))[0]
    refused = mbxp(*command, "--chat", "--api", "tgi")
    assert refused.exit_code == 2
    assert "--api tgi is not for --chat" in refused.output


def test_gaps_are_asked_for_in_the_format_of_the_model(
    mbxp: Command, app: App, official_dir: Path
) -> None:
    command = ["generate", "--endpoint", app.url, "-c", "mbxp/i-mbpp", "-o", "out", "--limit", "1"]
    command += ["--data-dir", str(official_dir)]
    refused = mbxp(*command, "-m", "my-model")
    assert refused.exit_code == 2
    assert "not known how 'my-model' infills" in refused.output
    done = mbxp(*command, "-m", "my-model", "--infilling", "codegemma")
    assert done.exit_code == 0, done.output
    (_, body), *_ = app.asked
    assert body["prompt"].startswith("<|fim_prefix|>")
    assert body["prompt"].endswith("<|fim_middle|>")
    about = json.loads(Path("out/generation.json").read_text())
    assert about["infilling"] == "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>"


def test_a_bootstrap_ends_with_solutions_and_their_coverage(
    mbxp: Command, app: App, tmp_path: Path
) -> None:
    problems = jsonl(tmp_path / "p.jsonl", [problem(f"T/{n}") for n in range(2)])
    command = ["bootstrap", "--endpoint", app.url, "-m", "tiny", "-c", problems, "-o", "out"]
    command += ["--stages", "4@0.8,8@1.0", "--round", "1"]
    for _ in range(2):
        done = mbxp(*command)
        assert done.exit_code == 0, done.output
    assert len(app.asked) == 2
    rows = _read(Path("out/solutions.jsonl"))
    assert all("return" in row["canonical_solution"] for row in rows)
    assert json.loads(rows[1]["provenance"])["temperature"] == 0.8
    coverage = json.loads(Path("out/coverage.json").read_text())
    assert [each["solved"] for each in coverage[:2]] == [0, 2]
    assert "stage 1, plain: 2 of 2 solved (100.0%), 2 new" in done.output
    refused = mbxp(*command[:-4], "--stages", "many")
    assert refused.exit_code == 2
    assert "samples@temperature" in refused.output
