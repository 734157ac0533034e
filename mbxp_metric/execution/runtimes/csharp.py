"""C# with the Mono compiler and runtime."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mbxp_metric.execution.program import Program
from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    build,
    find_tool,
    tool_output,
)

_REMEDY = "install it with `apt-get install mono-mcs mono-runtime` (see toolchains.sh)"
_COMPARISON = "CompareLogic.cs"
_LAUNCHER = "MbxpLauncher.cs"
_SERVER = "MbxpCompileServer.cs"
_COMPILER = "lib/mono/4.5/mcs.exe"
"""Below the prefix that `mono` is installed in."""
_LIBRARIES = ("System.Core", "System.Numerics", "System.Net.Http", "Microsoft.CSharp")
# What the release's project imports without saying so; on the first line, to keep the numbers.
_IMPLICIT_USINGS = "".join(
    f"using {name}; " for name in ("System.IO", "System.Threading", "System.Threading.Tasks")
)


def _probe() -> Toolchain:
    mono, compiler = find_tool("mono", _REMEDY), find_tool("mcs", _REMEDY)
    number = re.search(r"version (\S+)", tool_output(mono, "--version"))
    version = f"Mono {number.group(1) if number else '?'}"
    return Toolchain(version, {"mono": mono, "mcs": compiler}, ["/etc/mono"])


def _prepare(toolchain: Toolchain, directory: Path) -> None:
    mcs = toolchain.tools["mcs"]
    comparison = [mcs, "-target:library", "-out:CompareLogic.dll", str(DRIVERS / _COMPARISON)]
    build("the C# comparison", comparison, directory)
    launcher = [mcs, "-out:MbxpLauncher.exe", str(DRIVERS / _LAUNCHER)]
    build("the C# launcher", launcher, directory)
    server = [mcs, "-out:MbxpCompileServer.exe", str(DRIVERS / _SERVER)]
    build("the C# compile server", server, directory)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    return {"main.cs": _IMPLICIT_USINGS.encode() + program.source}


def _options(toolchain: Toolchain) -> list[str]:
    options = ["-nologo", "-langversion:latest", "-codepage:utf8", "-out:main.exe"]
    references = [f"-r:{library}.dll" for library in _LIBRARIES]
    references.append(f"-r:{toolchain.support}/CompareLogic.dll")
    return [*options, *references, "main.cs"]


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    return [toolchain.tools["mcs"], *_options(toolchain)]


def _server(toolchain: Toolchain, limits: Limits) -> list[str]:
    mono = toolchain.tools["mono"]
    compiler = Path(os.path.realpath(mono)).parent.parent / _COMPILER
    server = f"{toolchain.support}/MbxpCompileServer.exe"
    return [mono, server, str(compiler), *_options(toolchain)]


def _run(toolchain: Toolchain, limits: Limits) -> list[str]:
    launcher = f"{toolchain.support}/MbxpLauncher.exe"
    return [toolchain.tools["mono"], launcher, f"{PROGRAM_DIR}/main.exe"]


RUNTIME = Runtime(
    language="csharp",
    probe=_probe,
    prepare=_prepare,
    sources=(_COMPARISON, _LAUNCHER, _SERVER),
    files=_files,
    compile=_compile,
    compile_server=_server,
    artifact="main.exe",
    run=_run,
    out_of_memory=re.compile(rb"System\.OutOfMemoryException|Garbage collector could not allocate"),
    tampering=re.compile(
        r"\b(?:class|struct|interface|enum)\s+@?(?:CompareLogic|ComparisonResult|Exception|var)\b"
        r"|\busing\s+(?:CompareLogic|Exception|var)\s*="
    ),
    canary={
        "task_id": "canary",
        "prompt": """using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using KellermanSoftware.CompareNetObjects;

namespace Canary
{
    public class Program
    {
        /// <summary>
        /// Add two numbers.
        /// </summary>
        public static int Add (int a, int b) 
        {""",  # noqa: W291 the release has the space too
        "test": """

        public static void Main(string[] args)
        {
            CompareLogic compareLogic = new CompareLogic();
            var actual1 = Add(1, 2);
            var expected1 = 3;
            var result1 = compareLogic.Compare(actual1, expected1);
            if (!result1.AreEqual) {throw new Exception("Exception --- test case 0 failed to pass");}

            var actual2 = Add(2, 2);
            var expected2 = 4;
            var result2 = compareLogic.Compare(actual2, expected2);
            if (!result2.AreEqual) {throw new Exception("Exception --- test case 1 failed to pass");}

        }
    }
}
""",  # noqa: E501
        "entry_point": "Add",
        "canonical_solution": "\n            return a + b;\n        }",
        "early_exit": "\n            Environment.Exit(0);\n            return a + b;\n        }",
    },
)
