"""A directory of samples: only added to, by one process or several, and continued after a kill.

`samples.jsonl` holds the samples and `generation.json` what they were generated with. The main
process appends to the former; every other one to a file of its own, which the main process
merges when all are done, or when the next run begins.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from mbxp_metric.generation.settings import GenerationError
from mbxp_metric.writing import replacing

SAMPLES = "samples.jsonl"
GENERATION = "generation.json"
PARTS = "samples.rank*.jsonl"

Key = tuple[str, str, int]
"""Language, task id and number within the problem."""
Row = dict[str, Any]


def key_of(row: Mapping[str, Any]) -> Key:
    """What a sample is known by."""
    return str(row["language"]), str(row["task_id"]), int(row["sample"])


class SampleStore:
    """The samples of a directory, as the main process sees it. Open it with `open`."""

    def __init__(self, directory: Path, lock: int, file: BinaryIO) -> None:
        self.directory = directory
        self._lock = lock
        self._file = file
        self._offsets: dict[Key, int] = {}

    @classmethod
    def open(
        cls,
        directory: str | os.PathLike[str],
        settings: Mapping[str, Any],
        configs: Mapping[str, Mapping[str, Any]],
        about: Mapping[str, Any],
    ) -> SampleStore:
        """Begin a directory or continue one; what other processes left is merged.

        Args:
            settings: What all samples share, such as the model and its revision; JSON values.
            configs: By name, what is known of the problems; configs may be added later, but
                what is said of one must not change, and no two may have equal `problems`.
            about: What may differ from run to run, such as `n` and versions; the last counts.

        Raises:
            GenerationError: the directory was made with other settings, holds samples from
                elsewhere, or is being written by another run.
            OSError: it cannot be read or written.
        """
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        lock = _locked(directory)
        try:
            _check_and_write(directory, settings, configs, about)
            file = open(directory / SAMPLES, "a+b")
        except BaseException:
            os.close(lock)
            raise
        store = cls(directory, lock, file)
        try:
            _index(file, store._offsets, mend=True)
            store._merge_parts()
        except BaseException:
            store.close()
            raise
        return store

    def __contains__(self, key: object) -> bool:
        return key in self._offsets

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def keys(self) -> set[Key]:
        """What is there already."""
        return set(self._offsets)

    def rows(self) -> Iterator[Row]:
        """The samples, in the order of the file."""
        for offset in self._offsets.values():
            yield json.loads(self._line(offset))

    def row(self, key: Key) -> Row:
        """The sample of that key.

        Raises:
            KeyError: there is none.
        """
        found: Row = json.loads(self._line(self._offsets[key]))
        return found

    def append(self, row: Row) -> None:
        """Add one sample, unless it is there; it survives a kill right after."""
        key = key_of(row)
        if key not in self._offsets:
            self._offsets[key] = _append(self._file, row)

    def finish(self, order: Iterable[Key]) -> None:
        """Merge what the other processes wrote, and bring all samples into one order.

        Call it when no other process is writing. Samples that `order` does not name follow
        those that it names, by their keys.
        """
        self._merge_parts()
        wanted = [key for key in dict.fromkeys(order) if key in self._offsets]
        named = set(wanted)
        wanted += sorted(key for key in self._offsets if key not in named)
        if wanted == list(self._offsets):
            return
        with replacing(self.directory / SAMPLES) as new:
            for key in wanted:
                new.write(self._line(self._offsets[key]).decode("ascii"))
        self._file.close()
        self._file = open(self.directory / SAMPLES, "a+b")
        self._offsets.clear()
        _index(self._file, self._offsets, mend=True)

    def _line(self, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.readline()

    def _merge_parts(self) -> None:
        for path in sorted(self.directory.glob(PARTS)):
            with open(path, "rb") as part:
                try:
                    fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise GenerationError(
                        f"{path}: still written by a process of an earlier run; end it first"
                    ) from None
                offsets: dict[Key, int] = {}
                _index(part, offsets, mend=False)
                for offset in offsets.values():
                    part.seek(offset)
                    self.append(json.loads(part.readline()))
            # Only after all of it is in the other file: a kill between leaves it twice, which
            # the keys tell.
            os.fsync(self._file.fileno())
            path.unlink()

    def close(self) -> None:
        self._file.close()
        os.close(self._lock)

    def __enter__(self) -> SampleStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PartStore:
    """Where a process that is not the main one writes; `SampleStore` merges it.

    Open it after the main process has opened the directory.
    """

    def __init__(self, directory: str | os.PathLike[str], rank: int) -> None:
        self.path = Path(directory) / PARTS.replace("*", f"{rank:05}")
        self._file = open(self.path, "a+b")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def append(self, row: Row) -> None:
        """Add one sample; it survives a kill right after."""
        _append(self._file, row)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> PartStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(directory: Path) -> int:
    lock = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise GenerationError(
            f"{directory}: another run is writing there; choose another -o"
        ) from None
    return lock


def _check_and_write(
    directory: Path,
    settings: Mapping[str, Any],
    configs: Mapping[str, Mapping[str, Any]],
    about: Mapping[str, Any],
) -> None:
    path = directory / GENERATION
    new = json.loads(json.dumps({**settings, "configs": configs, **about}))
    begun = any(each.stat().st_size for each in directory.glob("samples*.jsonl"))
    # Without a sample there is nothing to mix up: the last run may have had a wrong model.
    if path.exists() and begun:
        old = _read(path)
        names = [name for name in settings if old.get(name) != new[name]]
        differences = [(name, old.get(name), new[name]) for name in names]
        for name, config in new["configs"].items():
            there = old.get("configs", {}).get(name, config)
            differences += [
                (f"{key} of {name}", there.get(key), config.get(key))
                for key in sorted({*there, *config})
                if there.get(key) != config.get(key)
            ]
            for other, its in old.get("configs", {}).items():
                if other != name and its.get("problems") == config.get("problems"):
                    raise GenerationError(
                        f"{path}: {other} is there, with the tasks of {name}; choose another -o"
                    )
        if differences:
            what = ", ".join(f"{name} was {was!r}, is {now!r}" for name, was, now in differences)
            raise GenerationError(f"{path}: made with other settings ({what}); choose another -o")
        new["configs"] = {**old.get("configs", {}), **new["configs"]}
        if "n" in new:
            new["n"] = max(new["n"], old.get("n", 0))
    elif begun:
        raise GenerationError(
            f"{directory / SAMPLES}: there is no {GENERATION} beside it that says what these "
            "samples are; choose another -o"
        )
    with replacing(path) as file:
        file.write(json.dumps(new, indent=1) + "\n")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise GenerationError(f"{path}: not JSON ({error}); choose another -o") from None
    if not isinstance(found, dict):
        raise GenerationError(f"{path}: not an object; choose another -o")
    return found


def _append(file: BinaryIO, row: Row) -> int:
    """Write one line at the end, and return where it begins."""
    # One write: a kill can tear only the last line. ASCII, so that a lone surrogate is no error.
    line = json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n"
    offset = file.seek(0, os.SEEK_END)
    file.write(line)
    file.flush()
    return offset


def _index(file: BinaryIO, offsets: dict[Key, int], mend: bool) -> None:
    """Find the samples of a file; a torn last line is left out, and cut off with `mend`."""
    file.seek(0)
    offset = 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            break
        try:
            offsets.setdefault(key_of(json.loads(line)), offset)
        except (ValueError, KeyError, TypeError):
            raise GenerationError(
                f"{file.name}:{number}: not a sample that mbxp generate wrote; choose another -o"
            ) from None
        offset += len(line)
    if mend:
        file.truncate(offset)
