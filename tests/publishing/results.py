"""Scores as `mbxp score -o` writes them, made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mbxp_datasets import resolve_config
from mbxp_metric.execution import Verdict


def row(benchmark: str = "mbxp", name: str = "mbkp", passed: int = 400) -> dict[str, Any]:
    """A whole score of a config with one sample a problem."""
    config = resolve_config(benchmark, name)
    value = passed / config.rows
    verdicts = {verdict.value: 0 for verdict in Verdict}
    verdicts |= {"PASSED": passed, "WRONG_ANSWER": config.rows - passed}
    problems = f"{benchmark}/{config.name}"
    return {
        "file": "samples.jsonl",
        "problems": problems,
        "language": config.language,
        "pass@1": value,
        "pass@1_ci95": [max(0.0, value - 0.03), min(1.0, value + 0.03)],
        "n_problems": config.rows,
        "n_samples": config.rows,
        "coverage": 1.0,
        "verdicts": verdicts,
        "infra_errors": 0,
        "signature": f"{problems}|data:e09974f|mode:official|n:1|k:1|trunc:keep|t:10s|ct:60s|"
        f"mem:2048|iso:strong|eng:warm|bs:1000|seed:0|{config.language}:1.0|v:0.1.0",
    }


def document(*rows: dict[str, Any]) -> dict[str, Any]:
    """What scores.json holds."""
    return {
        "version": "0.1.0",
        "isolation": "strong (own namespaces)",
        "engines": {},
        "missing": {},
        "scores": list(rows) or [row()],
    }


def write(directory: Path, *rows: dict[str, Any]) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "scores.json").write_text(json.dumps(document(*rows)))
    return directory
