"""The smaller C++ header: used where nobody can tell, and never more."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from mbxp_metric.execution import (
    Executor,
    Job,
    Result,
    Settings,
    ToolchainMissing,
    Verdict,
    assemble,
    runtime,
)
from mbxp_metric.execution.runner import equip
from mbxp_metric.execution.runtimes import cpp_header

BEGIN = "#include <bits/stdc++.h>\nusing namespace std;\n"
TELLING = {
    "a name of the whole header's": "regex word;",
    "a namespace of the whole header's": "using namespace std::chrono;",
    "a function of its own named like the whole header's": "bool lock(long a, long b);",
    "a header": "#include <complex>\n",
    "a suffix of a literal": "auto unit = 1i;",
    "a word put together": "#define JOIN(a, b) a##b\n",
    "a word on two lines": "re\\\ngex word;",
    "a specialisation": "template <> struct std::hash<pair<int, int>> {};",
    "an opened std": "namespace std { int more; }",
    "a type that converts to anything": "struct Any { template <class T> operator T(); };",
    "an overload without a template": "int n = distance({}, {});",
}
SETTINGS = Settings(timeout=10.0, workers=1, reuse=False)


@pytest.fixture(scope="module")
def support() -> str:
    try:
        return equip("cpp")[1].support
    except ToolchainMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def executor(support: str) -> Iterator[Executor]:
    with Executor(SETTINGS) as made:
        yield made


def suits(support: str, source: str) -> bool:
    return cpp_header.suits(support, {"main.cpp": source.encode()})


def test_common_programs_suit_the_smaller_header(support: str) -> None:
    body = "// any comment\nmap<string, vector<int>> count;\nint i = gcd(4, 6) + max(1, 2);\n"
    assert not suits(support, BEGIN + body)  # `any` is a name of the whole header's
    assert suits(support, BEGIN + body.replace("any", "some"))


def test_a_program_that_begins_otherwise_does_not(support: str) -> None:
    assert not suits(support, "#include <vector>\n")
    assert not suits(support, "int first;\n" + BEGIN)


@pytest.mark.parametrize("why", TELLING)
def test_what_the_whole_header_may_change_does_not_suit(support: str, why: str) -> None:
    assert suits(support, BEGIN + "int usual;\n")
    assert not suits(support, BEGIN + TELLING[why] + "\n")


def results(executor: Executor, completion: str) -> tuple[Result, Result]:
    """Of the canary with this completion: warm, and cold, which has the whole header alone."""
    canary = {**runtime("cpp").canary, "language": "cpp"}
    program = assemble(canary, completion)
    (warm,) = executor.execute([Job(0, "cpp/0", 0, program)])
    with Executor(dataclasses.replace(SETTINGS, engine="cold")) as other:
        (cold,) = other.execute([Job(0, "cpp/0", 0, program)])
    return warm, cold


def test_a_program_that_only_the_smaller_header_takes_is_refused(executor: Executor) -> None:
    completion = """    int detour(int, int);
    return detour(a, b);
}
long lock(long a, long b) { return a + b; }
int detour(int a, int b) { return lock(a, b); }
"""  # std::lock fits two ints better
    warm, cold = results(executor, completion)
    assert warm.verdict is cold.verdict is Verdict.COMPILE_ERROR


@pytest.mark.parametrize(
    "completion",
    [
        "    return a + b;\n}\n",
        "    return undeclared(a) + b;\n}\n",
        "    return regex_match(string(1, '0' + a), regex(\"1\")) ? a + b : 4;\n}\n",
    ],
)
def test_verdict_and_messages_are_the_whole_headers(executor: Executor, completion: str) -> None:
    warm, cold = results(executor, completion)
    assert (warm.verdict, warm.stderr) == (cold.verdict, cold.stderr)
    assert warm.verdict is not Verdict.INFRA_ERROR
