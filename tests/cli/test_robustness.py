"""`mbxp robustness` on directories that `mbxp score` wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command, jsonl, sample

WRONG = "WRONG_ANSWER"


def _directory(
    mbxp: Command, release: Path, name: str, problems: str, texts: list[str], samples: int = 1
) -> Path:
    rows = [sample(f"MBKP/{n}", text) for n, text in enumerate(texts) for _ in range(samples)]
    file = jsonl(release.parent / f"{name}.jsonl", rows)
    folder = release.parent / name
    result = mbxp("score", file, "--data-dir", release, "-p", problems, "-o", folder)
    assert result.exit_code in (0, 1), result.output
    return folder


def test_seeds_of_a_perturbation_are_taken_together(mbxp: Command, release: Path) -> None:
    nominal = _directory(mbxp, release, "nominal", "r-mbkp:nominal", ["", "", "", WRONG])
    first = _directory(mbxp, release, "one", "r-mbkp:case", ["", WRONG, "", ""])
    second = _directory(mbxp, release, "two", "r-mbkp:case,seed=1", ["", "", WRONG, ""])
    result = mbxp("robustness", nominal, first, second, "--json")
    assert result.exit_code == 0, result.output
    [row] = json.loads(result.stdout)["robustness"]
    assert (row["language"], row["perturbation"], row["seeds"]) == ("kotlin", "case", 2)
    assert (row["nominal_pass@1"], row["pass@1"], row["drop@1"]) == (0.75, 0.75, 0.0)
    assert (row["RP@1"], row["RR@1"]) == (0.5, 0.75)
    assert row["RD@1"] == pytest.approx(1 / 3)
    table = mbxp("robustness", nominal, first, second, width=80).stdout
    assert "…" not in table
    title, figures = (line.split() for line in table.splitlines()[:2])
    assert title[2:] == ["seeds", "nominal", "pass@1", "drop@1", "RP@1", "RD@1", "RR@1"]
    assert figures == ["kotlin", "case", "2", "75.0", "75.0", "0.0", "50.0", "33.3", "75.0"]


def test_directories_that_do_not_fit_are_one_line(mbxp: Command, release: Path) -> None:
    nominal = _directory(mbxp, release, "nominal", "mbkp", ["", ""])
    other = _directory(mbxp, release, "other", "r-mbkp:case", [""])
    more = _directory(mbxp, release, "more", "r-mbkp:case", ["", ""], samples=2)
    infra = _directory(mbxp, release, "infra", "r-mbkp:case", ["", "INFRA_ERROR"])
    for folder, said in (
        (other, "other: there are no samples of MBKP/1 (kotlin), but"),
        (more, "more: MBKP/0 has 2 sample(s), but 1 in"),
        (infra, "MBKP/1 could not be executed (INFRA_ERROR)"),
        (release, "results.jsonl: No such file"),
    ):
        result = mbxp("robustness", nominal, folder)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert said in result.stderr
