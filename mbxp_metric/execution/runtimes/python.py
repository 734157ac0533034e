"""Python: the interpreter that runs us, or `MBXP_PYTHON`, with numpy and scipy if it has them."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

from mbxp_metric.execution.program import Program, encode
from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    ToolchainMissing,
    find_tool,
    tool_output,
)

_DRIVER = DRIVERS / "python_driver.py"
_LIBRARIES = ("numpy", "scipy")
_NOT_COPIED = (
    "site-packages",
    "dist-packages",
    "test",
    "tests",
    "idlelib",
    "config-*",
    "ensurepip",
)
_SYSTEM = Path("/usr")

_DESCRIBE = """
import importlib.metadata, importlib.util, json, os, platform, sys, sysconfig
found = {}
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin:
        folder = os.path.dirname(os.path.dirname(spec.origin))
        found[name] = [folder, importlib.metadata.version(name)]
print(json.dumps({
    "name": f"{platform.python_implementation()} {platform.python_version()}",
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "prefix": os.path.realpath(sys.base_prefix),
    "short": "python%d.%d" % sys.version_info[:2],
    "libraries": found,
}))
"""


def _probe() -> Toolchain:
    named = os.environ.get("MBXP_PYTHON")
    asked = find_tool(named, "set MBXP_PYTHON to an interpreter") if named else sys.executable
    if not asked:
        raise ToolchainMissing("python not found: set MBXP_PYTHON to an interpreter")
    facts = json.loads(tool_output(asked, "-c", _DESCRIBE, *_LIBRARIES).splitlines()[-1])
    prefix, executable = Path(facts["prefix"]), Path(facts["executable"])
    versions, visible = [facts["name"]], [str(_DRIVER)]
    tools = {"python": str(executable), "prefix": str(prefix), "short": facts["short"]}
    for name, (folder, version) in facts["libraries"].items():
        versions.append(f"{name} {version}")
        tools[name] = os.path.join(folder, name)
        visible += filter(os.path.exists, [tools[name], tools[name] + ".libs"])
    if not prefix.is_relative_to(_SYSTEM):
        visible += map(str, sorted((prefix / "lib").glob("libpython*.so*")))
    env = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    return Toolchain(", ".join(versions), tools, visible, env=env)


def _prepare(toolchain: Toolchain, support: Path) -> None:
    """Copy an interpreter that is not the system's, and link the libraries, into one folder.

    The copy leaves out site-packages: nothing there (answers of a benchmark, say) is for a
    program to import.
    """
    tools = toolchain.tools
    prefix, short = Path(tools["prefix"]), tools["short"]
    if not prefix.is_relative_to(_SYSTEM):
        (support / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(tools["python"], support / "bin" / short)
        shutil.copytree(
            prefix / "lib" / short,
            support / "lib" / short,
            ignore=shutil.ignore_patterns(*_NOT_COPIED),
            dirs_exist_ok=True,
        )
    libraries = support / "libraries"
    libraries.mkdir(exist_ok=True)
    for name in _LIBRARIES:
        for suffix in ("", ".libs"):
            link = libraries / (name + suffix)
            link.unlink(missing_ok=True)
            if name in tools and os.path.exists(tools[name] + suffix):
                link.symlink_to(tools[name] + suffix)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    head = (program.head + "\n").replace("\r\n", "\n").replace("\r", "\n")
    facts = {
        "first_test_line": head.count("\n") + 1,
        "entry_point": program.entry_point,
        "check": program.check,
    }
    return {"main.py": program.source, "main.json": encode(json.dumps(facts))}


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    copied = Path(toolchain.support) / "bin" / toolchain.tools["short"]
    interpreter = str(copied) if copied.exists() else toolchain.tools["python"]
    # Not -I: it would ignore PYTHONHASHSEED. The environment is the sandbox's own.
    return [
        *(interpreter, "-s", "-S", "-B", "-X", "utf8", str(_DRIVER)),
        f"{PROGRAM_DIR}/main.py",
        str(Path(toolchain.support) / "libraries"),
    ]


RUNTIME = Runtime(
    language="python",
    probe=_probe,
    files=_files,
    run=_run,
    prepare=_prepare,
    interpreter=lambda toolchain, limits: [*_run(toolchain, limits), "preload"],
    starts=True,
    wrong_answer=re.compile(rb"^mbxp: an assertion of the test failed$", re.MULTILINE),
    out_of_memory=re.compile(rb"^(?:MemoryError|numpy\.\S*MemoryError)", re.MULTILINE),
    tampering=re.compile(
        r"\b(?:math|builtins|__builtins__)\.\w+[ \t]*=(?!=)"
        r"|\bsetattr\((?:math|builtins|__builtins__)\b"
        r"|\b__builtins__\["
    ),
    canary={
        "task_id": "canary",
        "prompt": 'def add(a, b):\n    """\n    Write a function to add two numbers.\n'
        '    >>> add(1, 2)\n    3\n    """\n',
        "test": "\n\nMETADATA = {}\n\n\ndef check(candidate):\n"
        "    assert candidate(1, 2) == 3\n    assert candidate(2, 2) == 4\n\n",
        "entry_point": "add",
        "canonical_solution": "    return a + b\n",
        "early_exit": "    exit(0)\n",
    },
)
