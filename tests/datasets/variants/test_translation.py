"""t-: source and target stay byte for byte, and the test is the target's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets import BENCHMARKS, Problem, load_problems, resolve_config
from mbxp_datasets.variants import Translation
from mbxp_datasets.variants.comments import LINE_COMMENTS
from mbxp_datasets.variants.solutions import known_to_fail

Load = Callable[..., Any]
CONFIGS = BENCHMARKS["mbxp"].configs.values()


def row(language: str, number: int = 1, solution: str | None = None) -> Problem:
    prefix = resolve_config("mbxp", language).task_prefix
    return {
        "task_id": f"{prefix}{number}",
        "language": language,
        "prompt": f"{language} {number} (\n",
        "test": "test",
        "entry_point": "f",
        "canonical_solution": solution,
        "description": "Write a function.",
    }


@pytest.mark.parametrize("source", ["python", "java", "javascript"])
def test_prompts_hold_source_and_target_byte_for_byte(official_dir: Path, source: str) -> None:
    originals = {
        problem["task_id"].partition("/")[2]: problem
        for problem in load_problems("mbxp", source, official_dir)
    }
    targets = [config for config in CONFIGS if config.file and config.language != source]
    assert len(targets) == 12
    for config in targets:
        problems = list(load_problems("mbxp", config.name, official_dir))
        rows = list(Translation(source).rows(problems, originals.values()))
        assert len(rows) == len(problems)
        assert sum(made["has_source"] for made in rows) > len(rows) / 2
        for made, problem in zip(rows, problems, strict=True):
            number = problem["task_id"].partition("/")[2]
            original = originals.get(number)
            solved = (
                original is not None
                and original["canonical_solution"] is not None
                and not known_to_fail(original)
            )
            assert made["has_source"] is solved
            assert made["prompt"].endswith(problem["prompt"])
            assert made["target_prompt"] == problem["prompt"]
            unchanged = set(problem) - {"prompt"}
            assert {name: made[name] for name in unchanged} == {
                name: problem[name]
                for name in unchanged  # type: ignore[literal-required]
            }
            before = made["prompt"].removesuffix(problem["prompt"])
            if solved:
                assert original is not None
                program = original["prompt"] + str(original["canonical_solution"])
                assert before in (program + "\n", program + "\n\n")
                assert before.endswith("\n\n")
            else:
                assert before == ""


@pytest.mark.parametrize("language", sorted(LINE_COMMENTS))
def test_commented_source_is_in_line_comments_of_the_target(language: str) -> None:
    source = row("java" if language == "python" else "python", solution="  a\n\n  b")
    made = next(Translation(commented=True).rows([row(language)], [source]))
    lines = made["prompt"].removesuffix(made["target_prompt"]).split("\n")
    mark = LINE_COMMENTS[language]
    assert lines == [
        f"{mark} {source['language']} 1 (",
        f"{mark}   a",
        mark,
        f"{mark}   b",
        "",
        "",
    ]


def test_problem_without_a_passing_solution_keeps_its_prompt() -> None:
    fails = {**row("python", 607), "task_id": "MBPP/607", "canonical_solution": "anything"}
    targets = [row("kotlin", number) for number in (1, 2, 607)]
    sources = [row("python", 1), row("python", 2, "  pass\n"), fails]
    rows = list(Translation().rows(targets, sources))  # type: ignore[arg-type]
    assert [made["has_source"] for made in rows] == [False, True, False]
    assert [made["prompt"] == made["target_prompt"] for made in rows] == [True, False, True]
    assert rows[0]["source_program"] is None


def test_failing_solutions_are_told_by_their_text(official_dir: Path) -> None:
    problems = {each["task_id"]: each for each in load_problems("mbxp", "python", official_dir)}
    assert known_to_fail(problems["MBPP/64"])
    assert not known_to_fail({**problems["MBPP/64"], "canonical_solution": " return 1\n"})
    assert not known_to_fail(problems["MBPP/2"])


def test_solutions_of_a_file_come_first(solutions: Callable[[str], str]) -> None:
    samples = [
        {"task_id": "MBGP/1", "completion": "wrong", "language": "go", "passed": False},
        {"task_id": "MBGP/1", "completion": "right", "language": "go", "passed": True},
        {"task_id": "MBGP/1", "completion": "second", "language": "go"},
        {"task_id": "MBGP/2", "completion": "foreign", "language": "perl"},
    ]
    path = solutions("".join(json.dumps(sample) + "\n" for sample in samples))
    variant = Translation("go", solutions=path)
    targets = [row("kotlin", number) for number in (1, 2)]
    rows = list(variant.rows(targets, [row("go", 1), row("go", 2)]))
    assert [made["source_program"] for made in rows] == ["go 1 (\nright", None]


def test_damaged_solutions_are_named_with_their_line(
    load: Load, official_dir: Path, solutions: Callable[[str], str]
) -> None:
    path = solutions('{"task_id": "MBPP/2"}\n')
    with pytest.raises(ValueError, match=r"solutions\.jsonl, line 1: field 'completion' is miss"):
        load("mbxp", "t-mbkp", data_dir=str(official_dir), solutions=path)
