"""Finding a config's official file: a named local directory, else the pinned revision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mbxp_datasets.catalog import BENCHMARKS, REVISION, Config, resolve_config
from mbxp_datasets.download import ReleaseError, fetch
from mbxp_datasets.problem import Problem, file_revision, read_problems

DATA_DIR_VARIABLE = "MBXP_DATA_DIR"


class ReleaseFileNotFoundError(ReleaseError, FileNotFoundError):
    """A local directory was named and does not hold the file."""


def local_file(config: Config, data_dir: str | os.PathLike[str] | None = None) -> Path | None:
    """The config's file below `data_dir`, else below `MBXP_DATA_DIR`; None if neither is set.

    The release's layout is accepted from its root, its `data` folder or the benchmark's
    folder, and so is one flat directory. The rows may be a part of the release's.

    Raises:
        ReleaseFileNotFoundError: a directory is named and the file is not there, or the
            release has none for this config.
    """
    if not config.file:
        raise ReleaseFileNotFoundError(
            f"{config.benchmark}/{config.name}: the release has no problems in {config.language}; "
            'source="convert" makes them from the Python ones (--source convert)'
        )
    named, origin = data_dir, "data_dir"
    if named is None:
        named, origin = os.environ.get(DATA_DIR_VARIABLE) or None, DATA_DIR_VARIABLE
    if named is None:
        return None
    root = Path(named).expanduser()
    folder = BENCHMARKS[config.benchmark].folder
    places = [f"data/{folder}/{config.file}", f"{folder}/{config.file}", config.file]
    for place in places:
        if (root / place).is_file():
            return root / place
    label = f"{config.benchmark}/{config.name}"
    if not root.is_dir():
        raise ReleaseFileNotFoundError(f"{label}: {origin}={str(root)!r} is not a directory")
    raise ReleaseFileNotFoundError(
        f"{label}: {origin}={str(root)!r} holds none of {', '.join(places)}"
    )


def release_file(config: Config, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """The config's file: local if a directory is named, else fetched and verified.

    Raises:
        ReleaseError: it is not in the named directory, cannot be fetched or is not the
            release's; the message is one line with the remedy.
    """
    return local_file(config, data_dir) or fetch(
        f"data/{BENCHMARKS[config.benchmark].folder}/{config.file}", config.rows
    )


def load_problems(
    benchmark: str, config: str, data_dir: str | os.PathLike[str] | None = None
) -> Iterator[Problem]:
    """Iterate over a config's problems without the `datasets` library.

    The file is found before the first row is asked for.

    Raises:
        UnknownConfigError: no such benchmark or config.
        ReleaseError: the file cannot be had.
        ProblemFormatError: (while iterating) the file is damaged.
    """
    found = resolve_config(benchmark, config)
    return read_problems(release_file(found, data_dir), language=found.language)


def data_revision(
    benchmark: str, config: str, data_dir: str | os.PathLike[str] | None = None
) -> str:
    """Which data `load_problems` gives, for a signature: the pinned revision or `local:…`.

    Raises:
        UnknownConfigError: no such benchmark or config.
        ReleaseFileNotFoundError: a directory is named and the file is not there.
    """
    path = local_file(resolve_config(benchmark, config), data_dir)
    return REVISION if path is None else file_revision(path)
