"""Swift, compiled without optimisation: assertions are on."""

from __future__ import annotations

import os
import re

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

_REMEDY = "install it with toolchains.sh"
_ASSERT = re.compile(r"^assert\(", re.MULTILINE)
_BUILTIN = (
    r"(?:Swift\.)?(?:Int\d*|Double|Float|Bool|String|Character|Array|Dictionary|Set|Optional"
    r"|Equatable|Hashable|Collection|Sequence|Comparable|AnyHashable)\b"
)
# An equality of the language's own types, or a type in the place of one of them.
_TAMPERING = re.compile(
    rf"\bextension\s+{_BUILTIN}[\s\S]*?\bfunc\s*[=!]="
    rf"|\bfunc\s*[=!]=\s*(?:<[^>]*>)?\s*\(\s*\w+\s*:\s*(?:\[|\(|[A-Z]\b|{_BUILTIN})"
    rf"|\b(?:struct|class|enum|typealias|actor|protocol)\s+`?(?:Swift\b|{_BUILTIN})"
)


def _probe() -> Toolchain:
    compiler = find_tool("swiftc", _REMEDY)
    said = tool_output(compiler, "--version")
    number = re.search(r"Swift version (\S+)", said)
    prefix = os.environ.get("MBXP_SWIFT", "/opt/swift")
    visible = [os.path.dirname(compiler), prefix]
    # The order of a Set or Dictionary is random otherwise, and so might be a verdict.
    env = {"SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"}
    version = f"Swift {number.group(1) if number else '?'}"
    return Toolchain(version, {"swiftc": compiler}, visible, env=env)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    """The test asserts with the language's own `assert`, whatever the program calls so."""
    return {"main.swift": encode(program.head + _ASSERT.sub("Swift.assert(", program.test))}


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    linked = [f"{toolchain.support}/{native.OBJECT}", "-Xlinker", "--wrap=main"]
    return [toolchain.tools["swiftc"], "main.swift", *linked, "-o", "main"]


RUNTIME = Runtime(
    language="swift",
    probe=_probe,
    prepare=native.prepare,
    sources=(native.DRIVER,),
    files=_files,
    compile=_compile,
    artifact="main",
    own_executable=True,
    run=lambda toolchain, limits: [f"{PROGRAM_DIR}/main"],
    tampering=_TAMPERING,
    canary={
        "task_id": "canary",
        "prompt": "/**\n * You are an expert Swift programmer, and here is your task.\n"
        " * * Add two numbers.\n */\nfunc add(a : Int, b : Int) -> Int {\n",
        "test": """

var arg00 : Int = 1
var arg01 : Int = 2
var x0 : Int = add(a : arg00, b : arg01)
var v0 : Int = 3
assert(x0 == v0, "Exception -- test case 0 did not pass. x0 = ")

var x1 : Int = add(a : 2, b : 2)
var v1 : Int = 4
assert(x1 == v1, "Exception -- test case 1 did not pass. x1 = ")

""",
        "entry_point": "add",
        "canonical_solution": "    return a + b\n}",
        "early_exit": "    exit(0)\n}\nimport Glibc\n",
    },
)
