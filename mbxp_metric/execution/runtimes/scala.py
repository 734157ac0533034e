"""Scala, on the Java virtual machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mbxp_metric.execution.program import Program, encode
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


# What programs use of the library, so that it lies in the archives.
_USED = """
        val numbers = List(3, 1, 2, 2)
        val sum = numbers.map(_ + 1).filter(_ > 1).flatMap(x => Seq(x, -x)).foldLeft(0)(_ + _)
        val all = numbers.sorted.reverse ++ numbers.distinct.take(2) ::: numbers.sortBy(-_)
        val sizes = numbers.groupBy(_ % 2).map { case (k, v) => (k, v.size) }
        val groups = sizes.toList.sortWith(_._1 < _._1)
        val counts = scala.collection.mutable.Map[Char, Int]().withDefaultValue(0)
        for (c <- "some text".toLowerCase if c.isLetter) counts(c) += 1
        val buffer = scala.collection.mutable.ArrayBuffer[Any](1, 2.5, "x", 'c', 10L, true, None)
        buffer += all.zipWithIndex.toMap.mapValues(_ + 1).toSeq.maxBy(_._2)
        val seen = scala.collection.mutable.HashSet(1, 2) ++ Set("a", "b").map(_.length)
        val grid = Array.ofDim[Int](2, 3)
        for (i <- 0 until 2; j <- 0 to 2 by 2) grid(i)(j) = math.max(i, j)
        val words = "a bc,d".split("[ ,]").map(_.capitalize).mkString("(", ", ", ")")
        val text = new StringBuilder("%.2f".format(1.5)).append(s"$sum $words".replaceAll("b", "c"))
        val letters = numbers zip text.toString.toList
        val pairs = letters.combinations(2).toVector.headOption.getOrElse(Nil)
        val found = "[a-z]+".r.findAllIn(text).toList.map(_.toString.reverse) match {
            case Nil => BigInt(2).pow(10).toInt
            case first :: _ => scala.util.Try(first.toInt).getOrElse(0)
        }
        val stream = Iterator.from(1).takeWhile(_ < 5).toStream.sliding(2).map(_.sum).toSet
        val shown = Seq(groups, counts, buffer, seen, grid.map(_.toList), pairs, found)
        require(shown.toString + stream != "")
        a + b
    }"""


# `assert` at the level of the test, or a type in the place of one that it uses.
_TAMPERING = re.compile(
    r"^(?: {4})?(?:(?:private|protected|final|implicit|lazy|override)\s+)*"
    r"(?:def|val|var|object|import\s\S*)\s*`?assert\b"
    r"|\b(?:type|class|trait|object)\s+(?:Int|Long|Double|Boolean|String|List|Map|Set|Any)\b",
    re.MULTILINE,
)


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


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    """The test is the body of an object: its end is marked, or that body may never have run."""
    test, end = program.test, 0
    before, brace, after = test.rpartition("}")
    if brace and "object Main extends App" in program.head:
        end = (program.head + before).count("\n") + 1
        test = f"{before};MbxpEnd.reached()}}{after}"
    return {"main.scala": encode(program.head + test), "end": str(end).encode()}


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    command = jvm.run_command(toolchain, limits, "Main", toolchain.tools["library"])
    return [*command, f"{PROGRAM_DIR}/end"]


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    arguments = ("-classpath", toolchain.support, "-d", PROGRAM_DIR, "main.scala")
    return jvm.compiler_command(toolchain, limits, _compiler(toolchain), *arguments)


def _server(toolchain: Toolchain, limits: Limits) -> list[str]:
    options = ("-usejavacp", "-encoding", "UTF-8", "-classpath", toolchain.support)
    classpath = toolchain.tools["classpath"]
    return jvm.server_command(toolchain, "scala", "main.scala", classpath, *options)


RUNTIME = Runtime(
    language="scala",
    probe=_probe,
    prepare=jvm.prepare(_compiler, "main.scala", _PROMPT + _USED + _TEST, "library"),
    sources=jvm.DRIVER,
    files=_files,
    compile=_compile,
    compile_server=_server,
    artifact="Main.class",
    run=_run,
    out_of_memory=jvm.OUT_OF_MEMORY,
    tampering=_TAMPERING,
    canary={
        "task_id": "canary",
        "prompt": _PROMPT,
        "test": _TEST,
        "entry_point": "add",
        "canonical_solution": "        a + b\n    }",
        "early_exit": "        sys.exit(0)\n    }",
    },
)
