"""What C++, Swift and Rust share: the driver that is linked around `main`."""

from __future__ import annotations

from pathlib import Path

from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    Toolchain,
    ToolchainMissing,
    build,
    find_tool,
    tool_output,
)

DRIVER = "native_driver.c"
OBJECT = "native_driver.o"
_LINKERS = ("mold", "lld", "gold")
"""Faster than the usual one, the fastest first."""


def fastest_linker(compiler: str) -> list[str]:
    """The option that lets gcc or clang link with the fastest linker that is here and works."""
    for name in _LINKERS:
        option = f"-fuse-ld={name}"
        try:
            tool_output(compiler, option, "-Wl,--version")
        except ToolchainMissing:
            continue
        return [option]
    return []


def prepare(toolchain: Toolchain, directory: Path) -> None:
    """Compile the driver."""
    compiler = find_tool("gcc", "install it with `apt-get install g++`")
    command = [compiler, "-O1", "-fPIC", "-c", str(DRIVERS / DRIVER), "-o", OBJECT]
    build("the driver around main", command, directory)
