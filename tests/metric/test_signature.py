from __future__ import annotations

import re
from typing import Any

from mbxp_metric.execution import Settings
from mbxp_metric.signature import content_revision, score_signature

from .conftest import row


def _signature(**changes: Any) -> str:
    values: dict[str, Any] = {
        "problems": "mbxp/mbkp",
        "data": "e09974f",
        "samples": [20, 20],
        "k": [10, 1],
        "settings": Settings(workers=3),
        "engines": {"kotlin": "warm", "python": "warm"},
        "toolchains": {"python": "CPython 3.11.7", "kotlin": "1.3|jdk 17"},
        "bootstrap": 1000,
        "seed": 0,
    }
    return score_signature(**{**values, **changes})


def test_it_is_one_line_of_pairs_that_names_all_that_matters() -> None:
    signature = _signature()
    assert re.sub(r"v:.*", "v:", signature) == (
        "mbxp/mbkp|data:e09974f|mode:official|n:20|k:1,10|trunc:off|t:10s|ct:60s|mem:2048|"
        "iso:strong|eng:warm|bs:1000|seed:0|kotlin:1.3/jdk-17|python:CPython-3.11.7|v:"
    )


def test_it_does_not_depend_on_order_or_workers() -> None:
    other = _signature(
        k=[1, 10],
        settings=Settings(workers=1),
        toolchains={"kotlin": "1.3|jdk 17", "python": "CPython 3.11.7"},
    )
    assert other == _signature()


def test_unequal_numbers_of_samples_are_a_range() -> None:
    assert "|n:0-20|" in _signature(samples=[5, 0, 20])
    assert "|n:0|" in _signature(samples=[])


def test_content_names_the_problems_whatever_their_order() -> None:
    rows = [row(0), row(1)]
    assert re.fullmatch("sha256:[0-9a-f]{12}", content_revision(rows))
    assert content_revision(rows) == content_revision(reversed(rows))
    assert content_revision(rows) != content_revision([row(0), row(1, test="other")])
    assert content_revision(rows) == content_revision([row(0, description="x"), row(1)])
