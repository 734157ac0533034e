"""Where a function ends: what follows the entry point in a completion is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mbxp_metric.completions.languages import BRACE, Syntax
from mbxp_metric.completions.parsing import (
    decode,
    defined_names,
    encode,
    function_around,
    is_comment,
    item_of,
    members_beside,
    outermost,
    parse,
    syntax_of,
    tries,
    used_names,
)
from mbxp_metric.completions.tokens import strip_special_tokens

if TYPE_CHECKING:
    from tree_sitter import Node

HELPERS = ("keep", "cut")
NEVER_HELPERS = frozenset({"main", "Main"})
"""Names that tests define themselves."""
_CLOSING_BRACE = re.compile(rb"\s*\}")
_SEMICOLON = re.compile(rb"[ \t]*;")
_OUTSIDE = re.compile(rb"\n(?:[ \t\r\f]*|#[^\n]*)\Z")
"""A last line that is blank or a comment that is not indented."""
_INTRODUCES_NOTHING = re.compile(
    r"[\s};]*(?:(?:#(?!\s*define)|//|--|\*|/\*|=|@|\[|template\b"
    r"|(?:var|const|type|import)\s*\().*)?\Z"
)
"""Blank lines, closing marks, comments, and what stands above a definition."""
_DEFINING = re.compile(
    r"\b(?:class|struct|interface|enum|trait|object|record|type|module|protocol|typealias|typedef"
    r"|impl|def|sub|fun|func|fn|function|val|var|let|const|my|our|static|using|define)\b([^({=]*)"
    r"|\b(?:const|let|var|val)\s*([\[{(].*)"
    r"|[\w>\]&*?)]\s+[&*]*(\w+)\s*(?:<[^<>]*>)?\s*[({=;]"
    r"|\A\s*(\w+)\s*(?::[^=]*)?=(?!=)"
)
"""What a line defines: after a word that says so, after a type, or by an assignment."""


def truncate(
    completion: str,
    problem: Mapping[str, Any],
    helpers: str = "keep",
) -> str:
    """Cut what follows the entry point's body, decided by the grammar of its language.

    `keep` leaves functions, classes and constants that follow directly and that the entry
    point needs; `cut` leaves none. A body that the grammar cannot read ends where its layout
    says, if it does; what has no clean end (it is unfinished or wrong) stays as it is, and so
    does a completion that would become blank. The result is the start of the completion, save
    that special tokens go and that, in Java, the class is closed (`\\n}`) where the completion
    does not.

    Args:
        completion: What a model wrote after the prompt.
        problem: A row with `language` and `prompt`.
        helpers: `keep` or `cut`.

    Raises:
        MissingExtraError: the grammars are not installed.
        ValueError: the language or `helpers` is unknown.
    """
    if helpers not in HELPERS:
        raise ValueError(f"helpers is {helpers!r}; it may be {' or '.join(HELPERS)}")
    language = str(problem["language"]).lower()
    prompt = encode(problem["prompt"] or "")
    # Without the tokens first: `}<|x|>` and what follows may read as an operator.
    for text in dict.fromkeys((strip_special_tokens(completion), completion)):
        cut = Ending(language, prompt, encode(text)).cut(helpers)
        if cut is not None and cut.strip():
            return decode(cut)
    return completion


class Ending:
    """A completion after its prompt, both as UTF-8, read by the grammar of a language."""

    def __init__(self, language: str, prompt: bytes, completion: bytes) -> None:
        self.language = language
        self.syntax: Syntax = syntax_of(language)
        self.prompt = prompt
        self.completion = completion
        self._tries = tries(len(completion))
        self._wrapper = encode(self.syntax.wrapper)

    def cut(self, helpers: str = "keep") -> bytes | None:
        """The completion up to where it should end; None if no clean end is found."""
        end = self.function_end()
        entry = None if end is None else self._entry(end)
        if end is None or entry is None:
            laid_out = self._laid_out_end()
            return None if laid_out is None else self._up_to(laid_out)
        needed = self._needed(entry)
        members = self._followers(end, self._wrapper) if helpers == "keep" else []
        last = _last_needed(members, needed)
        kept = members[last].end if last >= 0 else end
        if not self.syntax.closes_wrapper:
            return self._up_to(kept)
        brace = _CLOSING_BRACE.match(self.completion, members[-1].end if members else end)
        if brace is None:
            return self.completion[:kept] + self._wrapper
        classes = self._followers(brace.end(), b"") if helpers == "keep" else []
        last_class = _last_needed(classes, needed)
        if last_class >= 0:
            return self._up_to(classes[last_class].end)
        if last == len(members) - 1:
            return self._up_to(brace.end())
        return self.completion[:kept] + self._wrapper

    def settled(self) -> bool:
        """Whether a longer completion would be cut where this one is, helpers kept or not.

        After the function and the helpers it needs stands another definition, or the first
        line of one, or of something else. A helper that is needed, but comes only after a
        definition that isn't, is not foreseen.
        """
        end = self.function_end()
        entry = None if end is None else self._entry(end)
        if end is None or entry is None:
            return False
        needed = self._needed(entry)
        members = self._followers(end, self._wrapper)
        last = _last_needed(members, needed)
        if last < len(members) - 1:
            return True
        following = _first_line(self.completion[members[last].end if members else end :])
        return following is not None and not needed & _introduced(following)

    def _needed(self, entry: Node) -> set[str]:
        """The names that helpers of a function may have."""
        names = used_names(entry)
        return names if self.syntax.overloads else names - defined_names(entry)

    def function_end(self) -> int | None:
        """Where the body of the entry point ends; None if it has no clean end."""
        if not self.syntax.end:
            return self._dedent()
        whole = self._parsed(len(self.completion), self._wrapper)
        entry = function_around(whole, self.syntax, len(self.prompt))
        if entry is not None and not entry.has_error:
            end = entry.end_byte - len(self.prompt)
            if self._is_marked(end) and self._ends_at(end):
                return end
        places = re.finditer(self.syntax.end.encode(), self.completion)
        for place in islice(places, self._tries):
            if self._ends_at(place.end()):
                return place.end()
        return None

    def _is_marked(self, end: int) -> bool:
        """Whether a closing mark is there: `} + 1` may be a body too, but is not meant."""
        marked = rb"(?:%s)\Z" % self.syntax.end.encode()
        return re.search(marked, self.completion[:end]) is not None

    def _laid_out_end(self) -> int | None:
        """Where layout says that a body which the grammar cannot read ends.

        Some compilers go on after an error of syntax. So if all else fails, the first brace
        counts that closes as many as are open and stands alone below the begin of its function.
        """
        if self.syntax.end != BRACE or self.syntax.closes_wrapper:
            return None
        opening = self.prompt.rfind(b"{")
        if opening < 0:
            return None
        line = self.prompt[self.prompt.rfind(b"\n", 0, opening) + 1 :]
        indent = line[: len(line) - len(line.lstrip(b" \t"))]
        places = re.finditer(rb"^%s\}(?=[ \t]*;?[ \t]*\r?$)" % indent, self.completion, re.M)
        for place in islice(places, self._tries):
            text = line[line.rfind(b"{") :] + self.completion[: place.end()]
            if text.count(b"{") == text.count(b"}"):
                return place.end()
        return None

    def _parsed(self, end: int, closing: bytes) -> Node:
        return parse(self.language, self.prompt + self.completion[:end] + closing)

    def _entry(self, end: int) -> Node | None:
        root = self._parsed(end, self._wrapper)
        entry = function_around(root, self.syntax, len(self.prompt))
        return entry if entry is not None and not entry.has_error else None

    def _ends_at(self, end: int) -> bool:
        if not 0 < end <= len(self.completion):
            return False
        entry = self._entry(end)
        return entry is not None and entry.end_byte == len(self.prompt) + end

    def _dedent(self) -> int | None:
        """Where indentation tells: before the first statement that is not indented."""
        for line in islice(re.finditer(rb"^[^\s#]", self.completion, re.M), self._tries):
            start = line.start()
            if start and not self.completion[:start].endswith(b"\\\n") and self._entry(start):
                kept = self.completion[:start].removesuffix(b"\n")
                while found := _OUTSIDE.search(kept):
                    kept = kept[: found.start()]
                return len(kept) + 1
        end = len(self.completion)
        return end if self._entry(end) else None

    def _up_to(self, end: int) -> bytes:
        """Up to there with a semicolon that follows; all of it if only blanks follow."""
        if self.syntax.end:
            semicolon = _SEMICOLON.match(self.completion, end)
            end = semicolon.end() if semicolon else end
        return self.completion[:end] if self.completion[end:].strip() else self.completion

    def _followers(self, start: int, closing: bytes) -> list[_Member]:
        """The definitions that follow directly: members if `closing` closes a wrapper.

        Each is read in a text that ends there, so that what comes after cannot disturb it.
        """
        found: list[_Member] = []
        for end in islice(self._member_ends(start), self._tries):
            root = self._parsed(end, closing)
            entry = function_around(root, self.syntax, len(self.prompt))
            if entry is None or entry.has_error:
                continue
            item = item_of(entry, self.syntax)
            if not closing:
                item = outermost(item)
            if item.parent is None or item.parent.is_error:
                continue
            limit = len(self.prompt) + end
            code = [
                each
                for each in members_beside(item)
                if item.end_byte <= each.start_byte < limit and not is_comment(each)
            ]
            if not code or code[-1].end_byte > limit or any(each.has_error for each in code):
                continue
            if any(each.type not in self.syntax.helpers for each in code):
                break
            found = [_Member(each.end_byte - len(self.prompt), each) for each in code]
        return found

    def _member_ends(self, start: int) -> Iterator[int]:
        """Where a definition after the function may end: at a closing mark or a line's end."""
        last = -1
        ends = self.syntax.end.encode()
        pattern = re.compile(rb"%s|(?=\n)|\Z" % ends if ends else rb"^(?=[^\s#])|\Z", re.M)
        for place in pattern.finditer(self.completion, start):
            if place.end() > max(last, start):
                last = place.end()
                yield last


def _first_line(following: bytes) -> str | None:
    """The first whole line after a function that may introduce something."""
    *whole, _ = decode(following).split("\n")
    return next((line for line in whole if not _INTRODUCES_NOTHING.match(line)), None)


def _introduced(line: str) -> set[str]:
    """The names that a line may define, and sometimes more."""
    names = {name for match in _DEFINING.finditer(line) for name in match.groups() if name}
    return {word for name in names for word in re.findall(r"\w+", name)}


class _Member(NamedTuple):
    """A definition after the entry point, and where it ends in the completion."""

    end: int
    node: Node


def _last_needed(members: list[_Member], needed: set[str]) -> int:
    """The number of the last member that is needed, -1 if none is; adds what those need."""
    used: set[int] = set()
    grown = True
    while grown:
        grown = False
        for number, member in enumerate(members):
            names = defined_names(member.node) - NEVER_HELPERS
            if number not in used and names & needed:
                used.add(number)
                needed |= used_names(member.node)
                grown = True
    return max(used, default=-1)
