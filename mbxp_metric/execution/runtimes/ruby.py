"""Ruby, with `set` loaded as newer versions have it."""

from __future__ import annotations

import os
import re

from mbxp_metric.execution.program import Program
from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    PROGRAM_DIR,
    TEST_FAILED,
    Limits,
    Runtime,
    Toolchain,
    find_tool,
    tool_output,
)

_DRIVER = DRIVERS / "ruby_driver.rb"
_RESULTS = re.compile(r"^(x\d+) = ", re.MULTILINE)


def _probe() -> Toolchain:
    ruby = os.path.realpath(find_tool("ruby", "install it with `apt-get install ruby`"))
    version = tool_output(ruby, "-e", "print RUBY_ENGINE, ' ', RUBY_VERSION")
    return Toolchain(version.capitalize(), {"ruby": ruby}, [str(_DRIVER)])


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    results = dict.fromkeys(_RESULTS.findall(program.test))
    return {"main.rb": program.source, "results": " ".join(results).encode()}


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    # Gems stay enabled: parts of the standard library (prime, matrix) are gems. What only
    # embellishes messages goes: it doubles the start-up time.
    options = ["--disable=did_you_mean,error_highlight", "-rset", "-E", "UTF-8"]
    return [toolchain.tools["ruby"], *options, str(_DRIVER), f"{PROGRAM_DIR}/main.rb"]


RUNTIME = Runtime(
    language="ruby",
    probe=_probe,
    files=_files,
    run=_run,
    interpreter=_run,
    starts=True,
    wrong_answer=re.compile(
        TEST_FAILED.pattern + rb"|the program replaced what its test relies on"
    ),
    out_of_memory=re.compile(rb"failed to allocate memory \(NoMemoryError\)"),
    tampering=re.compile(r"\brefine[ (]+(?:::)?[A-Z]\w*\b(?s:.{0,2000}?)\bdef\s*(?:==|!=)"),
    canary={
        "task_id": "canary",
        "prompt": "\n##\n# You are an expert Ruby programmer, and here is your task.\n"
        "# # Write a function to add two numbers.\n#\n# irb> add(1, 2)\n# => 3\n"
        "def add(a, b)\n",
        "test": "\n\narg00 = 1\narg01 = 2\nx0 = add(arg00, arg01)\nv0 = 3\nif x0 != v0\n"
        '    raise StandardError, "Error at test case 1"\nend\n\n'
        "arg10 = 2\narg11 = 2\nx1 = add(arg10, arg11)\nv1 = 4\nif x1 != v1\n"
        '    raise StandardError, "Error at test case 2"\nend\n\n',
        "entry_point": "add",
        "canonical_solution": "  return a + b\nend\n",
        "early_exit": "  exit(0)\nend\n",
    },
)
