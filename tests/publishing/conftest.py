"""A stand-in of the Hub, and commands of ours that see it as the Hub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.publishing.hub_stand_in import Hub, hub_stand_in

_COMMANDS = """
import json, sys
from typer.testing import CliRunner
from mbxp_metric.cli import app
done = [CliRunner().invoke(app, command) for command in json.load(sys.stdin)]
for each in done:
    if each.exception and not isinstance(each.exception, SystemExit):
        raise each.exception
print(json.dumps([[each.exit_code, each.stdout, each.stderr] for each in done]))
"""

Python = Callable[..., str]


class Done(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_stand_in() as running:
        yield running


@pytest.fixture
def python(hub: Hub, tmp_path: Path) -> Python:
    """Run a program in a new interpreter for which the stand-in is the Hub."""
    # Read by the Hugging Face libraries at import.
    environment = {
        **{name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"},
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(tmp_path / "hf_home"),
        "HF_TOKEN": "hf_test",
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "HF_ALLOW_CODE_EVAL": "1",
    }

    def run(program: str, stdin: str = "", *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def mbxp(python: Python) -> Callable[..., list[Done]]:
    """Run commands of `mbxp`, all in one interpreter."""

    def run(*commands: list[Any]) -> list[Done]:
        given = json.dumps([[str(word) for word in command] for command in commands])
        return [Done(*each) for each in json.loads(python(_COMMANDS, given).splitlines()[-1])]

    return run
