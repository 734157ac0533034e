"""What the leaderboard shows: submissions in a folder or a Hub dataset, and their scores."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from mbxp_metric.publishing.checks import (
    About,
    UnfitResultsError,
    check,
    config_of,
    read_scores,
    signature_fields,
    values,
)

LARGEST = 5_000_000
"""Bytes of a file that is looked at."""
SIZES: dict[str, tuple[float, float]] = {
    "below 1 B": (0, 1e9),
    "1 to 8 B": (1e9, 8e9),
    "8 to 40 B": (8e9, 40e9),
    "40 B and more": (40e9, float("inf")),
}
"""Numbers of parameters that can be chosen: from, and below."""


@dataclass(frozen=True)
class Score:
    """pass@k of one model for one config: one line of the table."""

    model: str
    revision: str
    parameters: int | None
    benchmark: str
    config: str
    language: str
    k: int
    value: float
    low: float | None
    high: float | None
    n: str
    """Samples of each problem."""
    mode: str
    date: str
    url: str | None
    signature: str
    sample: bool
    """Made up by `samples.py`."""


@dataclass(frozen=True)
class Board:
    """All submissions, and why files are left out."""

    scores: tuple[Score, ...]
    faults: tuple[str, ...]

    def models(self) -> list[str]:
        return sorted({score.model for score in self.scores})

    def choices(self, name: str) -> list[Any]:
        """The values that a column has."""
        return sorted({getattr(score, name) for score in self.scores})

    def chosen(self, size: str | None = None, **columns: Any) -> list[Score]:
        """The scores with these values, the best first; None stands for any."""
        low, high = SIZES[size] if size else (0, float("inf"))
        found = [
            score
            for score in self.scores
            if all(
                value is None or getattr(score, name) == value for name, value in columns.items()
            )
            and (not size or (score.parameters is not None and low <= score.parameters < high))
        ]
        return sorted(found, key=lambda score: (-score.value, score.model, score.config))


def read_board(folder: Path) -> Board:
    """Every submission of a folder that keeps the rules.

    Raises:
        OSError: the folder cannot be read.
    """
    scores: list[Score] = []
    faults = []
    for path in sorted(folder.glob("*.json")):
        try:
            scores += _scores(_document(path), path.name)
        except (OSError, UnfitResultsError) as error:
            faults.append(str(error))
    return Board(tuple(scores), tuple(faults))


def submission(scores: Path, about: About, board: Board) -> tuple[str, bytes]:
    """The name and content of a new submission's file.

    Args:
        scores: what `mbxp score -o` wrote: scores.json.
        about: of the model; it needs a revision.
        board: what is there already.

    Raises:
        OSError: the file cannot be read.
        UnfitResultsError: it breaks a rule; all reasons are in it.
    """
    document = _document(scores)
    if "about" in document:
        raise UnfitResultsError("file", ["is no scores.json of `mbxp score -o`"])
    rows = check(document, about, "file")
    faults = [] if about.revision else ["revision: the commit of the model has to be named"]
    known = {(score.model, score.revision, score.signature) for score in board.scores}
    faults += [
        f"{row['problems']}: this score of this model is here already"
        for row in rows
        if (about.model, about.revision, row["signature"]) in known
    ]
    if faults:
        raise UnfitResultsError("file", faults)
    kept = {
        name: document[name] for name in ("version", "isolation", "generation") if name in document
    }
    content = json.dumps({"about": asdict(about), **kept, "scores": rows}, indent=1).encode()
    digest = hashlib.sha256(content).hexdigest()[:8]
    return f"{about.model.replace('/', '__')}-{digest}.json", content


def keep_in_folder(folder: Path) -> Callable[[str, bytes], str]:
    """A way to keep submissions: as files of a folder, each whole or not at all."""

    def keep(name: str, content: bytes) -> str:
        temporary = folder / f".{name}.new"
        temporary.write_bytes(content)
        os.replace(temporary, folder / name)
        return "It is on the board."

    return keep


def keep_on_hub(repo: str) -> Callable[[str, bytes], str]:
    """A way to keep submissions: as pull requests to a dataset of the Hub."""

    def keep(name: str, content: bytes) -> str:
        from mbxp_metric.publishing.hub import repository, send

        found = repository(repo, "dataset", must_exist=True)
        sent = send(found, {name: content}, f"Submit {name}", pull_request=True)
        return f"It is proposed: {sent.url}"

    return keep


def _document(path: Path) -> dict[str, Any]:
    if path.stat().st_size > LARGEST:
        raise UnfitResultsError(path.name, [f"is larger than {LARGEST} bytes"])
    return read_scores(path)


def _scores(document: dict[str, Any], where: str) -> list[Score]:
    given = document.get("about")
    names = {field.name for field in fields(About)}
    if not isinstance(given, dict) or not set(given) <= names or "model" not in given:
        raise UnfitResultsError(where, ["about: does not say whose results they are"])
    about = About(**given)
    found = []
    for row in check(document, about, where):
        config, told = config_of(row["problems"]), signature_fields(row["signature"])
        for k, value in sorted(values(row).items()):
            low, high = row.get(f"pass@{k}_ci95") or (None, None)
            found.append(
                Score(
                    model=about.model,
                    revision=about.revision or "",
                    parameters=about.parameters,
                    benchmark=config.benchmark,
                    config=config.name,
                    language=config.language,
                    k=k,
                    value=float(value),
                    low=low,
                    high=high,
                    n=told["n"],
                    mode=told["mode"],
                    date=(about.date or "")[:10],
                    url=about.url,
                    signature=re.sub(r"[^\x20-\x7e]|[`<>]", "?", row["signature"]),
                    sample=document.get("sample") is True,
                )
            )
    return found
