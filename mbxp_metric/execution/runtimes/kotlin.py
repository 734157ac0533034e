"""Kotlin, on the Java virtual machine."""

from __future__ import annotations

import re
from pathlib import Path

from mbxp_metric.execution.runtimes import jvm
from mbxp_metric.execution.runtimes.base import (
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    ToolchainMissing,
    toolchain_prefix,
)

_REMEDY = "install it with toolchains.sh (npm package kotlin-compiler)"
_JARS = (
    "kotlin-compiler",
    "kotlin-stdlib",
    "kotlin-reflect",
    "kotlin-script-runtime",
    "kotlin-daemon",
    "annotations-13.0",
    "kotlinx-coroutines-core-jvm",
)
_PROMPT = """/**
 * You are an expert Kotlin programmer, and here is your task.
 * * Add two numbers.
 */
fun add(a : Int, b : Int) : Int {
"""
_TEST = """
fun main() {
    var arg00 : Int = 1
    var arg01 : Int = 2
    var x0 : Int = add(arg00, arg01);
    var v0 : Int = 3;
    if (x0 != v0) {
        throw Exception("Exception -- test case 0 did not pass. x0 = " + x0)
    }

    var x1 : Int = add(2, 2);
    var v1 : Int = 4;
    if (x1 != v1) {
        throw Exception("Exception -- test case 1 did not pass. x1 = " + x1)
    }
}
"""


def _probe() -> Toolchain:
    java, version, visible = jvm.find_java()
    home = toolchain_prefix() / "node_modules" / "kotlin-compiler"
    if not (home / "lib" / "kotlin-compiler.jar").exists():
        raise ToolchainMissing(f"Kotlin compiler not found in {home}: {_REMEDY}")
    build = (home / "build.txt").read_text().strip()
    name = f"Kotlin {build.split('-')[0]}, OpenJDK {version}"
    return Toolchain(name, {"java": java, "kotlin": str(home)}, [*visible, str(home)])


def _classpath(toolchain: Toolchain) -> str:
    home = Path(toolchain.tools["kotlin"])
    return ":".join(str(home / "lib" / f"{jar}.jar") for jar in _JARS)


def _options(toolchain: Toolchain) -> list[str]:
    return ["-kotlin-home", toolchain.tools["kotlin"], "-nowarn"]


def _compiler(toolchain: Toolchain) -> list[str]:
    main = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
    return ["-cp", _classpath(toolchain), main, *_options(toolchain)]


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    arguments = ("-d", PROGRAM_DIR, "main.kt")
    return jvm.compiler_command(toolchain, limits, _compiler(toolchain), *arguments)


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    library = f"{toolchain.tools['kotlin']}/lib/kotlin-stdlib.jar"
    return jvm.run_command(toolchain, limits, "MainKt", library)


RUNTIME = Runtime(
    language="kotlin",
    probe=_probe,
    prepare=jvm.prepare(_compiler, "main.kt", _PROMPT + "    return 0\n}" + _TEST),
    sources=jvm.DRIVER,
    files=lambda program, toolchain: {"main.kt": program.source},
    compile=_compile,
    compile_server=lambda toolchain, limits: jvm.server_command(
        toolchain, "kotlin", "main.kt", _classpath(toolchain), *_options(toolchain)
    ),
    artifact="MainKt.class",
    run=_run,
    out_of_memory=jvm.OUT_OF_MEMORY,
    tampering=re.compile(r"^(?:class|typealias|fun)\s+Exception\b", re.MULTILINE),
    canary={
        "task_id": "canary",
        "prompt": _PROMPT,
        "test": _TEST,
        "entry_point": "add",
        "canonical_solution": "    return a + b\n}",
        "early_exit": "    System.exit(0)\n    return a + b\n}",
    },
)
