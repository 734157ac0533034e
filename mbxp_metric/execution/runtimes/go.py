"""Go: compiled and linked by the toolchain's own steps against a standard library at hand."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from mbxp_metric.execution.program import Program, encode
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

_REMEDY = "install it with `apt-get install golang-go`"
_GUARD, _MAIN = "mbxpguard.go", "mbxp_main.go"
_TEST_MAIN = re.compile(r"^func main\(\s*\)", re.MULTILINE)
_EXPORTS = "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"


def _probe() -> Toolchain:
    go = os.path.realpath(find_tool("go", _REMEDY))
    root = os.path.realpath(tool_output(go, "env", "GOROOT"))
    version = tool_output(go, "env", "GOVERSION")
    tools = {"go": go, "root": root}
    for name in ("compile", "link"):
        folder = tool_output(go, "env", "GOTOOLDIR")
        tools[name] = os.path.join(folder, name)
    return Toolchain(f"Go {version.removeprefix('go')}", tools, [root])


def _prepare(toolchain: Toolchain, directory: Path) -> None:
    """Build every package of the standard library once, and the guard."""
    cache = directory / "cache"
    go = toolchain.tools["go"]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(directory), "GOCACHE": str(cache)}
    env.update(CGO_ENABLED="0", GOFLAGS="-mod=mod", GO111MODULE="off", GOPATH=str(directory))
    command = [go, "list", "-export", "-f", _EXPORTS, "std"]
    listed = build("the Go standard library", command, directory, env)
    packages = directory / "packages"
    packages.mkdir()
    lines = []
    for number, line in enumerate(listed.splitlines()):
        name, _, archive = line.partition(" ")
        shutil.copy(archive, packages / f"{number}.a")
        lines.append(f"packagefile {name}={{support}}/packages/{number}.a\n")
    shutil.rmtree(cache, ignore_errors=True)
    (directory / "importcfg").write_text("".join(lines))
    here = directory / "importcfg.here"
    here.write_text("".join(lines).replace("{support}", str(directory)))
    command = [toolchain.tools["compile"], "-o", "packages/mbxpguard.a", "-p", "mbxpguard"]
    command += ["-complete", "-importcfg", str(here), str(DRIVERS / _GUARD)]
    build("the Go guard", command, directory)
    with open(directory / "importcfg", "a") as file:
        file.write("packagefile mbxpguard={support}/packages/mbxpguard.a\n")


def _files(program: Program, toolchain: Toolchain) -> dict[str, bytes]:
    config = (Path(toolchain.support) / "importcfg").read_text()
    test = _TEST_MAIN.sub("func mbxpProgram()", program.test)
    return {
        "main.go": encode(program.head + test),
        _MAIN: (DRIVERS / _MAIN).read_bytes(),
        "importcfg": config.replace("{support}", toolchain.support).encode(),
    }


def _compile(toolchain: Toolchain, limits: Limits) -> list[str]:
    compiler, linker = toolchain.tools["compile"], toolchain.tools["link"]
    # Neither lives long enough to need a collection, and nothing reads debugging symbols.
    steps = (
        "export GOGC=off;"
        f" {compiler} -dwarf=false -o main.a -p main -complete -importcfg importcfg -pack"
        f" main.go {_MAIN}"
        f" && exec {linker} -o main -importcfg importcfg -buildmode=exe -s -w main.a"
    )
    return ["/bin/sh", "-c", steps]


RUNTIME = Runtime(
    language="go",
    probe=_probe,
    prepare=_prepare,
    sources=(_GUARD, _MAIN),
    files=_files,
    compile=_compile,
    artifact="main",
    own_executable=True,
    run=lambda toolchain, limits: [f"{PROGRAM_DIR}/main"],
    out_of_memory=re.compile(rb"^(?:fatal error: )?runtime: out of memory", re.MULTILINE),
    tampering=re.compile(r"\bmbxp(?:guard|Program)\b"),
    canary={
        "task_id": "canary",
        # Go refuses an import without a use, so one for the early exit stands here.
        "prompt": 'package main\n\nimport (\n\t"encoding/json"\n\t"os"\n\t"reflect"\n)\n\n'
        "var _ = os.Exit\n\n// Add two numbers.\nfunc add (a int, b int) int {\n",
        "test": """

func deepCompare(a interface{}, b interface{}, msg string) bool {
\taJSON, err := json.Marshal(a)
\tif err != nil {
\t\tpanic(msg)
\t}
\tbJSON, err := json.Marshal(b)
\tif err != nil {
\t\tpanic(msg)
\t}
\tvar a2 interface{}
\tvar b2 interface{}
\tif json.Unmarshal(aJSON, &a2) != nil || json.Unmarshal(bJSON, &b2) != nil {
\t\tpanic(msg)
\t}
\tif reflect.DeepEqual(a2, b2) {
\t\treturn true
\t}
\tpanic(msg)
}

func main() {
\tactual_1 := add(1, 2)
\texpected_1 := 3
\tdeepCompare(actual_1, expected_1, "Exception --- test case 0 failed to pass")

\tactual_2 := add(2, 2)
\texpected_2 := 4
\tdeepCompare(actual_2, expected_2, "Exception --- test case 1 failed to pass")
}
""",
        "entry_point": "add",
        "canonical_solution": "\treturn a + b\n}",
        "early_exit": "\tos.Exit(0)\n\treturn 0\n}\n",
    },
)
