"""The journal: what is written survives, what is torn is forgotten, nothing is mixed up."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbxp_metric.execution import Job, Journal, JournalMismatch, Program, Result, Verdict


def job(task_id: str = "T/0", language: str = "python", sample: int = 0, text: str = "x") -> Job:
    return Job(7, task_id, sample, Program(language, text, "test", "f"))


def result(of: Job, verdict: Verdict = Verdict.PASSED) -> Result:
    return Result(of.index, of.task_id, of.language, of.sample, verdict, digest=of.digest)


def test_a_result_is_found_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal.open(path, {"timeout": 1}) as journal:
        journal.append(result(job()))
    with Journal.open(path, {"timeout": 1}) as journal:
        found = journal.get(job())
        assert found
        assert found.verdict is Verdict.PASSED
        assert len(journal) == 1


@pytest.mark.parametrize(
    "other", [job(task_id="T/1"), job(language="java"), job(sample=1), job(text="y")]
)
def test_a_result_belongs_to_one_task_language_sample_and_text(tmp_path: Path, other: Job) -> None:
    with Journal.open(tmp_path / "j", {}) as journal:
        journal.append(result(job()))
        assert journal.get(other) is None


def test_a_line_torn_by_a_kill_is_dropped_and_the_rest_kept(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal.open(path, {}) as journal:
        journal.append(result(job()))
        journal.append(result(job(sample=1)))
    path.write_bytes(path.read_bytes()[:-5])
    with Journal.open(path, {}) as journal:
        assert journal.get(job())
        assert journal.get(job(sample=1)) is None
        journal.append(result(job(sample=1)))
    with Journal.open(path, {}) as journal:
        assert journal.get(job(sample=1))


def test_a_header_torn_by_a_kill_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'{"mbxp_jour')
    with Journal.open(path, {}) as journal:
        journal.append(result(job()))
        assert journal.get(job())


def test_an_infra_error_is_executed_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j", {}) as journal:
        journal.append(result(job(), Verdict.INFRA_ERROR))
        assert journal.get(job()) is None


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j", {"timeout": 1}).close()
    with pytest.raises(JournalMismatch, match="timeout was 1, is 2"):
        Journal.open(tmp_path / "j", {"timeout": 2})


def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text('{"task_id": "MBPP/1"}\n')
    with pytest.raises(JournalMismatch, match="not a journal"):
        Journal.open(path, {})
    assert path.read_text() == '{"task_id": "MBPP/1"}\n'


def test_two_runs_cannot_write_one_journal(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "j", {}),
        pytest.raises(JournalMismatch, match="in use by another run"),
    ):
        Journal.open(tmp_path / "j", {})
