"""PHP."""

from __future__ import annotations

import os
import re

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

_DRIVER = DRIVERS / "php_driver.php"
_REMEDY = "install it with `apt-get install php-cli`"
_SETTINGS = "/etc/php"
"""Debian's switches for extensions: without them there is no ctype, no tokenizer."""
_MEMORY_SHARE = 0.75


def _probe() -> Toolchain:
    php = os.path.realpath(find_tool("php", _REMEDY))
    version = tool_output(php, "-r", "echo PHP_VERSION, ' ', extension_loaded('tokenizer');")
    number, _, tokenizer = version.rpartition("\n")[2].partition(" ")
    if not tokenizer:
        raise ToolchainMissing(f"{php} lacks its tokenizer extension: {_REMEDY}")
    visible = [str(_DRIVER), *filter(os.path.exists, [_SETTINGS])]
    return Toolchain(f"PHP {number}", {"php": php}, visible)


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    settings = {
        "memory_limit": f"{int(limits.memory_mb * _MEMORY_SHARE)}M",
        "display_errors": "stderr",
        "log_errors": "0",
        "html_errors": "0",
        "opcache.enable_cli": "0",
    }
    options = [word for name, value in settings.items() for word in ("-d", f"{name}={value}")]
    return [toolchain.tools["php"], *options, str(_DRIVER), f"{PROGRAM_DIR}/main.php"]


RUNTIME = Runtime(
    language="php",
    probe=_probe,
    files=lambda program, toolchain: {"main.php": program.source},
    run=_run,
    interpreter=_run,
    starts=True,
    out_of_memory=re.compile(rb"Allowed memory size of \d+ bytes exhausted|Out of memory"),
    canary={
        "task_id": "canary",
        "prompt": "<?php\n\n/**\n * You are an expert PHP programmer, and here is your task.\n"
        " * * Write a function to add two numbers.\n *\n * php > add(1, 2)\n * 3\n */\n"
        "function add($a, $b){\n",
        "test": "\n\nfunction compare($x, $y) {\n    return $x == $y;\n}\n\n"
        "$arg00 = 1;\n$arg01 = 2;\n$x0 = add($arg00, $arg01);\n$v0 = 3;\n"
        "if (!compare($x0, $v0)) {\n"
        '    throw new Exception("Error at 1th assert statement.");\n}\n'
        "$arg10 = 2;\n$arg11 = 2;\n$x1 = add($arg10, $arg11);\n$v1 = 4;\n"
        "if (!compare($x1, $v1)) {\n"
        '    throw new Exception("Error at 2th assert statement.");\n}\n',
        "entry_point": "add",
        "canonical_solution": "    return $a + $b;\n}\n",
        "early_exit": "    exit(0);\n}\n",
    },
)
