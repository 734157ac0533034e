"""What C++ and Swift share: the driver that is linked around `main`."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from mbxp_metric.execution.runtimes.base import DRIVERS, Toolchain, ToolchainMissing, find_tool

DRIVER = "native_driver.c"
OBJECT = "native_driver.o"


def build(what: str, command: Sequence[str], cwd: Path) -> None:
    """Run a command that builds a driver.

    Raises:
        ToolchainMissing: it fails; the message has its first line of output.
    """
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
    except OSError as error:
        raise ToolchainMissing(f"{what} cannot be built: {error}") from error
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise ToolchainMissing(f"{what} cannot be built: {lines[0]}")


def prepare(toolchain: Toolchain, directory: Path) -> None:
    """Compile the driver."""
    compiler = find_tool("gcc", "install it with `apt-get install g++`")
    command = [compiler, "-O1", "-fPIC", "-c", str(DRIVERS / DRIVER), "-o", OBJECT]
    build("the driver around main", command, directory)
