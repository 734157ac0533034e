"""Where a sample may stop: what is cut of it later is what would be cut of a longer one."""

from __future__ import annotations

import pytest

from mbxp_datasets import Problem, convert, python_problems
from mbxp_metric import demo_problems
from mbxp_metric.completions import truncate
from mbxp_metric.generation import GenerationSettings, PromptBuilder
from mbxp_metric.generation.stopping import Watch
from tests.completions.tails import tails

PIECE = 12
"""Characters between two looks, as many as four tokens have."""
OWN = list(python_problems(demo_problems.PROBLEMS))[:1]


def stopped(problem: Problem, text: str) -> str:
    """What is generated of a text that a model would write."""
    (request,) = PromptBuilder(GenerationSettings()).requests([problem])
    watch = Watch(request)
    return next((text[:at] for at in range(PIECE, len(text), PIECE) if watch.done(text[:at])), text)


@pytest.mark.parametrize("language", demo_problems.LANGUAGES)
def test_stopping_changes_nothing_that_truncation_gives(language: str) -> None:
    solutions = demo_problems.completions(language)
    saved = []
    for each in OWN:
        problem = convert(each, language)
        solution = solutions[each.task_id, "right"].rstrip("\n")
        for name, tail in tails(language).items():
            text = solution + tail + "\n\nand so on\n" * 4
            found = stopped(problem, text)
            for helpers in ("keep", "cut"):
                assert truncate(found, problem, helpers) == truncate(text, problem, helpers), name
            saved.append(len(found) < len(text))
    assert sum(saved) > 0.5 * len(saved)


HELPERS = {
    "python": ("    return twice(x)\n", "\n\ndef twice(x):\n    return 2 * x\n"),
    "javascript": (
        "    return twice(x);\n}\n",
        "\nconst twice = (x) => {\n    return x;\n};\n",
    ),
    "java": (
        "        return twice(x);\n    }\n",
        "\n    static int twice(int x) {\n        return 2 * x;\n    }\n}\n",
    ),
    "go": ("\treturn twice(x)\n}\n", "\nfunc twice(x int) int {\n\treturn 2 * x\n}\n"),
    "ruby": ("  twice(x)\nend\n", "\ndef twice(x)\n  2 * x\nend\n"),
    "perl": ("  return twice($x);\n}\n", "\nsub twice {\n  return 2 * $_[0];\n}\n"),
}
HEADS = {
    "python": "def f(x):\n",
    "javascript": "function f(x) {\n",
    "java": "class F {\n    public static int f(int x) {\n",
    "go": "package main\n\nfunc f(x int) int {\n",
    "ruby": "def f(x)\n",
    "perl": "sub f {\n  my ($x) = @_;\n",
}


@pytest.mark.parametrize("language", HELPERS)
def test_a_helper_that_is_needed_is_waited_for(language: str) -> None:
    body, helper = HELPERS[language]
    problem: Problem = {
        "task_id": "T/0",
        "language": language,
        "prompt": HEADS[language],
        "test": "",
        "entry_point": "f",
        "canonical_solution": None,
        "description": "",
    }
    text = body + helper + tails(language)["another function"] * 6
    found = stopped(problem, text)
    assert len(found) < len(text)
    assert truncate(found, problem).rstrip().endswith(helper.rstrip())


def test_a_repetition_of_the_function_ends_it() -> None:
    (problem, *_) = (convert(each, "python") for each in OWN)
    solution = demo_problems.completions("python")[OWN[0].task_id, "right"]
    again = f"\n\n{problem['prompt']}    return 0\n"
    assert truncate(stopped(problem, solution + again), problem).strip() == solution.strip()
