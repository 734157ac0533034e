"""Code comes out of chat answers as the head of a program."""

from __future__ import annotations

import pytest

from mbxp_metric.completions import extract, strip_special_tokens
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


def _lines(code: str) -> list[str]:
    return [line.rstrip() for line in code.splitlines() if line.strip()]


@pytest.mark.parametrize(
    "answer", ANSWERS, ids=[f"{each.language}, {each.what}" for each in ANSWERS]
)
def test_an_answer_becomes_the_right_head(answer: Answer) -> None:
    head = extract(answer.answer, _problem(answer.language))
    assert _lines(head) == _lines(answer.head)
