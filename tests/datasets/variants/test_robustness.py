"""r-: only prose is changed, and most of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Problem, load_problems
from mbxp_datasets.variants import Robustness
from mbxp_datasets.variants.base import Row
from mbxp_datasets.variants.comments import parts

EXAMPLE = re.compile(r"^\W*(?:>>> |> |php > |irb> )")


def changed(problems: Iterable[Problem], **options: object) -> list[Row]:
    variant = Robustness(**options)  # type: ignore[arg-type]
    return list(variant.split_rows(problems, "case"))


def code(prompt: str, language: str) -> list[str]:
    return [piece for piece, natural in parts(prompt, language) if not natural]


def problem(docstring: str, language: str = "python") -> Problem:
    return {
        "task_id": "own/1",
        "language": language,
        "prompt": docstring,
        "test": "",
        "entry_point": "double",
        "canonical_solution": None,
        "description": "",
    }


def test_only_prose_is_changed_and_nearly_everywhere(official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        for config in benchmark.configs.values():
            if not config.file:
                continue
            rows = changed(load_problems(benchmark.name, config.name, official_dir))
            for row in rows:
                before, after = row["nominal_prompt"], row["prompt"]
                assert before.lower() == after.lower()
                assert len(before) == len(after)
                language = row["language"]
                assert code(before, language) == code(after, language)
                for old, new in zip(before.split("\n"), after.split("\n"), strict=True):
                    assert old == new or not EXAMPLE.match(old)
                    assert re.findall(r"[^A-Za-z]+", old) == re.findall(r"[^A-Za-z]+", new)
            differ = sum(row["prompt"] != row["nominal_prompt"] for row in rows)
            assert differ >= 0.95 * len(rows), config


def test_one_seed_repeats_and_another_differs(official_dir: Path) -> None:
    problems = list(load_problems("mbxp", "mbkp", official_dir))
    first = changed(problems, seed=1)
    assert first == changed(problems, seed=1)
    assert first[::-1] == changed(problems[::-1], seed=1)
    other = changed(problems, seed=2)
    same = sum(one["prompt"] == two["prompt"] for one, two in zip(first, other, strict=True))
    assert same < len(problems) / 20


def test_nominal_rows_are_the_problems(official_dir: Path) -> None:
    problems = list(load_problems("mbxp", "mbjp", official_dir))
    rows = Robustness().split_rows(problems, "nominal")
    for row, given in zip(rows, problems, strict=True):
        assert {name: row[name] for name in given} == given
        assert row["changed_words"] == 0


PYTHON = '''import words


def double(numbers):
    """Words of `an old list` if 'single' or numbers given, see double.

    Some words words(1) here.
    >>> double(words)
    words
    more

    After.
    [1] == words
    Output: word
    n0 a-b x.y word
    """
'''
"""A prompt in which only some words may change."""


@pytest.mark.parametrize(
    ("keep", "first"),
    [
        (True, "WORDS OF `an old list` if 'single' or numbers GIVEN, SEE double."),
        (False, "WORDS OF `an OLD list` IF 'single' OR NUMBERS GIVEN, SEE double."),
    ],
)
def test_words_of_code_stay(keep: bool, first: str) -> None:
    (row,) = changed([problem(PYTHON)], case_share=1.0, keep_code_words=keep)
    old = PYTHON.split("\n")
    expected = [*old]
    expected[4] = f'    """{first}'.replace("WORDS", "wORDS")
    expected[11] = "    aFTER."
    expected[14] = "    n0 a-b x.y WORD"
    assert row["prompt"].split("\n") == expected
