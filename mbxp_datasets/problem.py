"""The Problem row: its fields, its `datasets` features, JSONL in and out."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict, cast

if TYPE_CHECKING:
    from datasets import Features

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


class Problem(TypedDict):
    """One row of a benchmark, in the release's own fields and one fixed order."""

    task_id: str
    language: str
    prompt: str
    test: str
    entry_point: str
    canonical_solution: str | None
    description: str


FIELDS = tuple(Problem.__annotations__)
_DEFAULTS = {"canonical_solution": None, "description": ""}


class ProblemFormatError(ValueError):
    """A problem file that cannot be read; the message names the file and the line."""


def features() -> Features:
    """The columns of every config; declared, so that an all-null column is still a string."""
    from datasets import Features, Value

    return Features({name: Value("string") for name in FIELDS})


def read_problems(path: str | os.PathLike[str], language: str | None = None) -> Iterator[Problem]:
    """Yield the rows of a JSONL file, gzipped or not, one at a time and unchanged.

    `canonical_solution` and `description` may be missing; other fields are left out.

    Raises:
        ProblemFormatError: a line is not UTF-8 or not a JSON object, lacks a field, has one
            of another type or with a lone surrogate, repeats a task id in one language, or
            is of a language other than `language`.
        OSError: the file cannot be read.
    """
    first_line: dict[tuple[str, str], int] = {}
    for number, row in read_rows(path):
        where = f"{os.fspath(path)}, line {number}"
        problem = _problem(row, where)
        if language is not None and problem["language"] != language:
            raise ProblemFormatError(
                f"{where}: the language is {problem['language']!r}, but {language!r} is expected"
            )
        key = problem["language"], problem["task_id"]
        if key in first_line:
            raise ProblemFormatError(
                f"{where}: task_id {key[1]!r} is already on line {first_line[key]}"
            )
        first_line[key] = number
        yield problem


def write_problems(path: str | os.PathLike[str], problems: Iterable[Problem]) -> None:
    """Write rows as JSONL in the release's form: ASCII-escaped, one object a line."""
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for problem in problems:
            file.write(json.dumps(problem) + "\n")


def content_sha256(paths: Iterable[str | os.PathLike[str]]) -> str:
    """SHA-256 of the files' bytes, one after the other, each with its length before it."""
    digest = hashlib.sha256()
    for path in paths:
        content = Path(path).read_bytes()
        digest.update(b"%d\n" % len(content))
        digest.update(content)
    return digest.hexdigest()


def file_revision(*paths: str | os.PathLike[str]) -> str:
    """How a signature names problems from files: `local:` and twelve hex digits of content."""
    return "local:" + content_sha256(paths)[:12]


def count_rows(path: str | os.PathLike[str]) -> int:
    """The number of lines with content."""
    with open_file(path) as file:
        return sum(1 for line in file if line.strip())


def open_file(path: str | os.PathLike[str]) -> IO[bytes]:
    """The bytes of a file, gzipped or not."""
    # By content, not by name: a downloaded file has no suffix.
    with open(path, "rb") as file:
        zipped = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    return cast("IO[bytes]", gzip.open(path, "rb")) if zipped else open(path, "rb")


def read_rows(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Yield the values of a JSONL file, gzipped or not, each with its line.

    Raises:
        ProblemFormatError: a line is not UTF-8 or not JSON, or the compressed data are damaged.
        OSError: the file cannot be read.
    """
    number = 0
    try:
        with open_file(path) as file:
            for number, line in enumerate(file, 1):
                line = line.removeprefix(_BOM) if number == 1 else line
                if line.strip():
                    yield number, json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ProblemFormatError(f"{path}, line {number}: not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise ProblemFormatError(
            f"{path}, line {number}: not JSON ({error.msg} at column {error.colno})"
        ) from None
    except RecursionError:
        raise ProblemFormatError(f"{path}, line {number}: JSON nested too deeply") from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise ProblemFormatError(
            f"{path}, after line {number}: the gzip data are damaged ({error})"
        ) from None


def _problem(row: Any, where: str) -> Problem:
    if not isinstance(row, dict):
        raise ProblemFormatError(f"{where}: a JSON object is expected, not {json_type(row)}")
    problem: dict[str, str | None] = {}
    for name in FIELDS:
        if name not in row and name not in _DEFAULTS:
            raise ProblemFormatError(f"{where}: field {name!r} is missing")
        value = row.get(name, _DEFAULTS.get(name))
        nullable = name in _DEFAULTS and _DEFAULTS[name] is None
        if not isinstance(value, str) and not (value is None and nullable):
            wanted = "a string or null" if nullable else "a string"
            raise ProblemFormatError(f"{where}: field {name!r} is {json_type(value)}, not {wanted}")
        if isinstance(value, str) and not _encodable(value):
            raise ProblemFormatError(f"{where}: field {name!r} holds a lone surrogate")
        problem[name] = value
    return cast("Problem", problem)


def json_type(value: Any) -> str:
    """What a value is called in JSON, for messages."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
