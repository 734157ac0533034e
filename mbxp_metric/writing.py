"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Open an ASCII text file that takes the place of `path` once all of it is written.

    Raises:
        OSError: it cannot be written.
    """
    temporary = f"{os.fspath(path)}.new"
    with open(temporary, "w", encoding="ascii", newline="\n") as file:
        try:
            yield file
        except BaseException:
            os.unlink(temporary)
            raise
    os.replace(temporary, path)
