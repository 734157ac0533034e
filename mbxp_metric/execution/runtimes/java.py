"""Java."""

from __future__ import annotations

import re

from mbxp_metric.execution.runtimes import jvm
from mbxp_metric.execution.runtimes.base import (
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    find_tool,
)

_OPTIONS = ("-proc:none", "-encoding", "UTF-8")
_COMPILER = ("-m", "jdk.compiler/com.sun.tools.javac.Main", *_OPTIONS)
_PROMPT = """import java.io.*;
import java.lang.*;
import java.util.*;
import java.math.*;


class Add {
    /**
     * Add two numbers.
     */
    public static int add(int a, int b) {
"""
_TEST = """

class Main {
    public static boolean compare(Object obj1, Object obj2) {
        return obj1 == null ? obj2 == null : obj1.equals(obj2);
    }

    public static void main(String[] args) throws Exception {
        int x0 = Add.add(1, 2);
        int v0 = 3;
        if (!(compare(x0, v0))) {
            throw new java.lang.Exception("Exception -- test case 0 did not pass. x0 = " + x0);
        }

        int x1 = Add.add(2, 2);
        int v1 = 4;
        if (!(compare(x1, v1))) {
            throw new java.lang.Exception("Exception -- test case 1 did not pass. x1 = " + x1);
        }
}
}
"""


def _probe() -> Toolchain:
    find_tool("javac", jvm.REMEDY)
    java, version, visible = jvm.find_java()
    return Toolchain(f"OpenJDK {version}", {"java": java}, visible)


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    return jvm.compiler_command(toolchain, limits, _COMPILER, "-d", PROGRAM_DIR, "main.java")


RUNTIME = Runtime(
    language="java",
    probe=_probe,
    prepare=jvm.prepare(lambda toolchain: _COMPILER, "main.java", _PROMPT + "return 0;}}" + _TEST),
    sources=jvm.DRIVER,
    files=lambda program, toolchain: {"main.java": program.source},
    compile=_compile,
    compile_server=lambda toolchain, limits: jvm.server_command(
        toolchain, "java", "main.java", "", *_OPTIONS
    ),
    artifact="Main.class",
    run=lambda toolchain, limits: jvm.run_command(toolchain, limits, "Main"),
    out_of_memory=jvm.OUT_OF_MEMORY,
    tampering=re.compile(
        r"\b(?:class|interface|enum|record)\s+(?:Exception|Object|Objects|Arrays)\b"
    ),
    canary={
        "task_id": "canary",
        "prompt": _PROMPT,
        "test": _TEST,
        "entry_point": "add",
        "canonical_solution": "        return a + b;\n    }\n}",
        "early_exit": "        System.exit(0);\n        return a + b;\n    }\n}",
    },
)
