"""Cases read from a Python test: what is read, what is unrolled, what is refused."""

from __future__ import annotations

import pytest

from mbxp_datasets.conversion import Case, PythonProblem, UnconvertibleError
from mbxp_datasets.conversion.reading import read_cases, returned_cases
from mbxp_datasets.conversion.values import SetValue

PROMPT = 'def double(x):\n    """Twice x."""\n'


def problem(
    test: str, prompt: str = PROMPT, solution: str | None = "    return 2 * x\n"
) -> PythonProblem:
    return PythonProblem("own/1", "double", ("x",), "Twice x.", "Twice x.", prompt, test, solution)


def cases(*lines: str) -> list[tuple[object, object, float | None]]:
    body = "\n".join(f"    {line}" for line in lines)
    found = read_cases(problem(f"def check(candidate):\n{body}\n"))
    return [(*case.arguments, case.expected, case.tolerance) for case in found]


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("assert candidate(2) == 4, 'a message'", (2, 4, None)),
        ("assert 4 == candidate(2)", (2, 4, None)),
        ("assert candidate(x=2) == 4", (2, 4, None)),
        ("assert candidate(0)", (0, True, None)),
        ("assert not candidate(0)", (0, False, None)),
        ("assert candidate(2) is None", (2, None, None)),
        ("assert abs(candidate(2.0) - 4.0) < 1e-6", (2.0, 4.0, 1e-6)),
        ("assert tuple(candidate((1, 2))) == (1, 2)", ((1, 2), (1, 2), None)),
        ("assert candidate({3, 1}) == set()", (SetValue((3, 1)), SetValue(()), None)),
        ("assert candidate('é\"$\\\\') == 'x' * 3", ('é"$\\', "xxx", None)),
    ],
)
def test_an_assert_on_literals_is_a_case(line: str, case: tuple[object, ...]) -> None:
    assert cases(line) == [case]


def test_loops_and_locals_are_unrolled() -> None:
    lines = ["base = 10", "for i in range(3):", "    assert candidate(base + i) == 2 * (base + i)"]
    assert cases(*lines) == [(10, 20, None), (11, 22, None), (12, 24, None)]


def test_an_unrolled_random_test_is_the_same_every_time() -> None:
    lines = ["import random", "x = random.randint(0, 10**9)", "assert candidate(x) == 2 * x"]
    assert cases(*lines) == cases(*lines)


def test_asserts_that_call_nothing_and_prints_are_left_out() -> None:
    assert cases("assert True, 'hello'", "print('x')", "assert candidate(1) == 2") == [(1, 2, None)]


@pytest.mark.parametrize(
    ("test", "reason", "line"),
    [
        ("def check(candidate):\n    assert candidate(1) == 1j\n", "complex", 2),
        ("assert candidate(root) == 1\n", "a name is not a value: root", 1),
        ("assert candidate(lambda: 1) == 1\n", "a function", 1),
        ("def check(candidate):\n    pass\n", "no assert", None),
        ("def check(candidate)\n", "does not parse", 1),
        ("assert candidate(1) == 2\nassert candidate(1, 2) == 3\n", "numbers of arguments", 2),
        ("while True:\n    x = candidate(1)\n", "other ways", None),
    ],
)
def test_what_cannot_be_read_is_refused_with_task_line_and_reason(
    test: str, reason: str, line: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnconvertibleError, match=reason) as caught:
        read_cases(problem(test))
    assert caught.value.task_id == "own/1"
    assert caught.value.line == line


def test_a_solution_cannot_touch_the_parent_or_the_next_problem() -> None:
    hostile = (
        "    import os, builtins\n    builtins.repr = None\n    print('noise')\n"
        "    os.environ['X'] = '1'\n    return 2 * x\n"
    )
    stated = (Case((3,), 0),)
    _, found = returned_cases(problem("", solution=hostile), stated)
    assert [case.expected for case in found] in ([0], [6])
    _, found = returned_cases(problem(""), stated)
    assert [case.expected for case in found] == [6]


@pytest.mark.parametrize(
    "solution", ["    raise KeyError\n", "    import os\n    os._exit(0)\n", "  (\n"]
)
def test_a_solution_that_fails_leaves_the_stated_value(solution: str) -> None:
    _, found = returned_cases(problem("", solution=solution), (Case((3,), 7),))
    assert [case.expected for case in found] == [7]


def test_the_first_call_of_a_helper_is_recorded() -> None:
    solution = (
        "    def double_of(a, b):\n        return a if b == 0 else double_of(a + 1, b - 1)\n"
        "    return double_of(x, x)\n"
    )
    taken, found = returned_cases(problem("", solution=solution), (Case((3,), 6),))
    assert taken.parameters == ("a", "b")
    assert [(case.arguments, case.expected) for case in found] == [((3, 3), 6)]


def test_a_solution_that_changes_its_argument_leaves_the_case_as_it_was() -> None:
    _, found = returned_cases(
        problem("", solution="    x.append(1)\n    return x\n"), (Case(([2],), [2, 1]),)
    )
    assert [(case.arguments, case.expected) for case in found] == [(([2],), [2, 1])]
