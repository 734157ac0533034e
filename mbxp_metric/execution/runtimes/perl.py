"""Perl with Data::Compare."""

from __future__ import annotations

import os
import re

from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    PROGRAM_DIR,
    TEST_FAILED,
    Limits,
    Runtime,
    Toolchain,
    ToolchainMissing,
    find_tool,
    tool_output,
)

_DRIVER = DRIVERS / "perl"
_REMEDY = "install it with `apt-get install perl libdata-compare-perl`"


def _probe() -> Toolchain:
    perl = os.path.realpath(find_tool("perl", _REMEDY))
    version = tool_output(perl, "-e", "printf '%vd', $^V")
    try:
        compare = tool_output(perl, "-MData::Compare", "-e", "print Data::Compare->VERSION")
    except ToolchainMissing as error:
        raise ToolchainMissing(f"Data::Compare not found: {_REMEDY}") from error
    # Fixed, so that the order of a hash's keys cannot change a verdict between runs.
    env = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}
    name = f"Perl {version}, Data::Compare {compare}"
    return Toolchain(name, {"perl": perl}, [str(_DRIVER)], env=env)


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    perl = toolchain.tools["perl"]
    return [perl, f"-I{_DRIVER}", "-MMbxpDriver", f"{PROGRAM_DIR}/main.pl"]


RUNTIME = Runtime(
    language="perl",
    probe=_probe,
    files=lambda program, toolchain: {"main.pl": program.source},
    run=_run,
    interpreter=_run,
    starts=True,
    wrong_answer=re.compile(
        TEST_FAILED.pattern + rb"|the program replaced what its test relies on"
    ),
    out_of_memory=re.compile(rb"^Out of memory", re.MULTILINE),
    tampering=re.compile(r"\bData::Compare::|\*\{?[\"']?(?:main)?(?:::)?Compare\b\s*\}?\s*="),
    canary={
        "task_id": "canary",
        "prompt": "\n# You are an expert Perl programmer, and here is your task.\n"
        "# # Write a function to add two numbers.\n#\n# >>> add(1, 2)\n# 3\nsub add\n{\n"
        "  my ($a, $b) = @_;\n",
        "test": "\n\nuse Data::Compare;\n\nmy $arg00 = 1;\nmy $arg01 = 2;\n"
        "my $x0 = add($arg00, $arg01);\nmy $v0 = 3;\nunless(Compare($x0, $v0)) {\n"
        '    die "Exception -- test case 0 did not pass.";\n}\n'
        "my $arg10 = 2;\nmy $arg11 = 2;\nmy $x1 = add($arg10, $arg11);\nmy $v1 = 4;\n"
        "unless(Compare($x1, $v1)) {\n"
        '    die "Exception -- test case 1 did not pass.";\n}\n',
        "entry_point": "add",
        "canonical_solution": "  return $a + $b;\n}\n",
        "early_exit": "  exit(0);\n}\n",
    },
)
