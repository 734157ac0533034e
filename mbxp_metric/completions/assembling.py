"""Making a program's head of a prompt and code that repeats its function or only its body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from mbxp_metric.completions.ending import NEVER_HELPERS, Ending
from mbxp_metric.completions.languages import Syntax
from mbxp_metric.completions.parsing import (
    decode,
    defined_names,
    encode,
    function_around,
    functions_named,
    is_comment,
    item_of,
    members_beside,
    outermost,
    parse,
    syntax_of,
    tries,
    used_names,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORT_PATH = re.compile(r'(?:(\w+|[._])[ \t]+)?"([^"\n]+)"')
_BEFORE_NAME = re.compile(r"[^({=;]*")


@dataclass(eq=False)
class _Item:
    """A definition of the answer."""

    text: str
    names: set[str]
    uses: set[str]
    outside: bool = False
    """Whether it stands outside the class of the entry point."""


@dataclass
class _Reading:
    """The code of one block, as its definitions."""

    entry: _Item | None = None
    items: list[_Item] = field(default_factory=list)
    """All that may be needed, the entry point among them, in order."""
    imports: list[str] = field(default_factory=list)


def from_function(
    language: str, prompt: str, entry_point: str, code: str, others: Sequence[str]
) -> str | None:
    """The prompt up to its function, then the code's own; None if the code has none that reads.

    Args:
        language: As in a problem.
        prompt: Of the problem.
        entry_point: The name of the function.
        code: Holds the function.
        others: Further pieces of code that may hold what it needs.
    """
    syntax = syntax_of(language)
    reading = _read(language, code, entry_point)
    if reading.entry is None:
        return None
    start = _function_start(language, prompt, entry_point)
    if start is None:
        return None
    preamble, stub = decode(encode(prompt)[:start]), decode(encode(prompt)[start:])
    readings = [_read(language, other, entry_point) for other in others]
    pool = [item for each in readings for item in each.items if item is not each.entry]
    kept, needed = _needed(reading, pool, _words(preamble, language))
    imports = [text for each in (reading, *readings) for text in each.imports]
    head = _with_imports(syntax, preamble, imports, needed)
    static = bool(syntax.static_members) and "static" in _start_of(stub)
    inside = [_fitted(syntax, item, static) for item in kept if not _goes_outside(syntax, item)]
    outside = [item.text for item in kept if _goes_outside(syntax, item)]
    closing = syntax.wrapper if syntax.closes_wrapper else ""
    indent = preamble.rpartition("\n")[2]
    between = "\n\n" + (indent if not indent.strip() else "")
    return "\n\n".join([head + between.join(inside) + closing, *outside])


def from_body(language: str, prompt: str, code: str) -> str | None:
    """The prompt and a body, closed where it is not; None if that does not read cleanly."""
    syntax = syntax_of(language)
    for body in _bodies(syntax, prompt, code):
        cut = Ending(language, encode(prompt), encode(body)).cut()
        if cut is not None and cut.strip():
            return prompt + decode(cut)
    return None


def _bodies(syntax: Syntax, prompt: str, code: str) -> Iterator[str]:
    code = code.rstrip()
    if not prompt.endswith("\n") and not code.startswith("\n"):
        code = "\n" + code
    if not syntax.end and not re.match(r"\n*[ \t]", code):
        last = prompt.rstrip().rpartition("\n")[2]
        indent = last[: len(last) - len(last.lstrip())] or "    "
        code = re.sub(r"^(?=[^\n])", indent, code, flags=re.M)
    yield code + "\n" if not syntax.end else code
    if syntax.closing:
        yield code + syntax.closing


def _read(language: str, code: str, entry_point: str) -> _Reading:
    """The definitions of a piece of code, as it is or as members without their class."""
    syntax = syntax_of(language)
    first = _Reading()
    for opening in dict.fromkeys(("", syntax.opening)):
        if opening.strip() and opening.strip() in code:
            continue
        text = encode(opening + code)
        for end in _ends(syntax, text, len(encode(opening))):
            closing = b"\n}" if opening.endswith("{\n") else b""
            root = parse(language, text[:end] + closing)
            found = [
                node
                for node in functions_named(root, syntax, entry_point)
                if not node.has_error
                and _has_body(node)
                and item_of(node, syntax).type in syntax.helpers
            ]
            reading = _Reading()
            _collect(reading, syntax, root, found[-1] if found else None, text)
            if reading.entry is not None:
                reading.entry.names.add(entry_point)
            if found:
                return reading
            if end == len(text) and len(reading.items) > len(first.items):
                first = reading
            if not re.search(rf"\b{re.escape(entry_point)}\b", code):
                break
    return first


def _has_body(node: Node) -> bool:
    return any("body" in each.type or "block" in each.type for each in node.children) or bool(
        node.child_by_field_name("body")
    )


def _ends(syntax: Syntax, text: bytes, start: int) -> Iterator[int]:
    """All of the text, or else as far as a mark where a function may end."""
    yield len(text)
    pattern = re.compile(syntax.end.encode() or rb"^(?=[^\s#])", re.M)
    for place in islice(pattern.finditer(text, start), tries(len(text))):
        if place.end() > start:
            yield place.end()


def _collect(
    reading: _Reading, syntax: Syntax, root: Node, entry: Node | None, text: bytes
) -> None:
    """Sort the members of the file, and of the entry point's class, into the reading."""
    entry_item = item_of(entry, syntax) if entry is not None else None
    members = members_beside(entry_item) if entry_item is not None else []
    holder = outermost(entry_item) if entry_item is not None else None
    pending: list[tuple[Node, bool]] = []
    for node in root.children:
        if node == holder and node != entry_item:
            pending += [(member, False) for member in members]
        elif node.is_named:
            pending.append((node, entry_item is not None and entry_item != holder))
    for node, outside in pending:
        source = decode(text[node.start_byte : node.end_byte])
        if node.type in syntax.imports or (
            syntax.import_text and source.startswith(syntax.import_text)
        ):
            if not (syntax.idle_import and re.match(syntax.idle_import, source)):
                reading.imports.append(source)
        elif node == entry_item or (
            node.type in syntax.helpers and not node.has_error and not is_comment(node)
        ):
            if text[node.end_byte : node.end_byte + 1] == b";":
                source += ";"
            names = defined_names(node)
            item = _Item(source, names, used_names(node), outside)
            reading.items.append(item)
            if node == entry_item:
                reading.entry = item
                _call_method(item, syntax, node, entry)


def _call_method(item: _Item, syntax: Syntax, node: Node, entry: Node | None) -> None:
    """Make a method of a class callable as a function, where a class cannot be taken apart."""
    if syntax.method_call and entry is not None and node.type == "class_definition":
        owner, name = (node.child_by_field_name("name"), entry.child_by_field_name("name"))
        if owner is not None and name is not None:
            item.text += syntax.method_call.format(
                owner=decode(owner.text or b""), name=decode(name.text or b"")
            )


def _needed(reading: _Reading, pool: list[_Item], known: set[str]) -> tuple[list[_Item], set[str]]:
    """The entry point with what it needs, in order, and all names that are used."""
    assert reading.entry is not None
    entry = reading.entry
    candidates = [
        item
        for item in [*pool, *reading.items]
        if item is not entry and not item.names & entry.names and not item.names <= known
    ]
    needed, used = set(entry.uses), [entry]
    grown = True
    while grown:
        grown = False
        for item in candidates:
            if item not in used and (item.names - NEVER_HELPERS) & needed:
                used.append(item)
                needed |= item.uses
                grown = True
    order = [*pool, *reading.items]
    return [item for item in order if item in used], needed


def _function_start(language: str, prompt: str, entry_point: str) -> int | None:
    """The byte of a prompt at which its open function starts."""
    syntax = syntax_of(language)
    code = encode(prompt)
    stubs = [syntax.closing + syntax.wrapper] if syntax.end else ["", "\n    pass\n"]
    for stub in stubs:
        root = parse(language, code + encode(stub))
        named = functions_named(root, syntax, entry_point)
        found = named[-1] if named else function_around(root, syntax, len(code))
        if found is not None:
            return item_of(found, syntax).start_byte
    return None


def _words(preamble: str, language: str) -> set[str]:
    """The names that the prompt defines before its function."""
    syntax = syntax_of(language)
    root = parse(language, encode(preamble + syntax.wrapper))
    names: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in syntax.functions and not node.has_error:
            names |= defined_names(node)
        else:
            waiting.extend(node.children)
    return names


def _with_imports(syntax: Syntax, preamble: str, imports: list[str], needed: set[str]) -> str:
    """The preamble with the imports that it lacks, at its top."""
    lines: list[str] = []
    if syntax.only_used_imports:
        for text in imports:
            for alias, path in _IMPORT_PATH.findall(text):
                name = alias or path.rpartition("/")[2]
                if name in needed and f'"{path}"' not in preamble:
                    lines.append(f'import {alias} "{path}"'.replace("  ", " "))
    else:
        have = {line.strip() for line in preamble.splitlines()}
        lines = [text.rstrip() for text in imports if text.strip() not in have]
    lines = list(dict.fromkeys(lines))
    if not lines:
        return preamble
    block = "\n".join(lines) + "\n"
    if syntax.first_line:
        kept = re.compile(rf"^{re.escape(syntax.first_line)}.*\n", re.M).search(preamble)
        if kept is not None:
            return preamble[: kept.end()] + block + preamble[kept.end() :]
    return block + preamble


def _goes_outside(syntax: Syntax, item: _Item) -> bool:
    return syntax.closes_wrapper and item.outside


def _start_of(text: str) -> str:
    match = _BEFORE_NAME.match(text)
    return match[0] if match else ""


def _fitted(syntax: Syntax, item: _Item, static: bool) -> str:
    """A member as the prompt's surroundings need it."""
    text = re.sub(syntax.surplus, "", item.text) if syntax.surplus else item.text
    if static and "static" not in _start_of(text):
        return re.sub(syntax.static_members, r"\g<0>static ", text, count=1)
    return text
