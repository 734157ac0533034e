"""Synonyms from WordNet's database files, as Debian's `wordnet-base` installs them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = "/usr/share/wordnet"
_PARTS_OF_SPEECH = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}
"""By the end of a file's name, the digits that stand for it in a sense key."""
_COUNTS, _FORMS = "cntlist.rev", "verb.exc"
_BEFORE_VERBS = frozenset({"to", "should", "must", "can", "will", "would", "may", "not"})
_BEFORE_NOUNS = frozenset({"a", "an", "the", "its", "this", "each", "every", "your", "of"})
_SENSES = 2
"""Of how many senses, the most frequent first, synonyms are taken."""
_CLEAR_SHARE = 0.8
"""Of a word's counted uses, how many make a part of speech the word's own."""
_SINGLE_WORD = re.compile(r"[a-z]{2,}")
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the of to in on at by for from with and or not is are be was were been it its this "
        "that these those if then else as you your i we he she they do does did has have had can "
        "could may might will would shall should must no so but than there here all any each every "
        "some such into over under up down out off only own same both few more most other which "
        "who whom what when where why how one two",
    )
)


class WordNet:
    """A dictionary of synonyms; its index is read once and its synsets when asked for.

    Raises:
        ValueError: a database file is missing from the folder; the message has the remedy.
    """

    def __init__(self, folder: str) -> None:
        missing = next((path for path in files(folder) if not Path(path).is_file()), None)
        if missing is not None:
            raise ValueError(
                f"synonyms need WordNet's database, but there is no {missing}: "
                "apt-get install wordnet-base, or pass wordnet= with the folder of its files"
            )
        self._folder = Path(folder).expanduser()
        self._senses: dict[str, dict[str, list[int]]] = {}
        for part in _PARTS_OF_SPEECH:
            for lemma, offsets in self._index(part):
                self._senses.setdefault(lemma, {})[part] = offsets
        self._uses = self._counted_uses()
        self._irregular = self._irregular_forms()

    @functools.cache  # noqa: B019 - the dictionary lives as long as the program
    def synonyms(self, word: str, before: str = "") -> tuple[str, ...]:
        """Single words that mean what a base form in lower case does, sorted.

        There are none for function words and forms of verbs, and none where the part of speech
        is not clear: after the word `before` it must have one only, or one that most of its
        counted uses are of.
        """
        if word in _FUNCTION_WORDS or self._is_verb_form(word):
            return ()
        part = self._part_of_speech(word, before)
        if part is None:
            return ()
        found: set[str] = set()
        with open(self._folder / f"data.{part}", "rb") as file:
            for offset in self._senses[word][part][:_SENSES]:
                file.seek(offset)
                fields = file.readline().decode("ascii", "replace").split()
                count = int(fields[3], 16)
                found.update(fields[4 : 4 + 2 * count : 2])
        return tuple(sorted(each for each in found - {word} if _SINGLE_WORD.fullmatch(each)))

    def _is_verb_form(self, word: str) -> bool:
        """Whether it looks like `using`, `sorted` or `given`, whatever else it may be."""
        if word in self._irregular:
            return True
        stem = re.sub(r"(?:ing|ed)$", "", word)
        stems = (stem, stem + "e", stem[:-1])
        return stem != word and any("verb" in self._senses.get(each, {}) for each in stems)

    def _part_of_speech(self, word: str, before: str) -> str | None:
        known = list(self._senses.get(word, {}))
        if before in _BEFORE_VERBS:
            return "verb" if "verb" in known else None
        if before in _BEFORE_NOUNS:
            known = [part for part in known if part in ("noun", "adj")]
        if len(known) == 1:
            return known[0]
        uses = {part: self._uses.get((word, part), 0) for part in known}
        best = max(uses, key=lambda part: uses[part], default=None)
        total = sum(uses.values())
        return best if best and total and uses[best] >= _CLEAR_SHARE * total else None

    def _index(self, part: str) -> Iterator[tuple[str, list[int]]]:
        with open(self._folder / f"index.{part}", encoding="ascii") as file:
            for line in file:
                if line.startswith(" "):
                    continue  # the licence
                lemma, _, synsets, *rest = line.split()
                if _SINGLE_WORD.fullmatch(lemma):
                    yield lemma, [int(offset) for offset in rest[-int(synsets) :]]

    def _irregular_forms(self) -> frozenset[str]:
        with open(self._folder / _FORMS, encoding="ascii") as file:
            return frozenset(form for form, *bases in map(str.split, file) if form not in bases)

    def _counted_uses(self) -> dict[tuple[str, str], int]:
        parts = {digit: part for part, digits in _PARTS_OF_SPEECH.items() for digit in digits}
        found: dict[tuple[str, str], int] = {}
        with open(self._folder / _COUNTS, encoding="ascii") as file:
            for line in file:
                key, _, count = line.split()
                lemma, _, rest = key.rpartition("%")
                at = lemma, parts[rest[0]]
                found[at] = found.get(at, 0) + int(count)
        return found


def files(folder: str) -> list[str]:
    """The database files that are read."""
    names = [f"{kind}.{part}" for part in _PARTS_OF_SPEECH for kind in ("index", "data")]
    return [str(Path(folder).expanduser() / name) for name in [*names, _COUNTS, _FORMS]]


@functools.lru_cache(maxsize=4)
def opened(folder: str) -> WordNet:
    """The dictionary in a folder.

    Raises:
        ValueError: it is not there.
    """
    return WordNet(folder)
