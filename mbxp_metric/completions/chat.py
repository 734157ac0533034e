"""From a chat answer to the start of a program: prose, fences and thoughts go, code stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mbxp_metric.completions.assembling import from_body, from_function
from mbxp_metric.completions.languages import SYNTAXES
from mbxp_metric.completions.parsing import syntax_of, tries
from mbxp_metric.completions.tokens import strip_special_tokens

_THOUGHTS = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.S)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S)
_OPEN_THOUGHT = re.compile(r"<(?:think|thinking|thought|reasoning)>.*\Z", re.S)
_FENCE = re.compile(r"^([ \t]*(?:>[ \t]*)?)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*$", re.M)
_FENCE_AFTER_CODE = re.compile(r"(?<=[^\s`~>])[ \t]*(`{3,})[ \t]*$", re.M)
_MOST_STARTS = 60
"""Lines of prose before code that is not fenced, at most."""


def extract(answer: str, problem: Mapping[str, Any]) -> str:
    """What stands before the test: the prompt and the answer's code, made one.

    A function that the answer repeats takes the place of the prompt's; its imports, and what
    it needs of the answer's other definitions, come along, while a main function, tests and
    calls stay out. A body alone follows the prompt and is closed where it lacks that. An
    answer without code that fits comes back as the prompt and the bare answer, to fail.

    Args:
        answer: What a chat model answered.
        problem: A row with `language`, `prompt` and `entry_point`.

    Raises:
        MissingExtraError: the grammars are not installed.
        ValueError: the language is unknown.
    """
    language = str(problem["language"]).lower()
    syntax_of(language)
    prompt, entry_point = problem["prompt"] or "", problem["entry_point"] or ""
    text = _without_thoughts(strip_special_tokens(answer)).replace("\r\n", "\n")
    blocks = _blocks(text, language)
    for code in reversed(blocks):
        others = [block for block in blocks if block is not code]
        found = from_function(language, prompt, entry_point, code, others)
        if found is not None:
            return found
    for code in _unfenced(text, entry_point) if not blocks else ():
        found = from_function(language, prompt, entry_point, code, [])
        if found is not None:
            return found
    for code in blocks or _bodies(text):
        found = from_body(language, prompt, code)
        if found is not None:
            return found
    return prompt + (blocks[-1] if blocks else text)


def _without_thoughts(text: str) -> str:
    """The text after the thoughts; an answer that never came out of them is left alone."""
    text = _THOUGHTS.sub("", text)
    text = _THOUGHT_END.sub("", text)
    shown = _OPEN_THOUGHT.sub("", text)
    return shown if shown.strip() else text


def _blocks(text: str, language: str) -> list[str]:
    """The fenced pieces that may be code of the language; empty if nothing is fenced."""
    text = _FENCE_AFTER_CODE.sub(r"\n\1", text)
    fences = list(_FENCE.finditer(text))
    if not fences:
        return []
    if len(fences) == 1 and not fences[0][3]:
        # Alone it opens or closes: both readings are offered, and the one that fits is taken.
        sides = [text[fences[0].end() :], text[: fences[0].start()]]
        return [side.strip("\n") for side in sides if side.strip()]
    blocks: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for fence in fences:
        if opened is None:
            opened = fence
        elif fence[3]:
            # A language's name opens: the fence before it was never closed.
            blocks.append((opened[3], _dedented(text[opened.end() : fence.start()], opened[1])))
            opened = fence
        elif fence[2].startswith(opened[2]):
            blocks.append((opened[3], _dedented(text[opened.end() : fence.start()], opened[1])))
            opened = None
    if opened is not None:
        blocks.append((opened[3], _dedented(text[opened.end() :], opened[1])))
    return [code for name, code in blocks if _fits(name, language) and code.strip()]


def _dedented(code: str, indent: str) -> str:
    lines = code.removeprefix("\n").split("\n")
    return "\n".join(line.removeprefix(indent) for line in lines)


def _fits(name: str, language: str) -> bool:
    """Whether a fence of that name may hold the language: it or no known one."""
    name = name.lower()
    if name in (language, *SYNTAXES[language].fences):
        return True
    others = {other for key, each in SYNTAXES.items() for other in (key, *each.fences)}
    return name not in others | {"sh", "bash", "shell", "console", "json", "output", "text"}


def _unfenced(text: str, entry_point: str) -> Iterator[str]:
    """Runs of lines that may hold the entry point: from each line on, the longest first."""
    lines = text.split("\n")[: tries(len(text))]
    named = re.compile(rf"\b{re.escape(entry_point)}\b")
    last = max((number for number, line in enumerate(lines) if named.search(line)), default=-1)
    for start in range(min(last + 1, _MOST_STARTS)):
        yield "\n".join(lines[start:])


def _bodies(text: str) -> Iterator[str]:
    lines = text.split("\n")[: tries(len(text))]
    for start in range(min(len(lines), _MOST_STARTS)):
        yield "\n".join(lines[start:])
