"""Where the words of a prompt's prose are: in its comments, outside of examples and code."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from mbxp_datasets.conversion.targets import TARGETS
from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.comments import parts

_EXAMPLE = re.compile(r"\s*(?:>>>?|\.\.\.|php >|irb>|=>|>)(?:\s|$)")
_LOOKS_LIKE_CODE = re.compile(r"==|=>|->|➞|→|\w\(|:=|^\s*(?i:input|output)\s*[:=]")
_MARKS = re.compile(r'[ \t]*(?:/\*\*?|\*/|\*|///?|\#\#?|[rRuU]?"""|[rRuU]?\'\'\')?[ \t]*')
_XML = re.compile(r"</?[a-z]+>")
_WORD = re.compile(r"(?<![\w'\"`<.\\&@$-])[A-Za-z]+(?![\w'\"`>(\[\\=-]|\.\w)")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|\"\"\"")
_NAME = re.compile(r"[A-Za-z_]\w*")


def prose_words(problem: Problem, keep_code_words: bool) -> Iterator[tuple[int, int]]:
    """Start and end in the prompt of each word of its prose, which is of ASCII letters only.

    An example is a line with a prompt's mark and all that follow it up to a blank one, and a
    line that holds a call or an arrow, or compares values. The entry point is left out, and
    with `keep_code_words` so are quoted words, names in the code and reserved words.
    """
    kept = _code_words(problem) if keep_code_words else {problem["entry_point"]}
    in_example = False
    for start, line in _natural_lines(problem):
        content = _MARKS.match(line)
        begin = content.end() if content else 0
        text = _XML.sub(lambda match: " " * len(match[0]), line[begin:])
        if not text.strip():
            in_example = False
        elif _EXAMPLE.match(text):
            in_example = True
        if in_example or _LOOKS_LIKE_CODE.search(text):
            continue
        if keep_code_words:
            text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
        for word in _WORD.finditer(text):
            if word[0] not in kept:
                at = start + begin + word.start()
                yield at, at + len(word[0])


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
    language = problem["language"]
    code = "".join(piece for piece, natural in parts(problem["prompt"], language) if not natural)
    reserved = frozenset(keyword.kwlist) if language == "python" else TARGETS[language].reserved
    return reserved | frozenset(_NAME.findall(code))
