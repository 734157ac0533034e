"""C++ with g++, in its default standard and without optimisation, as the release has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from mbxp_metric.execution.program import Program, encode
from mbxp_metric.execution.runtimes import cpp_header, native
from mbxp_metric.execution.runtimes.base import (
    PROGRAM_DIR,
    Limits,
    Runtime,
    Toolchain,
    find_tool,
    tool_output,
)

_WORDS = ("throw", "if", "main", "return", "runtime_error", "mbxp_compare", "bool", "template")
_COMPARE = re.compile(r"^(template <typename T> bool |[ \t]+if \(!\()compare(?=\()", re.MULTILINE)


def _probe() -> Toolchain:
    compiler = find_tool("g++", "install it with `apt-get install g++`")
    tools = {"g++": compiler, "linker": " ".join(native.fastest_linker(compiler))}
    return Toolchain(f"g++ {tool_output(compiler, '-dumpfullversion')}", tools)


def _prepare(toolchain: Toolchain, directory: Path) -> None:
    native.prepare(toolchain, directory)
    # Nearly every program begins with this header, and reading it is most of a compilation.
    # The compiler uses a precompiled one only where it is certain to mean the same.
    cpp_header.prepare(toolchain.tools["g++"], directory)


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    """The test gets its words back from a program's macros, and a `compare` of its own."""
    line = program.head.count("\n") + 1
    undefined = "".join(f"#undef {word}\n" for word in _WORDS)
    test = _COMPARE.sub(r"\1mbxp_compare", program.test)
    seam = f'\n{undefined}#line {line} "main.cpp"\n'
    return {"main.cpp": encode(program.head + seam + test)}


def _command(toolchain: Toolchain, header: str) -> list[str]:
    support = toolchain.support
    # The driver comes first, so that nothing of the program runs before it.
    inputs = [f"{support}/{native.OBJECT}", "main.cpp"]
    # The linker's plugin is for optimisation at link time, which there is none of.
    linked = [*toolchain.tools["linker"].split(), "-fno-use-linker-plugin", "-Wl,--wrap=main"]
    return [toolchain.tools["g++"], *inputs, f"-I{support}/{header}", *linked, "-o", "main"]


def _quick_compile(
    toolchain: Toolchain, limits: Limits, files: Mapping[str, bytes]
) -> list[str] | None:
    suited = cpp_header.suits(toolchain.support, files)
    return _command(toolchain, cpp_header.SMALL) if suited else None


RUNTIME = Runtime(
    language="cpp",
    probe=_probe,
    prepare=_prepare,
    sources=(native.DRIVER,),
    files=_files,
    compile=lambda toolchain, limits: _command(toolchain, cpp_header.WHOLE),
    quick_compile=_quick_compile,
    artifact="main",
    own_executable=True,
    run=lambda toolchain, limits: [f"{PROGRAM_DIR}/main"],
    out_of_memory=re.compile(rb"std::bad_alloc"),
    canary={
        "task_id": "canary",
        "prompt": "#include <bits/stdc++.h>\nusing namespace std;\n\n\n"
        "/**\n * Add two numbers.\n */\nint add(int a, int b) {\n",
        "test": """

template <typename T> bool compare(T a, T b){
    return a == b;
}

int main(int argc, char* argv[]) {
    int x0 = add(1, 2);
    if (!(compare(x0, 3))) {
        throw runtime_error("Exception -- test case 0 did not pass.");
    }

    int x1 = add(2, 2);
    if (!(compare(x1, 4))) {
        throw runtime_error("Exception -- test case 1 did not pass.");
    }

    return 0;
}
""",
        "entry_point": "add",
        "canonical_solution": "    return a + b;\n}",
        "early_exit": "    exit(0);\n}\n",
    },
)
