"""The line that makes a score comparable: everything that a verdict depends on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mbxp_datasets import __version__
from mbxp_metric.execution import Settings

MODE = "official"


def score_signature(
    *,
    problems: str,
    data: str,
    samples: Iterable[int],
    k: Sequence[int],
    settings: Settings,
    toolchains: Mapping[str, str],
    engines: Mapping[str, str],
    bootstrap: int,
    seed: int,
    truncation: str = "off",
) -> str:
    """One line of `name:value` pairs, the same for the same score.

    `problems` names the problem set and `data` its revision; `samples` are the numbers of
    samples that the problems have; `toolchains` maps each language to its version and `engines`
    to how its programs were executed; `truncation` says what of a completion was executed.
    """
    counts = sorted(set(samples)) or [0]
    n = str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
    pairs = [
        ("data", data),
        ("mode", MODE),
        ("n", n),
        ("k", ",".join(str(each) for each in sorted(set(k)))),
        ("trunc", truncation),
        ("t", f"{settings.timeout:g}s"),
        ("ct", f"{settings.compile_timeout:g}s"),
        ("mem", f"{settings.memory_mb}"),
        ("iso", settings.isolation),
        ("eng", "+".join(sorted(set(engines.values())))),
        ("bs", f"{bootstrap}"),
        ("seed", f"{seed}"),
        *sorted(toolchains.items()),
        ("v", __version__),
    ]
    return "|".join([_clean(problems), *(f"{name}:{_clean(value)}" for name, value in pairs)])


def content_revision(problems: Iterable[Mapping[str, Any]]) -> str:
    """`sha256:` and twelve hex digits of the problems themselves, whatever their order."""
    digests = {problem_digest(problem) for problem in problems}
    total = hashlib.sha256("".join(sorted(digests)).encode())
    return f"sha256:{total.hexdigest()[:12]}"


def problem_digest(problem: Mapping[str, Any]) -> str:
    """SHA-256 of the fields of a problem that a verdict depends on."""
    digest = hashlib.sha256()
    # Only an insertion has something after what is written.
    following = ["right_context"] if problem.get("right_context") else []
    for name in ("language", "task_id", "prompt", "test", "entry_point", *following):
        text = str(problem[name] or "").encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(text) + text)
    return digest.hexdigest()


def _clean(value: str) -> str:
    return re.sub(r"\s+", "-", value.strip().replace("|", "/"))
