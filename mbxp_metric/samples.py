"""Sample files: JSONL rows (gzipped or not) or one JSON list of lists."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from mbxp_metric.execution import LANGUAGES

GENERATION = "generation.json"
"""What `mbxp generate` writes beside its samples."""
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_SHAPE = 'an object {"task_id", "completion", "completions" or "answer", "language"}'
_TEXTS = ("completion", "completions", "answer")


class SampleFormatError(ValueError):
    """A sample file that cannot be used; the message names the file and the line."""


@dataclass(frozen=True)
class SampleRow:
    """One row of a sample file: one or more completions of one problem."""

    where: str
    """File and line, for messages."""
    position: int
    """Number of the row in its file, from 0."""
    task_id: str | None
    """None in a list of lists, where the position tells the problem."""
    language: str | None
    completions: tuple[str, ...]
    is_answer: bool = False
    """Whether they are a chat model's whole answers, and not what follows the prompt."""


def read_samples(path: str | os.PathLike[str]) -> Iterator[SampleRow]:
    """Yield the rows of a sample file, one at a time; completions are left as they are.

    Raises:
        SampleFormatError: (while iterating) a row cannot be used.
        OSError: the file cannot be read.
    """
    name = os.fspath(path)
    number = 0
    try:
        with _open(path) as file:
            if _first_character(file) == b"[":
                yield from _list_rows(name, file)
                return
            position = 0
            for number, line in enumerate(file, 1):
                line = line.removeprefix(_BOM) if number == 1 else line
                if line.strip():
                    yield _row(f"{name}:{number}", position, _parse(f"{name}:{number}", line))
                    position += 1
    except (EOFError, gzip.BadGzipFile) as error:
        raise SampleFormatError(f"{name}:{number}: the gzip data are damaged ({error})") from None


def generation_settings(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """How the samples of a file were generated: `generation.json` beside it, None without one.

    Raises:
        SampleFormatError: that is not a JSON object.
        OSError: it cannot be read.
    """
    beside = Path(path).with_name(GENERATION)
    if not beside.is_file():
        return None
    settings = _parse(f"{beside}", beside.read_bytes())
    if not isinstance(settings, dict):
        raise SampleFormatError(f"{beside}: an object is expected, not {_kind(settings)}")
    return settings


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    with open(path, "rb") as file:
        zipped = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    return cast("IO[bytes]", gzip.open(path, "rb")) if zipped else open(path, "rb")


def _first_character(file: IO[bytes]) -> bytes:
    start = file.read(4096).removeprefix(_BOM).lstrip()
    file.seek(0)
    return start[:1]


def _parse(where: str, text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SampleFormatError(f"{where}: not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise SampleFormatError(f"{where}: not JSON ({error.msg}, column {error.colno})") from None
    except RecursionError:
        raise SampleFormatError(f"{where}: JSON nested too deeply") from None


def _list_rows(name: str, file: IO[bytes]) -> Iterator[SampleRow]:
    rows = _parse(name, file.read().removeprefix(_BOM))
    for position, row in enumerate(rows):
        where = f"{name}: entry {position + 1}"
        if isinstance(row, dict):
            yield _row(where, position, row)
        elif isinstance(row, list):
            yield SampleRow(where, position, None, None, _completions(where, "the entry", row))
        else:
            raise SampleFormatError(
                f"{where}: a list of completions or {_SHAPE} is expected, not {_kind(row)}"
            )


def _row(where: str, position: int, row: Any) -> SampleRow:
    if not isinstance(row, dict):
        raise SampleFormatError(f"{where}: {_SHAPE} is expected, not {_kind(row)}")
    task_id = row.get("task_id")
    if not isinstance(task_id, str):
        raise SampleFormatError(f"{where}: {_fault(row, 'task_id', 'a string')}")
    language = row.get("language")
    if language is not None:
        if not isinstance(language, str):
            raise SampleFormatError(f"{where}: {_fault(row, 'language', 'a string')}")
        language = language.lower()
        if language not in LANGUAGES:
            raise SampleFormatError(
                f"{where}: field 'language' is {row['language']!r}, not one of "
                f"{', '.join(LANGUAGES)}"
            )
    given = [name for name in _TEXTS if name in row]
    if len(given) > 1:
        raise SampleFormatError(f"{where}: both {given[0]!r} and {given[1]!r} are given")
    if "completions" in row:
        if not isinstance(row["completions"], list):
            raise SampleFormatError(f"{where}: {_fault(row, 'completions', 'a list of strings')}")
        completions = _completions(where, "field 'completions'", row["completions"])
    else:
        name = given[0] if given else "completion"
        if not isinstance(row.get(name), str):
            raise SampleFormatError(f"{where}: {_fault(row, name, 'a string')}")
        completions = (row[name],)
    return SampleRow(where, position, task_id, language, completions, "answer" in row)


def _completions(where: str, what: str, values: list[Any]) -> tuple[str, ...]:
    for number, value in enumerate(values, 1):
        if not isinstance(value, str):
            raise SampleFormatError(
                f"{where}: {what} holds {_kind(value)} as completion {number}, not a string"
            )
    return tuple(values)


def _fault(row: dict[str, Any], name: str, wanted: str) -> str:
    if name not in row:
        return f"field {name!r} is missing"
    return f"field {name!r} is {_kind(row[name])}, not {wanted}"


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")
