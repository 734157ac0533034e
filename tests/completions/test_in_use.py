"""Truncated samples in a score, programs from chat answers run, and life without the grammars."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mbxp_datasets.extras import MissingExtraError
from mbxp_metric import cli
from mbxp_metric.completions import extract, parsing, require_grammars
from mbxp_metric.execution import (
    Executor,
    IsolationUnavailable,
    Job,
    Settings,
    ToolchainMissing,
    Verdict,
    assemble,
)
from mbxp_metric.testing import fake_execution
from tests.completions.answers import ANSWERS
from tests.completions.snippets import SNIPPETS

_RAW = "    return 1\n\n\ndef g(x):\n    return x\n"


def _score(tmp_path: Path, *arguments: str) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    """What was executed, the score and the one row of results."""
    problem = {"task_id": "Own/0", "language": "python", "prompt": "def f(x):\n"}
    problem |= {"test": "", "entry_point": "f", "description": "", "canonical_solution": None}
    problems, samples = tmp_path / "p.jsonl", tmp_path / "s.jsonl"
    problems.write_text(json.dumps(problem) + "\n")
    samples.write_text(json.dumps({"task_id": "Own/0", "completion": _RAW}) + "\n")
    heads = []

    def judge(job: Job) -> Verdict:
        heads.append(job.program.head)
        return Verdict.PASSED

    out = tmp_path / "out"
    command = ["score", str(samples), "-p", str(problems), "--allow-code-execution", "-k", "1"]
    with fake_execution(judge):
        result = CliRunner().invoke(cli.app, [*command, "-o", str(out), *arguments])
    assert result.exit_code == 0, result.output
    [score] = json.loads((out / "scores.json").read_text())["scores"]
    return heads, score, json.loads((out / "results.jsonl").read_text())


@pytest.mark.parametrize(
    ("arguments", "said"), [((), "keep"), (("--helpers", "cut"), "cut")], ids=["default", "cut"]
)
def test_a_score_truncates_and_says_so(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    pytest.importorskip("tree_sitter_language_pack")
    heads, score, row = _score(tmp_path, *arguments)
    assert heads == ["def f(x):\n    return 1\n"]
    assert f"|trunc:{said}|" in score["signature"]
    assert (row["completion"], row["truncated"]) == (_RAW, True)


def test_a_score_leaves_samples_alone_if_asked(tmp_path: Path) -> None:
    heads, score, row = _score(tmp_path, "--no-truncate")
    assert heads == ["def f(x):\n" + _RAW]
    assert "|trunc:off|" in score["signature"]
    assert (row["completion"], row["truncated"]) == (_RAW, False)


_ANSWER = "Sure!\n```python\ndef f(x):\n    return 1\n\nprint(f(2))\n```\nIt returns 1."


def _chat(tmp_path: Path, rows: list[dict[str, Any]], *arguments: str) -> tuple[list[str], Any]:
    problem = {"task_id": "Own/0", "language": "python", "prompt": "def f(x):\n    'one'\n"}
    problem |= {"test": "", "entry_point": "f", "description": "", "canonical_solution": None}
    problems, samples, out = (tmp_path / name for name in ("p.jsonl", "s.jsonl", "out"))
    problems.write_text(json.dumps(problem) + "\n")
    samples.write_text("".join(json.dumps({"task_id": "Own/0", **row}) + "\n" for row in rows))
    heads: dict[int, str] = {}

    def judge(job: Job) -> Verdict:
        heads[job.index] = job.program.head
        return Verdict.PASSED

    command = ["score", str(samples), "-p", str(problems), "--allow-code-execution", "-k", "1"]
    with fake_execution(judge):
        result = CliRunner().invoke(cli.app, [*command, "-o", str(out), *arguments])
    [score] = (
        json.loads((out / "scores.json").read_text())["scores"] if not result.exit_code else [0]
    )
    return [heads[index] for index in sorted(heads)], (result, score, out / "results.jsonl")


@pytest.mark.parametrize("arguments", [(), ("--no-truncate",)], ids=["default", "no-truncate"])
def test_of_a_chat_answer_the_code_is_executed_and_the_answer_kept(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    pytest.importorskip("tree_sitter_language_pack")
    heads, (result, score, results) = _chat(tmp_path, [{"answer": _ANSWER}], *arguments)
    assert result.exit_code == 0, result.output
    assert heads == ["def f(x):\n    return 1"]
    assert "|trunc:extract|" in score["signature"]
    row = json.loads(results.read_text())
    assert row["answer"] == _ANSWER
    assert "completion" not in row


def test_answers_and_completions_in_one_file_are_both_said(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_language_pack")
    rows = [{"completion": _RAW}, {"answer": _ANSWER}]
    heads, (_, score, results) = _chat(tmp_path, rows)
    assert heads == ["def f(x):\n    'one'\n    return 1\n", "def f(x):\n    return 1"]
    assert "|trunc:keep+extract|" in score["signature"]
    kept = [json.loads(line) for line in results.read_text().splitlines()]
    assert [row.get("completion", row.get("answer")) for row in kept] == [_RAW, _ANSWER]


def test_answers_without_grammars_are_refused_before_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    parsing._parser.cache_clear()
    heads, (result, _, results) = _chat(tmp_path, [{"answer": _ANSWER}], "--no-truncate")
    assert (result.exit_code, heads, results.exists()) == (2, [], False)
    assert "mbxp[completions]" in result.output


def test_without_grammars_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    parsing._parser.cache_clear()
    with pytest.raises(MissingExtraError, match=r"^[^\n]*mbxp\[completions\][^\n]*$"):
        require_grammars()


@pytest.mark.parametrize("language", ["python", "javascript", "php", "ruby", "perl"])
def test_programs_from_chat_answers_pass(language: str) -> None:
    pytest.importorskip("tree_sitter_language_pack")
    snippets = SNIPPETS[language]
    problem = {"language": language, "prompt": snippets.prompt, "entry_point": snippets.entry_point}
    shapes = {"a fenced body", "a helper before", "a main and tests"}
    heads = [
        extract(each.answer, problem)
        for each in ANSWERS
        if each.language == language and each.what in shapes
    ]
    bare = {**problem, "prompt": "", "test": snippets.test}
    programs = [assemble(bare, head) for head in heads]
    jobs = [Job(number, "Own/0", number, each) for number, each in enumerate(programs)]
    try:
        with Executor(Settings(workers=1)) as executor:
            if isinstance(executor.toolchains([language])[language], ToolchainMissing):
                pytest.skip(f"no {language} here")
            verdicts = [result.verdict for result in executor.execute(jobs)]
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    assert verdicts == [Verdict.PASSED] * len(shapes)
