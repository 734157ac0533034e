"""Assembly: bytes in, bytes out."""

from __future__ import annotations

import pytest

from mbxp_metric.execution import assemble

PROBLEM = {"language": "java", "prompt": "p\r\n", "test": "\nt", "entry_point": "f"}


def test_parts_are_joined_without_a_separator_and_newlines_are_kept() -> None:
    assert assemble(PROBLEM, "c\r\n  ").source == b"p\r\nc\r\n  \nt"


def test_python_has_a_newline_before_its_test() -> None:
    assert assemble({**PROBLEM, "language": "python"}, "c").source == b"p\r\nc\n\nt"


def test_an_entry_point_called_check_is_not_overwritten_by_the_test() -> None:
    test = "def check(candidate):\n    assert candidate(1)\n"
    problem = {"language": "python", "prompt": "", "test": test, "entry_point": "check"}
    program = assemble(problem, "def check(x): return check(x - 1) if x else True")
    assert program.test == "\ndef check_entry_point(candidate):\n    assert candidate(1)\n"
    assert program.check == "check_entry_point"


@pytest.mark.parametrize(
    ("completion", "source"),
    [("\x00", b"\x00"), ("\ud83d\ude00", b"??"), ("\U0001f600", "\U0001f600".encode())],
)
def test_nul_surrogates_and_emoji_survive(completion: str, source: bytes) -> None:
    assert source in assemble(PROBLEM, completion).source
