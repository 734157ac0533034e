"""What a reader must know before comparing scores: withheld, partial, made with other settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mbxp_metric.report.results import Score

_SETTINGS = {
    "mode": "mode",
    "trunc": "truncation",
    "t": "time limit",
    "ct": "compile limit",
    "mem": "memory limit (MiB)",
    "iso": "isolation",
    "eng": "engine",
    "v": "version of mbxp",
}
"""Parts of a signature that every score of a report should share."""

_REFUSED = ("data", "mode")
"""Parts without which two scores are not of the same problems and tests at all."""


def notes(score: Score, scores: Sequence[Score]) -> list[str]:
    """What is out of the ordinary about a score, seen beside the others of its report."""
    found = []
    if score.withheld:
        found.append(f"withheld: {score.withheld} sample(s) could not be executed (INFRA_ERROR)")
    if score.coverage < 1:
        found.append(f"partial: samples for {_percent(score.coverage)} of the problems")
    mine = score.signature
    for name, title in _SETTINGS.items():
        found += _difference(title, mine.get(name), (s.signature.get(name) for s in scores))
    same = [s for s in scores if (s.problems, s.language) == (score.problems, score.language)]
    for name, title in (("data", "data"), (score.language, f"{score.language} toolchain")):
        found += _difference(title, mine.get(name), (s.signature.get(name) for s in same))
    return found


def incomparable(first: Score, second: Score) -> str:
    """Why two scores cannot be compared problem by problem; empty if they can."""
    if first.withheld or second.withheld:
        return "a score is withheld"
    for name in _REFUSED:
        a, b = first.signature.get(name), second.signature.get(name)
        if a != b:
            return f"{name} differs: {a} and {b}"
    return ""


def _difference(title: str, mine: str | None, all_values: Iterable[str | None]) -> list[str]:
    counts = Counter(all_values)
    if len(counts) < 2:
        return []
    # A tie has no majority: then each says what it has, and none is taken for the rule.
    (usual, most), (_, next_most) = counts.most_common(2)
    if most == next_most:
        return [f"{title} {mine or 'unknown'}, where others have another"]
    return [] if mine == usual else [f"{title} {mine or 'unknown'}, where most have {usual}"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
