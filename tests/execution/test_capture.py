"""Captured output: bounded, with both ends kept."""

from __future__ import annotations

import pytest

from mbxp_metric.execution.capture import Capture


@pytest.mark.parametrize("chunk", [1, 3, 1000])
def test_head_and_tail_are_kept_and_the_gap_is_flagged(chunk: int) -> None:
    capture, text = Capture(10), b"0123456789abcdefghij"
    for start in range(0, len(text), chunk):
        capture.feed(text[start : start + chunk])
    assert capture.truncated
    assert capture.data == b"01234\n[...]\nfghij"


def test_what_fits_is_kept_whole() -> None:
    capture = Capture(10)
    capture.feed(b"0123456789")
    assert capture.data == b"0123456789"
    assert not capture.truncated


def test_bytes_that_are_not_utf8_are_recorded() -> None:
    capture = Capture(10)
    capture.feed(b"a\xff\x00")
    assert capture.text == "a\\xff\x00"


def test_nothing_is_stored_at_limit_zero() -> None:
    capture = Capture(0)
    capture.feed(b"abc")
    assert capture.text == "\n[...]\n"
