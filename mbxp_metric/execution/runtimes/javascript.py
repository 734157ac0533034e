"""JavaScript: Node.js with lodash."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from mbxp_metric.execution.program import Program, encode
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
    toolchain_prefix,
)

DRIVER = DRIVERS / "javascript_driver.js"
REMEDY = "run builder_scripts/install_toolchains.sh, which installs Node.js and its packages"
HEAP_SHARE = 0.75
"""Of the memory limit: what V8 may fill with JavaScript objects."""
OUT_OF_MEMORY = re.compile(rb"JavaScript heap out of memory|Array buffer allocation failed")
WRONG_ANSWER = re.compile(
    TEST_FAILED.pattern + rb"|the program replaced \w+, which its test relies on"
)


def probe_node(label: str, packages: Sequence[str]) -> Toolchain:
    """Node.js and the packages asked for; shared with TypeScript.

    Raises:
        ToolchainMissing: Node.js or a package is not installed.
    """
    node = find_tool("node", REMEDY)
    modules = toolchain_prefix() / "node_modules"
    versions = [f"Node {tool_output(node, '--version').lstrip('v')}"]
    visible = [str(DRIVER)]
    for package in packages:
        folder = modules / package
        try:
            manifest = json.loads((folder / "package.json").read_text("utf-8"))
        except OSError as error:
            raise ToolchainMissing(f"{package} not found in {modules}: {REMEDY}") from error
        versions.append(f"{package} {manifest['version']}")
        visible.append(str(folder))
    version = ", ".join(versions[::-1] if label == "typescript" else versions)
    return Toolchain(version, {"node": node}, visible, env={"NODE_PATH": str(modules)})


def facts(program: Program, names: Sequence[str]) -> bytes:
    """`main.json`: the test, and which of its names the driver checks at the end."""
    # Declared, not just mentioned: a test may have the same word in its values.
    declared = re.findall(r"^(?:const|function|import \* as) (\w+)", program.test, re.MULTILINE)
    relied = [name for name in names if name in declared]
    test = encode(program.test).decode()
    return encode(json.dumps({"test": test, "names": relied}))


def run(toolchain: Toolchain, limits: Limits) -> list[str]:
    """The command that runs `main.js`; shared with TypeScript."""
    heap = int(limits.memory_mb * HEAP_SHARE)
    node = toolchain.tools["node"]
    return [node, f"--max-old-space-size={heap}", str(DRIVER), f"{PROGRAM_DIR}/main.js"]


def interpreter(toolchain: Toolchain, limits: Limits) -> list[str]:
    """The same as a fork server: without threads, which a fork would not have."""
    node, *rest = run(toolchain, limits)
    return [node, "--single-threaded", "--v8-pool-size=0", *rest, "preload"]


RUNTIME = Runtime(
    language="javascript",
    probe=lambda: probe_node("javascript", ["lodash"]),
    files=lambda program, toolchain: {
        "main.js": program.source,
        "main.json": facts(program, ["_", "compare"]),
    },
    run=run,
    interpreter=interpreter,
    starts=True,
    wrong_answer=WRONG_ANSWER,
    out_of_memory=OUT_OF_MEMORY,
    canary={
        "task_id": "canary",
        "prompt": "/**\n * * Write a function to add two numbers.\n *\n * > add(1, 2)\n * 3\n */\n"
        "function add(a, b) {\n",
        "test": '\n\nconst _ = require("lodash")\n\nfunction compare(object1, object2){\n'
        "    return _.isEqual(object1, object2)\n}\n\n"
        "var x0 = add(1, 2);\nvar v0 = 3;\nif(!compare(x0, v0)){\n"
        "    throw 'Error at 1th assert statement. Value = ' + JSON.stringify(x)  \n}\n\n"
        "var x1 = add(2, 2);\nvar v1 = 4;\nif(!compare(x1, v1)){\n"
        "    throw 'Error at 2th assert statement. Value = ' + JSON.stringify(x)  \n}\n\n",
        "entry_point": "add",
        "canonical_solution": "  return a + b;\n}\n",
        "early_exit": "  process.exit(0);\n}\n",
    },
)
