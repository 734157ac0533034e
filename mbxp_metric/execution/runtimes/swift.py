"""Swift, compiled without optimisation: assertions are on."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
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

_REMEDY = "install it with toolchains.sh"
_SCRIPT = "compile.sh"
_LINKER = "bin/clang"
_LIBRARIES = "-lmbxp-libraries"
"""Stands for the libraries that an object file names."""
_SECTION = ".swift1_autolink_entries"
"""Where it names them, as the compiler's own reader has it."""
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


def _prepare(toolchain: Toolchain, directory: Path) -> None:
    native.prepare(toolchain, directory)
    # The directory gets another name once all is built.
    script = _script(toolchain, directory).replace(str(directory), "{support}")
    (directory / _SCRIPT).write_text(script)


def _script(toolchain: Toolchain, directory: Path) -> str:
    """The steps that the compiler would take, without what only chooses them.

    `swiftc` starts the same large executable four times to compile one file: for its own options,
    for the machine's, to compile, and to copy the names of libraries from the object file. Where
    its steps are not the known ones, it takes them itself.
    """
    linked = [str(directory / native.OBJECT), "-Xlinker", "--wrap=main"]
    command = [toolchain.tools["swiftc"], "main.swift", *linked, "-o", "main"]
    whole = f"exec {shlex.join(command)}\n"
    asked = subprocess.run([*command, "-###"], cwd=directory, capture_output=True, text=True)
    steps = re.sub(r"/tmp/TemporaryDirectory\.\w+", "/tmp", asked.stdout).splitlines()
    if asked.returncode or len(steps) != 3 or "-frontend -c " not in steps[0]:
        return whole
    compiled, names = "/tmp/main-1.o", re.search(r"@(/tmp/\S+)", steps[2])
    if not names or compiled not in steps[0] or f"{_LINKER} " not in steps[2]:
        return whole
    # Only a file that is there is taken for one to link.
    there = directory / "main-1.o"
    there.touch()
    link = steps[2].replace(names[0], _LIBRARIES).replace(compiled, str(there))
    said = subprocess.run(
        f"{link} -###", shell=True, cwd=directory, capture_output=True, text=True
    ).stderr.splitlines()
    there.unlink()
    if not said or f'"{_LIBRARIES}"' not in said[-1] or f'"{there}"' not in said[-1]:
        return whole
    linker = said[-1].strip().replace(_LIBRARIES, names[0]).replace(str(there), compiled)
    section = f"{_SECTION}={names[1]}.raw"
    return "\n".join(
        [
            "set -e",
            steps[0],
            f"objcopy --dump-section {section} {compiled} /dev/null || : >{names[1]}.raw",
            f"tr '\\0' '\\n' <{names[1]}.raw >{names[1]}",
            f"exec {linker}",
            "",
        ]
    )


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    script = (Path(toolchain.support) / _SCRIPT).read_text()
    return ["/bin/sh", "-c", script.replace("{support}", toolchain.support)]


RUNTIME = Runtime(
    language="swift",
    probe=_probe,
    prepare=_prepare,
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
