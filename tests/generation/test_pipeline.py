"""From a model to a score, one command each, for the base configs and all variants."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from mbxp_datasets import resolve_benchmark, write_problems
from mbxp_metric import cli
from mbxp_metric.generation import GenerationSettings
from mbxp_metric.generation.infilling import chosen_format
from mbxp_metric.generation.tasks import all_requests, load_tasks
from tests.generation import tiny

TEMPLATE = "<left>{prefix}<right>{suffix}<middle>"
"""How the model of these tests has learnt to be asked for a gap."""
PROGRAMS = (
    "mbxp/mbpp",
    "mbxp/t-mbjsp",
    "mbxp/r-mbpp:case",
    "mbxp/i-mbpp",
)
SUMMARIES = "mbxp/s-mbpp"
ROWS = 2


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own problems as a copy of the release has them."""
    folder = tmp_path_factory.mktemp("data")
    configs = resolve_benchmark("mbxp").configs
    for config in (configs["mbpp"], configs["mbjsp"]):
        rows: list[Any] = [
            {**row, "task_id": f"{config.task_prefix}{number}"}
            for number, row in enumerate(tiny.problems(config.language)[:ROWS])
        ]
        (folder / "mbxp").mkdir(exist_ok=True)
        write_problems(folder / "mbxp" / config.file, rows)
    return folder


def _answer(row: Mapping[str, Any]) -> str:
    """What the model is to learn, and how it goes on: as real models do, for ever."""
    if row.get("variant") == "s":
        return f" {' '.join(row['target'].split())}\nNext line\n"  # a summary is a line
    if row.get("variant") == "i":
        return f"{row['canonical_solution']}<right>"
    return f"{row['canonical_solution']}".rstrip("\n") + "\n\nmore" * 20


@pytest.fixture(scope="module")
def model(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows the answers to the prompts of all the configs by heart."""
    infilling = chosen_format(TEMPLATE, "", ("<right>",))
    texts = {}
    for name in (*PROGRAMS, SUMMARIES):
        tasks = load_tasks(name, data)
        rows = {row["task_id"]: row for row in tasks.rows}
        for request in all_requests([tasks], GenerationSettings(), infilling):
            texts[request.prompt] = _answer(rows[request.task_id])
    folder = tmp_path_factory.mktemp("model")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    tiny.learn(folder, texts, length=420)
    torch.set_num_threads(threads)
    return folder


def _score(model: Path, data: Path, name: str, out: Path) -> dict[str, Any]:
    """Both commands, as a user types them."""
    given = ("--data-dir", str(data))
    asked = ("--infilling", TEMPLATE, "--infilling-stop", "<right>") if "/i-" in name else ()
    arguments = ["generate", "--model", str(model), "-c", name, "-o", str(out), *given, *asked]
    made = CliRunner().invoke(cli.app, [*arguments, "--cpu", "--max-new-tokens", "120"])
    assert made.exit_code == 0, made.output
    arguments = ["score", str(out / "samples.jsonl"), "-p", name, *given, "-k", "1", "--json"]
    scored = CliRunner().invoke(cli.app, [*arguments, "--allow-code-execution"])
    assert scored.exit_code == 0, scored.output
    [score] = json.loads(scored.stdout)["scores"]
    assert score["coverage"] == 1.0
    return dict(score)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_model_knows_it_writes_and_it_passes(
    model: Path, data: Path, name: str, tmp_path: Path
) -> None:
    score = _score(model, data, name, tmp_path / "out")
    assert score["problems"].startswith(name.partition(":")[0])
    assert score["pass@1"] == 1.0


def test_what_a_model_knows_of_summaries_is_their_target(
    model: Path, data: Path, tmp_path: Path
) -> None:
    assert _score(model, data, SUMMARIES, tmp_path / "out")["bleu"] == pytest.approx(100)
