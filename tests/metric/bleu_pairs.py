"""200 pairs of prediction and reference, made of our own words."""

from __future__ import annotations

import random

_TEXT = (
    "write a function to find the sum of two lists, sort them and return max_value; "
    'it\'s O(n-1) for x[0] = 3.14 "quoted" &amp; <b> (none) Über naïve 数 e.g. 1,000 a-b'
)
_WORDS = _TEXT.split(" ")


def pairs() -> list[tuple[str, str]]:
    """Predictions that keep some words of their references, change, drop and add others."""
    draw = random.Random(20)
    found = [("", "a b"), ("a b", ""), ("", ""), ("same words here", "Same words here")]
    while len(found) < 200:
        reference = [draw.choice(_WORDS) for _ in range(draw.randint(1, 16))]
        kept = [word if draw.random() < 0.7 else draw.choice(_WORDS) for word in reference]
        start, end = sorted(draw.randrange(len(kept) + 1) for _ in range(2))
        shown = kept if draw.random() < 0.6 else kept[start:end]
        added = [draw.choice(_WORDS) for _ in range(draw.randint(0, 3))]
        found.append((" ".join([*shown, *added]), " ".join(reference)))
    return found
