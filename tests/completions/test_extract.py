"""Code comes out of chat answers as the head of a program."""

from __future__ import annotations

import pytest

from mbxp_metric.completions import extract
from tests.completions.answers import ANSWERS, Answer
from tests.completions.snippets import SNIPPETS

pytest.importorskip("tree_sitter_language_pack")


def _problem(language: str) -> dict[str, str | None]:
    snippets = SNIPPETS[language]
    return {
        "task_id": f"{language}/1",
        "language": language,
        "prompt": snippets.prompt,
        "test": snippets.test,
        "entry_point": snippets.entry_point,
    }


def _lines(code: str, language: str) -> list[str]:
    """The lines that matter: indentation does in Python only."""
    lines = [line.rstrip() for line in code.splitlines() if line.strip()]
    return lines if language == "python" else [line.strip() for line in lines]


@pytest.mark.parametrize(
    "answer", ANSWERS, ids=[f"{each.language}, {each.what}" for each in ANSWERS]
)
def test_an_answer_becomes_the_right_head(answer: Answer) -> None:
    head = extract(answer.answer, _problem(answer.language))
    assert _lines(head, answer.language) == _lines(answer.head, answer.language)
