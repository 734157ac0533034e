"""MathQA: the release's rows, each a function without parameters and one number to compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mbxp_datasets.conversion.problem import PythonProblem
from mbxp_datasets.sources import rows

PREFIX = "MathQA/"


def release_problem(row: Mapping[str, Any], where: str) -> PythonProblem:
    """A row of the release's Python file."""
    return rows.problem(row, where)
