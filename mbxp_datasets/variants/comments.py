"""Natural language in programs: where comments and docstrings are, and a program without them.

A program is read by one regular expression a language, which tells strings from comments; it
is no parser, and needs none.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

_QUOTED = r'"(?:\\.|[^"\\\n])*"'
_SINGLE_QUOTED = r"'(?:\\.|[^'\\\n])*'"
_CHARACTER = r"'(?:\\[^\n']+|\\'|[^'\\\n])'"
_THREE_QUOTED = r'"""(?:\\[\s\S]|[^\\])*?"""'
_RAW_THREE_QUOTED = r'"""[\s\S]*?"""'
_TEMPLATE = r"`(?:\\[\s\S]|[^`\\])*`"
_SLASHES = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_HASH = r"#[^\n]*"
_PERL_VARIABLE = r"\$\#[\w{$]"
_PREFIX = r"\b[rRbBfFuU]{1,2}(?=['\"])"

_COMMENTS = {
    "python": _HASH,
    "ruby": rf"{_HASH}|^=begin\b[\s\S]*?^=end\b[^\n]*",
    "perl": rf"{_HASH}|^=[a-z]\w*[\s\S]*?^=cut\b[^\n]*",
    "php": rf"{_SLASHES}|#(?!\[)[^\n]*",
}
_STRINGS = {
    "python": rf"{_THREE_QUOTED}|'''(?:\\[\s\S]|[^\\])*?'''|{_QUOTED}|{_SINGLE_QUOTED}",
    "ruby": rf"{_QUOTED}|{_SINGLE_QUOTED}",
    "perl": rf"{_PERL_VARIABLE}|{_QUOTED}|{_SINGLE_QUOTED}",
    "php": r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])*'",
    "javascript": rf"{_QUOTED}|{_SINGLE_QUOTED}|{_TEMPLATE}",
    "typescript": rf"{_QUOTED}|{_SINGLE_QUOTED}|{_TEMPLATE}",
    "go": rf"{_QUOTED}|{_CHARACTER}|`[^`]*`",
    "csharp": rf'\$?@\$?"(?:[^"]|"")*"|{_QUOTED}|{_CHARACTER}',
    "java": rf"{_THREE_QUOTED}|{_QUOTED}|{_CHARACTER}",
    "kotlin": rf"{_RAW_THREE_QUOTED}|{_QUOTED}|{_CHARACTER}",
    "scala": rf"{_RAW_THREE_QUOTED}|{_QUOTED}|{_CHARACTER}",
    "swift": rf"{_THREE_QUOTED}|{_QUOTED}",
    "cpp": rf'R"\([\s\S]*?\)"|{_QUOTED}|{_CHARACTER}',
    "rust": rf'r\#"[\s\S]*?"\#|{_QUOTED}|{_CHARACTER}',
}

LINE_COMMENTS = {
    language: "#" if language in ("python", "ruby", "perl") else "//" for language in _STRINGS
}
"""What begins a comment up to the end of the line, by language."""

_REGULAR_EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/")
_WITH_REGULAR_EXPRESSIONS = ("javascript", "typescript", "ruby", "perl")
_BEFORE_REGULAR_EXPRESSION = re.compile(r"(?:^|[(,=:\[!&|?{};~]|\breturn|\band|\bor)\s*\Z")


def without_natural_language(program: str, language: str) -> str:
    """The program without its comments and docstrings; every other byte stays.

    A line that holds nothing else goes with them, and so does white space left at the end of
    one.
    """
    lines, touched = [""], [False]
    for piece, natural in parts(program, language):
        for number, part in enumerate(piece.split("\n")):
            if number:
                lines.append("")
                touched.append(False)
            if natural:
                touched[-1] = True
            else:
                lines[-1] += part
    kept = zip(lines, touched, strict=True)
    return "\n".join(
        line.rstrip() if mended else line for line, mended in kept if line.strip() or not mended
    )


def parts(program: str, language: str) -> Iterator[tuple[str, bool]]:
    """The program in pieces, each with whether it is a comment or a docstring."""
    begin = 0
    for match, natural in _tokens(program, language):
        if not natural:
            continue
        if begin < match.start():
            yield program[begin : match.start()], False
        yield match[0], True
        begin = match.end()
    if begin < len(program):
        yield program[begin:], False


def spans(program: str, language: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each string, comment and docstring, and whether it is one of the latter."""
    for match, natural in _tokens(program, language):
        yield match.start(), match.end(), natural


def _tokens(program: str, language: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Strings and comments, each with whether it is natural language."""
    pattern = _pattern(language)
    at = depth = 0
    while at < len(program):
        match = pattern.match(program, at)
        if match is None and _is_regular_expression(program, at, language):
            match = _REGULAR_EXPRESSION.match(program, at)
        if match is None:
            # Only Python's brackets matter: a string inside them is no docstring.
            depth += (program[at] in "([{") - (program[at] in ")]}")
            at += 1
            continue
        yield (
            match,
            match.lastgroup == "comment"
            or (language == "python" and depth == 0 and _is_statement(program, match)),
        )
        at = match.end()


@functools.cache
def _pattern(language: str) -> re.Pattern[str]:
    comment = _COMMENTS.get(language, _SLASHES)
    string = _STRINGS[language]
    prefix = f"(?:{_PREFIX})?" if language == "python" else ""
    return re.compile(f"(?P<string>{prefix}(?:{string}))|(?P<comment>{comment})", re.M)


def _is_statement(program: str, match: re.Match[str]) -> bool:
    """Whether a string of Python stands alone on its lines, as a docstring does."""
    line = program.rfind("\n", 0, match.start()) + 1
    end = program.find("\n", match.end())
    after = program[match.end() : end if end >= 0 else len(program)].strip()
    continued = program[:line].rstrip("\n").endswith("\\")
    return (
        not program[line : match.start()].strip()
        and (not after or after.startswith("#"))
        and not continued
    )


def _is_regular_expression(program: str, at: int, language: str) -> bool:
    if program[at] != "/" or language not in _WITH_REGULAR_EXPRESSIONS:
        return False
    return _BEFORE_REGULAR_EXPRESSION.search(program[max(0, at - 80) : at]) is not None
