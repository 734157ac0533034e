"""Where what is built once per machine is kept: the launcher and the languages' drivers."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


def cache_root() -> Path:
    """`MBXP_CACHE`, or the usual place: /var/cache for root, the user's cache otherwise.

    Root's own home is closed to the user that programs run as, hence the difference.
    """
    if configured := os.environ.get("MBXP_CACHE"):
        return Path(configured).absolute()
    if os.geteuid() == 0:
        return Path("/var/cache/mbxp")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mbxp"


def digest(parts: Iterable[bytes]) -> str:
    """A name for what is built from these parts."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()[:20]


def build_once(name: str, build: Callable[[Path], None]) -> Path:
    """The directory `name` in the cache, built by `build` unless it is there.

    It appears whole or not at all, whatever is killed and however many build it at once.

    Raises:
        OSError: the cache cannot be written.
    """
    final = cache_root() / name
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    working = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
    try:
        build(working)
        working.chmod(0o755)
        try:
            working.rename(final)
        except OSError:
            if not final.is_dir():
                raise
    finally:
        shutil.rmtree(working, ignore_errors=True)
    return final
