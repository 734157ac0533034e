"""TypeScript: compiled to JavaScript by the `typescript` package, run as JavaScript is."""

from __future__ import annotations

from mbxp_metric.execution.program import Program
from mbxp_metric.execution.runtimes import javascript
from mbxp_metric.execution.runtimes.base import DRIVERS, Limits, Runtime, Toolchain

_COMPILER = DRIVERS / "typescript_compiler.js"


def _probe() -> Toolchain:
    found = javascript.probe_node("typescript", ["typescript"])
    return Toolchain(found.version, found.tools, [*found.visible, str(_COMPILER)], env=found.env)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    return {"main.ts": program.source, "main.json": javascript.facts(program, ["assert"])}


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    return [toolchain.tools["node"], str(_COMPILER)]


RUNTIME = Runtime(
    language="typescript",
    probe=_probe,
    files=_files,
    compile=_compile,
    compile_server=lambda toolchain, limits: [*_compile(toolchain, limits), "serve"],
    artifact="main.js",
    run=javascript.run,
    interpreter=javascript.interpreter,
    starts=True,
    wrong_answer=javascript.WRONG_ANSWER,
    out_of_memory=javascript.OUT_OF_MEMORY,
    canary={
        "task_id": "canary",
        "prompt": "/**\n * Write a function to add two numbers.\n * \n * Examples:\n"
        " * >>> add(1, 2)\n * >>> 3\n */\n"
        "const add = function (a: number, b: number) : number  {\n",
        "test": "\n\nimport * as assert from 'assert'\n\n"
        "let actual_1 = add(1,2);\nlet expected_1 = 3;\n"
        'assert.deepEqual(actual_1, expected_1, "Exception --- test case 0 failed to pass");\n\n'
        "let actual_2 = add(2,2);\nlet expected_2 = 4;\n"
        'assert.deepEqual(actual_2, expected_2, "Exception --- test case 1 failed to pass");\n\n',
        "entry_point": "add",
        "canonical_solution": "    return a + b;\n}\n",
        "early_exit": "    process.exit(0);\n}\n",
    },
)
