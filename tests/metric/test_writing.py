"""A file that is replaced is whole: the old one until the end, then the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbxp_metric.writing import replacing


def test_the_new_file_takes_the_place_of_the_old_one_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("old")
    with replacing(path) as file:
        file.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_writer_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
