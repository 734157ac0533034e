"""The HTML page: one file with everything in it, of which little is read before it is asked for.

The texts of samples are packed in blocks (JSON, gzip, base64) inside script elements of a type
that no browser runs; `templates/data.js` unpacks one when it is needed. A content security
policy allows the page's own script by its hash and nothing else, so that what a model wrote
could not run even if it were taken for markup.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import IO, Any

from mbxp_datasets import (
    ProblemFormatError,
    UnknownConfigError,
    __version__,
)
from mbxp_datasets.download import ReleaseError
from mbxp_metric.problem_sets import HUMAN_EVAL, human_eval_set, named_set
from mbxp_metric.report.checks import notes
from mbxp_metric.report.rendering import Table, cell_texts
from mbxp_metric.report.results import LETTERS, PROBLEMS_FILE, Score, Texts, problem_rows
from mbxp_metric.report.statistics import verdict_counts
from mbxp_metric.report.tables import languages_of
from mbxp_metric.writing import replacing

_BLOCK_CHARACTERS = 400_000
_STYLES = ("page.css",)
_SCRIPTS = ("data.js", "highlight.js", "list.js", "overview.js", "browse.js", "app.js")
_COLUMNS = ("completion", "answer", "stdout", "stderr", "stage", "exit_code", "signal", "detail")
_FLAGS = ("truncated", "stdout_truncated", "stderr_truncated")

ProblemTexts = Mapping[tuple[str, str], Mapping[str, Any]]


def write_page(
    path: str | os.PathLike[str],
    scores: Sequence[Score],
    tables: Sequence[Table] = (),
    plots: Sequence[tuple[str, bytes]] = (),
    data_dir: str | os.PathLike[str] | None = None,
) -> list[str]:
    """Write the page and return a line for each problem set whose prompts could not be had.

    `plots` are titles and SVG images. Prompts come from problems.jsonl beside the results, else
    from the file, package or release (in `data_dir`) that the results name.

    Raises:
        OSError: it cannot be written, or results cannot be read.
    """
    lines: list[str] = []
    with replacing(path) as file:
        head, tail = _template("page.html").split("<!-- data -->")
        file.write(_filled(head, scores, tables, bool(plots)))
        if plots:
            shown = [{"title": title, "svg": svg.decode("utf-8")} for title, svg in plots]
            _write_block(file, "plots", shown)
        _write_samples(file, scores, data_dir, lines)
        file.write(tail)
    return list(dict.fromkeys(lines))


def _filled(
    template: str, scores: Sequence[Score], tables: Sequence[Table], has_plots: bool
) -> str:
    script = "".join(f"\n{_template(name)}" for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    values = {
        "<!-- style -->": "".join(map(_template, _STYLES)),
        "<!-- script -->": script,
        "<!-- hash -->": f"sha256-{digest}",
        "<!-- meta -->": _inert(_meta(scores, tables, has_plots)),
    }
    for mark, value in values.items():
        template = template.replace(mark, value, 1)
    return template


def _meta(scores: Sequence[Score], tables: Sequence[Table], has_plots: bool) -> dict[str, Any]:
    return {
        "version": __version__,
        "verdicts": {letter: verdict.value for verdict, letter in LETTERS.items()},
        "languages": languages_of(scores),
        "plots": has_plots,
        "scores": [
            {
                "model": score.model,
                "setting": score.setting,
                "benchmark": score.benchmark,
                "problems": score.problems,
                "language": score.language,
                "pass": {
                    k: [score.row.get(f"pass@{k}"), *(score.row.get(f"pass@{k}_ci95") or ())]
                    for k in score.ks
                },
                "n_problems": score.row["n_problems"],
                "n_samples": score.row["n_samples"],
                "coverage": score.coverage,
                "withheld": score.withheld,
                "counts": verdict_counts(score.outcomes),
                "signature": score.row.get("signature", ""),
                "notes": notes(score, scores),
            }
            for score in scores
        ],
        "tables": [
            {
                "title": table.title,
                "columns": list(table.columns),
                "rows": cell_texts(table)[0],
                "remarks": cell_texts(table)[1],
            }
            for table in tables
        ],
    }


def _write_samples(
    file: IO[str],
    scores: Sequence[Score],
    data_dir: str | os.PathLike[str] | None,
    lines: list[str],
) -> None:
    texts: tuple[Path, Texts] | None = None
    known: dict[tuple[Path, str], ProblemTexts] = {}
    number = 0
    for place, score in enumerate(scores):
        if texts is None or texts[0] != score.directory:
            if texts is not None:
                texts[1].close()
            texts = score.directory, Texts(score.directory)
        key = score.directory, score.problems
        if key not in known:
            known[key] = problem_texts(score, data_dir)
        if not known[key]:
            lines.append(
                f"the page has no prompts of {score.problems}: score again, so that "
                f"{PROBLEMS_FILE} is written, or name their place by --data-dir"
            )
        tasks = []
        for block in _blocks(score, known[key], texts[1]):
            for position, (task_id, row) in enumerate(block):
                outcome = score.outcomes[task_id]
                tasks.append([task_id, row["entry"], outcome, number, position])
            _write_block(file, f"b{number}", [row for _, row in block])
            number += 1
        _write_block(file, f"s{place}", tasks)
    if texts is not None:
        texts[1].close()


def problem_texts(score: Score, data_dir: str | os.PathLike[str] | None) -> ProblemTexts:
    """The problems of a score by language and task id; empty where they cannot be had here.

    They are those of problems.jsonl beside the results, or of another place if its revision is
    the one that the signature names.
    """
    beside = problem_rows(score.directory)
    if beside:
        return beside
    try:
        if score.problems == HUMAN_EVAL:
            found = human_eval_set()
        elif Path(score.problems).is_file() or data_dir or os.environ.get("MBXP_DATA_DIR"):
            found = named_set(score.problems, data_dir=data_dir)
        else:
            return {}
    except (OSError, ImportError, ReleaseError, ProblemFormatError, UnknownConfigError):
        return {}
    return found.problems if found.revision == score.signature.get("data") else {}


def _blocks(
    score: Score, problems: ProblemTexts, texts: Texts
) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The problems of a score with their samples, in parts of about one size."""
    block: list[tuple[str, dict[str, Any]]] = []
    size = 0
    for task_id, offsets in score.offsets.items():
        row = _problem_row(problems.get((score.language, task_id)))
        row["samples"] = [_sample_row(texts.get(offset)) for offset in offsets]
        block.append((task_id, row))
        size += sum(len(text) for text in _strings(row))
        if size >= _BLOCK_CHARACTERS:
            yield block
            block, size = [], 0
    if block:
        yield block


def _problem_row(problem: Mapping[str, Any] | None) -> dict[str, Any]:
    if problem is None:
        return {"entry": ""}
    return {
        "entry": problem.get("entry_point") or "",
        "prompt": problem.get("prompt"),
        "right": problem.get("right_context"),
        "test": problem.get("test"),
        "solution": problem.get("canonical_solution"),
    }


def _sample_row(row: Mapping[str, Any]) -> list[Any]:
    times = row.get("times") or {}
    flags = "".join("1" if row.get(name) else "0" for name in _FLAGS)
    return [*(row.get(name) for name in _COLUMNS), times, flags]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, Iterable):
        for each in value:
            yield from _strings(each)


def _write_block(file: IO[str], name: str, value: Any) -> None:
    # mtime 0: the same results give the same page.
    packed = gzip.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), 6, mtime=0)
    text = base64.b64encode(packed).decode("ascii")
    file.write(f'<script type="application/octet-stream" id="{name}">{text}</script>\n')


def _inert(value: Any) -> str:
    """JSON that is no markup, whatever texts it holds."""
    text = json.dumps(value, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _template(name: str) -> str:
    folder = resources.files("mbxp_metric.report").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")
