"""Results as `mbxp score --out` writes them, made of verdicts that a test chooses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mbxp_datasets.catalog import resolve_config
from mbxp_metric.execution import Settings
from mbxp_metric.report.results import LETTERS
from mbxp_metric.scoring import Group, ScoreOptions, score
from mbxp_metric.signature import score_signature

VERDICTS = {letter: verdict for verdict, letter in LETTERS.items()}

Outcomes = Mapping[str, str]
"""The letters of each problem's verdicts by its number."""
Texts = Callable[[str, int, str], Mapping[str, Any]]
"""From task id, number and letter of a sample to fields of its result."""


def written(task_id: str, sample: int, letter: str) -> dict[str, Any]:
    failed = "" if letter == "P" else f"{VERDICTS[letter].value} in {task_id}, sample {sample}"
    return {"completion": f"    return {sample}\n", "stdout": "", "stderr": failed}


def make_results(
    directory: Path,
    outcomes: Mapping[str, Outcomes],
    generation: Mapping[str, Any] | None = None,
    variant: str = "",
    total: int | None = None,
    texts: Texts = written,
    columns: Mapping[str, Any] | None = None,
    k: tuple[int, ...] = (1, 10, 100),
    settings: Settings | None = None,
    benchmark: str = "mbxp",
) -> Path:
    """Write the results of one model; `outcomes` are by language.

    `variant` stands before the configs' names, `columns` are added to each problem, and `total`
    is the number of problems in each set, if some have no samples.
    """
    directory.mkdir(parents=True, exist_ok=True)
    options = ScoreOptions(k, bootstrap=200)
    rows = []
    with (
        open(directory / "results.jsonl", "w", encoding="ascii") as results,
        open(directory / "journal.jsonl", "w", encoding="ascii") as journal,
        open(directory / "problems.jsonl", "w", encoding="ascii") as problems,
    ):
        journal.write('{"mbxp_journal": 1, "settings": {}}\n')
        for language, chosen in outcomes.items():
            config = resolve_config(benchmark, language)
            name = f"{benchmark}/{variant}{config.name}"
            file = f"{language}.jsonl"
            group = Group(language, total or len(chosen))
            number = 0
            for problem, letters in chosen.items():
                task_id = f"{config.task_prefix}{problem}"
                group.expect(task_id, len(letters))
                row = {**_problem(task_id, language), **(columns or {})}
                problems.write(json.dumps(row) + "\n")
                for sample, letter in enumerate(letters):
                    group.record(task_id, VERDICTS[letter])
                    number += 1
                    about = {"task_id": task_id, "language": language, "sample": sample}
                    about |= {"verdict": VERDICTS[letter].value, "stage": "run", "detail": ""}
                    about |= {"exit_code": int(letter != "P"), "signal": None}
                    about |= {"digest": hashlib.sha256(f"{about}".encode()).hexdigest()}
                    told = dict(texts(task_id, sample, letter))
                    printed = {key: told.pop(key, "") for key in ("stdout", "stderr")}
                    times = {"compile_s": 0.25, "run_s": 0.01}
                    result = {"source": f"{file}:{number}", "problems": name, **about, **told}
                    results.write(json.dumps({**result, "times": times}) + "\n")
                    journal.write(json.dumps({**about, **printed, "times": times}) + "\n")
            numbers, _ = score([group], options)
            signature = score_signature(
                problems=name,
                data="revision1",
                samples=group.samples.values(),
                k=options.k,
                settings=settings or Settings(),
                toolchains={language: "1.0"},
                engines={language: "warm"},
                bootstrap=options.bootstrap,
                seed=0,
                truncation="keep",
            )
            about = {"file": file, "problems": name, "language": language}
            rows.append({**about, **numbers, "signature": signature})
    report = {"version": "0", "scores": rows, **({"generation": generation} if generation else {})}
    (directory / "scores.json").write_text(json.dumps(report, indent=1))
    return directory


def passing(counts: list[int], n: int) -> dict[str, str]:
    """Outcomes of n samples a problem, of which so many pass; the others are wrong."""
    return {str(i): "P" * count + "W" * (n - count) for i, count in enumerate(counts)}


def _problem(task_id: str, language: str) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "language": language,
        "prompt": f"# {task_id}: return a number\n",
        "test": "assert f() == 0\n",
        "entry_point": "f",
        "canonical_solution": "    return 0\n",
        "description": "Return a number.",
    }
