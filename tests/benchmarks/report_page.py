"""How long the page of a report takes in a browser, and how large it is.

    python -m tests.benchmarks.report_page [--samples 100000]

Made-up samples of one model in thirteen languages, ten of each problem, of about the length that
completions have. Printed: seconds to make the report, size of the page, and in headless
Chromium the median of several loads: from navigation until the overview is drawn, until the
whole file is read, until a language's list and then a failing sample are shown, and until a
search through all texts of a language and of all languages has ended.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mbxp_datasets.catalog import BENCHMARKS
from mbxp_metric.report import build_report, read_results
from tests.report.made import make_results, written

PER_PROBLEM = 10
WORDS = [f"v{random.Random(i).getrandbits(20):05x}" for i in range(5000)]
"""So many that texts compress no better than those of models do."""


def completion(task_id: str, sample: int, letter: str) -> dict[str, Any]:
    """About 400 characters of what looks like code, different in each sample."""
    draw = random.Random(f"{task_id} {sample}")
    lines = []
    while sum(map(len, lines)) < draw.randint(120, 640):
        a, b, c = draw.choices(WORDS, k=3)
        lines.append(draw.choice([f"{a} = {b} + {c}", f"if {a} > {draw.randint(0, 99)}: {b}()"]))
    body = "".join(f"    {line}\n" for line in lines) + f"    return {draw.choice(WORDS)}\n"
    errors = "" if letter == "P" else f"line {draw.randint(1, 40)}: {draw.choice(WORDS)}\n" * 4
    return {**written(task_id, sample, letter), "completion": body, "stderr": errors}


def outcomes(problems: int, seed: str) -> dict[str, str]:
    draw = random.Random(seed)
    return {
        str(number): "".join(draw.choices("PWCRT", [8, 5, 3, 2, 1], k=PER_PROBLEM))
        for number in range(problems)
    }


def load(page: Path, browser: Any) -> dict[str, float]:
    """The seconds of each step, in a tab of its own."""
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    found: dict[str, float] = {}

    def took(name: str, step: Callable[[], Any], begin: float | None = None) -> None:
        begin = time.perf_counter() if begin is None else begin
        step()
        found[name] = time.perf_counter() - begin

    start = time.perf_counter()
    opened.goto(page.as_uri(), wait_until="commit")
    took("first view", lambda: opened.wait_for_selector(".cell"), start)
    took("whole file", lambda: opened.wait_for_load_state("load"), start)
    took("language", lambda: _click(opened, "a.cell >> nth=3", ".row"))
    opened.keyboard.press("f")
    took("failing sample", lambda: _press(opened, "j", "pre.program"))
    took("search a language", lambda: _search(opened, "zebra"))
    opened.evaluate("location.hash = ''")
    opened.wait_for_selector(".cell")
    took("search everything", lambda: _search(opened, "unicorn"))
    opened.close()
    return found


def _click(page: Any, what: str, wanted: str) -> None:
    page.click(what)
    page.wait_for_selector(wanted)


def _press(page: Any, key: str, wanted: str) -> None:
    page.keyboard.press(key)
    page.wait_for_selector(wanted)


def _search(page: Any, text: str) -> None:
    page.fill("#find", text)
    page.wait_for_selector(f".found:text('problems with “{text}”')", timeout=120_000)


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    languages = [config.language for config in BENCHMARKS["mbxp"].configs.values()][:13]
    problems = -(-options.samples // (PER_PROBLEM * len(languages)))
    with tempfile.TemporaryDirectory() as name:
        made = {language: outcomes(problems, language) for language in languages}
        results = make_results(Path(name) / "model", made, texts=completion, k=(1, 10))
        start = time.perf_counter()
        build_report(read_results([results]), Path(name) / "report", plots=False)
        seconds = time.perf_counter() - start
        page = Path(name) / "report" / "index.html"
        print(f"{problems * PER_PROBLEM * len(languages):,} samples")
        print(f"{'made in':20} {seconds:8.2f} s")
        print(f"{'page':20} {page.stat().st_size / 2**20:8.1f} MiB")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            all_seconds = [load(page, browser) for _ in range(options.repeat)]
            for step in all_seconds[0]:
                median = statistics.median(each[step] for each in all_seconds)
                print(f"{step:20} {median:8.2f} s")
            browser.close()


if __name__ == "__main__":
    main()
