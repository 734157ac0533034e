"""Servers that stay: no program reaches the next one, and what fails is replaced."""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
from mbxp_metric.execution.engines import Warm
from mbxp_metric.execution.launching import SandboxError
from mbxp_metric.execution.servers import CompileServer, ForkServer
from tests.execution.hostile import HOSTILE

INTERPRETERS = ("python", "ruby", "php", "perl", "javascript")
SETTINGS = Settings(timeout=10.0, workers=1, reuse=False)
HARMED = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.TIMEOUT)
"""What may become of a program that has done its harm: it was compiled, and it ran."""


def job(index: int, language: str, completion: str | None = None) -> Job:
    canary: Mapping[str, Any] = {**runtime(language).canary, "language": language}
    text = canary["canonical_solution"] if completion is None else completion
    return Job(index, f"{language}/{index}", 0, assemble(canary, text))


def only(results: Iterator[Result]) -> Result:
    (result,) = results
    return result


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(SETTINGS) as made:
        yield made


def needs(executor: Executor, language: str) -> None:
    missing = executor.toolchains([language])[language]
    if isinstance(missing, ToolchainMissing):
        pytest.skip(str(missing))


@pytest.mark.parametrize("language", HOSTILE)
def test_whatever_a_program_does_the_next_one_is_unaffected(
    executor: Executor, language: str
) -> None:
    needs(executor, language)
    jobs = [job(0, language), job(1, language, HOSTILE[language]), job(2, language)]
    before, hostile, after = executor.execute(jobs)
    assert executor.engine(language) == "warm"
    assert (before.verdict, after.verdict) == (Verdict.PASSED, Verdict.PASSED)
    assert hostile.verdict in HARMED, hostile.stderr
    assert (after.stdout, after.stderr) == (before.stdout, before.stderr) == ("", "")


@pytest.mark.parametrize("language", INTERPRETERS)
def test_a_fork_has_chance_of_its_own(executor: Executor, language: str) -> None:
    """What a generator gives must not be fixed by the server that all forks come from."""
    needs(executor, language)
    shown = {
        "python": "    import random\n    print(random.random())\n    return a + b\n",
        "ruby": "  puts rand\n  a + b\nend\n",
        "php": "    echo mt_rand(), ' ', rand();\n    return $a + $b;\n}\n",
        "perl": "  print rand();\n  return $a + $b;\n}\n",
        "javascript": "  console.log(Math.random());\n  return a + b;\n}\n",
    }[language]
    results = list(executor.execute(job(number, language, shown) for number in range(3)))
    assert [result.verdict for result in results] == [Verdict.PASSED] * 3
    assert len({result.stdout for result in results}) == 3


def test_a_server_that_dies_is_replaced(executor: Executor) -> None:
    assert only(executor.execute([job(0, "python")])).passed
    (server,) = [
        engine._forks["python"]
        for engine in executor._runner._engines._all
        if isinstance(engine, Warm) and "python" in engine._forks
    ]
    os.kill(server._process.pid, signal.SIGKILL)
    server._process.wait()
    assert only(executor.execute([job(0, "python")])).passed


def test_servers_that_do_not_prove_themselves_are_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise SandboxError("no such thing here")

    monkeypatch.setattr(ForkServer, "run", broken)
    with Executor(SETTINGS) as executor:
        assert only(executor.execute([job(0, "python")])).passed
        assert executor.engine("python") == "cold"


def test_a_compiler_that_does_not_answer_is_not_believed(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs(executor, "typescript")
    assert only(executor.execute([job(0, "typescript")])).passed
    asked = []

    def silent(*_: object) -> None:
        asked.append(1)
        raise SandboxError("the compile server does not answer in time")

    monkeypatch.setattr(CompileServer, "compile", silent)
    assert only(executor.execute([job(0, "typescript")])).passed
    assert asked


@pytest.mark.parametrize("name", [b"/etc/cron.d/x", b"../x", b"a/../../x", b"\xff"])
def test_a_compiler_writes_nowhere_but_into_the_program(
    executor: Executor, monkeypatch: pytest.MonkeyPatch, name: bytes
) -> None:
    needs(executor, "typescript")
    answer = [b"0", b"", name, b"hostile"]
    monkeypatch.setattr(CompileServer, "_exchange", lambda *_: answer)
    assert only(executor.execute([job(0, "typescript")])).passed


def test_a_timeout_on_a_server_is_asked_again_without_one(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hang for want of what only its server has, as Node does for its threads."""
    assert only(executor.execute([job(0, "python")])).passed
    run = ForkServer.run

    def hangs(self: ForkServer, *arguments: Any) -> Any:
        return dataclasses.replace(run(self, *arguments), timed_out=True, cpu_s=0.0)

    monkeypatch.setattr(ForkServer, "run", hangs)
    assert only(executor.execute([job(0, "python")])).passed


def test_a_fork_of_node_that_misses_its_threads_is_executed_anew(executor: Executor) -> None:
    """A full collection hands work to threads that only the server has, and waits for them."""
    needs(executor, "javascript")
    text = """  const kept = [];
  for (let i = 0; i < 300000; i++) kept.push({ text: "x" + i });
  return a + b + 0 * kept.length;
}
"""
    for result in executor.execute(job(number, "javascript", text) for number in range(3)):
        assert result.verdict is Verdict.PASSED


def test_a_perl_program_is_never_the_one_before(executor: Executor) -> None:
    """Perl has opened its program when it becomes a server: every fork has to open its own."""
    needs(executor, "perl")
    texts = [f"  print {number};\n  return $a + $b;\n}}\n" for number in range(3)]
    results = list(executor.execute(job(n, "perl", text) for n, text in enumerate(texts)))
    assert [result.stdout for result in results] == ["00", "11", "22"]  # two calls


def test_only_the_strong_level_has_servers() -> None:
    with Executor(Settings(workers=1, isolation="limited", reuse=False)) as executor:
        assert only(executor.execute([job(0, "python")])).passed
        assert executor.engine("python") == "cold"


def test_equal_programs_execute_once(monkeypatch: pytest.MonkeyPatch) -> None:
    executed = []
    run = ForkServer.run
    monkeypatch.setattr(ForkServer, "run", lambda *a: executed.append(1) or run(*a))
    wrong = "    return a - b\n"
    jobs = [job(n, "python", wrong if n % 2 else None) for n in range(10)]
    with Executor(Settings(workers=1)) as executor:
        found = {result.index: result for result in executor.execute(jobs)}
        assert executor.reused == 8
    assert [found[n].passed for n in range(10)] == [True, False] * 5
    assert [found[n].task_id for n in range(10)] == [one.task_id for one in jobs]
    assert len(executed) == 3  # and the program by which the servers prove themselves
    with Executor(Settings(workers=1)) as executor:
        again = [result.verdict for result in executor.execute(jobs)]
        assert executor.reused == 10
    assert again == [found[n].verdict for n in range(10)]
    assert len(executed) == 3


def test_a_timeout_is_never_reused() -> None:
    jobs = [job(n, "python", "    while True:\n        pass\n") for n in range(2)]
    for _ in range(2):
        with Executor(Settings(workers=1, timeout=0.5)) as executor:
            assert {r.verdict for r in executor.execute(jobs)} == {Verdict.TIMEOUT}
            assert executor.reused == 0


def test_other_settings_have_verdicts_of_their_own() -> None:
    with Executor(Settings(workers=1)) as executor:
        assert only(executor.execute([job(0, "python")])).passed
    with Executor(Settings(workers=1, memory_mb=1024)) as executor:
        assert only(executor.execute([job(0, "python")])).passed
        assert executor.reused == 0


def test_a_store_that_cannot_be_written_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("MBXP_VERDICTS", str(tmp_path / "file" / "verdicts.sqlite"))
    with Executor(Settings(workers=1)) as executor:
        assert [r.passed for r in executor.execute([job(0, "python"), job(1, "python")])] == [
            True,
            True,
        ]


def test_the_audit_agrees(executor: Executor) -> None:
    with Executor(Settings(workers=1, audit=1.0, reuse=False)) as audited:
        jobs = [job(0, "python"), job(1, "python", "    return 1\n")]
        assert [r.verdict for r in audited.execute(jobs)] == [
            Verdict.PASSED,
            Verdict.WRONG_ANSWER,
        ]
        assert audited.audited == 2


def test_a_verdict_that_the_audit_does_not_confirm_is_a_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = ForkServer.run

    def wrong(self: ForkServer, command: Any, secret: bytes, size: int) -> Any:
        outcome = run(self, command, secret, size)
        return outcome if wrong.first.pop() else run(self, command, b"", size)  # type: ignore[attr-defined]

    wrong.first = [False, True]  # type: ignore[attr-defined]
    monkeypatch.setattr(ForkServer, "run", wrong)
    with Executor(Settings(workers=1, audit=1.0, reuse=False)) as executor:
        result = only(executor.execute([job(0, "python")]))
    assert result.verdict is Verdict.INFRA_ERROR
    assert result.detail == ("the audit disagrees: EARLY_EXIT at first and PASSED again, cold")
