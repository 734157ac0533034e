"""`mbxp generate`: mistakes are one line, before a model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, jsonl, problem


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-c", "mbkp"), "write benchmark/config, as in mbxp/mbkp"),
        (("-c", "mbxp/mbkq"), "did you mean mbkp"),
        (("-c", "own.jsonl", "--temperature", "0", "-n", "2"), "2 equal samples"),
        (("-c", "own.jsonl", "--dtype", "float7"), "--dtype float7: one of auto"),
        (("-c", "own.jsonl", "--few-shot", "3"), "own.jsonl: 3 solved problems are needed"),
        (("-c", "own.jsonl", "--few-shot", "some"), "a number, or paper"),
        (("-c", "own.jsonl", "--option", "seed"), "NAME=VALUE"),
        (("-c", "own.jsonl", "-c", "other.jsonl"), "task T/0 is in another config too"),
        (("-c", "own.jsonl", "--cpu"), "no-model cannot be loaded"),
    ],
)
def test_a_mistake_is_one_line(
    mbxp: Command, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    for name in ("own.jsonl", "other.jsonl"):
        jsonl(tmp_path / name, [problem("T/0"), problem("T/1")])
    result = mbxp("generate", "-m", "no-model", "-o", "out", *arguments, width=400)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
