"""What must not be published, and why it is said to be refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.publishing.checks import About, UnfitResultsError, check, read_scores
from tests.publishing.results import document, row

ABOUT = About("org/model", "a" * 40, "2026-01-31T12:00:00Z", "org/mbxp", "b" * 40, 7, "https://e/x")


def refused(changed: dict[str, Any], about: About = ABOUT) -> str:
    with pytest.raises(UnfitResultsError) as caught:
        check(changed, about, "scores.json")
    return "\n".join(caught.value.faults)


def test_whole_results_may_be_published() -> None:
    rows = [row(), row(name="mbpp"), row("multi_humaneval", "java", 100)]
    assert check(document(*rows), ABOUT, "scores.json") == rows
    assert check(document(), About("org/model"), "scores.json")


SIGNATURE = row()["signature"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"problems": "mbxp/mbqq"}, "no config of the release"),
        ({"problems": "mbxp/kotlin"}, "no config of the release"),
        ({"problems": "mbxp/t-mbkp"}, "no config of the release"),
        ({"problems": "humaneval"}, "no config of the release"),
        ({"problems": "mbxp/mbrsp"}, "the release has no mbxp/mbrsp"),
        ({"problems": None}, "does not name a config"),
        ({"language": "java"}, "must be 'kotlin'"),
        ({"n_problems": 965}, "partial: n_problems is 965, and the release has 966"),
        ({"n_problems": True}, "n_problems is True"),
        ({"coverage": 0.5}, "coverage is 0.5"),
        ({"coverage": None}, "coverage is None"),
        ({"infra_errors": 1}, "infra_errors is 1"),
        ({"infra_errors": None}, "infra_errors is None"),
        ({"n_samples": 967}, "add up to 966"),
        ({"verdicts": {"PASSED": 400, "OTHER": 566}}, "each verdict by its name"),
        ({"verdicts": {"PASSED": -1, "TIMEOUT": 967}}, "no whole number"),
        ({"verdicts": {"PASSED": 965, "INFRA_ERROR": 1}}, "INFRA_ERROR is no verdict"),
        ({"verdicts": {"PASSED": 966}}, "but 966 of 966 samples passed"),
        ({"pass@1": math.nan}, "pass@1 is nan"),
        ({"pass@1": math.inf}, "pass@1 is inf"),
        ({"pass@1": 41.4}, "from 0 to 1"),
        ({"pass@1": "0.4"}, "from 0 to 1"),
        ({"pass@1": True}, "from 0 to 1"),
        ({"pass@1_ci95": [0.5, 0.6]}, "does not hold"),
        ({"pass@1_ci95": [0.6, 0.2]}, "does not hold"),
        ({"pass@1_ci95": [math.nan, 0.6]}, "two numbers"),
        ({"pass@1_ci95": 0.4}, "two numbers"),
        ({"pass@10": 0.9}, "not among the k"),
        ({"pass@10": 0.1}, "less than with a smaller k"),
        ({"signature": None}, "there is no signature"),
        ({"signature": SIGNATURE.replace("mbkp", "mbjp")}, "is for 'mbxp/mbjp'"),
        ({"signature": SIGNATURE.replace("iso:strong", "iso:limited")}, "no iso:strong"),
        ({"signature": SIGNATURE.replace("iso:strong", "iso:stronger")}, "no iso:strong"),
        ({"signature": SIGNATURE.replace("official", "strict")}, "no mode:official"),
        ({"signature": SIGNATURE.replace("n:1|", "n:2|")}, "the signature has n:2"),
        ({"signature": SIGNATURE.replace("n:1|", "n:0-3|")}, "no number of samples"),
        ({"signature": SIGNATURE.replace("n:1|", "n:x|")}, "no number of samples"),
        ({"signature": SIGNATURE.replace("n:1|", "n:2-3|")}, "the signature has n:2-3"),
        ({"signature": SIGNATURE.replace("e09974f", "strict:0123456789ab")}, "not the release"),
        ({"signature": SIGNATURE.replace("|kotlin:1.0", "")}, "no kotlin:"),
    ],
)
def test_score_is_refused_with_the_reason(changes: dict[str, Any], said: str) -> None:
    assert said in refused(document({**row(), **changes}))


def test_score_without_any_value_is_refused() -> None:
    without = {name: value for name, value in row().items() if not name.startswith("pass@")}
    assert "no pass@k" in refused(document(without))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "there are none"),
        (document() | {"scores": []}, "there are none"),
        (document() | {"scores": [3]}, "is no object"),
        (document() | {"isolation": "limited (no namespaces)"}, "must be strong"),
        (document(row(), row()), "mbxp/mbkp: has 2 scores"),
    ],
)
def test_document_is_refused_with_the_reason(changed: dict[str, Any], said: str) -> None:
    assert said in refused(changed)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (About("model"), "org/name"),
        (About("org/a/b"), "org/name"),
        (About("org/<b>"), "org/name"),
        (About("../x"), "org/name"),
        (About("org/model", dataset="mbxp"), "dataset: 'mbxp'"),
        (About("org/model", "main"), "40 hexadecimal"),
        (About("org/model", dataset_revision="A" * 40), "40 hexadecimal"),
        (About("org/model", date="yesterday"), "ISO 8601"),
        (About("org/model", date="2026-02-30"), "ISO 8601"),
        (About("org/model", parameters=0), "parameters"),
        (About("org/model", url="javascript:alert(1)"), "url"),
    ],
)
def test_description_is_refused_with_the_reason(about: About, said: str) -> None:
    assert said in refused(document(), about)


@pytest.mark.parametrize(
    "generation",
    [
        {"model": "org/other"},
        {"revision": "c" * 40},
        {"a.jsonl": {"model": "org/model"}, "b.jsonl": {"model": "org/other"}},
    ],
)
def test_results_of_another_model_are_refused(generation: dict[str, Any]) -> None:
    assert "generation: the samples are of" in refused(document() | {"generation": generation})


def test_results_of_the_model_or_of_a_local_copy_of_it_may_be_published() -> None:
    for generation in (
        {"model": "org/model", "revision": "a" * 40},
        {"model": "/models/copy", "revision": None},
        {"model": "model"},
        [],
    ):
        assert check(document() | {"generation": generation}, ABOUT, "scores.json")


def test_all_reasons_are_kept_and_the_message_is_one_line() -> None:
    with pytest.raises(UnfitResultsError) as caught:
        check(document({**row(), "coverage": 0.5, "infra_errors": 2}), ABOUT, "here")
    assert len(caught.value.faults) == 2
    assert str(caught.value) == (
        "here: mbxp/mbkp: partial: coverage is 0.5, and must be 1 (and 1 more)"
    )


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000])
def test_a_file_of_something_else_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text(text)
    with pytest.raises(UnfitResultsError, match=r"scores\.json"):
        read_scores(tmp_path)


def test_scores_are_read_from_a_directory_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text(json.dumps(document()))
    assert read_scores(tmp_path) == read_scores(tmp_path / "scores.json") == document()
