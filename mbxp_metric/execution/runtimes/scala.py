"""Scala, on the Java virtual machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mbxp_metric.execution.runtimes import jvm
from mbxp_metric.execution.runtimes.base import (
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    ToolchainMissing,
    tool_output,
)

_REMEDY = "install it with `apt-get install scala`"
_JARS = (
    "scala-compiler",
    "scala-library",
    "scala-reflect",
    "scala-xml_2.11",
    "scala-parser-combinators_2.11",
)
_FOLDERS = (Path("/usr/share/scala/lib"), Path("/usr/share/java"))
_PROMPT = """object Main extends App {
    /**
     * You are an expert Scala programmer, and here is your task.
     * * Add two numbers.
     */
    def add(a : Int, b : Int) : Int = {
"""
_TEST = """

    var arg00 : Int = 1
    var arg01 : Int = 2
    var x0 : Int = add(arg00, arg01)
    var v0 : Int = 3
    assert(x0 == v0, "Exception -- test case 0 did not pass. x0 = " + x0)

    var x1 : Int = add(2, 2)
    var v1 : Int = 4
    assert(x1 == v1, "Exception -- test case 1 did not pass. x1 = " + x1)

}
"""


def _jars() -> list[str]:
    found = []
    for jar in _JARS:
        paths = [folder / f"{jar}.jar" for folder in _FOLDERS]
        found += [os.path.realpath(path) for path in paths if path.exists()][:1]
    return found


def _probe() -> Toolchain:
    java, version, visible = jvm.find_java()
    jars = _jars()
    if not any("scala-compiler" in jar for jar in jars):
        raise ToolchainMissing(f"Scala compiler not found: {_REMEDY}")
    classpath = ":".join(jars)
    said = tool_output(java, "-cp", classpath, "scala.tools.nsc.Main", "-version")
    number = re.search(r"version (\S+)", said)
    name = f"Scala {number.group(1) if number else '?'}, OpenJDK {version}"
    library = next(jar for jar in jars if "scala-library" in jar)
    return Toolchain(name, {"java": java, "classpath": classpath, "library": library}, visible)


def _compiler(toolchain: Toolchain) -> list[str]:
    classpath = toolchain.tools["classpath"]
    return [
        "-cp",
        classpath,
        "-Dscala.usejavacp=true",
        "scala.tools.nsc.Main",
        "-encoding",
        "UTF-8",
    ]


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    arguments = ("-d", PROGRAM_DIR, "main.scala")
    return jvm.compiler_command(toolchain, limits, _compiler(toolchain), *arguments)


RUNTIME = Runtime(
    language="scala",
    probe=_probe,
    prepare=jvm.prepare(_compiler, "main.scala", _PROMPT + "        0\n    }" + _TEST),
    sources=(jvm.LAUNCHER,),
    files=lambda program, toolchain: {"main.scala": program.source},
    compile=_compile,
    artifact="Main.class",
    run=lambda t, limits: jvm.run_command(t, limits, "Main", t.tools["library"]),
    out_of_memory=jvm.OUT_OF_MEMORY,
    # At the level of the test: four spaces or none.
    tampering=re.compile(r"^(?: {4})?def\s+assert\b", re.MULTILINE),
    canary={
        "task_id": "canary",
        "prompt": _PROMPT,
        "test": _TEST,
        "entry_point": "add",
        "canonical_solution": "        a + b\n    }",
    },
)
