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
    assert "completion" not in row


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
