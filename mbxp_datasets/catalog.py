"""Benchmarks times languages: configs, their aliases, release files, row counts and ids."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

REVISION = "e09974f"
"""The commit of the release's repository that the row counts and file names belong to."""


class UnknownConfigError(ValueError):
    """A benchmark or config name that the catalog does not hold."""


@dataclass(frozen=True)
class Config:
    """One language of one benchmark."""

    benchmark: str
    name: str
    language: str
    file: str
    """Name of the release file inside the benchmark's folder; empty if the release has none."""
    rows: int
    """Rows of the whole release file; 0 without one."""
    solutions: int
    """Rows of the whole release file that have a canonical solution."""
    task_prefix: str
    """What its task ids start with, up to and including the slash."""

    @property
    def version(self) -> str:
        """The release file's version as three numbers; 1.0.0 where its name has none."""
        _, found, version = self.file.removesuffix(".jsonl").rpartition("_v")
        numbers = version.split(".") if found else ["1"]
        return ".".join([*numbers, "0", "0"][:3])


@dataclass(frozen=True)
class Benchmark:
    """A benchmark of the release and its configs by name."""

    name: str
    title: str
    folder: str
    """Its folder below `data/` in the release's repository."""
    licence: str
    """Of the release's data, as an SPDX name."""
    configs: Mapping[str, Config]
    aliases: Mapping[str, str]
    """Other names of configs: language names where the config name is another."""


def _benchmark(name: str, title: str, folder: str, licence: str, table: str) -> Benchmark:
    configs: dict[str, Config] = {}
    aliases: dict[str, str] = {}
    for line in table.strip().splitlines():
        config, language, file, rows, solutions, prefix = line.split()
        file = "" if file == "-" else f"{file}.jsonl"
        counts = int(rows), int(solutions)
        configs[config] = Config(name, config, language, file, *counts, prefix + "/")
        if language != config:
            aliases[language] = config
    return Benchmark(name, title, folder, licence, configs, aliases)


_MBXP = """
mbpp  python     mbpp_release_v1    974 974 MBPP
mbjp  java       mbjp_release_v1.2  966 874 MBJP
mbjsp javascript mbjsp_release_v1.2 966 938 MBJSP
mbtsp typescript mbtsp_release_v1.2 968 967 MBTSP
mbgp  go         mbgp_release_v1.1  939 0   MBGP
mbcsp csharp     mbcsp_release_v1.2 968 725 MBCSP
mbphp php        mbphp_release_v1.2 966 950 MBPHP
mbrbp ruby       mbrbp_release_v1.2 966 784 MBRBP
mbkp  kotlin     mbkp_release_v1.2  966 796 MBKP
mbcpp cpp        mbcpp_release_v1.2 848 773 MBCPP
mbplp perl       mbplp_release_v1   966 0   MBPLP
mbscp scala      mbscp_release_v1   966 0   MBSCP
mbswp swift      mbswp_release_v1   966 0   MBSWP
mbrsp rust       -                  0   0   MBRSP
"""

_MULTI_HUMANEVAL = """
python     python     HumanEval                 164 164 HumanEval
java       java       HumanEval_java_v1.1       161 0   HumanEval_java
javascript javascript HumanEval_javascript_v1.1 161 0   HumanEval_javascript
typescript typescript HumanEval_typescript_v1   161 0   HumanEval_typescript
go         go         HumanEval_go_v1           160 0   HumanEval_go
csharp     csharp     HumanEval_csharp_v1       161 0   HumanEval_csharp
php        php        HumanEval_php_v1.1        161 0   HumanEval_php
ruby       ruby       HumanEval_ruby_v1.1       161 0   HumanEval_ruby
kotlin     kotlin     HumanEval_kotlin_v1.1     161 0   HumanEval_kotlin
perl       perl       HumanEval_perl_v1.1       161 0   HumanEval_perl
scala      scala      HumanEval_scala_v1.1      161 0   HumanEval_scala
swift      swift      HumanEval_swift_v1.1      161 0   HumanEval_swift
cpp        cpp        -                         0   0   HumanEval_cpp
rust       rust       -                         0   0   HumanEval_rust
"""

_MATHQA_X = """
python     python     mathqa-test-python_v1     1883 1883 MathQA
java       java       mathqa-test-java_v1       1883 0    MathQA
javascript javascript mathqa-test-javascript_v1 1883 0    MathQA
"""

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        _benchmark("mbxp", "MBXP", "mbxp", "CC-BY-4.0", _MBXP),
        _benchmark(
            "multi_humaneval",
            "multi-HumanEval",
            "multilingual_humaneval",
            "MIT",
            _MULTI_HUMANEVAL,
        ),
        _benchmark("mathqa_x", "MathQA-X", "multilingual_mathqa", "CC-BY-4.0", _MATHQA_X),
    )
}


def resolve_benchmark(name: str) -> Benchmark:
    """The benchmark of that name, written with hyphens or underscores.

    Raises:
        UnknownConfigError: no benchmark has that name; the message lists those there are.
    """
    benchmark = BENCHMARKS.get(name.replace("-", "_").lower())
    if benchmark is None:
        raise UnknownConfigError(_unknown(f"benchmark {name!r}", name, list(BENCHMARKS), {}))
    return benchmark


def resolve_config(benchmark: str, name: str) -> Config:
    """The config of that name or alias, whatever its case.

    Raises:
        UnknownConfigError: there is none; the message names the close matches.
    """
    found = resolve_benchmark(benchmark)
    key = name.lower()
    config = found.configs.get(found.aliases.get(key, key))
    if config is None:
        what = f"config {name!r} of {found.name}"
        raise UnknownConfigError(_unknown(what, name, list(found.configs), found.aliases))
    return config


def config_of_task(task_id: str, language: str | None = None) -> Config | None:
    """The config that a task id belongs to, or None if its prefix is not the release's.

    Where several languages share a prefix, `language` decides; it defaults to Python.
    """
    prefix = task_id[: task_id.find("/") + 1]
    matches = [
        config
        for benchmark in BENCHMARKS.values()
        for config in benchmark.configs.values()
        if config.task_prefix == prefix
    ]
    if len(matches) > 1:
        wanted = (language or "python").lower()
        matches = [config for config in matches if config.language == wanted]
    return matches[0] if matches else None


def _unknown(what: str, name: str, names: list[str], aliases: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(name.lower(), [*names, *aliases], n=3, cutoff=0.6)
    shown = [f"{match} ({aliases[match]})" if match in aliases else match for match in close]
    hint = f"did you mean {' or '.join(shown)}? " if shown else ""
    return f"Unknown {what}: {hint}There are {', '.join(names)}."
