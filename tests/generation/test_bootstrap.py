"""Solutions by sampling: who is asked when, what counts as solved, and what a resumed run does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets import Problem, read_problems
from mbxp_datasets.conversion import PythonProblem
from mbxp_datasets.sources.files import python_problems
from mbxp_metric.execution import Settings
from mbxp_metric.generation import GenerationError, GenerationSettings, Request
from mbxp_metric.generation.bootstrap import (
    Bootstrap,
    Bootstrapping,
    Stage,
    parse_stages,
    strict_tests,
)
from mbxp_metric.scoring import open_executor, open_journal, versions

Rule = Callable[[Request, GenerationSettings], str]
STAGES = (Stage(4, 0.8), Stage(6, 1.0))
RIGHT, WRONG = "    return a + {number}\n\n\nprint(1)\n", "    return None\n"


def _problem(number: int, solution: str | None = None) -> Problem:
    return {
        "task_id": f"T/{number}",
        "language": "python",
        "prompt": f'def plus_{number}(a):\n    """Add {number}."""\n',
        "test": f"def check(f):\n    assert f(1) == {1 + number}\n",
        "entry_point": f"plus_{number}",
        "canonical_solution": solution,
        "description": "",
    }


class Fake:
    """Writes the right solution where a rule says so; counts what it is asked."""

    def __init__(self, right: Callable[[Request, GenerationSettings], bool], most: int = 10**9):
        self._right = right
        self._most = most
        self.asked: list[tuple[str, str, float, int]] = []
        self.prompts: list[str] = []

    def __call__(
        self, requests: Iterable[Request], settings: GenerationSettings
    ) -> Iterator[tuple[Request, str]]:
        for request in reversed(list(requests)):
            if len(self.asked) >= self._most:
                raise GenerationError("the server is gone")
            kind = "few-shot" if settings.shots else "plain"
            if request.prompt != request.head and not settings.shots:
                kind = "translation"
            temperature = settings.effective_temperature
            self.asked.append((request.task_id, kind, temperature, request.sample))
            self.prompts.append(request.prompt)
            number = request.task_id.partition("/")[2]
            right = RIGHT.format(number=number)
            yield request, right if self._right(request, settings) else WRONG


def _run(work: Bootstrap, directory: Path, generate: Any) -> tuple[Bootstrapping, list[str]]:
    lines: list[str] = []
    settings = Settings(workers=1, timeout=20)
    with open_executor(settings) as executor:
        toolchains = versions(executor.toolchains(["python"]))
        with open_journal(directory / "journal.jsonl", settings, toolchains) as journal:
            found = Bootstrapping(work, directory, generate, executor, journal, lines.append)
            found.run()
    return found, lines


def _work(problems: list[Problem], **values: Any) -> Bootstrap:
    chosen = {"stages": STAGES, "round": 2, "shots": 1, **values}
    return Bootstrap(problems, GenerationSettings(), {"model": "fake"}, **chosen)


def _rows(directory: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (directory / "solutions.jsonl").read_text().splitlines()]


def _mixed(request: Request, settings: GenerationSettings) -> bool:
    """Problem 1 falls to the second plain sample, 2 to a shot, 3 to the second stage, 4 never."""
    late = settings.effective_temperature == 1.0
    rules = {"T/1": request.sample >= 1, "T/2": bool(settings.shots), "T/3": late}
    return rules.get(request.task_id, False)


def test_only_what_is_unsolved_is_asked_for_and_the_first_that_passes_is_kept(
    tmp_path: Path,
) -> None:
    problems = [_problem(0, "    return a\n"), *(_problem(number) for number in range(1, 5))]
    fake = Fake(_mixed)
    found, lines = _run(_work(problems, prompts=("plain", "few-shot")), tmp_path, fake)
    rows = _rows(tmp_path)
    solutions = [row["canonical_solution"] for row in rows]
    assert solutions == [
        "    return a\n",
        "    return a + 1\n",
        "    return a + 2\n",
        "    return a + 3\n",
        None,
    ]
    about = [json.loads(row["provenance"] or "{}") for row in rows]
    assert about[0] == {"given": True}
    assert [(each.get("stage"), each.get("prompt"), each.get("sample")) for each in about[1:]] == [
        (1, "plain", 1),
        (1, "few-shot", 0),
        (2, "plain", 0),
        (None, None, None),
    ]
    assert about[1]["model"] == "fake"
    assert about[1]["tests"] == "own"
    assert [each["solved"] for each in found.coverage] == [1, 2, 3, 4, 4]
    assert lines[-1] == "stage 2, few-shot: 4 of 5 solved (80.0%), 0 new"
    counts = {
        task: sum(task == asked for asked, *_ in fake.asked)
        for task in ("T/0", "T/1", "T/2", "T/3", "T/4")
    }
    # By rounds of two: a problem that is solved in one is not in the next.
    assert counts == {"T/0": 0, "T/1": 2, "T/2": 6, "T/3": 10, "T/4": 20}
    assert next(read_problems(tmp_path / "solutions.jsonl"))["canonical_solution"] == solutions[0]
    assert any(prompt.startswith(problems[0]["prompt"]) for prompt in fake.prompts)


def test_a_run_that_was_ended_comes_to_the_same_and_asks_for_nothing_twice(
    tmp_path: Path,
) -> None:
    problems = [_problem(0, "    return a\n"), *(_problem(number) for number in range(1, 5))]
    whole = Fake(_mixed)
    _run(_work(problems), tmp_path / "whole", whole)
    first, second = Fake(_mixed, most=11), Fake(_mixed)
    with pytest.raises(GenerationError, match="gone"):
        _run(_work(problems), tmp_path / "cut", first)
    _run(_work(problems), tmp_path / "cut", second)
    assert sorted(first.asked + second.asked) == sorted(whole.asked)
    for name in ("solutions.jsonl", "coverage.json"):
        assert (tmp_path / "cut" / name).read_text() == (tmp_path / "whole" / name).read_text()


def test_another_model_is_refused_in_the_same_directory(tmp_path: Path) -> None:
    problems = [_problem(1)]
    _run(_work(problems, stages=STAGES[:1]), tmp_path, Fake(_mixed))
    other = Bootstrap(problems, GenerationSettings(), {"model": "other"}, STAGES, round=2)
    with pytest.raises(GenerationError, match="made with other settings"):
        _run(other, tmp_path, Fake(_mixed))


def test_a_translation_prompt_is_made_where_there_is_a_source(tmp_path: Path) -> None:
    problems = [_problem(1), _problem(2)]
    source: Any = {**_problem(1, "  return a + 1\nend\n"), "language": "ruby", "task_id": "R/1"}
    source |= {"prompt": "def plus(a)\n"}
    fake = Fake(lambda request, settings: request.prompt.startswith("def plus(a)\n  return"))
    work = _work(problems, prompts=("translation",), sources=[source], stages=STAGES[:1])
    _run(work, tmp_path, fake)
    assert {task for task, *_ in fake.asked} == {"T/1"}
    rows = _rows(tmp_path)
    assert rows[0]["prompt"] == problems[0]["prompt"]
    assert [row["canonical_solution"] for row in rows] == ["    return a + 1\n", None]


def test_a_strict_test_refuses_what_the_own_test_lets_through(tmp_path: Path) -> None:
    source = tmp_path / "problems.py"
    source.write_text(
        "def grow(a):\n"
        '    """Add one to each.\n\n    >>> grow([1])\n    [2]\n    """\n'
        "    return [x + 1 for x in a]\n\n\n"
        "assert grow([1, 2]) == [2, 3]\nassert grow([]) == []\n"
    )
    python: PythonProblem = next(iter(python_problems(source)))
    problem: Problem = {
        "task_id": "python/grow",
        "language": "python",
        "prompt": "def grow_all(a):\n",
        "test": "def check(f):\n    assert f([1, 2])\n",
        "entry_point": "grow_all",
        "canonical_solution": None,
        "description": "",
    }
    tests = strict_tests([problem], [python], "python")
    assert "grow(" not in tests["python/grow"]

    def generate(requests: Iterable[Request], _: GenerationSettings) -> Iterator[Any]:
        texts = ["    return a\n", "    return [each + 1 for each in a]\n"]
        yield from ((request, texts[request.sample % 2]) for request in requests)

    work = _work([problem], prompts=("plain",), stages=STAGES[:1], strict_tests=tests)
    found, _ = _run(work, tmp_path / "out", generate)
    (row,) = _rows(tmp_path / "out")
    assert row["canonical_solution"] == "    return [each + 1 for each in a]\n"
    about = json.loads(row["provenance"])
    assert (about["sample"], about["tests"]) == (1, "own and strict")
    assert found.refused == 1


@pytest.mark.parametrize("text", ["", "100", "100@", "0@0.8", "10@0", "a@1", "10@0.8,,"])
def test_stages_that_cannot_be_read_are_one_line(text: str) -> None:
    with pytest.raises(GenerationError, match="samples@temperature"):
        parse_stages(text)


def test_stages_are_read_in_their_order() -> None:
    assert parse_stages("100@0.8, 1000@1") == (Stage(100, 0.8), Stage(1000, 1.0))


@pytest.mark.parametrize(
    ("values", "message"),
    [({"prompts": ("chat",)}, "--prompts chat"), ({"stages": ()}, "one stage")],
)
def test_a_bootstrap_that_makes_no_sense_is_refused(values: Any, message: str) -> None:
    with pytest.raises(GenerationError, match=message):
        _work([], **values)
