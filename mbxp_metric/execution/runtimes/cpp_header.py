"""A smaller <bits/stdc++.h>, for programs that cannot tell it from the whole one.

Reading the precompiled header is most of a compilation, and a few of its parts, which hardly any
program uses, are half of it. A program may be compiled without them if none of its words names
anything that they add: then neither name lookup nor overload resolution can find a declaration of
theirs. What they add to the overloads of other names takes types of theirs (candidates asked of
g++ 12 for every name), so it never fits; `_TOUCHED` has the exceptions. A compilation that fails is
done again with the whole header, so that an error is always the whole header's.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from mbxp_metric.execution.runtimes.base import ToolchainMissing, build

WHOLE, SMALL = "include", "small"
"""Folders with the two precompiled headers."""
_NAME = "bits/stdc++.h"
_LOST = "lost-words"
_LEFT_OUT = (
    *("any", "barrier", "ccomplex", "charconv", "chrono", "codecvt", "complex"),
    *("condition_variable", "coroutine", "ctgmath", "execution", "expected", "filesystem"),
    *("future", "latch", "locale", "memory_resource", "mutex", "random", "regex"),
    *("scoped_allocator", "semaphore", "shared_mutex", "source_location", "spanstream"),
    *("stacktrace", "stdatomic.h", "stop_token", "syncstream", "thread", "valarray", "variant"),
)
_WORD = re.compile(r"[A-Za-z_]\w*")
# Overloads without a template, which `({}, {})` would fit.
_TOUCHED = frozenset({"distance", "make_error_code", "make_error_condition"})
# Ways to a name other than writing it, to a literal's suffix, to a specialisation of what the rest
# may have used, and to a type that converts to any other.
_HIDDEN = re.compile(
    r"##|\\\n|\?\?/|\btemplate\s*<\s*>|(?<!\busing )\bnamespace\s+(?:std|__gnu_cxx)\b"
    r"|\b\d[\w.']*[ijIJ]\b|\b\d[\w.']*_|\boperator\s*\w|\boperator\s*\"\""
)
_BEGINS = re.compile(r"\s*#\s*include\s*<bits/stdc\+\+\.h>\s*\n")
_NAMED = ("using std::{};", "using ::{};")
_NAMESPACES = ("namespace asked = std::{};", "namespace asked = ::{};")


def prepare(compiler: str, directory: Path) -> None:
    """Precompile both headers into the directory, and note the words that only one knows.

    Raises:
        ToolchainMissing: the compiler fails.
    """
    text = f"#include <{_NAME}>\n"
    (directory / "all.h").write_text(text)
    listing = build("the header", [compiler, "-x", "c++", "-M", "all.h"], directory)
    original = next(word for word in listing.split() if word.endswith(_NAME))
    left_out = "|".join(map(re.escape, _LEFT_OUT))
    small = re.sub(rf"^#\s*include <(?:{left_out})>", "", Path(original).read_text(), flags=re.M)
    (directory / "few.h").write_text(small)
    for folder, header in ((WHOLE, "all.h"), (SMALL, "few.h")):
        (directory / folder / "bits").mkdir(parents=True)
        output = f"{folder}/{_NAME}.gch"
        build(
            "the precompiled header",
            [compiler, "-x", "c++-header", "-o", output, header],
            directory,
        )
    (directory / _LOST).write_text("\n".join(sorted(_lost_words(compiler, directory))))


def suits(support: str, files: Mapping[str, bytes]) -> bool:
    """Whether the program in `main.cpp` means the same with the smaller header."""
    source = files["main.cpp"].decode("utf-8", "replace")
    if not _BEGINS.match(source) or _HIDDEN.search(source):
        return False
    return _lost(support).isdisjoint(_WORD.findall(source))


@functools.cache
def _lost(support: str) -> frozenset[str]:
    return frozenset(Path(support, _LOST).read_text().split())


def _lost_words(compiler: str, directory: Path) -> set[str]:
    """Macros, and names of the global namespace or of `std`, that only the whole header has."""
    macros, words = [], []
    text = ""
    for header in ("few.h", "all.h"):
        defined = build("the header", [compiler, "-x", "c++", "-E", "-dM", header], directory)
        macros.append({line.split(None, 2)[1]: line for line in defined.splitlines()})
        text = build("the header", [compiler, "-x", "c++", "-E", header], directory)
        words.append(_words(text))
    small, whole = macros
    differ = {name for name in whole | small if whole.get(name) != small.get(name)}
    lost = {name.partition("(")[0] for name in differ}
    added = {
        word for file, found in words[1].items() if found != words[0].get(file) for word in found
    }
    asked = added - {name.partition("(")[0] for name in whole}
    namespaces = asked.intersection(re.findall(r"\bnamespace\s+(\w+)", text))
    for questions, about in ((_NAMED, asked), (_NAMESPACES, namespaces)):
        for question in questions:
            known = _known(compiler, directory, WHOLE, question, about)
            lost |= known - _known(compiler, directory, SMALL, question, known)
    return lost | _TOUCHED


def _words(preprocessed: str) -> dict[str, set[str]]:
    """The words of each file that a preprocessed text is made of."""
    found: dict[str, set[str]] = {}
    words: set[str] = set()
    for line in preprocessed.splitlines():
        if line.startswith("# "):
            words = found.setdefault(line.split('"')[1], set())
        else:
            words.update(_WORD.findall(line))
    return found


def _known(compiler: str, directory: Path, folder: str, question: str, about: set[str]) -> set[str]:
    """Those of the words whose line, the question, the compiler has nothing against."""
    words = sorted(about)
    lines = [f"namespace line{n} {{ {question.format(word)} }}" for n, word in enumerate(words)]
    asking = directory / "asked.cpp"
    asking.write_text("\n".join([f"#include <{_NAME}>", *lines, ""]))
    options = ["-fsyntax-only", "-fmax-errors=0", "-fdiagnostics-plain-output", f"-I{folder}"]
    done = subprocess.run(
        [compiler, *options, asking.name], cwd=directory, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise ToolchainMissing(f"the header cannot be asked: {done.stderr[:200]}")
    wrong = {int(n) for n in re.findall(r"^asked\.cpp:(\d+):\d+: .*error", done.stderr, re.M)}
    return {word for n, word in enumerate(words) if n + 2 not in wrong}
