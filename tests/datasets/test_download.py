import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from release_rows import problem

from mbxp_datasets import (
    REVISION,
    ChecksumError,
    Config,
    ReleaseError,
    load_problems,
    release_file,
)
from mbxp_datasets.download import cache_dir, git_blob_sha1

COMMIT = REVISION + "0" * (40 - len(REVISION))


class Release:
    """The release's repository as its host shows it, on a loopback port."""

    def __init__(self, config: Config) -> None:
        self.path = f"data/mbxp/{config.file}"
        rows = (json.dumps(problem(config, number)) for number in range(config.rows))
        self.serve("".join(row + "\n" for row in rows).encode())
        self.requests: list[str] = []

    def serve(self, content: bytes) -> None:
        """Put the file, and its hash in the tree."""
        entry = {"path": self.path, "type": "blob", "sha": git_blob_sha1(content)}
        folder = {"path": "data", "type": "tree", "sha": "0" * 40}
        self.commit_answer = json.dumps({"sha": COMMIT}).encode()
        self.tree_answer = json.dumps({"tree": [folder, entry], "truncated": False}).encode()
        self.content: bytes | None = content

    def answer(self, path: str) -> bytes | None:
        self.requests.append(path)
        if path.startswith("/api/git/trees/") and path.endswith("?recursive=1"):
            return self.tree_answer
        return {
            f"/api/commits/{REVISION}": self.commit_answer,
            f"/raw/{COMMIT}/{self.path}": self.content,
        }.get(path)


@pytest.fixture
def release(kotlin: Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[Release]:
    release = Release(kotlin)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = release.answer(self.path)
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("MBXP_RELEASE_API", base + "/api")
    monkeypatch.setenv("MBXP_RELEASE_RAW", base + "/raw")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    yield release
    server.shutdown()
    server.server_close()


def _kept() -> list[Path]:
    return [path for path in cache_dir().rglob("*") if path.suffix != ".json" and path.is_file()]


def test_blob_hash_is_gits() -> None:
    assert git_blob_sha1(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_verified_file_is_kept_and_serves_offline(
    release: Release, kotlin: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(list(load_problems("mbxp", "mbkp"))) == kotlin.rows
    assert len(release.requests) == 3
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert len(list(load_problems("mbxp", "mbkp"))) == kotlin.rows
    assert len(release.requests) == 3


def test_corrupted_file_fails_its_checksum_and_is_not_kept(release: Release) -> None:
    assert release.content is not None
    release.content = release.content.replace(b"double", b"triple", 1)
    with pytest.raises(ChecksumError, match=r"fails its checksum.*MBXP_DATA_DIR"):
        load_problems("mbxp", "mbkp")
    assert not _kept()


def test_truncated_file_is_not_kept(release: Release) -> None:
    assert release.content is not None
    release.content = release.content[:1000]
    with pytest.raises(ReleaseError):
        load_problems("mbxp", "mbkp")
    assert not _kept()


def test_file_with_too_few_rows_is_not_kept(release: Release, kotlin: Config) -> None:
    release.serve(json.dumps(problem(kotlin, 1)).encode() + b"\n")
    with pytest.raises(ChecksumError, match="has 1 rows, the release has 966"):
        load_problems("mbxp", "mbkp")
    assert not _kept()


def test_missing_file_is_one_line_with_the_remedy(release: Release) -> None:
    release.content = None
    with pytest.raises(ReleaseError, match=r"answered 404.*data_dir=.*MBXP_DATA_DIR"):
        load_problems("mbxp", "mbkp")


def test_file_outside_the_revision_is_refused(release: Release) -> None:
    with pytest.raises(ReleaseError, match="is not in revision"):
        load_problems("mbxp", "java")


def test_another_commit_than_the_pinned_one_is_refused(release: Release) -> None:
    release.commit_answer = json.dumps({"sha": "f" * 40}).encode()
    with pytest.raises(ChecksumError, match="answered with commit ffffffffffff for"):
        load_problems("mbxp", "mbkp")


def test_partial_list_of_files_is_refused(release: Release) -> None:
    release.tree_answer = release.tree_answer.replace(b"false", b"true")
    with pytest.raises(ChecksumError, match="a part of its files"):
        load_problems("mbxp", "mbkp")


def test_nonsense_from_the_host_is_one_line(release: Release) -> None:
    release.commit_answer = b"<html>log in</html>"
    with pytest.raises(ReleaseError, match="not understood") as raised:
        load_problems("mbxp", "mbkp")
    assert "\n" not in str(raised.value)


def test_damaged_cache_is_fetched_again(release: Release, kotlin: Config) -> None:
    path = release_file(kotlin)
    path.write_bytes(b"damaged")
    assert len(list(load_problems("mbxp", "mbkp"))) == kotlin.rows
