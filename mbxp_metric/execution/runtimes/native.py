"""What C++, Swift and Rust share: the driver that is linked around `main`."""

from __future__ import annotations

from pathlib import Path

from mbxp_metric.execution.runtimes.base import DRIVERS, Toolchain, build, find_tool

DRIVER = "native_driver.c"
OBJECT = "native_driver.o"


def prepare(toolchain: Toolchain, directory: Path) -> None:
    """Compile the driver."""
    compiler = find_tool("gcc", "install it with `apt-get install g++`")
    command = [compiler, "-O1", "-fPIC", "-c", str(DRIVERS / DRIVER), "-o", OBJECT]
    build("the driver around main", command, directory)
