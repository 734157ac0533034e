"""Reading code with tree-sitter: one parse, the nodes that matter, the names in them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mbxp_datasets.extras import optional
from mbxp_metric.completions.languages import SYNTAXES, Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"[$@%&*]?(\w+)\Z")
_QUOTED = re.compile("string|content|fragment|text")
_NAME_FIELDS = ("name", "definition", "declaration", "declarator", "left", "type")
_NAME_KINDS = frozenset(
    {
        "identifier",
        "simple_identifier",
        "type_identifier",
        "field_identifier",
        "name",
        "constant",
        "bareword",
        "varname",
        "scalar",
    }
)


def require_grammars() -> None:
    """Check that code can be read.

    Raises:
        MissingExtraError: it cannot; the message has the remedy.
    """
    _parser("python")


@functools.cache
def _parser(language: str) -> Any:
    purpose = "to see where a function ends (or score with --no-truncate, truncate=False)"
    pack = optional("tree_sitter_language_pack", "completions", purpose)
    return pack.get_parser(language)


def syntax_of(language: str) -> Syntax:
    """The entry of a language.

    Raises:
        ValueError: there is none.
    """
    syntax = SYNTAXES.get(language)
    if syntax is None:
        raise ValueError(f"no syntax for {language!r}; there are {', '.join(SYNTAXES)}")
    return syntax


def tries(size: int) -> int:
    """How often code of so many bytes is read at most: less often the longer it is.

    Some grammars take quadratic time to recover from a flood of brackets.
    """
    return max(1, min(500, 400_000 // (size + 1)))


def encode(text: str) -> bytes:
    """UTF-8, lone surrogates and all, so that `decode` gives the same text back."""
    return text.encode("utf-8", "surrogatepass")


def decode(code: bytes) -> str:
    """The text of `encode`."""
    return code.decode("utf-8", "surrogatepass")


def parse(language: str, code: bytes) -> Node:
    """The root of the tree of a piece of code, errors included."""
    root: Node = _parser(language).parse(code).root_node
    return root


def function_around(root: Node, syntax: Syntax, position: int) -> Node | None:
    """The outermost function that starts before a byte and ends after it."""
    node = root
    while True:
        inner = [each for each in node.children if each.start_byte < position < each.end_byte]
        if not inner:
            return None
        node = inner[0]
        if node.type in syntax.functions:
            return node


def functions_named(root: Node, syntax: Syntax, name: str) -> list[Node]:
    """The functions of that name, inside classes too but not inside functions."""
    found: list[Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in syntax.functions:
            named = node.child_by_field_name("name")
            own = _words(named) if named is not None else set()
            if name in own | defined_names(item_of(node, syntax)):
                found.append(node)
        else:
            waiting.extend(node.children)
    return sorted(found, key=lambda node: node.start_byte)


def item_of(node: Node, syntax: Syntax) -> Node:
    """The member of a class or file that a node belongs to."""
    while node.parent is not None and node.parent.parent is not None:
        if node.parent.type in syntax.containers:
            break
        node = node.parent
    return node


def outermost(node: Node) -> Node:
    """The member of the file that a node belongs to."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node


def members_beside(item: Node) -> list[Node]:
    """All members of the class or file of a member, itself included; no punctuation."""
    parent = item.parent
    return [each for each in parent.children if each.is_named] if parent is not None else [item]


def is_comment(node: Node) -> bool:
    return "comment" in node.type or node.type == "pod"


def defined_names(node: Node, depth: int = 8) -> set[str]:
    """The names that a member defines, looked for in so many layers of nodes."""
    if not depth:
        return set()
    for field in _NAME_FIELDS:
        named = node.child_by_field_name(field)
        if named is not None:
            if not named.named_children or field == "name":
                return _words(named)
            return defined_names(named, depth - 1)
    if node.type in _NAME_KINDS:
        return _words(node)
    names: set[str] = set()
    for child in node.named_children:
        if is_comment(child) or child.type == "modifiers" or "parameter" in child.type:
            continue
        names |= defined_names(child, depth - 1)
        if names and child.type != "variable_declarator":
            break
    return names


def used_names(node: Node) -> set[str]:
    """Every identifier of a piece of code, comments and the text of strings left out."""
    return {name for leaf in _leaves(node) for name in _words(leaf)}


def _leaves(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if is_comment(node):
            continue
        if node.children:
            waiting.extend(node.children)
        elif not _QUOTED.search(node.type):
            yield node


def _words(node: Node) -> set[str]:
    match = _WORD.match(decode(node.text or b""))
    return {match[1]} if match else set()
