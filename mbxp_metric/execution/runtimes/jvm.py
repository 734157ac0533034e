"""What Java, Kotlin and Scala share: the virtual machine, its flags and the launcher."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from mbxp_metric.execution.program import encode
from mbxp_metric.execution.runtimes.base import (
    DRIVERS,
    PROGRAM_DIR,
    Limits,
    Toolchain,
    build,
    find_tool,
    tool_output,
)

DRIVER = ("MbxpLauncher.java", "MbxpEnd.java", "MbxpCompileServer.java")
OUT_OF_MEMORY = re.compile(
    rb"java\.lang\.OutOfMemoryError: (?:Java heap space|GC overhead|Metaspace|Requested array)"
)
REMEDY = "install it with `apt-get install default-jdk-headless`"
_QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xlog:disable")
_ARCHIVE = "compiler.jsa"
_LIBRARY_ARCHIVE = "library.jsa"
_SERVER_HEAP_MB = 1024


def find_java() -> tuple[str, str, list[str]]:
    """The `java` executable, its version, and what the sandbox must show for it.

    Raises:
        ToolchainMissing: there is none.
    """
    java = os.path.realpath(find_tool("java", REMEDY))
    first = tool_output(java, "-version").splitlines()[0]
    version = first.split('"')[1] if '"' in first else first
    home = Path(java).parent.parent
    # Debian keeps the configuration of a JDK in /etc and links to it.
    settings = {
        os.path.realpath(path)
        for part in ("conf", "lib/security", "lib/jfr")
        if (path := home / part).exists()
    }
    return java, version, [str(home), *sorted(_in_etc(settings | _linked(home / "lib")))]


def _linked(folder: Path) -> set[str]:
    return {os.path.realpath(path) for path in folder.iterdir() if path.is_symlink()}


def _in_etc(paths: set[str]) -> set[str]:
    return {str(Path(*Path(p).parts[:3])) for p in paths if p.startswith("/etc/")}


def heap(limits: Limits) -> str:
    """The largest heap: most of the memory limit, the rest is for the machine itself."""
    return f"-Xmx{max(64, limits.memory_mb * 3 // 4)}m"


def run_command(toolchain: Toolchain, limits: Limits, main: str, library: str = "") -> list[str]:
    """Run a compiled program through the launcher."""
    # An archive holds for class paths that begin as the one it was made with.
    classpath = os.pathsep.join(filter(None, [library, toolchain.support, PROGRAM_DIR]))
    archive = Path(toolchain.support, _LIBRARY_ARCHIVE)
    shared = [f"-XX:SharedArchiveFile={archive}"] if archive.exists() else []
    encodings = (
        "-Dfile.encoding=UTF-8",
        "-Dsun.stdout.encoding=UTF-8",
        "-Dsun.stderr.encoding=UTF-8",
    )
    java = toolchain.tools["java"]
    command = [java, *_QUICK, heap(limits), *shared, *encodings]
    return [*command, "-cp", classpath, "MbxpLauncher", main]


def compiler_command(
    toolchain: Toolchain, limits: Limits, compiler: Sequence[str], *arguments: str
) -> list[str]:
    """Run a compiler that is a Java program, with its classes from the archive."""
    archive = f"-XX:SharedArchiveFile={toolchain.support}/{_ARCHIVE}"
    return [toolchain.tools["java"], *_QUICK, heap(limits), archive, *compiler, *arguments]


def server_command(
    toolchain: Toolchain, kind: str, source: str, classpath: str, *options: str
) -> list[str]:
    """Run the compile server: `kind` of compiler, name of the source file, compiler's options."""
    archive = f"-XX:SharedArchiveFile={toolchain.support}/{_ARCHIVE}"
    classpath = os.pathsep.join(filter(None, [classpath, toolchain.support]))
    machine = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xlog:disable", f"-Xmx{_SERVER_HEAP_MB}m")
    java = toolchain.tools["java"]
    server = ("-cp", classpath, "MbxpCompileServer", kind, source)
    return [java, *machine, "-Xss4m", archive, *server, *options]


def prepare(
    compiler: Callable[[Toolchain], Sequence[str]],
    source_name: str,
    source: str,
    library: str = "",
) -> Callable[[Toolchain, Path], None]:
    """A `Runtime.prepare`: compiles the launcher, and archives the compiler's classes.

    The archive (JDK class data sharing) halves the time that a compiler needs to start; a
    machine that cannot make or use it just starts it the slow way. `library` names the tool
    that is the language's own library: what the sample's class `Main` loads, of it and of the
    machine, gets an archive for the programs.
    """

    def prepared(toolchain: Toolchain, directory: Path) -> None:
        javac = find_tool("javac", REMEDY)
        launcher = [str(DRIVERS / name) for name in DRIVER]
        build("the Java launcher", [javac, "-d", str(directory), *launcher], directory)
        sample = directory / "sample"
        sample.mkdir()
        (sample / source_name).write_bytes(encode(source))
        subprocess.run(
            [
                *(toolchain.tools["java"], *_QUICK),
                f"-XX:ArchiveClassesAtExit={directory}/{_ARCHIVE}",
                *(*compiler(toolchain), "-d", str(sample), str(sample / source_name)),
            ],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if library:
            _archive_library(toolchain, directory, toolchain.tools[library])

    return prepared


def _archive_library(toolchain: Toolchain, directory: Path, jar: str) -> None:
    java = (toolchain.tools["java"], *_QUICK)
    classes = f"{directory}/classes"
    sample = os.pathsep.join([jar, f"{directory}/sample"])
    shared = (
        f"-XX:SharedClassListFile={classes}",
        f"-XX:SharedArchiveFile={directory}/{_LIBRARY_ARCHIVE}",
    )
    for command in (
        [*java, f"-XX:DumpLoadedClassList={classes}", "-cp", sample, "Main"],
        [*java, "-Xshare:dump", *shared, "-cp", jar],
    ):
        subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
