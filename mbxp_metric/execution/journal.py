"""An append-only file of results: a run that was killed goes on where it stopped."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any, BinaryIO

from mbxp_metric.execution.job import Job, Result
from mbxp_metric.execution.verdict import Verdict


class JournalMismatch(ValueError):
    """The journal belongs to a run with other settings, or is in use."""


class Journal:
    """Results on disk, found by task, language, sample number and exact text.

    Only an index of offsets is held in memory. Open it with `Journal.open`.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._offsets: dict[bytes, int] = {}

    @classmethod
    def open(cls, path: str | os.PathLike[str], fingerprint: dict[str, Any]) -> Journal:
        """Create a journal or continue one.

        Raises:
            JournalMismatch: the file records another fingerprint, is no journal, or another
                process is writing it.
        """
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b")
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise JournalMismatch(f"{path}: in use by another run") from None
            journal = cls(path, file)
            journal._load(fingerprint)
        except BaseException:
            file.close()
            raise
        return journal

    def _load(self, fingerprint: dict[str, Any]) -> None:
        header = json.loads(json.dumps({"mbxp_journal": 1, "settings": fingerprint}))
        self._file.seek(0)
        first = self._file.readline()
        if not first.endswith(b"\n"):  # new, or killed while writing its first line
            self._file.truncate(0)
            self._write(header)
            return
        found = _parse(first)
        if "mbxp_journal" not in found:
            raise JournalMismatch(f"{self.path}: not a journal of mbxp; choose another --out")
        if found != header:
            old, new = found.get("settings", {}), header["settings"]
            names = sorted(n for n in {*old, *new} if old.get(n) != new.get(n))
            what = ", ".join(f"{n} was {old.get(n)!r}, is {new.get(n)!r}" for n in names)
            raise JournalMismatch(
                f"{self.path}: made with other settings ({what}); choose another --out or delete it"
            )
        offset = self._file.tell()
        for line in self._file:
            row = _parse(line) if line.endswith(b"\n") else {}
            if not row:  # torn by a kill: what follows was never finished
                self._file.truncate(offset)
                break
            self._index(row, offset)
            offset += len(line)

    def _index(self, row: dict[str, Any], offset: int) -> None:
        if row["verdict"] != Verdict.INFRA_ERROR.value:
            key = _key(row["task_id"], row["language"], row["sample"], row["digest"])
            self._offsets[key] = offset

    def _write(self, row: dict[str, Any]) -> int:
        """Append one row and return where it begins."""
        # One unbuffered write: a kill can tear only the last line.
        line = json.dumps(row, ensure_ascii=True).encode() + b"\n"
        offset = self._file.seek(0, os.SEEK_END)
        self._file.write(line)
        self._file.flush()
        return offset

    def __len__(self) -> int:
        return len(self._offsets)

    def get(self, job: Job) -> Result | None:
        """The recorded result of exactly this job; an `INFRA_ERROR` is never recorded as one."""
        offset = self._offsets.get(_key(job.task_id, job.language, job.sample, job.digest))
        if offset is None:
            return None
        self._file.seek(offset)
        result = Result.from_json(json.loads(self._file.readline()))
        result.index = job.index
        return result

    def append(self, result: Result) -> None:
        """Record one result; it survives a kill right after."""
        row = result.to_json()
        self._index(row, self._write(row))

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _key(*parts: object) -> bytes:
    return hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=16).digest()


def _parse(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
