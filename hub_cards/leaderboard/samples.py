"""Submissions that are made up, to try the leaderboard; each is marked as a sample."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from mbxp_datasets import Config, resolve_benchmark
from mbxp_metric.execution import Verdict

MODELS = (
    ("sample/tiny-350m", 350_000_000, 0.06),
    ("sample/small-2b", 2_000_000_000, 0.16),
    ("sample/medium-7b", 7_000_000_000, 0.31),
    ("sample/large-13b", 13_000_000_000, 0.37),
    ("sample/huge-70b", 70_000_000_000, 0.55),
)
"""Name, parameters, and the share of problems that it is made to solve in Python."""
CONFIGS = (
    ("mbxp", ("mbpp", "mbjp", "mbjsp", "mbkp", "mbcpp", "mbgp")),
    ("multi_humaneval", ("python", "java", "kotlin")),
)


def write_samples(folder: Path) -> None:
    """Write a submission of each sample model."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (model, parameters, skill) in enumerate(MODELS, 1):
        about = {
            "model": model,
            "revision": f"{number:040x}",
            "parameters": parameters,
            "date": f"2026-0{number}-01",
            "url": f"https://example.org/reports/{model}",
        }
        chance = random.Random(number)
        rows = [
            sample_row(resolve_benchmark(benchmark).configs[name], skill, chance)
            for benchmark, names in CONFIGS
            for name in names
        ]
        document = {"sample": True, "about": about, "isolation": "strong (sample)", "scores": rows}
        path = folder / f"{model.replace('/', '__')}.json"
        path.write_text(json.dumps(document, indent=1), encoding="utf-8")


def sample_row(config: Config, skill: float, chance: random.Random) -> dict[str, Any]:
    """A whole score of a config with ten samples a problem, made up."""
    n = 10
    samples = n * config.rows
    share = skill * (1 if config.language == "python" else chance.uniform(0.55, 0.95))
    passed = round(share * samples)
    wrong = (samples - passed) * 3 // 4
    verdicts = {verdict.value: 0 for verdict in Verdict}
    verdicts |= {
        "PASSED": passed,
        "WRONG_ANSWER": wrong,
        "COMPILE_ERROR": samples - passed - wrong,
    }
    row: dict[str, Any] = {"problems": f"{config.benchmark}/{config.name}"}
    row["language"] = config.language
    one = passed / samples
    for k, value in ((1, one), (10, one + (1 - one) * one)):
        half = 1.96 * (value * (1 - value) / config.rows) ** 0.5
        row[f"pass@{k}"] = value
        row[f"pass@{k}_ci95"] = [max(0.0, value - half), min(1.0, value + half)]
    return row | {
        "n_problems": config.rows,
        "n_samples": samples,
        "coverage": 1.0,
        "verdicts": verdicts,
        "infra_errors": 0,
        "signature": f"{row['problems']}|data:e09974f|mode:official|n:{n}|k:1,10|trunc:keep|t:10s|"
        f"ct:60s|mem:2048|iso:strong|eng:warm|bs:1000|seed:0|{config.language}:sample|v:0.1.0",
    }
