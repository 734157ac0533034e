"""Run a reference solution, or a check that computes, in a child process with limits.

The child is a plain interpreter with nothing of ours in it but `_reference_server`. It is
started once and forks for every program, so that one costs a millisecond and cannot touch the
next. This guards against slips (endless loops, memory, writes), not against an attacker:
untrusted code belongs in the sandbox of `mbxp_metric`.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value, parse_value

SECONDS = 10
MEMORY_MIB = 1024


class ReferenceFailedError(Exception):
    """The program failed, ran out of time or reported what is no value."""


_SERVER = Path(__file__).with_name("_reference_server.py")

_lock = threading.Lock()
_server: subprocess.Popen[bytes] | None = None


def run(source: str) -> list[list[Value]]:
    """Run a program and return the arguments of each of its calls of `mbxp__emit`.

    Raises:
        ReferenceFailedError: it raised, exceeded a limit or emitted what is no value.
    """
    answer = _ask(source)
    if "failed" in answer:
        raise ReferenceFailedError(answer["failed"])
    try:
        return [parse_value(report) for report in answer["reports"]]
    except UnsupportedValueError as error:
        raise ReferenceFailedError(str(error)) from None


def source_of(value: Value) -> str:
    """Python source that denotes the value."""
    match value:
        case list():
            return f"[{', '.join(map(source_of, value))}]"
        case tuple():
            return f"({''.join(source_of(item) + ', ' for item in value)})"
        case SetValue(items=items):
            return f"{{{', '.join(map(source_of, items))}}}" if items else "set()"
        case dict():
            pairs = (f"{source_of(key)}: {source_of(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case float() if value != value or value in (float("inf"), float("-inf")):
            return f'float("{value}")'
    return repr(value)


def _ask(source: str) -> dict[str, Any]:
    global _server
    with _lock:
        if _server is None or _server.poll() is not None:
            _server = subprocess.Popen(
                [sys.executable, "-s", str(_SERVER), str(SECONDS), str(MEMORY_MIB)],
                env={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},  # sets in one order, always
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd="/",
            )
            atexit.register(_stop, _server)
        assert _server.stdin is not None
        assert _server.stdout is not None
        _server.stdin.write(json.dumps(source).encode() + b"\n")
        _server.stdin.flush()
        answer = _server.stdout.readline()
    if not answer.strip():
        raise ReferenceFailedError(f"it ran past {SECONDS} s or {MEMORY_MIB} MiB")
    found: dict[str, Any] = json.loads(answer)
    return found


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.stdin is not None:
        server.stdin.close()
    server.wait(timeout=SECONDS + 1)
    if server.stdout is not None:
        server.stdout.close()
