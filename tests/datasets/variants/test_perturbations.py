"""r-: typing errors, tense, inserted words and layouts, and what they leave alone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Problem, human_eval_problems, load_problems
from mbxp_datasets.variants import Robustness
from mbxp_datasets.variants.comments import parts
from mbxp_datasets.variants.formats import FORMAT_CHANGES
from mbxp_datasets.variants.word_changes import NEEDS_WORDNET, WORD_CHANGES

from .test_robustness import EXAMPLE, code, problem, write_wordnet

WORDS = [name for name in WORD_CHANGES if name not in NEEDS_WORDNET]
CONFIGS = [
    config
    for benchmark in BENCHMARKS.values()
    for config in benchmark.configs.values()
    if config.file
]


@pytest.mark.parametrize("split", WORDS)
def test_only_prose_is_changed(official_dir: Path, split: str) -> None:
    variant = Robustness(seed=3)
    for config in CONFIGS:
        problems = list(load_problems(config.benchmark, config.name, official_dir))[::8]
        rows = list(variant.split_rows(problems, split))
        assert sum(row["changed_words"] > 0 for row in rows) > 0.3 * len(rows), config
        for row, given in zip(rows, problems, strict=True):
            before, after = given["prompt"], row["prompt"]
            assert code(before, config.language) == code(after, config.language)
            for old, new in zip(before.split("\n"), after.split("\n"), strict=True):
                assert old == new or not EXAMPLE.match(old)
            unchanged = set(given) - {"prompt"}
            assert all(row[name] == given[name] for name in unchanged)  # type: ignore[literal-required]


def _one(split: str, prose: str, **options: object) -> str:
    prompt = f"/** {prose} */\nfun double(x) {{\n"
    variant = Robustness(**options)  # type: ignore[arg-type]
    (row,) = variant.split_rows([problem(prompt, "kotlin")], split)
    return str(row["prompt"]).removeprefix("/** ").removesuffix(" */\nfun double(x) {\n")


@pytest.mark.parametrize(
    ("prose", "past", "future"),
    [
        ("Write a function", "Wrote a function", "Will write a function"),
        ("Return it", "Returned it", "Will return it"),
        ("it returns x, y finds z", "it returned x, y found z", "it will return x, y will find z"),
        ("items that are even", "items that were even", "items that will be even"),
        ("has and satisfies", "had and satisfied", "will have and will satisfy"),
        ("to find; should be; can return", "to find; should be; can return", ""),
        ("all sorts and counts", "all sorts and counts", ""),
        ("'returns' is a name, are", "'returns' is a name, were", "'returns' is a name, will be"),
    ],
)  # fmt: skip
def test_verbs_change_their_tense(prose: str, past: str, future: str) -> None:
    assert _one("tense_past", prose) == past
    assert _one("tense_future", prose) == (future or prose)


def test_typing_errors_hit_neighbours_on_the_keyboard() -> None:
    typed = _one("butter_fingers", "Aqm double p", letter_share=1.0)
    assert re.fullmatch(r"[QWSZ][WAS][NJK] double [OL]", typed, re.I)
    assert typed[0].isupper()
    assert _one("butter_fingers", "Aqm", letter_share=0.0) == "Aqm"


def test_swapped_letters_stay_in_their_word() -> None:
    assert _one("swap_characters", "abc double x", letter_share=1.0) == "bca double x"


def test_a_word_is_inserted_after_its_synonym(tmp_path: Path) -> None:
    options = {"word_share": 1.0, "wordnet": write_wordnet(tmp_path)}
    found = _one("word_insertion", "Find double 'find' the", **options)
    assert found == "Find spot double 'find' the"


@pytest.mark.parametrize("split", FORMAT_CHANGES)
def test_a_layout_changes_white_space_only(official_dir: Path, split: str) -> None:
    variant = Robustness(seed=1)
    for config in CONFIGS:
        problems = list(load_problems(config.benchmark, config.name, official_dir))[::8]
        rows = list(variant.split_rows(problems, split))
        # Ruby's prompts end within a line, without indentation, and many solutions end it.
        least = 0.0 if config.language == "ruby" else 0.9
        assert sum(row["changed_words"] > 0 for row in rows) >= least * len(rows), config
        for row, given in zip(rows, problems, strict=True):
            for name in ("prompt", "canonical_solution"):
                before, after = str(given[name]), str(row[name])  # type: ignore[literal-required]
                assert before.split() == after.split()
            if split == "blank_lines":
                assert row["canonical_solution"] == given["canonical_solution"]
                assert _natural(given["prompt"], config.language) == _natural(
                    row["prompt"], config.language
                )


def _natural(prompt: str, language: str) -> list[str]:
    return [piece for piece, natural in parts(prompt, language) if natural]


@pytest.mark.parametrize("split", FORMAT_CHANGES)
def test_python_in_another_layout_is_the_same_program(split: str) -> None:
    problems = list(human_eval_problems())
    rows = list(Robustness().split_rows(problems, split))
    for row, given in zip(rows, problems, strict=True):
        before, after = (
            _without_docstrings(each["prompt"] + str(each["canonical_solution"]))
            for each in (given, row)
        )
        assert before == after
    assert sum(row["changed_words"] > 0 for row in rows) > 0.95 * len(rows)


def _without_docstrings(program: str) -> str:
    tree = ast.parse(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return ast.dump(tree)


STRING = 'def f():\n    """Doc."""\n'
SOLUTION = '    x = """a\n    b"""\n    return x\n'


def test_lines_inside_strings_stay() -> None:
    given: Problem = {**problem(STRING), "canonical_solution": SOLUTION}
    (row,) = Robustness().split_rows([given], "tabs")
    assert row["prompt"] == 'def f():\n\t"""Doc."""\n'
    assert row["canonical_solution"] == '\tx = """a\n    b"""\n\treturn x\n'


def test_uneven_indentation_stays() -> None:
    uneven = (
        "    if 1:\n      if 1:\n        return 1\n        return 2\n"
        "      if 1:\n          return 1\n"
    )
    given: Problem = {**problem(STRING), "canonical_solution": uneven}
    (row,) = Robustness().split_rows([given], "tabs")
    assert (row["prompt"], row["canonical_solution"], row["changed_words"]) == (STRING, uneven, 0)


def test_tabs_become_blanks() -> None:
    given: Problem = {
        **problem("func f() {\n\tif a {\n", "go"),
        "canonical_solution": "\t\tb\n\t}\n}",
    }
    (row,) = Robustness().split_rows([given], "tabs")
    assert row["prompt"] == "func f() {\n    if a {\n"
    assert row["canonical_solution"] == "        b\n    }\n}"
