"""A stand-in of the Hub on the loopback interface: repositories in memory, faults on demand."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

REPO = r"(?P<kind>models|datasets|spaces)/(?P<name>[^/]+/[^/]+)"


@dataclass
class Repo:
    """Files of `main`, and the pull requests with the files they would leave."""

    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)
    pull_requests: list[tuple[str, dict[str, bytes]]] = field(default_factory=list)

    @property
    def sha(self) -> str:
        text = json.dumps([self.commits, sorted(self.files)])
        return hashlib.sha1(text.encode()).hexdigest()


class Hub:
    """What the stand-in holds and was asked."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.requests: list[str] = []
        self.faults: dict[str, list[tuple[str, int]]] = {}
        """By the name of a repository: what a request has in it, and the status it gets;
        0 cuts the connection, and -1 cuts it after the commit was made."""
        self.uploads: dict[str, bytes] = {}
        self.url = ""

    def repo(self, kind: str, name: str) -> Repo:
        return self.repos.setdefault((kind, name), Repo())


@contextmanager
def hub_stand_in() -> Iterator[Hub]:
    """A running stand-in; its `url` is what HF_ENDPOINT has to be."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self._answer(b"")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(body)

    do_PUT = do_POST  # noqa: N815

    def _answer(self, body: bytes) -> None:
        url = urlsplit(self.path)
        path, query = unquote(url.path), parse_qs(url.query)
        self.hub.requests.append(f"{self.command} {path}")
        for name, faults in self.hub.faults.items():
            for part, status in faults:
                if name in path and part in f"{self.command} {path}":
                    if status < 0:
                        self._commit(path, query, body)
                    return self._fail(status)
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return self._json({"errors": [], "warnings": []})
        if path.startswith("/lfs/"):
            self.hub.uploads[path.removeprefix("/lfs/")] = body
            return self._json({})
        if match := re.fullmatch(r"/(datasets/|spaces/)?(.+)\.git/info/lfs/objects/batch", path):
            objects = [
                {
                    **{name: each[name] for name in ("oid", "size")},
                    "actions": {"upload": {"href": f"{self.hub.url}/lfs/{each['oid']}"}},
                }
                for each in json.loads(body)["objects"]
            ]
            return self._json({"transfer": "basic", "objects": objects})
        if match := re.fullmatch(rf"/api/{REPO}(?P<rest>/.*)?", path):
            return self._api(match["kind"], match["name"], match["rest"] or "", query, body)
        if match := re.fullmatch(
            r"/(?P<kind>datasets/|spaces/)?(?P<name>[^/]+/[^/]+)/resolve/(?P<rev>[^/]+)/(?P<path>.+)",
            path,
        ):
            kind = (match["kind"] or "models/").removesuffix("/")
            return self._resolve(kind, match["name"], match["rev"], match["path"])
        return self._fail(404)

    def _api(
        self, kind: str, name: str, rest: str, query: dict[str, list[str]], body: bytes
    ) -> None:
        repo = self.hub.repos.get((kind, name))
        if repo is None:
            return self._fail(404, "RepoNotFound")
        if rest.startswith("/preupload/"):
            files = [
                {
                    "path": each["path"],
                    "uploadMode": "lfs" if each["path"].endswith(".parquet") else "regular",
                    "shouldIgnore": False,
                }
                for each in json.loads(body)["files"]
            ]
            return self._json({"files": files})
        if rest.startswith("/commit/"):
            return self._commit(f"/api/{kind}/{name}{rest}", query, body)
        if rest.startswith("/paths-info/"):
            asked = parse_qs(body.decode()).get("paths") or json.loads(body)["paths"]
            return self._json(
                [_entry(path, repo.files[path]) for path in asked if path in repo.files]
            )
        if rest.startswith("/tree/"):
            folder = rest.split("/", 3)[3] + "/" if rest.count("/") > 2 else ""
            found = [path for path in sorted(repo.files) if path.startswith(folder)]
            if folder and not found:
                return self._fail(404, "EntryNotFound")
            return self._json([_entry(path, repo.files[path]) for path in found])
        if rest == "/discussions":
            found = [
                {
                    "title": title,
                    "num": number,
                    "author": {"name": "user"},
                    "repo": {"name": name, "type": kind.removesuffix("s")},
                    "status": "open",
                    "isPullRequest": True,
                    "createdAt": "2026-01-01T00:00:00.000Z",
                }
                for number, (title, _) in enumerate(repo.pull_requests, 1)
            ]
            return self._json({"discussions": found, "start": 0, "count": len(found)})
        siblings = [{"rfilename": path} for path in sorted(repo.files)]
        return self._json(
            {"id": name, "sha": repo.sha, "siblings": siblings, "private": False, "tags": []}
        )

    def _create(self, asked: dict[str, Any]) -> None:
        kind = f"{asked.get('type') or 'model'}s"
        name = f"{asked.get('organization') or 'user'}/{asked['name']}"
        if (kind, name) in self.hub.repos:
            return self._json({"url": f"{self.hub.url}/{name}"}, 409)
        self.hub.repo(kind, name)
        prefix = "" if kind == "models" else f"{kind}/"
        return self._json({"url": f"{self.hub.url}/{prefix}{name}"})

    def _commit(self, path: str, query: dict[str, list[str]], body: bytes) -> None:
        match = re.match(rf"/api/{REPO}/commit/", path)
        assert match is not None
        repo = self.hub.repos[match["kind"], match["name"]]
        files, title = dict(repo.files), ""
        for line in body.decode().splitlines():
            each = json.loads(line)
            value = each["value"]
            if each["key"] == "header":
                title = value["summary"]
                if value.get("parentCommit") not in (None, repo.sha):
                    return self._fail(412)
            elif each["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif each["key"] == "lfsFile":
                files[value["path"]] = self.hub.uploads[value["oid"]]
        prefix = "" if match["kind"] == "models" else f"{match['kind']}/"
        address = f"{self.hub.url}/{prefix}{match['name']}"
        answer = {"success": True, "commitOid": "c" * 40, "commitUrl": f"{address}/commit/1"}
        if query.get("create_pr"):
            repo.pull_requests.append((title, files))
            number = len(repo.pull_requests)
            answer["pullRequestUrl"] = f"{address}/discussions/{number}"
        else:
            repo.files = files
            repo.commits.append(title)
        return self._json(answer)

    def _resolve(self, kind: str, name: str, revision: str, path: str) -> None:
        repo = self.hub.repos.get((kind, name))
        if repo is None:
            return self._fail(404, "RepoNotFound")
        if revision not in ("main", repo.sha):
            return self._fail(404, "RevisionNotFound")
        content = repo.files.get(path)
        if content is None:
            return self._fail(404, "EntryNotFound", {"X-Repo-Commit": repo.sha})
        headers = {
            "ETag": f'"{hashlib.sha1(content).hexdigest()}"',
            "X-Repo-Commit": repo.sha,
            "Accept-Ranges": "bytes",
        }
        status = 200
        if wanted := re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
            first, last = int(wanted[1]), int(wanted[2] or len(content) - 1)
            last = min(last, len(content) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
            content, status = content[first : last + 1], 206
        self._send(status, content, headers)

    def _json(self, value: object, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _fail(self, status: int, code: str = "", headers: dict[str, str] | None = None) -> None:
        if status <= 0:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        more = {"X-Error-Code": code} if code else {}
        self._send(status, b'{"error": "as asked"}', {**more, **(headers or {})})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _entry(path: str, content: bytes) -> dict[str, Any]:
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": blob}
    if path.endswith(".parquet"):
        sha256 = hashlib.sha256(content).hexdigest()
        entry["lfs"] = {"oid": sha256, "size": len(content), "pointerSize": 130}
    return entry
