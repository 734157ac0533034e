"""One table, written as Markdown, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

from mbxp_metric.report.statistics import Estimate

Cell = str | int | float | Estimate | None
"""A float is a share and shown in percent; None is shown as a dash."""


@dataclass(frozen=True)
class Table:
    """A table with a name for its file and what a reader has to know below it."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    remarks: Sequence[str] = field(default_factory=tuple)


def to_csv(table: Table) -> str:
    """Comma-separated values: shares as they are, an estimate in four columns."""
    wide = [any(isinstance(row[i], Estimate) for row in table.rows) for i in _places(table)]
    header: list[str] = []
    for column, split in zip(table.columns, wide, strict=True):
        parts = ("", "_low", "_high", "_note") if split else ("",)
        header += [column + part for part in parts]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in table.rows:
        values: list[object] = []
        for cell, split in zip(row, wide, strict=True):
            values += _csv_cells(cell, split)
        writer.writerow(["" if value is None else value for value in values])
    return text.getvalue()


def cell_texts(table: Table) -> tuple[list[list[str]], list[str]]:
    """The cells as a reader sees them, and the remarks with the footnotes that cells refer to."""
    notes = _Footnotes()
    rows = [[_text(cell, notes.mark) for cell in row] for row in table.rows]
    footnotes = [f"({letter}) {note}" for note, letter in notes.letters.items()]
    return rows, [*table.remarks, *footnotes]


def to_markdown(table: Table) -> str:
    """A Markdown table under its title, with footnotes."""
    texts, remarks = cell_texts(table)
    rows = [[_markdown(text) for text in row] for row in texts]
    columns = [_markdown(column) for column in table.columns]
    widths = [max(3, *(len(row[i]) for row in [columns, *rows])) for i in _places(table)]
    numeric = _numeric(table)

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        ]
        return f"| {' | '.join(padded)} |"

    rule = [
        "-" * (width - 1) + (":" if right else "-")
        for width, right in zip(widths, numeric, strict=True)
    ]
    lines = [f"## {table.title}", "", line(columns), line(rule), *map(line, rows), ""]
    lines += [f"- {_markdown(remark)}" for remark in remarks]
    return "\n".join(lines).rstrip() + "\n"


def to_latex(table: Table) -> str:
    """A `table` of booktabs, with footnotes below it."""
    texts, remarks = cell_texts(table)
    shape = "".join("r" if right else "l" for right in _numeric(table))
    rows = [[_latex(text) for text in row] for row in texts]
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_latex(table.title)}}}",
        f"\\begin{{tabular}}{{{shape}}}",
        "\\toprule",
        " & ".join(map(_latex, table.columns)) + " \\\\",
        "\\midrule",
        *(" & ".join(row) + " \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        *(f"\\par\\footnotesize {_latex(remark)}" for remark in remarks),
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


FORMATS: Mapping[str, Callable[[Table], str]] = {
    "md": to_markdown,
    "csv": to_csv,
    "tex": to_latex,
}
"""By the suffix of the file."""


class _Footnotes:
    """Letters for notes, the same for the same note."""

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}

    def mark(self, note: str) -> str:
        if note not in self.letters:
            high, low = divmod(len(self.letters), len(ascii_lowercase))
            self.letters[note] = (ascii_lowercase[high - 1] if high else "") + ascii_lowercase[low]
        return f" ({self.letters[note]})"


def _places(table: Table) -> range:
    return range(len(table.columns))


def _numeric(table: Table) -> list[bool]:
    return [
        bool(table.rows) and not any(isinstance(row[i], str) for row in table.rows)
        for i in _places(table)
    ]


def _text(cell: Cell, mark: Callable[[str], str]) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{100 * cell:.1f}"
    if not isinstance(cell, Estimate):
        return str(cell)
    note = mark(cell.note) if cell.note else ""
    if cell.value is None:
        return f"withheld{note}" if cell.note.startswith("withheld") else f"–{note}"
    text = f"{100 * cell.value:.1f}"
    if cell.low is not None and cell.high is not None:
        text += f" [{100 * cell.low:.1f}, {100 * cell.high:.1f}]"
    return text + note


def _csv_cells(cell: Cell, split: bool) -> list[object]:
    if isinstance(cell, Estimate):
        return [cell.value, cell.low, cell.high, cell.note]
    # A spreadsheet takes a text that begins so for a formula.
    if isinstance(cell, str) and cell[:1] in ("=", "+", "@", "\t"):
        cell = "'" + cell
    return [cell, None, None, None] if split else [cell]


def _markdown(text: str) -> str:
    flat = " ".join(text.split())
    return re.sub(r"[\\|`*_<]", lambda sign: "\\" + sign[0], flat)


_LATEX = {
    "\\": r"\textbackslash{}",
    "–": "--",
    "−": "$-$",
    "×": r"$\times$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in " ".join(text.split()))
