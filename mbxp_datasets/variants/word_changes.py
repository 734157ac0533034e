"""What becomes of a word of prose: case, synonyms, typing errors, tense.

The rules and chances are those of ReCode's copies of NL-Augmenter's transformations
(amazon-science/recode, nlaugmenter/transformations: change_char_case, synonym_substitution,
synonym_insertion, butter_fingers_perturbation, swap_characters, tense), but word by word, and
without the taggers that they need: a verb is told by a table.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from mbxp_datasets.variants import wordnet


class Shares(Protocol):
    """The options that say how much is changed."""

    @property
    def case_share(self) -> float: ...
    @property
    def word_share(self) -> float: ...
    @property
    def letter_share(self) -> float: ...
    @property
    def wordnet(self) -> str: ...


WordChange = Callable[[Shares, str, str, random.Random], str]
"""From a word, the word before it and a source of random numbers to what stands in its place."""

_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS = {
    key: "".join(
        _KEYBOARD[other][there]
        for other in range(max(0, row - 1), min(3, row + 2))
        for there in range(max(0, at - 1), at + 2)
        if there < len(_KEYBOARD[other]) and (other, there) != (row, at)
    )
    for row, keys in enumerate(_KEYBOARD)
    for at, key in enumerate(keys)
}
"""The letters beside each on a keyboard."""

_IRREGULAR: dict[str, str] = dict(
    re.findall(
        r"(\w+):(\w+)",
        "write:wrote find:found get:got give:gave take:took make:made have:had be:was do:did "
        "begin:began become:became hold:held keep:kept mean:meant come:came go:went build:built "
        "split:split put:put cut:cut set:set read:read swap:swapped drop:dropped occur:occurred",
    )
)
_VERBS = (
    *_IRREGULAR,
    *re.findall(
        r"\w+",
        "return contain check compute calculate convert count create remove determine generate "
        "implement extract multiply divide add merge replace insert delete accept receive "
        "represent consist satisfy appear exist start end complete evaluate define decide verify "
        "identify select combine separate print sort reverse exceed equal match require need "
        "want happen belong",
    ),
)
_NOUNS_TOO = frozenset(("print", "sort", "count", "match", "end", "start", "need", "set", "cut"))
"""Their plural looks like a verb."""
_FORMS_OF_BE = {"is": "was", "are": "were", "am": "was"}
_NO_FINITE_VERB_AFTER = frozenset(
    ("to", "not", "will", "would", "should", "must", "can", "could", "may", "might", "be")
)


def _case(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    return "".join(
        letter.swapcase() if draw.random() < shares.case_share else letter for letter in word
    )


def _synonym(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    found = _found_synonym(shares, word, before, draw)
    return _capitalized_as(word, found) if found else word


def _with_synonym(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    found = _found_synonym(shares, word, before, draw)
    return f"{word} {found}" if found else word


def _found_synonym(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    # Upper case inside a word is a name's or an abbreviation's.
    if word[1:] != word[1:].lower():
        return ""
    found = wordnet.opened(shares.wordnet).synonyms(word.lower(), before)
    if not found or draw.random() >= shares.word_share:
        return ""
    chosen: str = draw.choice(found)
    return chosen


def _butter_fingers(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    letters = []
    for letter in word:
        if draw.random() < shares.letter_share:
            letter = _capitalized_as(letter, draw.choice(_NEIGHBOURS[letter.lower()]))
        letters.append(letter)
    return "".join(letters)


def _swapped(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    letters = list(word)
    for at in range(len(letters) - 1):
        if draw.random() < shares.letter_share:
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return "".join(letters)


def _past(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    lower = word.lower()
    verb = _finite(lower, before)
    return _capitalized_as(word, _FORMS_OF_BE.get(lower) or past(verb)) if verb else word


def _future(shares: Shares, word: str, before: str, draw: random.Random) -> str:
    verb = _finite(word.lower(), before)
    return _capitalized_as(word, f"will {verb}") if verb else word


def past(verb: str) -> str:
    """The past of a base form in the table of verbs."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y"):
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


def third_person(verb: str) -> str:
    """As in `finds`, `matches`, `satisfies`."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith("y"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


_THIRD_PERSON: dict[str, str] = {
    third_person(verb): verb for verb in _VERBS if verb not in _NOUNS_TOO
}


def _finite(word: str, before: str) -> str:
    """The base form of a verb in the present tense; empty for any other word.

    A base form counts where no word stands before it on its line: an order, as in `Return it`.
    """
    if before in _NO_FINITE_VERB_AFTER:
        return ""
    if word in _FORMS_OF_BE:
        return "be"
    if word in _THIRD_PERSON:
        return _THIRD_PERSON[word]
    return word if not before and word in _VERBS else ""


def _capitalized_as(word: str, other: str) -> str:
    return other[0].upper() + other[1:] if word[0].isupper() else other


WORD_CHANGES: Mapping[str, WordChange] = {
    "case": _case,
    "synonyms": _synonym,
    "word_insertion": _with_synonym,
    "butter_fingers": _butter_fingers,
    "swap_characters": _swapped,
    "tense_past": _past,
    "tense_future": _future,
}
"""By the name of the split."""
NEEDS_WORDNET = frozenset({"synonyms", "word_insertion"})
