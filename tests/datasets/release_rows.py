"""Small problems of our own in the release's form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mbxp_datasets import Config


def problem(config: Config, number: int, **changes: Any) -> dict[str, Any]:
    """A row of a config; every third has no canonical solution."""
    row = {
        "task_id": f"{config.task_prefix}{number}",
        "prompt": f"double of {number} \u00e9\u4e2d\U0001f600\r\n",
        "entry_point": "double",
        "test": "check\n",
        "description": "Doubles a number.",
        "language": config.language,
        "canonical_solution": None if number % 3 == 0 else "  return 2 * x\n",
    }
    return {**row, **changes}


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSONL, with the folders they need."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return path
