"""Python problems as a plain file: functions, their docstrings, and asserts anywhere sensible."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbxp_datasets.conversion.reading import read_cases
from mbxp_datasets.problem import ProblemFormatError
from mbxp_datasets.sources.files import python_problems

FUNCTION = '''\
def twice(n):
    """Double it."""
    return 2 * n


'''


def written(directory: Path, text: str) -> Path:
    path = directory / "mine.py"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "tests",
    [
        "assert twice(1) == 2\nassert twice(0) == 0\n",
        "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(0) == 0\n",
        "def check(f, /):\n    assert f(1) == 2\n    assert f(0) == 0\n",
        "def test_twice():\n    assert twice(1) == 2\n    assert twice(0) == 0\n",
        "def test_all():\n    assert twice(1) == 2\n\n\nassert twice(0) == 0\n",
        "for n in (1, 0):\n    assert twice(n) == n + n\n",
        "TABLE = {1: 2, 0: 0}\nfor n, m in TABLE.items():\n    assert twice(n) == m\n",
    ],
    ids=["module", "check", "positional", "test_name", "two places", "loop", "table"],
)
def test_asserts_are_found_where_people_write_them(tests: str, tmp_path: Path) -> None:
    (problem,) = python_problems(written(tmp_path, FUNCTION + tests))
    assert (problem.task_id, problem.entry_point) == ("twice", "twice")
    assert problem.parameters == ("n",)
    assert problem.solution == "    return 2 * n\n"
    assert [(case.arguments, case.expected) for case in read_cases(problem)] == [
        ((1,), 2),
        ((0,), 0),
    ]


def test_each_function_takes_along_only_what_it_uses(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "import math\n\n\ndef _half(n):\n    return n / 2\n\n\n"
        + FUNCTION
        + 'def quarter(n):\n    """A quarter."""\n    return _half(_half(n))\n\n\n'
        + "assert twice(1) == 2\nassert quarter(4) == 1\n",
    )
    prompts = {problem.task_id: problem.prompt for problem in python_problems(path)}
    assert [*prompts] == ["twice", "quarter"]
    assert "_half" not in prompts["twice"]
    assert "def _half(n)" in prompts["quarter"]
    assert "import math" in prompts["quarter"]


def test_the_line_of_a_case_is_that_of_the_file(tmp_path: Path) -> None:
    text = FUNCTION + "assert twice(1) == 2\n"
    (problem,) = python_problems(written(tmp_path, text))
    (case,) = read_cases(problem)
    assert case.line is not None
    number = problem.test_lines[case.line - 1]
    assert text.splitlines()[number - 1] == "assert twice(1) == 2"


def test_nothing_of_a_file_is_run(tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    path = written(tmp_path, f"open({str(trap)!r}, 'w')\n{FUNCTION}assert twice(1) == 2\n")
    list(python_problems(path))
    assert not trap.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def twice(n:\n", ", line 1: not Python ("),
        (FUNCTION, ": no function has asserts; write some"),
        ("def twice(n):\n    return n\n\n\nassert twice(1) == 1\n", ", line 1: twice has asserts"),
        (
            "def check(candidate):\n    assert candidate(1) == 2\n\n\n" + FUNCTION,
            ", line 1: check(candidate) comes after the function",
        ),
        (
            FUNCTION + "def test_twice(case):\n    assert twice(case) == 2\n",
            ", line 6: test_twice takes parameters; give it none",
        ),
        (
            FUNCTION + "def test_other():\n    assert 1 == 1\n",
            ", line 6: test_other calls no function of the file",
        ),
        (
            'def twice(n): "Double it."; return 2 * n\nassert twice(1) == 2\n',
            ", line 1: the body of twice goes on a line after its docstring",
        ),
    ],
)
def test_a_bad_file_gives_one_line_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ProblemFormatError) as caught:
        list(python_problems(path))
    message = str(caught.value)
    assert message.startswith(f"{path}{said}")
    assert "\n" not in message


def test_a_file_in_another_encoding_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(FUNCTION.encode() + b"# \xe9\nassert twice(1) == 2\n")
    with pytest.raises(ProblemFormatError, match=r"not UTF-8 .*; save it as UTF-8"):
        list(python_problems(path))
