from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from mbxp_metric.samples import SampleFormatError, read_samples


def test_rows_come_as_they_are(tmp_path: Path) -> None:
    text = ' x\r\n\t\ud800"'
    file = tmp_path / "s.jsonl"
    file.write_text(
        json.dumps({"task_id": "A/1", "completion": text, "language": "Kotlin"})
        + "\n\n"
        + json.dumps({"task_id": "A/2", "completions": ["", text]}),
        encoding="ascii",
    )
    first, second = read_samples(file)
    assert (first.where, first.task_id, first.language) == (f"{file}:1", "A/1", "kotlin")
    assert first.completions == (text,)
    assert (second.where, second.position) == (f"{file}:3", 1)
    assert (second.language, second.completions) == (None, ("", text))


def test_an_answer_is_told_from_a_completion(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text('{"task_id": "A", "answer": " x"}\n{"task_id": "A", "completion": " y"}\n')
    found = [(row.completions, row.is_answer) for row in read_samples(file)]
    assert found == [((" x",), True), ((" y",), False)]


def test_gzip_is_told_by_content_and_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "s"
    file.write_bytes(gzip.compress(b'\xef\xbb\xbf{"task_id": "A/1", "completion": ""}\n'))
    assert [row.task_id for row in read_samples(file)] == ["A/1"]


def test_lists_of_lists_have_positions_instead_of_ids(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text('\n [["a", "b"], [], ["c"]]')
    assert [(row.position, row.task_id, row.completions) for row in read_samples(file)] == [
        (0, None, ("a", "b")),
        (1, None, ()),
        (2, None, ("c",)),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("3", "an object .* is expected, not a number"),
        ('{"completion": ""}', "field 'task_id' is missing"),
        ('{"task_id": 3, "completion": ""}', "field 'task_id' is a number, not a string"),
        ('{"task_id": "A/1"}', "field 'completion' is missing"),
        ('{"task_id": "A/1", "completion": null}', "field 'completion' is null, not a string"),
        ('{"task_id": "A/1", "completions": "x"}', "'completions' is a string, not a list"),
        ('{"task_id": "A/1", "completions": ["x", 1]}', "a number as completion 2"),
        ('{"task_id": "A/1", "completion": "", "completions": []}', "both"),
        ('{"task_id": "A/1", "completion": "", "answer": ""}', "both 'completion' and 'answer'"),
        ('{"task_id": "A/1", "answer": ["x"]}', "field 'answer' is a list, not a string"),
        ('{"task_id": "A/1", "completion": "", "language": "klingon"}', "field 'language'"),
        ('{"task_id": "A/1", "completion": "\udcff"}', "not UTF-8"),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_field(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "s.jsonl"
    good = '{"task_id": "A/0", "completion": ""}\n'
    file.write_bytes((good + line + "\n").encode("utf-8", "surrogateescape"))
    with pytest.raises(SampleFormatError, match=rf"s\.jsonl:2: .*{said}"):
        list(read_samples(file))


@pytest.mark.parametrize("text", ['[["a"], "b"]', '[["a"], [1]]', '[["a"], {"task_id": 1}]'])
def test_a_bad_entry_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "s.json"
    file.write_text(text)
    with pytest.raises(SampleFormatError, match=r"s\.json: entry 2"):
        list(read_samples(file))


def test_damaged_gzip_is_said(tmp_path: Path) -> None:
    file = tmp_path / "s.gz"
    file.write_bytes(gzip.compress(b'{"task_id": "A/1", "completion": ""}\n' * 9)[:-9])
    with pytest.raises(SampleFormatError, match="damaged"):
        list(read_samples(file))
