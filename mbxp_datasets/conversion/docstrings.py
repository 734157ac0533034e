"""The docstring of a strict prompt: prose about the language, examples in its own notation."""

from __future__ import annotations

import ast
import doctest
import inspect
from typing import TYPE_CHECKING

from mbxp_datasets.conversion.problem import Case, TypedProblem
from mbxp_datasets.conversion.types import type_of, unify
from mbxp_datasets.conversion.values import UnsupportedValueError, parse_value, value_of

if TYPE_CHECKING:
    from mbxp_datasets.conversion.targets.base import Target


def cooked(docstring: str) -> str:
    """A docstring's text as Python sees it, its indentation cleaned."""
    try:
        text = ast.literal_eval(f'"""{docstring}"""')
    except (SyntaxError, ValueError):
        text = docstring
    return inspect.cleandoc(text).strip("\n")


def lines(target: Target, typed: TypedProblem) -> list[str]:
    """The docstring's lines in the target language.

    An example whose call and result are literals is written anew; any other stays Python.
    """
    text = cooked(typed.problem.docstring)
    try:
        pieces = doctest.DocTestParser().parse(text)
    except ValueError:
        return target.prose(text).split("\n")
    found: list[str] = []
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            found += _example(target, typed, piece)
        elif piece:
            found += [line.rstrip() for line in target.prose(piece).strip("\n").split("\n")]
            if piece.endswith("\n\n"):
                found.append("")
    return found


def _example(target: Target, typed: TypedProblem, example: doctest.Example) -> list[str]:
    call_mark, result_mark = target.prompt_marks
    case = _case(typed, example)
    if case is not None:
        try:
            result = target.shown(case.expected, unify(type_of(case.expected), typed.returns))
            return [call_mark + target.shown_call(typed, case), result_mark + result]
        except UnsupportedValueError:
            pass
    source = example.source.strip().replace(typed.problem.entry_point, typed.function)
    first, *rest = source.split("\n")
    return [f">>> {first}", *(f"... {line}" for line in rest), *example.want.rstrip().split("\n")]


def _case(typed: TypedProblem, example: doctest.Example) -> Case | None:
    try:
        call = ast.parse(example.source.strip(), mode="eval").body
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == typed.problem.entry_point
            and not call.keywords
            and len(call.args) == len(typed.parameters)
        ):
            return None
        arguments = tuple(value_of(argument) for argument in call.args)
        return Case(arguments, parse_value(example.want))
    except (SyntaxError, UnsupportedValueError):
        return None
