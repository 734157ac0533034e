"""The layout of a program: tabs for blanks, blank lines. What it does stays the same.

After ReCode's tab_indent, new_lines and new_line_afterdoc (amazon-science/recode, format/).
"""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections.abc import Callable, Mapping

from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.base import lines_of
from mbxp_datasets.variants.comments import spans

_BLANK_LINE_SHARE = 0.5
"""The chance of a line to be followed by a blank one."""
FormatChange = Callable[[Problem, random.Random], tuple[str, str | None, int]]
"""From a problem to its prompt, its solution and how many lines are other."""


def _tabs(problem: Problem, draw: random.Random) -> tuple[str, str | None, int]:
    """Tabs in place of the indentation by blanks, or four blanks for each tab.

    Lines that begin inside a string stay, and so does a whole Python program whose indentation
    is too uneven for it to mean the same.
    """
    prompt, solution = problem["prompt"], problem["canonical_solution"]
    program = prompt + (solution or "")
    unit = next(iter(re.findall(r"^([ \t]+)\S", program, re.M)), "")
    if not unit:
        return prompt, solution, 0
    old, new = ("\t", "    ") if "\t" in unit else (unit, "\t")
    texts = [each for each in spans(program, problem["language"]) if not each[2]]
    lines, at, changed, length = [], 0, 0, 0
    for line in lines_of(program):
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        other = line
        if line.strip() and not any(start < at < end for start, end, _ in texts):
            other = blanks.replace(old, new) + line[len(blanks) :]
        lines.append(other)
        changed += other != line
        if at < len(prompt):
            # A last line without a newline goes on in the solution; its indentation is here.
            length += len(other) - max(0, at + len(line) - len(prompt))
        at += len(line)
    text = "".join(lines)
    if problem["language"] == "python" and not _means_the_same(problem, text):
        return prompt, solution, 0
    return text[:length], None if solution is None else text[length:], changed


def _blank_lines(problem: Problem, draw: random.Random) -> tuple[str, str | None, int]:
    """Blank lines in the prompt's code: after its last line, and half of the lines before.

    Only a complete line of code is followed by one: it ends in a brace, a colon, a semicolon or
    a docstring, or is blank itself.
    """
    prompt, solution = problem["prompt"], problem["canonical_solution"]
    texts = list(spans(prompt, problem["language"]))
    lines = lines_of(prompt)
    found, at, changed = [], 0, 0
    for number, line in enumerate(lines):
        last = at + len(line.rstrip()) - 1
        at += len(line)
        found.append(line)
        if any(natural and end == last + 1 for _, end, natural in texts):
            complete = problem["language"] == "python" and prompt[last] in "\"'"
        else:
            inside = any(start <= last < end or start < at < end for start, end, _ in texts)
            complete = not inside and line.strip()[-1:] in ("", *"{};:")
        complete = complete and line.endswith("\n")
        chosen = draw.random() < _BLANK_LINE_SHARE or number == len(lines) - 1
        if chosen and complete:
            found.append("\n")
            changed += 1
    text = "".join(found)
    if problem["language"] == "python" and not _means_the_same(problem, text + (solution or "")):
        return prompt, solution, 0
    return text, solution, changed


def _means_the_same(problem: Problem, program: str) -> bool:
    """Whether a Python program is the problem's but for the layout of its docstrings."""
    before = _tree(problem["prompt"] + (problem["canonical_solution"] or ""))
    # A prompt alone may be no program; there is nothing to break then.
    alone = problem["canonical_solution"] is None and before is None
    return _tree(program) == before and (before is not None or alone)


def _tree(program: str) -> str | None:
    """What a Python program is without its docstrings; None for no program."""
    with warnings.catch_warnings():
        # Of escapes that are no longer welcome; they are the problem's own.
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError):
            return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(value=None)
    return ast.dump(tree)


FORMAT_CHANGES: Mapping[str, FormatChange] = {"tabs": _tabs, "blank_lines": _blank_lines}
"""By the name of the split."""
