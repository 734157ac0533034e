"""Time and memory against the number of samples: linear and flat, as they should be.

    python -m tests.benchmarks.scaling [--samples 1000,10000,100000] [--workers 2]

Different small programs in the four cheapest languages, none of which is reused, through
`mbxp score`'s own path: samples read from a file, executed, journalled, scored and written. Per
size: seconds, samples per second, and the peak memory of the scoring process itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mbxp_datasets.problem import write_problems
from mbxp_metric.execution import runtime

LANGUAGES = ("python", "ruby", "php", "perl")


def write_inputs(directory: Path, count: int) -> tuple[Path, Path]:
    """Problems and samples: every completion differs from all others."""
    rows = []
    for language in LANGUAGES:
        canary = {k: v for k, v in runtime(language).canary.items() if k != "early_exit"}
        row = {**canary, "task_id": f"scaling_{language}/0", "language": language}
        rows.append({**row, "description": "Add two numbers."})
    problems, samples = directory / "problems.jsonl", directory / "samples.jsonl"
    write_problems(problems, rows)  # type: ignore[arg-type]
    with samples.open("w") as file:
        for number in range(count):
            row = rows[number % len(rows)]
            solution = row["canonical_solution"]
            if number % 3 == 0:
                solution = solution.replace("+", "-")
            comment = "//" if row["language"] == "php" else "#"
            completion = f"{solution.rstrip()}\n{comment} {number}\n"
            file.write(
                json.dumps(
                    {
                        "task_id": row["task_id"],
                        "language": row["language"],
                        "completion": completion,
                    }
                )
                + "\n"
            )
    return problems, samples


def measure(count: int, workers: int) -> tuple[float, float]:
    """Seconds and peak mebibytes of scoring that many samples."""
    with tempfile.TemporaryDirectory() as name:
        problems, samples = write_inputs(Path(name), count)
        command = [
            *(sys.executable, "-m", "mbxp_metric.cli", "score", str(samples)),
            *("--problems", str(problems), "-k", "1", "--workers", str(workers)),
            *("--no-reuse", "--json", "--out", f"{name}/out", "--bootstrap", "0"),
        ]
        before = time.perf_counter()
        process = subprocess.Popen(
            command,
            env={**os.environ, "HF_ALLOW_CODE_EVAL": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"scoring {count} samples failed: status {status}")
        return time.perf_counter() - before, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--samples", default="1000,10000,100000")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print(f"{'samples':>8}{'seconds':>10}{'per second':>12}{'peak MiB':>10}")
    for count in map(int, options.samples.split(",")):
        seconds, peak = measure(count, options.workers)
        print(f"{count:>8}{seconds:>10.1f}{count / seconds:>12.1f}{peak:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
