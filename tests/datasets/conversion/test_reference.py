from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mbxp_datasets.conversion import reference


def test_a_program_reports_values() -> None:
    source = "for n in range(2):\n    mbxp__emit(n, {n: [str(n)]})"
    assert reference.run(source) == [[0, {0: ["0"]}], [1, {1: ["1"]}]]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("mbxp__emit(object())", "a object is no supported value"),
        ("import os\nos._exit(0)", "it ran past"),
        ("import values", "No module named 'values'"),
    ],
    ids=["it raises", "no value", "it ends without an answer", "a module of ours"],
)
def test_a_program_that_fails_says_why(source: str, reason: str) -> None:
    with pytest.raises(reference.ReferenceFailedError, match=reason):
        reference.run(source)


def test_the_child_starts_where_python_has_imported_nothing() -> None:
    # An editable install imports `types` at the start, and so hid that ours came first.
    command = [sys.executable, "-s", "-S", str(reference._SERVER), "10", "1024"]
    answer = subprocess.run(
        command, input=json.dumps("mbxp__emit(1)") + "\n", capture_output=True, text=True, cwd="/"
    )
    assert json.loads(answer.stdout) == {"reports": ["[1]"]}
