"""Where a prompt's prose and its words are: in its comments, outside of examples and code."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mbxp_datasets.conversion.targets import TARGETS
from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.comments import parts

_EXAMPLE = re.compile(r"\s*(?:>>>?|\.\.\.|php >|irb>|=>|>)(?:\s|$)")
_LOOKS_LIKE_CODE = re.compile(r"==|=>|->|➞|→|\w\(|:=|^\s*(?i:input|output)\s*[:=]")
_MARKS = re.compile(r'[ \t]*(?:/\*\*?|\*/|\*|///?|\#\#?|[rRuU]?"""|[rRuU]?\'\'\')?[ \t]*')
_XML = re.compile(r"</?[a-z]+>")
_WORD = re.compile(r"(?<![\w'\"`<.\\&@$-])[A-Za-z]+(?![\w'\"`>(\[\\=-]|\.\w)")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|\"\"\"")
_END_MARK = re.compile(r"(?:\*+/|\"\"\"|''')\s*\Z")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Paragraph:
    """Lines of prose that belong together."""

    spans: tuple[tuple[int, int], ...]
    """Start and end in the prompt of what is prose on each line, without marks and blanks."""
    lines: tuple[str, ...]
    """That prose."""

    @property
    def text(self) -> str:
        """All on one line."""
        return " ".join(self.lines)


def prose_words(problem: Problem, keep_code_words: bool) -> Iterator[tuple[int, int]]:
    """Start and end in the prompt of each word of its prose, which is of ASCII letters only.

    An example is a line with a prompt's mark and all that follow it up to a blank one, and a
    line that holds a call or an arrow, or compares values. The entry point is left out, and
    with `keep_code_words` so are quoted words, names in the code and reserved words.
    """
    kept = _code_words(problem) if keep_code_words else {problem["entry_point"]}
    for start, text in _prose_lines(problem):
        if keep_code_words:
            text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
        for word in _WORD.finditer(text):
            if word[0] not in kept:
                at = start + word.start()
                yield at, at + len(word[0])


def paragraphs(problem: Problem) -> Iterator[Paragraph]:
    """The prose in paragraphs: neighbouring lines; a line that begins with a sign is a new one."""
    prompt = problem["prompt"]
    spans: list[tuple[int, int]] = []
    for start, text in _prose_lines(problem):
        content = _END_MARK.sub("", prompt[start : start + len(text)])
        begin = start + len(content) - len(content.lstrip())
        end = start + len(content.rstrip())
        if begin >= end or _XML.search(content):
            continue
        follows = spans and prompt.count("\n", spans[-1][1], begin) == 1
        if spans and not (follows and prompt[begin].isalpha()):
            yield _paragraph(prompt, spans)
            spans = []
        spans.append((begin, end))
    if spans:
        yield _paragraph(prompt, spans)


def kept_phrases(problem: Problem, keep_code_words: bool) -> list[re.Pattern[str]]:
    """What a paraphrase must not lose: the entry point, quoted words and names in the code."""
    if not keep_code_words:
        return [re.compile(rf"\b{re.escape(problem['entry_point'])}\b")]
    names = _names(problem) | {problem["entry_point"]}
    wanted = "|".join(sorted(map(re.escape, names), key=lambda name: (-len(name), name)))
    return [_QUOTED, re.compile(rf"\b(?:{wanted})\b")]


def _paragraph(prompt: str, spans: list[tuple[int, int]]) -> Paragraph:
    return Paragraph(tuple(spans), tuple(" ".join(prompt[a:b].split()) for a, b in spans))


def _prose_lines(problem: Problem) -> Iterator[tuple[int, str]]:
    """Where prose starts on each line that has some, and the rest of the line without tags."""
    in_example = False
    for start, line in _natural_lines(problem):
        content = _MARKS.match(line)
        begin = content.end() if content else 0
        text = _XML.sub(lambda match: " " * len(match[0]), line[begin:])
        if not text.strip():
            in_example = False
        elif _EXAMPLE.match(text):
            in_example = True
        if not (in_example or _LOOKS_LIKE_CODE.search(text)):
            yield start + begin, text


def _natural_lines(problem: Problem) -> Iterator[tuple[int, str]]:
    """Each line of the prompt's comments and docstrings, with where it starts."""
    at = 0
    for piece, natural in parts(problem["prompt"], problem["language"]):
        start = at
        for line in piece.split("\n"):
            if natural:
                yield start, line
            start += len(line) + 1
        at += len(piece)


def _code_words(problem: Problem) -> frozenset[str]:
    """Names in the prompt's code, and the reserved words of its language."""
    return _reserved(problem) | _all_names(problem)


def _names(problem: Problem) -> frozenset[str]:
    """Names in the prompt's code that are no reserved words."""
    return _all_names(problem) - _reserved(problem)


def _all_names(problem: Problem) -> frozenset[str]:
    pieces = parts(problem["prompt"], problem["language"])
    code = "".join(piece for piece, natural in pieces if not natural)
    return frozenset(_NAME.findall(code))


def _reserved(problem: Problem) -> frozenset[str]:
    language = problem["language"]
    return frozenset(keyword.kwlist) if language == "python" else TARGETS[language].reserved
