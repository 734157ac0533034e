"""Verdicts that are known already: equal programs execute once, in one run and across runs."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sqlite3
from pathlib import Path

from mbxp_datasets import __version__
from mbxp_metric.execution.cache import cache_root
from mbxp_metric.execution.job import Job, Result, Settings
from mbxp_metric.execution.verdict import Verdict

_NEVER_REUSED = (Verdict.TIMEOUT, Verdict.INFRA_ERROR)
"""Another try may come to something else."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS verdicts (key BLOB PRIMARY KEY, result TEXT) WITHOUT ROWID"
_BUSY_SECONDS = 30.0


class VerdictStore:
    """Results by program, toolchain, settings and version of this package, in one file.

    `path` is by default what `MBXP_VERDICTS` names, or a file in the cache.

    A store that cannot be read or written knows nothing and forgets everything: it is there to
    save work, not to stop it.
    """

    def __init__(self, settings: Settings, path: Path | None = None) -> None:
        self._context = json.dumps([settings.fingerprint(), __version__], sort_keys=True)
        self._database: sqlite3.Connection | None = None
        path = path or Path(os.environ.get("MBXP_VERDICTS") or cache_root() / "verdicts.sqlite")
        with contextlib.suppress(OSError, sqlite3.Error):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute(_SCHEMA)

    def key(self, job: Job, toolchain: str) -> bytes:
        """What the verdict on a job depends on; `toolchain` is its version."""
        text = json.dumps([job.digest, toolchain, self._context])
        return hashlib.blake2b(text.encode(), digest_size=20).digest()

    def get(self, key: bytes, job: Job) -> Result | None:
        """The result of an equal program, as that of this job."""
        if self._database is None:
            return None
        try:
            row = self._database.execute(
                "SELECT result FROM verdicts WHERE key = ?", (key,)
            ).fetchone()
        except sqlite3.Error:
            return None
        return as_result_of(job, Result.from_json(json.loads(row[0]))) if row else None

    def put(self, key: bytes, result: Result) -> None:
        """Keep a result, if it would be the same again."""
        if self._database is None or not is_reusable(result):
            return
        with contextlib.suppress(sqlite3.Error):
            self._database.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (key, json.dumps(result.to_json()))
            )

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._database.close()


def is_reusable(result: Result) -> bool:
    """Whether an equal program would come to the same."""
    return result.verdict not in _NEVER_REUSED


def as_result_of(job: Job, result: Result) -> Result:
    """The result of one program as that of another job with the same program."""
    return dataclasses.replace(
        result,
        index=job.index,
        task_id=job.task_id,
        language=job.language,
        sample=job.sample,
        digest=job.digest,
        times={},
        reused=True,
    )
