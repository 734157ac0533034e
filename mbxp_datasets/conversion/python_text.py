"""Python source read by its tokens: text that does not parse, as some prompts do not, is fine."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Container, Iterator
from dataclasses import dataclass

from mbxp_datasets.conversion.docstrings import cooked

_LAYOUT = (tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True)
class Function:
    """The head of a function: its parameters and its docstring."""

    name: str
    parameters: tuple[str, ...]
    docstring: str
    """As between its quotes, escapes not resolved; empty where there is none."""
    start: int
    """Line of its `def`, from 1."""
    end: int
    """Line on which its docstring, or else its signature, ends."""


def function(source: str, name: str) -> Function | None:
    """The last function of that name in a source text; its docstring may stand in any column."""
    found = None
    stream = list(tokens(source))
    for position, token in enumerate(stream[:-1]):
        if token.string == "def" and stream[position + 1].string == name:
            found = _function(source, stream, position) or found
    return found


def description(docstring: str) -> str:
    """The text of a docstring before its first `>>>` example."""
    lines = cooked(docstring).split("\n")
    examples = [number for number, line in enumerate(lines) if line.lstrip().startswith(">>>")]
    return "\n".join(lines[: examples[0]] if examples else lines).strip()


def is_doctest_of(docstring: str, test: str) -> bool:
    """Whether the docstring ends in one example for each assert of the test."""
    examples = cooked(docstring).split("\n")
    while examples and not examples[0].lstrip().startswith(">>>"):
        del examples[0]
    asserts = sum(token.string == "assert" for token in tokens(test))
    calls = sum(line.lstrip().startswith(">>>") for line in examples)
    return 0 < calls == asserts and all(line.strip() for line in examples)


def renamed(source: str, old: str, new: str) -> str:
    """The source with each use of a name replaced; not attributes, keywords or strings."""
    lines = physical_lines(source)
    stream = list(tokens(source))
    for position in reversed(range(len(stream))):
        token = stream[position]
        before = stream[position - 1].string if position else ""
        after = stream[position + 1].string if position + 1 < len(stream) else ""
        if token.type == tokenize.NAME and token.string == old and before != "." and after != "=":
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column] + new + line[column + len(old) :]
    return "".join(lines)


def indented(source: str, indent: str) -> str:
    """The source with each line indented, except blank ones and those inside a string."""
    inside = string_lines(source)
    return "".join(
        line if number in inside or not line.strip() else indent + line
        for number, line in enumerate(physical_lines(source), 1)
    )


def string_lines(source: str) -> set[int]:
    """The lines, from 1, that begin inside a string."""
    inside: set[int] = set()
    for token in tokens(source):
        inside.update(range(token.start[0] + 1, token.end[0] + 1))
    return inside


def first_called(tree: ast.AST, names: Container[str]) -> str | None:
    """The first of the named functions that is called, outer calls before inner ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            return node.func.id
    return None


def sides(assertion: str) -> tuple[str, str] | None:
    """What stands left and right of the `==` of an assert, as it is written; None without one."""
    depth = 0
    lines = physical_lines(assertion)
    start = None
    for token in tokens(assertion):
        if start is None and token.string == "assert":
            start = _offset(lines, token.end)
        elif token.string in ("(", "[", "{"):
            depth += 1
        elif token.string in (")", "]", "}"):
            depth -= 1
        elif token.string == "==" and depth == 0 and start is not None:
            left = assertion[start : _offset(lines, token.start)]
            return left.strip(), assertion[_offset(lines, token.end) :].strip()
    return None


def physical_lines(source: str) -> list[str]:
    """The lines of a source text with their ends, as Python counts them."""
    return io.StringIO(source).readlines()


def tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a source text, as far as it has any."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _function(source: str, stream: list[tokenize.TokenInfo], start: int) -> Function | None:
    depth = 0
    for position in range(start, len(stream)):
        token = stream[position]
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        if token.string == ":" and depth == 0:
            break
    else:
        return None
    lines = physical_lines(source)
    signature = source[_offset(lines, stream[start].start) : _offset(lines, token.end)]
    try:
        head = ast.parse(signature + " pass").body[0]
    except SyntaxError:
        return None
    assert isinstance(head, ast.FunctionDef)
    last = token
    docstring = ""
    for token in stream[position + 1 :]:
        if token.type not in _LAYOUT:
            if token.type == tokenize.STRING:
                last, docstring = token, _between_quotes(token.string)
            break
    arguments = head.args
    every = [*arguments.posonlyargs, *arguments.args]
    every += [arguments.vararg] if arguments.vararg else []
    names = tuple(argument.arg for argument in [*every, *arguments.kwonlyargs])
    return Function(head.name, names, docstring, stream[start].start[0], last.end[0])


def _between_quotes(literal: str) -> str:
    prefix = literal[: min(literal.find(quote) for quote in "'\"" if quote in literal)]
    quoted = literal[len(prefix) :]
    width = 3 if quoted[:3] in ('"""', "'''") else 1
    text = quoted[width:-width]
    return text.replace("\\", "\\\\") if "r" in prefix.lower() else text


def _offset(lines: list[str], place: tuple[int, int]) -> int:
    row, column = place
    return sum(map(len, lines[: row - 1])) + column
