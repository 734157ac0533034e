"""A small server that speaks OpenAI's interface and TGI's, and fails as it is told to."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class App:
    """What was asked, and what is to go wrong: one fault for each of the next requests."""

    faults: list[Any] = field(default_factory=list)
    """A status, a pair of status and `Retry-After`, `cut`, `reset`, `slow` or `garbage`."""
    asked: list[tuple[str, Body]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    """Of the `Authorization` headers."""
    most_at_once: int = 0
    delay: float = 0
    url: str = ""
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, path: str, body: Body, key: str) -> Any:
        with self._lock:
            self.asked.append((path, body))
            self.keys.add(key)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            return self.faults.pop(0) if self.faults else None

    def done(self) -> None:
        with self._lock:
            self._now -= 1


def text_of(prompt: str, seed: int) -> str:
    """What the model writes."""
    return f"    return {len(prompt)}, {seed}\n"


def _answer(path: str, body: Body) -> Any:
    if path == "/v1/chat/completions":
        text = text_of(body["messages"][-1]["content"], body["seed"])
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        about = {"id": "1", "created": 1, "model": body["model"], "system_fingerprint": "x"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
    if path == "/v1/completions":
        return {"choices": [{"index": 0, "text": text_of(body["prompt"], body["seed"])}]}
    if path == "/":
        return [{"generated_text": text_of(body["inputs"], body["parameters"]["seed"])}]
    return None


@contextmanager
def serving() -> Iterator[App]:
    """The app on a port of the loopback interface."""
    app = App()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fault = app.fault(self.path, body, self.headers.get("Authorization", ""))
            try:
                self._reply(fault, _answer(self.path, body))
            finally:
                app.done()

        def _reply(self, fault: Any, answer: Any) -> None:
            time.sleep(2 if fault == "slow" else app.delay)
            if fault == "reset":
                linger = b"\1\0\0\0\0\0\0\0"
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                self.close_connection = True
                return
            status, after = fault if isinstance(fault, tuple) else (fault, None)
            if not isinstance(status, int):
                status = 200 if answer is not None else 404
            if status != 200:
                said = f"fault {status} with {self.headers.get('Authorization')}"
                answer = {"error": {"message": said}}
                if self.path == "/":
                    answer = {"error": said, "error_type": "overloaded"}
            data = b"{garbage" if fault == "garbage" else json.dumps(answer).encode()
            self.send_response(status)
            if after is not None:
                self.send_header("Retry-After", str(after))
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data) + (9 if fault == "cut" else 0)))
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = fault == "cut"

        def log_message(self, *_: Any) -> None: ...

        def handle(self) -> None:
            with suppress(OSError):
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    app.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield app
    finally:
        server.shutdown()
        server.server_close()
