"""A tiny model that knows our own problems by heart, trained once a session."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from mbxp_metric.generation import GenerationSettings
from mbxp_metric.generation.loop import Generated, Work, generate
from mbxp_metric.generation.model import ModelOptions
from mbxp_metric.generation.tasks import load_tasks
from tests.generation import tiny

ROOT = Path(__file__).parent.parent.parent
Run = Callable[..., Generated]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    tiny.train(folder)
    torch.set_num_threads(threads)
    return folder


@pytest.fixture(scope="session")
def problem_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return tiny.write_problem_files(tmp_path_factory.mktemp("problems"))


@pytest.fixture
def run(tiny_model: Path, problem_files: list[Path], tmp_path: Path) -> Run:
    """Generate in this process: `run(name of directory, batch_size=…, settings…)`."""

    def start(directory: str, batch_size: int = 8, **settings: Any) -> Generated:
        return generate(
            Work(
                sets=[load_tasks(str(path)) for path in problem_files],
                settings=GenerationSettings(**{"max_new_tokens": 40, **settings}),
                model=ModelOptions(str(tiny_model)),
                directory=tmp_path / directory,
                batch_size=batch_size,
                cpu=True,
            )
        )

    return start


@pytest.fixture
def launch(tiny_model: Path, problem_files: list[Path], tmp_path: Path) -> Callable[..., Any]:
    """Start `mbxp generate` in two processes, by `torchrun`."""

    def start(directory: str, *arguments: str) -> subprocess.Popen[str]:
        configs = [argument for path in problem_files for argument in ("-c", str(path))]
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2"),
                *("--master_port", "0", "--rdzv_backend", "c10d", "--rdzv_endpoint", "localhost:0"),
                *("-m", "mbxp_metric.cli", "generate", "--model", str(tiny_model), *configs),
                *("-o", str(tmp_path / directory), *arguments),
            ],
            cwd=ROOT,
            env={
                **os.environ,
                "ACCELERATE_USE_CPU": "true",
                "OMP_NUM_THREADS": "1",
                "PYTHONPATH": str(ROOT),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def lines(folder: Path) -> Sequence[str]:
    return (folder / "samples.jsonl").read_text(encoding="ascii").splitlines()
