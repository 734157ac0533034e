"""Rust with rustc, without optimisation: an overflow panics."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from mbxp_metric.execution.program import Program, encode
from mbxp_metric.execution.runtimes import native
from mbxp_metric.execution.runtimes.base import (
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    find_tool,
    tool_output,
)

_LINKER = "linker"
_SEAM = "\nconst _: () = ();\n"
_GAP = r"(?:\s|/\*[\s\S]*?\*/|//.*\n)"
_MACRO = r"(?:r#)?(?:panic|assert|assert_eq|assert_ne|vec)\b"
# A macro or crate in the place of one that a test uses, or a part of the test itself.
_TAMPERING = re.compile(
    rf"\bmacro_rules{_GAP}*!{_GAP}*{_MACRO}|^[^/\n]*\buse\s[^;]*\bas{_GAP}+{_MACRO}"
    rf"|\bextern{_GAP}+crate{_GAP}+\S+{_GAP}+as\b|\bmbxp__",
    re.MULTILINE,
)


def _probe() -> Toolchain:
    # What is found first may choose among several compilers by the user's settings.
    found = find_tool("rustc", "install it with `apt-get install rustc`")
    root = tool_output(found, "--print", "sysroot").rpartition("\n")[2]
    compiler = os.path.join(root, "bin", "rustc")
    number = re.search(r"rustc (\S+)", tool_output(compiler, "--version"))
    gcc = find_tool("gcc", "install it with `apt-get install gcc`")
    tools = {"rustc": compiler, "gcc": shlex.join([gcc, *native.fastest_linker(gcc)])}
    return Toolchain(f"Rust {number.group(1) if number else '?'}", tools, [root])


def _prepare(toolchain: Toolchain, directory: Path) -> None:
    """The driver, and a linker that takes it first: the compiler puts all it is told to last."""
    native.prepare(toolchain, directory)
    inputs = f'"${{0%/*}}/{native.OBJECT}" -Wl,--wrap=main'
    linker = directory / _LINKER
    linker.write_text(f'#!/bin/sh\nexec {toolchain.tools["gcc"]} {inputs} "$@"\n')
    linker.chmod(0o755)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    """An attribute left at the end of a completion falls on the seam, not on the test."""
    return {"main.rs": encode(program.head + _SEAM + program.test)}


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    settings = ("opt-level=0", "debuginfo=0", "codegen-units=1")
    options = ["--edition=2021", "-Awarnings", *(f"-C{setting}" for setting in settings)]
    linked = ["-C", f"linker={toolchain.support}/{_LINKER}", "-o", "main"]
    return [toolchain.tools["rustc"], *options, *linked, "main.rs"]


RUNTIME = Runtime(
    language="rust",
    probe=_probe,
    prepare=_prepare,
    sources=(native.DRIVER,),
    files=_files,
    compile=_compile,
    artifact="main",
    own_executable=True,
    run=lambda toolchain, limits: [f"{PROGRAM_DIR}/main"],
    out_of_memory=re.compile(rb"^memory allocation of \d+ bytes failed", re.MULTILINE),
    tampering=_TAMPERING,
    canary={
        "task_id": "canary",
        "prompt": "/// Add two numbers.\nfn add(a: i64, b: i64) -> i64 {\n",
        "test": """

fn main() {
    if add(1, 2) != 3 {
        panic!("Exception -- test case 0 did not pass.");
    }

    if add(2, 2) != 4 {
        panic!("Exception -- test case 1 did not pass.");
    }
}
""",
        "entry_point": "add",
        "canonical_solution": "    a + b\n}\n",
        "early_exit": "    std::process::exit(0)\n}\n",
    },
)
