"""Names that every target language can have."""

from __future__ import annotations

import pytest

from mbxp_datasets.conversion import PythonProblem, convert, languages
from mbxp_datasets.conversion.names import HARNESS_PREFIX, camel, distinct


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["end", "end_"], ["end_", "end__"]),
        (["a", "a", "a"], ["a", "a_", "a__"]),
        (["", "2d"], ["x", "x2d"]),
        ([HARNESS_PREFIX + "same"], ["x" + HARNESS_PREFIX + "same"]),
    ],
)
def test_names_are_made_distinct(given: list[str], expected: list[str]) -> None:
    assert distinct(given, frozenset({"end"})) == expected


def test_camel_case_drops_what_would_start_a_name() -> None:
    assert [camel(name) for name in ("_2d", "_", "is_valid_URL")] == ["2d", "", "isValidUrl"]


@pytest.mark.parametrize("language", languages())
def test_a_name_that_starts_with_a_digit_in_camel_case_gets_a_letter(language: str) -> None:
    prompt = "def f(_2d, _2d_):\n"
    problem = PythonProblem(
        "own/1", "f", ("_2d", "_2d_"), "x", "x", prompt, "assert f(1, 2) == 3\n"
    )
    assert "(2d" not in convert(problem, language)["prompt"]
