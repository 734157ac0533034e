"""A small local release, a clean environment, and new interpreters in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from release_rows import problem, write_rows

from mbxp_datasets import Config, resolve_config


@pytest.fixture(autouse=True)
def _own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf_home"))
    for name in ("MBXP_DATA_DIR", "MBXP_RELEASE_API", "MBXP_RELEASE_RAW"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def kotlin() -> Config:
    return resolve_config("mbxp", "kotlin")


@pytest.fixture
def data_dir(tmp_path: Path, kotlin: Config) -> Path:
    """A flat directory with five Kotlin problems."""
    root = tmp_path / "data_dir"
    write_rows(root / kotlin.file, [problem(kotlin, number) for number in range(1, 6)])
    return root


@pytest.fixture
def run_python(tmp_path: Path) -> Callable[..., str]:
    """Run a program in a new interpreter, in an empty directory, and return what it prints."""

    def run(program: str, **env: str) -> str:
        here = tmp_path / "empty"
        here.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=here,
            env={**os.environ, "HF_HOME": str(tmp_path / "hf_home"), **env},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run
