"""i-: masks as appendix K.1 has them; the parts of a program are the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets import BENCHMARKS, Problem, human_eval_problems, load_problems
from mbxp_datasets.variants import Insertion, without_overlap
from mbxp_datasets.variants.base import Row
from mbxp_datasets.variants.insertion import draws
from mbxp_datasets.variants.statistics import insertion_statistics
from mbxp_datasets.variants.statistics import main as statistics

Load = Callable[..., Any]


def check(rows: Iterable[Row], problems: Iterable[Problem]) -> dict[str, list[Row]]:
    by_id = {problem["task_id"]: problem for problem in problems}
    found: dict[str, list[Row]] = {}
    for row in rows:
        problem = by_id[row["original_task_id"]]
        solution = str(problem["canonical_solution"])
        program = problem["prompt"] + solution
        assert row["left_context"] + row["masked_lines"] + row["right_context"] == program
        assert row["prompt"] + row["canonical_solution"] + row["right_context"] == program
        assert row["left_context"].startswith(problem["prompt"])
        assert row["test"] == problem["test"]
        begin = row["left_context"][len(problem["prompt"]) :]
        assert not begin or begin.endswith("\n")
        masked = row["masked_lines"].removesuffix("\n").split("\n")
        assert masked.__len__() == row["m"]
        assert row["masked_lines"].endswith("\n") or not row["right_context"]
        assert any(line.strip() for line in masked)
        assert row["n"] == len(solution.strip().split("\n")) >= 2
        assert 1 <= row["m"] <= min(8, row["n"] - 1)
        found.setdefault(problem["task_id"], []).append(row)
    for made in found.values():
        assert len(made) <= (1 if made[0]["n"] < 5 else 2 if made[0]["n"] < 12 else 3)
        assert len({(row["left_context"], row["masked_lines"]) for row in made}) == len(made)
    return found


def test_human_eval_masks_are_those_of_the_paper() -> None:
    problems = list(human_eval_problems())
    found = check(Insertion().rows(problems), problems)
    long = [each for each in problems if "\n" in str(each["canonical_solution"]).strip()]
    assert set(found) == {each["task_id"] for each in long}
    assert {len(made) for made in found.values()} == {1, 2, 3}
    assert {row["m"] for made in found.values() for row in made} == set(range(1, 9))


def test_official_masks_are_those_of_the_paper(official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        for config in benchmark.configs.values():
            if config.solutions:
                problems = list(load_problems(benchmark.name, config.name, official_dir))
                assert check(Insertion(seed=7).rows(problems), problems)


@pytest.mark.parametrize(("n", "count"), [(2, 1), (4, 1), (5, 2), (11, 2), (12, 3), (99, 3)])
def test_draws_grow_with_the_lines(n: int, count: int) -> None:
    assert draws(n) == count


def test_one_seed_repeats_and_several_differ() -> None:
    problems = list(human_eval_problems())
    first, again, other = (list(Insertion(seed=seed).rows(problems)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    backwards = sorted(Insertion(seed=1).rows(problems[::-1]), key=lambda row: row["task_id"])
    assert backwards == sorted(first, key=lambda row: row["task_id"])


@pytest.mark.parametrize("lines", [0, 1, 2, 3, None])
def test_limit_of_the_right_context_changes_only_what_is_shown(
    load: Load, lines: int | None
) -> None:
    options = {"source": "convert", "right_context_lines": lines}
    rows = load("multi_humaneval", "i-python", **options)
    whole = load("multi_humaneval", "i-python", source="convert")
    assert rows["right_context"] == whole["right_context"]
    for row in rows:
        assert row["right_context"].startswith(row["shown_right_context"])
        expected = len(row["right_context"].splitlines(True)[:lines])
        assert len(row["shown_right_context"].splitlines(True)) == expected


def test_left_to_right_all_from_the_mask_on_is_written() -> None:
    problems = list(human_eval_problems())
    whole = Insertion(seed=2).rows(problems)
    for row, base in zip(Insertion(2, left_to_right=True).rows(problems), whole, strict=True):
        assert row["prompt"] == base["prompt"]
        assert row["masked_lines"] == base["masked_lines"]
        assert row["canonical_solution"] == base["masked_lines"] + base["right_context"]
        assert (row["right_context"], row["shown_right_context"]) == ("", "")
        assert (row["task_id"], row["left_to_right"]) == (base["task_id"], True)
        assert (row["variant"], base["variant"]) == (None, "i")


def test_statistics_are_those_of_the_rows() -> None:
    lines = "    a = 1\n    b = 2\n    return b\n"
    problems: list[Problem] = [
        {**each, "prompt": "def f():\n", "canonical_solution": solution}
        for each, solution in zip(
            human_eval_problems(), [lines, None, "    return 1\n"], strict=False
        )
    ]
    found = insertion_statistics(problems, Insertion())
    assert (found["problems"], found["with_solution"], found["masked"]) == (3, 2, 1)
    assert (found["rows"], found["n"]) == (1, 3)
    assert found["left"] + found["m"] + found["right"] == 4
    assert insertion_statistics([], Insertion())["m"] is None


def test_statistics_are_printed_for_the_official_half(
    official_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert statistics(["mbxp/mbjp", "mathqa-x/i-python", "--data-dir", str(official_dir)]) == 0
    title, java, python = capsys.readouterr().out.splitlines()
    assert title.split()[0] == "problems"
    assert java.startswith("mbxp/i-mbjp")
    assert python.startswith("mathqa_x/i-python")
    assert statistics(["mbxp/mbgp"]) == 2
    assert "has no i-mbgp" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("inserted", "right", "expected"),
    [
        ("a\nb\nc\n", "c\nd\n", "a\nb\nc\n"),  # one line of two proves nothing
        ("a\nb\nc\nd", "c\nd\n", "a\nb\n"),
        ("a\nb\nc\n", "b\nc\nd\n", "a\n"),
        ("a\nb\n\nc\n", "b\n\nc\n\nd\n", "a\n"),
        ("a\nb\n\n", "b\n\nc\n", "a\nb\n\n"),
        ("a\nc\nd\nmore\n", "c \nd\n\n", "a\n"),
        ("a\nc\nmore\n", "c\n", "a\n"),
        ("a\n  c\nelse\n", "  c\n", "a\n  c\nelse\n"),  # less indented: it may be a branch
        ("  a\n  c\nmore\n", "  c\n", "  a\n"),
        ("a\n", "b\n", "a\n"),
        ("a\n}", "}\n", "a\n"),
        ("a\n\n", "\nb\n", "a\n\n"),
        ("", "b\n", ""),
        ("a\n", "", "a\n"),
    ],
)
def test_repetition_of_the_right_context_is_removed(
    inserted: str, right: str, expected: str
) -> None:
    assert without_overlap(inserted, right) == expected
