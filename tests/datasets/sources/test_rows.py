"""Python problems as rows: which shapes are read, and what is said of the ones that are not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets.conversion.reading import read_cases
from mbxp_datasets.problem import ProblemFormatError
from mbxp_datasets.sources.files import python_problems

PROMPT = 'def twice(n):\n    """Double it.\n\n    >>> twice(2)\n    4\n    """\n'
OWN = {
    "task_id": "mine/1",
    "prompt": PROMPT,
    "entry_point": "twice",
    "test": "assert twice(1) == 2\nassert twice(0) == 0\n",
}
ORIGINAL = {
    "task_id": 7,
    "text": "Write a function to double it.",
    "code": "def twice(n):\r\n    return 2 * n",
    "test_list": ["assert twice(1) == 2", "assert twice(0)==0"],
    "test_setup_code": "",
    "challenge_test_list": [],
}
RELEASE = {
    "task_id": "MBPP/7",
    "language": "python",
    "prompt": '\n\ndef twice(n):\n    """\n    Double it.\n    >>> twice(1)\n    2\n    """\n',
    "test": "\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate(1) == 2\n\n",
    "entry_point": "twice",
    "canonical_solution": "    return 2 * n",
    "description": "Double it.",
}
HUMAN_EVAL = {
    "task_id": "HumanEval/7",
    "prompt": PROMPT,
    "entry_point": "twice",
    "canonical_solution": "    return 2 * n\n",
    "test": "def check(candidate):\n    assert candidate(1) == 2\n",
}
MATHQA = {
    "task_id": "MathQA/7",
    "language": "python",
    "prompt": 'def problem():\n    """\n    what is 1 + 1 ? n0 = 1.0 n1 = 1.0\n    """\n',
    "test": "import math\n\ndef compare(x, y):\n    return math.fabs(x-y)<1e-8\n\n"
    "candidate = problem\ndef check(candidate):\n    assert compare(candidate(), 2.0)\n"
    "check(problem)\n",
    "entry_point": "problem",
    "canonical_solution": "    return 2.0\n",
    "description": "what is 1 + 1 ?",
}


def written(directory: Path, *rows: object, name: str = "rows.jsonl") -> Path:
    path = directory / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("row", "task_id", "solution", "cases"),
    [
        (OWN, "mine/1", None, [((1,), 2), ((0,), 0)]),
        (ORIGINAL, "MBPP/7", "    return 2 * n", [((1,), 2), ((0,), 0)]),
        (RELEASE, "MBPP/7", "    return 2 * n", [((1,), 2)]),
        (HUMAN_EVAL, "HumanEval/7", "    return 2 * n\n", [((1,), 2)]),
        (MATHQA, "MathQA/7", "    return 2.0\n", [((), 2.0)]),
    ],
    ids=["own", "original", "release", "human_eval", "mathqa"],
)
def test_each_shape_of_a_row_is_read(
    row: Mapping[str, Any],
    task_id: str,
    solution: str | None,
    cases: list[tuple[object, object]],
    tmp_path: Path,
) -> None:
    (problem,) = python_problems(written(tmp_path, row))
    assert (problem.task_id, problem.solution) == (task_id, solution)
    assert [(case.arguments, case.expected) for case in read_cases(problem)] == cases


def test_an_original_row_takes_the_shape_of_the_release(tmp_path: Path) -> None:
    (problem,) = python_problems(written(tmp_path, ORIGINAL))
    assert problem.prompt == (
        "\n\ndef twice(n):\n"
        '    """\n    Write a function to double it.\n    >>> twice(1)\n    2\n'
        '    >>> twice(0)\n    0\n    """\n'
    )
    assert problem.test == (
        "\n\nMETADATA = {}\n\n\ndef check(candidate):\n"
        "    assert candidate(1) == 2\n    assert candidate(0)==0\n\n"
    )
    assert problem.description == "Write a function to double it."
    assert problem.doctest_cases


def test_what_stands_before_an_original_function_moves_into_its_body(tmp_path: Path) -> None:
    row = {**ORIGINAL, "code": "import math\ndef twice(n):\n    return math.prod([2, n])"}
    (problem,) = python_problems(written(tmp_path, row))
    assert problem.solution is not None
    assert problem.solution.startswith("    import math\n")
    assert "math" in problem.modules


def test_set_up_code_of_an_original_row_stands_before_its_test(tmp_path: Path) -> None:
    row = {
        **ORIGINAL,
        "test_setup_code": "two = 2",
        "test_list": ["assert twice(1) == two"],
    }
    (problem,) = python_problems(written(tmp_path, row))
    assert "\ntwo = 2\n" in problem.test.partition("def check")[0]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("as_list", [False, True])
def test_rows_come_as_lines_or_as_one_list_gzipped_or_not(
    packed: bool, as_list: bool, tmp_path: Path
) -> None:
    rows = [OWN, {**OWN, "task_id": "mine/2"}]
    text = json.dumps(rows) if as_list else "".join(json.dumps(row) + "\n" for row in rows)
    path = tmp_path / ("rows.json.gz" if packed else "rows.json")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert [problem.task_id for problem in python_problems(path)] == ["mine/1", "mine/2"]


def changed(row: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """The row with fields replaced; `...` takes one out."""
    return {name: value for name, value in {**row, **fields}.items() if value is not ...}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (changed(OWN, task_id=...), "field 'task_id' is missing"),
        (changed(OWN, task_id=5), "field 'task_id' is a number, not a string"),
        (changed(OWN, prompt=...), "field 'prompt' is missing"),
        (changed(OWN, test=...), "field 'test' is missing"),
        (changed(OWN, entry_point=...), "field 'entry_point' is missing; name the function"),
        (changed(OWN, entry_point="thrice"), "field 'prompt' defines no function 'thrice'"),
        (changed(OWN, prompt="def twice(n:"), "field 'prompt' defines no function 'twice'"),
        (changed(OWN, language="ruby"), "field 'language' is 'ruby', but only Python"),
        (changed(OWN, canonical_solution=[]), "field 'canonical_solution' is a list"),
        (changed(HUMAN_EVAL, test=None), "field 'test' is null"),
        (changed(ORIGINAL, task_id=...), "field 'task_id' is missing or no whole number"),
        (changed(ORIGINAL, task_id=1.5), "field 'task_id' is missing or no whole number"),
        (changed(ORIGINAL, text=...), "field 'prompt' is missing"),
        (changed(ORIGINAL, code=...), "field 'code' is missing"),
        (changed(ORIGINAL, code="def twice(n"), "field 'code' is no Python"),
        (changed(ORIGINAL, code="x = 1"), "call no function that 'code' defines"),
        (changed(ORIGINAL, test_list=[]), "field 'test_list' has no asserts"),
        (changed(ORIGINAL, test_list="assert"), "field 'test_list' is not a list of strings"),
        (changed(ORIGINAL, test_list=["assert twice(1"]), "field 'test_list' is no Python"),
        (["twice"], "a JSON object is expected, not a list"),
    ],
)
def test_a_bad_row_gives_one_line_with_its_place_and_field(
    row: object, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, changed(OWN, task_id="mine/0"), row)
    with pytest.raises(ProblemFormatError) as caught:
        list(python_problems(path))
    message = str(caught.value)
    assert message.startswith(f"{path}, line 2: ")
    assert said in message
    assert "\n" not in message


def test_a_task_id_stands_once_in_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, OWN, OWN)
    with pytest.raises(ProblemFormatError) as caught:
        list(python_problems(path))
    assert str(caught.value) == (
        f"{path}, line 2: task_id 'mine/1' is already on line 1; give it another"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"task_id": "mine/1"', "line 1"),
        (b"[1, 2", "not JSON"),
        (b'[{"task_id": 1}, 2]', "entry 1"),
        (b'{"task_id": "\xff"}\n', "line 1"),
    ],
)
def test_a_file_that_is_not_json_gives_one_line_with_its_place(
    content: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(content)
    with pytest.raises(ProblemFormatError) as caught:
        list(python_problems(path))
    message = str(caught.value)
    assert message.startswith(str(path))
    assert said in message
    assert "\n" not in message


def test_the_rows_of_the_release_are_read(official_dir: Path) -> None:
    for name in ("mbxp/mbpp_release_v1.jsonl", "multilingual_humaneval/HumanEval.jsonl"):
        path = official_dir / name
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [p.task_id for p in python_problems(path)] == [
            json.loads(line)["task_id"] for line in lines
        ]
