"""What a run shows: progress while it lasts, a table at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from mbxp_metric.converting import Converted, Rejection
from mbxp_metric.demo import Demo, LanguageDemo
from mbxp_metric.doctor import CANARIES, Diagnosis
from mbxp_metric.execution import Job, Result, Verdict

SHORT = {
    Verdict.PASSED: "pass",
    Verdict.WRONG_ANSWER: "wrong",
    Verdict.COMPILE_ERROR: "compile",
    Verdict.RUNTIME_ERROR: "runtime",
    Verdict.TIMEOUT: "timeout",
    Verdict.OUT_OF_MEMORY: "memory",
    Verdict.EARLY_EXIT: "exit",
    Verdict.INFRA_ERROR: "infra",
}
"""Column titles of the verdicts."""

_PLAIN_SECONDS = 30.0


class Monitor:
    """Watches a run: how far, how fast, what is slow.

    Give `started` and `finished` to the run; read the rest from any thread.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self.executed = 0
        self.slowest = ("", 0.0)
        self._clock = clock
        self._start = clock()
        self._running: dict[int, tuple[str, float]] = {}

    def started(self, job: Job) -> None:
        self._running[job.index] = (job.task_id, self._clock())

    def finished(self, result: Result) -> None:
        self.done += 1
        if self._running.pop(result.index, None) is not None:
            self.executed += 1
        seconds = sum(result.times.get(name, 0.0) for name in ("compile_s", "run_s"))
        if seconds > self.slowest[1]:
            self.slowest = (result.task_id, seconds)

    @property
    def rate(self) -> float:
        """Samples executed a second so far."""
        elapsed = self._clock() - self._start
        return self.executed / elapsed if elapsed > 0 else 0.0

    @property
    def line(self) -> str:
        """Rate, time left, the slowest so far and the longest waited for, in one line."""
        rate = self.rate
        left = duration((self.total - self.done) / rate) if rate else "?"
        parts = [f"{rate:.1f}/s", f"{left} left"]
        if self.slowest[0]:
            parts.append(f"slowest {self.slowest[0]} {self.slowest[1]:.1f} s")
        if self._running:
            task_id, since = min(list(self._running.values()), key=lambda entry: entry[1])
            parts.append(f"oldest {task_id} {self._clock() - since:.0f} s")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, as in `1:02:03` or `2:03`."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


class _Line(ProgressColumn):
    def __init__(self, monitor: Monitor) -> None:
        super().__init__()
        self._monitor = monitor

    def render(self, task: Task) -> Text:
        return Text(self._monitor.line, style="dim")


@contextmanager
def progress(console: Console, monitor: Monitor) -> Iterator[Callable[[Result], None]]:
    """Show the monitor as a bar on a terminal, else as a plain line now and then.

    Yields the function to call with each result.
    """
    if console.is_terminal:
        columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), _Line(monitor))
        with Progress(*columns, console=console, transient=True, refresh_per_second=4) as bar:
            task = bar.add_task("", total=monitor.total)

            def advance(result: Result) -> None:
                monitor.finished(result)
                bar.advance(task)

            yield advance
        return
    last = time.monotonic()

    def report(result: Result) -> None:
        nonlocal last
        monitor.finished(result)
        if time.monotonic() - last >= _PLAIN_SECONDS:
            last = time.monotonic()
            plain(console, f"{monitor.done} of {monitor.total} samples, {monitor.line}")

    yield report


def plain(console: Console, line: str) -> None:
    """One line as it is: no markup, no wrapping."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_report(console: Console, report: Mapping[str, Any]) -> None:
    """Print the scores of a run with what they hold for."""
    print_scores(console, report["scores"])
    plain(console, f"pass@k in percent [95 % interval]; isolation {report['isolation']}")
    if reused := report.get("reused"):
        samples = sum(row["n_samples"] for row in report["scores"])
        plain(console, f"verdicts of equal programs reused for {reused} of {samples} samples")
    if audited := report.get("audited"):
        plain(console, f"{audited} samples executed again cold")
    for signature in dict.fromkeys(row["signature"] for row in report["scores"]):
        plain(console, signature)


def print_texts(console: Console, report: Mapping[str, Any]) -> None:
    """Print how texts compare with their references, and what that holds for."""
    rows = report["scores"]
    columns: Columns = {
        "tasks": [str(row["n_problems"]) for row in rows],
        "samples": [str(row["n_samples"]) for row in rows],
        "coverage": [f"{row['coverage']:.0%}" for row in rows],
        "BLEU": [f"{row['bleu']:.2f}" for row in rows],
        "chrF": [f"{row['chrf']:.2f}" if "chrf" in row else "–" for row in rows],
    }
    console.print(_table(rows, columns))
    plain(console, "BLEU and chrF from 0 to 100; nothing is executed")
    for signature in dict.fromkeys(row["signature"] for row in rows):
        plain(console, signature)


def print_scores(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """One row a score: counts, coverage, pass@k with its interval in percent, verdicts.

    Where that is too wide, the verdicts stand in a table of their own.
    """
    scores, verdicts = _score_columns(rows), _verdict_columns(rows)
    whole = _table(rows, {**scores, **verdicts})
    unlimited = console.options.update(max_width=10_000)
    if console.measure(whole, options=unlimited).maximum <= console.width:
        console.print(whole)
        return
    console.print(_table(rows, scores))
    console.print()
    console.print(_table(rows, verdicts))


def print_conversion(console: Console, groups: Sequence[Converted], validated: bool) -> None:
    """One row a file and language with its counts, then one a kind of reason."""
    counts = bare_table()
    several = len({group.source for group in groups}) > 1
    for title in [*(["file"] if several else []), "language"]:
        counts.add_column(title, overflow="fold")
    for title in ["converted", "unconvertible", *(["invalid"] if validated else [])]:
        counts.add_column(title, justify="right")
    for group in groups:
        names = [*([group.source] if several else []), group.language]
        numbers = [group.converted, group.unconvertible, *([group.faults] if validated else [])]
        counts.add_row(*(Text(cell) for cell in [*names, *map(str, numbers)]))
    console.print(counts)
    reasons: Counter[str] = sum((group.reasons for group in groups), Counter())
    if reasons:
        table = bare_table()
        table.add_column("unconvertible", justify="right")
        table.add_column("reason", overflow="fold")
        for reason, count in reasons.most_common():
            table.add_row(str(count), Text(reason))
        console.print()
        console.print(table)


def print_rejections(console: Console, rejections: Sequence[Rejection]) -> None:
    """A line for each reason, since most hold in several languages; all are of one problem."""
    by_reason: dict[tuple[int | None, str], list[str]] = {}
    for each in rejections:
        by_reason.setdefault((each.line, each.reason), []).append(each.language)
    for (line, reason), names in by_reason.items():
        where = f", line {line}" if line else ""
        plain(console, f"{rejections[0].task_id} ({', '.join(names)}){where}: {reason}")


def print_demo(console: Console, demo: Demo) -> None:
    """One row a language: how many of each kind of program did what they must, of how many."""
    table = bare_table()
    table.add_column("language", no_wrap=True)
    for title in ("converted", "validated", "right pass", "wrong fail", "stubs fail"):
        table.add_column(title, justify="right")
    table.add_column("verdict")
    for each in demo.languages:
        table.add_row(each.language, *_demo_cells(each))
    console.print(table)
    console.print()
    table = bare_table()
    for title in ("deliberate failure", "expected", "got"):
        table.add_column(title)
    for failure in demo.deliberate:
        style = "green" if failure.as_expected else "bold red"
        table.add_row(failure.name, failure.expected.value, Text(failure.got.value, style))
    console.print(table)


def print_diagnosis(console: Console, found: Diagnosis) -> None:
    """One row a language: whether it works, what its canaries came to, its tools."""
    table = bare_table()
    titles = ("language", "works", "right", "wrong", "exit", "engine")
    for title in (*titles, "toolchain, or what is missing"):
        table.add_column(title)
    for report in found.languages:
        works = Text("yes", "green") if report.available else Text("no", "bold red")
        cells = (_canary_cell(report.canaries.get(name), right) for name, right in CANARIES.items())
        about = Text(report.problem or report.version)
        table.add_row(report.language, works, *cells, report.engine or "–", about)
    console.print(table)
    state = "" if found.isolated else " not available"
    plain(console, f"isolation {found.isolation}{state}: {found.isolation_summary}")


def _canary_cell(verdict: str | None, expected: Verdict) -> Text:
    if verdict is None:
        return Text("–")
    return Text(SHORT[Verdict(verdict)], "" if verdict == expected else "bold red")


def _demo_cells(report: LanguageDemo) -> Iterator[Text]:
    done, total = report.converted
    yield Text(f"{done}/{total}")
    if report.missing:
        yield from [Text("–")] * 4
        yield Text("no tools", "yellow")
        return
    for met, of in (report.validated, *map(report.as_expected_of, ("right", "wrong", "stub"))):
        yield Text(f"{met}/{of}", "" if met == of else "bold red")
    yield Text("ok", "green") if report.as_expected else Text("not ok", "bold red")


def bare_table() -> Table:
    """A table without lines."""
    return Table(box=None, pad_edge=False, header_style="bold")


Columns = dict[str, list[str]]


def _table(rows: Sequence[Mapping[str, Any]], columns: Columns) -> Table:
    table = bare_table()
    names: Columns = {
        "problems": [row["problems"] for row in rows],
        "language": [row["language"] for row in rows],
    }
    if len(set(zip(*names.values(), strict=True))) < len(rows):
        table.add_column("file", overflow="fold")
        names = {"file": [row["file"] for row in rows], **names}
    table.add_column("problems", overflow="fold")
    table.add_column("language", no_wrap=True)
    for title in columns:
        table.add_column(title, justify="right", no_wrap=True)
    for cells in zip(*names.values(), *columns.values(), strict=True):
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _score_columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    keys = {key for row in rows for key in row if _is_score(key)}
    ordered = sorted(keys, key=lambda key: int(key.removeprefix("pass@"))) or ["pass@k"]
    return {
        "tasks": [str(row["n_problems"]) for row in rows],
        "samples": [str(row["n_samples"]) for row in rows],
        "coverage": [f"{row['coverage']:.0%}" for row in rows],
        **{key: [_percent(row, key) for row in rows] for key in ordered},
    }


def _verdict_columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    return {
        title: [str(row["verdicts"][verdict.value]) for row in rows]
        for verdict, title in SHORT.items()
        if any(row["verdicts"][verdict.value] for row in rows)
    }


def _is_score(key: str) -> bool:
    return key.startswith("pass@") and not key.endswith("_ci95")


def _percent(row: Mapping[str, Any], key: str) -> str:
    if key not in row:
        return "withheld" if row["infra_errors"] else "–"
    interval = row.get(f"{key}_ci95")
    bounds = f" [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]" if interval else ""
    return f"{100 * row[key]:.2f}{bounds}"
