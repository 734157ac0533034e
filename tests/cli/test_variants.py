"""`mbxp score -p i-python`: samples of the variants' configs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.bleu import mean_bleu
from mbxp_metric.execution import Job, Verdict
from mbxp_metric.problem_sets import named_set
from mbxp_metric.testing import fake_execution

from .conftest import Command, jsonl, problem, sample

SOLUTION = "    a = 1\n    b = 2\n    return a + b\n"


@pytest.fixture
def heads() -> Iterator[list[str]]:
    """What stands before the test in each program that is executed."""
    found: list[str] = []

    def note(job: Job) -> Verdict:
        found.append(job.program.head)
        return Verdict.PASSED

    with fake_execution(note):
        yield found


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two problems with solutions in Python and in Java."""
    python = [
        {
            **problem(f"MBPP/{number}"),
            "prompt": f'def f{number}():\n    """Write a number."""\n',
            "canonical_solution": SOLUTION,
            "description": "Write a number.",
        }
        for number in range(2)
    ]
    java = [
        {**each, "task_id": each["task_id"].replace("P/", "JP/").replace("PJ", "J")}
        for each in python
    ]
    folder = tmp_path / "data"
    jsonl(folder / "mbxp/mbpp_release_v1.jsonl", python)
    rows = [
        {
            **each,
            "language": "java",
            "prompt": "// Write a number.\nint f() {\n",
            "canonical_solution": "    int a = 1;\n    int b = 2;\n    return a + b;\n}\n",
        }
        for each in java
    ]
    jsonl(folder / "mbxp/mbjp_release_v1.2.jsonl", rows)
    return folder


def _score(mbxp: Command, data: Path, rows: list[dict[str, Any]], name: str, *more: str) -> Any:
    file = jsonl(data.parent / "samples.jsonl", rows)
    result = mbxp("score", file, "--data-dir", data, "-p", name, "-o", data.parent / "o", *more)
    assert result.exit_code == 0, result.output
    return json.loads((data.parent / "o" / "scores.json").read_text())["scores"][0]


@pytest.mark.parametrize("name", ["i-mbjp", "mbxp/i-mbjp", "i-java:seed=0", "mbxp/I-java"])
def test_what_was_inserted_is_executed_between_its_contexts(
    mbxp: Command, data: Path, heads: list[str], name: str
) -> None:
    if name == "i-java:seed=0":
        name = f"mbxp/{name}"
    program = (
        "// Write a number.\nint f() {\n    int a = 1;\n    int b = 2;\n    return a + b;\n}\n"
    )
    rows_made: list[Any] = list(named_set(name, None, data).problems.values())
    shown = next(row for row in rows_made if row["right_context"])
    overrun = shown["canonical_solution"] + shown["right_context"] + "int g() {\n"
    rows = [sample(shown["task_id"], text) for text in ("here\n", overrun)]
    score = _score(mbxp, data, rows, name)
    assert score["problems"] == "mbxp/i-mbjp" + (":seed=0" if ":" in name else "")
    assert "|trunc:insert|" in score["signature"]
    assert re.search(r"\|data:local:[0-9a-f]{12}\+sha256:[0-9a-f]{12}\|", score["signature"])
    assert sorted(heads) == sorted(
        [f"{shown['left_context']}here\n{shown['right_context']}", program]
    )
    results = [json.loads(line) for line in (data.parent / "o" / "results.jsonl").open()]
    assert [(each["completion"], each["truncated"]) for each in results] == [
        ("here\n", False),
        (overrun, True),
    ]


def test_the_left_to_right_baseline_is_scored_like_any_completion(
    mbxp: Command, data: Path, heads: list[str]
) -> None:
    name = "mbxp/i-python:left_to_right=true"
    rows: list[Any] = list(named_set(name, None, data).problems.values())
    written = rows[0]["canonical_solution"] + "\n\nprint(1)\n"
    score = _score(mbxp, data, [sample(rows[0]["task_id"], written)], name)
    assert heads == [rows[0]["left_context"] + rows[0]["canonical_solution"]]
    assert "|trunc:keep|" in score["signature"]


def test_a_translation_is_executed_without_its_source(
    mbxp: Command, data: Path, heads: list[str]
) -> None:
    rows = [sample("MBJP/0", "    return 1;\n}\n")]
    score = _score(mbxp, data, rows, "mbxp/t-mbjp", "--no-truncate")
    assert score["problems"] == "mbxp/t-mbjp"
    assert heads == ["// Write a number.\nint f() {\n    return 1;\n}\n"]


def test_a_perturbation_is_named_after_a_colon(mbxp: Command, data: Path, heads: list[str]) -> None:
    rows = [sample("MBJP/0", "    return 1;\n}\n")]
    score = _score(mbxp, data, rows, "mbxp/r-mbjp:case,case_share=1", "--no-truncate")
    assert score["problems"] == "mbxp/r-mbjp:case,case_share=1"
    assert heads == ["// wRITE A NUMBER.\nint f() {\n    return 1;\n}\n"]
    nominal = _score(mbxp, data, rows, "r-mbjp:nominal", "--no-truncate")
    assert heads[1:] == ["// Write a number.\nint f() {\n    return 1;\n}\n"]
    assert nominal["signature"].split("|")[1] != score["signature"].split("|")[1]


def test_rows_of_a_variant_may_be_a_file(mbxp: Command, data: Path, heads: list[str]) -> None:
    rows: list[Any] = list(named_set("i-mbjp", None, data).problems.values())
    shown = next(row for row in rows if row["right_context"])
    problems = jsonl(data.parent / "i.jsonl", rows)
    _score(mbxp, data, [sample(shown["task_id"], "here\n")], problems)
    assert heads == [f"{shown['left_context']}here\n{shown['right_context']}"]
    summaries: list[Any] = list(named_set("s-mbjp", None, data).problems.values())
    problems = jsonl(data.parent / "s.jsonl", summaries)
    score = _score(mbxp, data, [sample("MBJP/0", "Write a number.")], problems)
    assert score["bleu"] == pytest.approx(100)
    jsonl(data.parent / "s.jsonl", [{**summaries[0], "target": 1}])
    file = jsonl(data.parent / "samples.jsonl", [sample("MBJP/0")])
    result = mbxp("score", file, "-p", problems)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "s.jsonl, line 1: field 'target' is a number, not a string" in result.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("r-mbjp", "name one of its splits, as in mbxp/r-mbjp:case; there are nominal, case"),
        ("r-mbjp:noise", "mbxp/r-mbjp:noise: an option is expected as in seed=1, or one of nomin"),
        ("i-mbjp:case", "i-mbjp:case: an option is expected as in seed=1"),
        ("i-mbjp:shots=1", "shots= is no option of mbxp/i-mbjp, which takes"),
        ("i-mbjp:right_context_lines=-1", "whole number of at least 0"),
        ("i-python", "or multi_humaneval/i-python or mathqa_x/i-python"),
        ("i-mbgp", "mbxp has no i-mbgp, since the release has no solutions for it"),
        ("t-mbjp:source_language=go", "no solution in go"),
        (
            'r-mbjp:back_translation,translation_models=["/nowhere","/there"]',
            "there is no folder /nowhere",
        ),
        ("i-nothing", "neither a file nor a config"),
    ],
)
def test_a_mistake_in_a_name_is_one_line(mbxp: Command, data: Path, name: str, said: str) -> None:
    file = jsonl(data.parent / "s.jsonl", [sample("MBJP/0")])
    result = mbxp("score", file, "--data-dir", data, "-p", name)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_an_insertion_takes_no_chat_answer(mbxp: Command, data: Path) -> None:
    rows = [{"task_id": "MBPP/0/i0", "answer": "def f0(): ..."}]
    file = jsonl(data.parent / "s.jsonl", rows)
    result = mbxp("score", file, "--data-dir", data, "-p", "mbxp/i-python")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "s.jsonl:1: an 'answer' holds a whole function" in result.stderr


def _summaries(mbxp: Command, data: Path, *more: str) -> Any:
    rows = [
        sample("MBPP/0", " number.\ndef f():\n"),
        {"task_id": "MBPP/1", "answer": "Write\na number.\n"},
    ]
    file = jsonl(data.parent / "s.jsonl", rows)
    return mbxp("score", file, "--data-dir", data, "-p", "mbxp/s-python", *more)


def test_summaries_are_compared_and_nothing_is_executed(
    mbxp: Command, data: Path, heads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sacrebleu")
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    result = _summaries(mbxp, data, "-o", str(data.parent / "o"), "--json")
    assert (result.exit_code, heads) == (0, [])
    [score] = json.loads(result.stdout)["scores"]
    texts = ["number.", "Write a number."]
    assert score["bleu"] == pytest.approx(mean_bleu((text, "Write a number.") for text in texts))
    assert 40 < score["chrf"] < 100
    assert (score["n_samples"], score["coverage"]) == (2, 1.0)
    assert re.search(r"^mbxp/s-mbpp\|data:local:.*\|n:1\|trunc:line\|bleu:", score["signature"])
    results = [json.loads(line) for line in (data.parent / "o" / "results.jsonl").open()]
    assert [row["summary"] for row in results] == texts
    assert results[1]["bleu"] == pytest.approx(100)
    assert json.loads((data.parent / "o" / "scores.json").read_text())["scores"] == [score]
    assert "BLEU" in _summaries(mbxp, data).stdout


def test_without_sacrebleu_only_chrf_is_absent(
    mbxp: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    result = _summaries(mbxp, data)
    assert result.exit_code == 0
    assert "chrF is absent: to compute chrF, sacrebleu is needed: pip install" in result.stderr
    assert "|chrf:off|" in result.stdout


def test_summaries_are_not_mixed_with_programs(mbxp: Command, data: Path) -> None:
    result = _summaries(mbxp, data, "-p", "mbxp/python")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "mbxp/s-python: summaries are compared and not executed" in result.stderr
