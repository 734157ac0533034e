"""Smoothed sentence BLEU-4 as CodeXGLUE's code-to-text task computes it, bit for bit.

It differs from other BLEUs in its words (underscores and every sign stand alone), in adding
one to the counts of two words and more, and in a brevity penalty with one added on both sides.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Iterable

ORDER = 4
_WORDS = re.compile(r"[^\W_]+|_|[^\w\s]")
# What keeps the logarithm of nothing finite; part of the score of an empty prediction.
_TINY = sys.float_info.min


def smoothed_bleu(prediction: str, reference: str) -> float:
    """How much of the prediction is in the reference, from 0 to 1."""
    found, wanted = _words(prediction), _words(reference)
    logarithm = 0.0
    for length in range(1, ORDER + 1):
        grams, others = _grams(found, length), _grams(wanted, length)
        added = 0 if length == 1 else 1
        correct = (grams & others).total() + added + _TINY
        guessed = max(len(found) - length + 1, 0) + added + _TINY
        logarithm += math.log(correct) - math.log(guessed)
    brevity = min(0.0, 1 - (len(wanted) + 1) / (len(found) + 1))
    return math.exp(logarithm / ORDER + brevity)


def mean_bleu(pairs: Iterable[tuple[str, str]]) -> float:
    """The mean over pairs of prediction and reference, from 0 to 100.

    Raises:
        ValueError: there is no pair.
    """
    scores = [smoothed_bleu(*pair) for pair in pairs]
    if not scores:
        raise ValueError("BLEU of no pair is not defined")
    return sum(scores) * 100.0 / len(scores)


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.strip().lower())


def _grams(words: list[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + length]) for at in range(len(words) - length + 1))
