"""`mbxp convert`: files out, rejects named, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

SOURCE = '''
def twice_over(limit, items):
    """Twice the items over a limit.

    >>> twice_over(1, [1, 2])
    [4]
    """
    return [2 * item for item in items if item > limit]


assert twice_over(1, [1, 2, 3]) == [4, 6]
assert twice_over(0, []) == []


def odd_one(value):
    """No language has such a value."""
    return value


assert odd_one(1) == 2j
'''


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def test_each_language_gets_a_file_and_rejects_are_named(
    source: Path, tmp_path: Path, mbxp: Command
) -> None:
    out = tmp_path / "out"
    result = mbxp("convert", source, "-l", "kotlin,ruby", "-o", out)
    assert result.exit_code == 1
    rows = [json.loads(line) for line in (out / "mine_kotlin.jsonl").read_text().splitlines()]
    assert [row["entry_point"] for row in rows] == ["twiceOver"]
    assert "fun twiceOver(limit : Int, items : List<Int>) : List<Int>" in rows[0]["prompt"]
    rejects = [json.loads(line) for line in (out / "unconvertible.jsonl").read_text().splitlines()]
    assert {(each["language"], each["line"]) for each in rejects} == {("kotlin", 20), ("ruby", 20)}
    assert "complex" in rejects[0]["reason"]
    assert "complex" in result.stderr


def test_all_converted_is_exit_status_zero(source: Path, tmp_path: Path, mbxp: Command) -> None:
    source.write_text(SOURCE.partition("def odd_one")[0])
    assert mbxp("convert", source, "-l", "php", "-o", tmp_path / "out").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.py", "-l", "java"], "missing.py"),
        (["{source}", "-l", "cobol"], "cobol"),
        (["{source}", "-l", "java", "--style", "loose"], "strict"),
    ],
)
def test_a_mistake_gives_one_line_and_no_file(
    arguments: list[str],
    said: str,
    source: Path,
    tmp_path: Path,
    mbxp: Command,
) -> None:
    out = tmp_path / "out"
    given = [argument.format(source=source) for argument in arguments]
    result = mbxp("convert", *given, "-o", out)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not out.exists()
