"""r-: only prose is changed, and most of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Problem, load_problems
from mbxp_datasets.variants import Robustness
from mbxp_datasets.variants.base import Row
from mbxp_datasets.variants.comments import parts
from mbxp_datasets.variants.word_changes import NEEDS_WORDNET
from mbxp_datasets.variants.wordnet import FOLDER

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


def write_wordnet(folder: Path) -> str:
    """A dictionary of our own in WordNet's format: lines of an index point into the data."""
    synsets = {
        "noun": [["amount", "sum"], ["variety", "sort"], ["use"], ["using", "victimization"]],
        "verb": [["order", "sort"], ["find", "locate_it", "spot"], ["use"], ["sum", "add"]],
        "adj": [["large", "big(p)", "great"]],
        "adv": [["fast", "quickly"]],
    }
    for part, sets in synsets.items():
        data, index = "  1 licence\n", "  1 licence\n"
        for words in sets:
            listed = " ".join(f"{word} 0" for word in words)
            offset = f"{len(data):08d}"
            data += f"{offset} 03 {part[0]} {len(words):02x} {listed} 000 | meaning\n"
            for word in words:
                index += f"{word} {part[0]} 1 0 1 0 {offset}\n"
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text(index)
    counts = "sort%1:01:00:: 1 9\nsort%2:01:00:: 1 1\nsum%1:01:00:: 1 5\nsum%2:01:00:: 1 5\n"
    (folder / "cntlist.rev").write_text(counts)
    (folder / "verb.exc").write_text("found find\n")
    return str(folder)


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("Find it", "Spot it"),
        ("to sort", "to order"),
        ("a sort", "a variety"),
        ("Sort", "Variety"),
        ("the sum", "the amount"),
        ("to sum", "to add"),
        ("sum", "sum"),
        ("to large", "to large"),
        ("large 'large' fast", "great 'large' quickly"),
        ("using found sorted the", "using found sorted the"),
        ("SORT sort()", "SORT sort()"),
    ],
)
def test_synonyms_have_the_part_of_speech_of_the_word(
    tmp_path: Path, prose: str, expected: str
) -> None:
    variant = Robustness(
        perturbations=("synonyms",), word_share=1.0, wordnet=write_wordnet(tmp_path)
    )
    prompt = f"/** {prose} */\nfun double(x) {{\n"
    (row,) = variant.split_rows([problem(prompt, "kotlin")], "synonyms")
    assert row["prompt"] == f"/** {expected} */\nfun double(x) {{\n"


@pytest.mark.parametrize("split", sorted(NEEDS_WORDNET))
def test_synonyms_change_a_word_of_each_row_in_the_mean(official_dir: Path, split: str) -> None:
    folder = os.environ.get("MBXP_TEST_WORDNET", FOLDER)
    if not Path(folder).is_dir():
        pytest.skip("WordNet's database is not installed: apt-get install wordnet-base")
    variant = Robustness(perturbations=(split,), wordnet=folder)
    for benchmark in BENCHMARKS.values():
        for config in benchmark.configs.values():
            if config.file:
                problems = list(load_problems(benchmark.name, config.name, official_dir))
                rows = list(variant.split_rows(problems, split))
                assert sum(row["changed_words"] for row in rows) >= len(rows)
                for row in rows:
                    before, after = row["nominal_prompt"], row["prompt"]
                    language = row["language"]
                    assert code(before, language) == code(after, language)
                    signs = r"[^A-Za-z ]+" if split == "word_insertion" else r"[^A-Za-z]+"
                    assert re.findall(signs, before) == re.findall(signs, after)


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
