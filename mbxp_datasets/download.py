"""Fetching a release file at the pinned revision and proving it against git's own hashes."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from mbxp_datasets.catalog import REVISION
from mbxp_datasets.problem import count_rows

API_URL = "https://api.github.com/repos/amazon-science/mxeval"
RAW_URL = "https://raw.githubusercontent.com/amazon-science/mxeval"
API_VARIABLE, RAW_VARIABLE = "MBXP_RELEASE_API", "MBXP_RELEASE_RAW"
OFFLINE_VARIABLES = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE")
CONNECT_SECONDS = 4.0
READ_SECONDS = 30.0


class ReleaseError(OSError):
    """A release file cannot be had; the message is one line with the remedy."""


class ReleaseUnreachableError(ReleaseError, ConnectionError):
    """The release is not in the cache and its host cannot be reached."""


class ChecksumError(ReleaseError):
    """A fetched file is not the one of the pinned revision."""


def cache_dir() -> Path:
    """Where fetched files are kept, one folder a revision; follows `HF_HOME`."""
    home = os.environ.get("HF_HOME") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or "~/.cache", "huggingface"
    )
    return Path(home).expanduser() / "mbxp" / REVISION


def fetch(path: str, rows: int) -> Path:
    """The release's file `path`, from the cache or the network, verified either way.

    The commit's tree gives each file's git blob hash; it is fetched once and kept beside
    the files.

    Raises:
        ReleaseUnreachableError: not in the cache, and offline or no connection.
        ChecksumError: the bytes or the number of rows are not the release's.
        ReleaseError: the host answers, but not with the file.
    """
    target = cache_dir() / path
    manifest = _cached_manifest()
    if manifest and target.is_file() and _is_blob(target.read_bytes(), manifest, path):
        return target
    _refuse_offline(path)
    manifest = manifest or _fetch_manifest(path)
    if path not in manifest["blobs"]:
        raise ReleaseError(f"{path} is not in revision {REVISION} of the release; {_remedy()}")
    url = f"{_base(RAW_VARIABLE, RAW_URL)}/{manifest['commit']}/{path}"
    content = _get(url, path)
    if not _is_blob(content, manifest, path):
        raise ChecksumError(
            f"{path} from {url} fails its checksum: it is not the file of revision "
            f"{REVISION}; nothing was kept, try again or {_remedy()}"
        )
    _write(target, content)
    found = count_rows(target)
    if found != rows:
        target.unlink()
        raise ChecksumError(f"{path} from {url} has {found} rows, the release has {rows}")
    return target


def git_blob_sha1(content: bytes) -> str:
    """The name git gives to a file's content."""
    header = b"blob %d\0" % len(content)
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


def _is_blob(content: bytes, manifest: dict[str, Any], path: str) -> bool:
    return bool(git_blob_sha1(content) == manifest["blobs"].get(path))


def _cached_manifest() -> dict[str, Any] | None:
    try:
        manifest = json.loads((cache_dir() / "manifest.json").read_bytes())
        return manifest if {"commit", "blobs"} <= manifest.keys() else None
    except (OSError, ValueError, AttributeError):
        return None


def _fetch_manifest(wanted: str) -> dict[str, Any]:
    api = _base(API_VARIABLE, API_URL)
    try:
        commit = str(json.loads(_get(f"{api}/commits/{REVISION}", wanted))["sha"])
        tree = json.loads(_get(f"{api}/git/trees/{commit}?recursive=1", wanted))
        blobs = {e["path"]: e["sha"] for e in tree["tree"] if e["type"] == "blob"}
        complete = not tree.get("truncated", False)
    except (ValueError, KeyError, TypeError) as error:
        raise ReleaseError(
            f"{wanted}: {api} gave an answer that is not understood ({error!r}); {_remedy()}"
        ) from None
    if not commit.startswith(REVISION) or not complete:
        raise ChecksumError(
            f"{wanted}: {api} answered with commit {commit[:12]} for {REVISION}, or with a part "
            f"of its files only; {_remedy()}"
        )
    manifest = {"commit": commit, "blobs": blobs}
    _write(cache_dir() / "manifest.json", json.dumps(manifest, indent=1).encode())
    return manifest


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _get(url: str, wanted: str) -> bytes:
    _refuse_unreachable(url, wanted)
    request = urllib.request.Request(url, headers={"User-Agent": "mbxp"})
    try:
        with urllib.request.urlopen(request, timeout=READ_SECONDS) as response:
            return bytes(response.read())
    except urllib.error.HTTPError as error:
        hint = " (the host's hourly limit may be used up)" if error.code in (403, 429) else ""
        raise ReleaseError(
            f"{wanted}: {url} answered {error.code} {error.reason}{hint}; {_remedy()}"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise _unreachable(wanted, f"{url}: {reason}") from None


def _refuse_offline(wanted: str) -> None:
    for variable in OFFLINE_VARIABLES:
        if os.environ.get(variable, "").upper() in {"1", "ON", "YES", "TRUE"}:
            raise _unreachable(wanted, f"{variable} is set")


def _refuse_unreachable(url: str, wanted: str) -> None:
    """Connect once, within seconds: a name lookup has no time limit of its own."""
    parts = urllib.parse.urlsplit(url)
    proxy = urllib.request.getproxies().get(parts.scheme)
    if proxy and not urllib.request.proxy_bypass(parts.netloc):
        parts = urllib.parse.urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    failure = [f"no connection to {host} within {CONNECT_SECONDS:g} s"]

    def connect() -> None:
        try:
            socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
            failure.clear()
        except OSError as error:
            failure[:] = [f"no connection to {host}: {error.strerror or error}"]

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(CONNECT_SECONDS)
    if failure:
        raise _unreachable(wanted, failure[0])


def _unreachable(wanted: str, reason: str) -> ReleaseUnreachableError:
    return ReleaseUnreachableError(
        f"{wanted} of the release is not in the cache and cannot be fetched ({reason}); {_remedy()}"
    )


def _remedy() -> str:
    return (
        "to use a local copy, pass data_dir= or set MBXP_DATA_DIR to the release's data folder; "
        'source="convert" makes the problems from the Python ones (--source convert)'
    )


def _base(variable: str, default: str) -> str:
    return (os.environ.get(variable) or default).rstrip("/")
