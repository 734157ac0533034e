"""From a Python problem to the same problem in another language, by static analysis.

`sources` reads Python into a `PythonProblem`, `reading` its cases, `types` finds the types
that hold them, and a target of `targets` writes prompt and test. See appendix O of
"Multi-lingual Evaluation of Code Generation Models" (ICLR 2023).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from mbxp_datasets import catalog, errata
from mbxp_datasets.catalog import UnknownConfigError
from mbxp_datasets.conversion import reading
from mbxp_datasets.conversion.family_b import FamilyB
from mbxp_datasets.conversion.problem import (
    Case,
    Parameter,
    PythonProblem,
    TypedProblem,
    UnconvertibleError,
)
from mbxp_datasets.conversion.targets import RELEASE, TARGETS
from mbxp_datasets.conversion.targets.base import Target
from mbxp_datasets.conversion.values import UnsupportedValueError
from mbxp_datasets.problem import Problem

__all__ = [
    "STYLES",
    "Case",
    "Parameter",
    "PythonProblem",
    "TypedProblem",
    "UnconvertibleError",
    "convert",
    "convert_all",
    "languages",
    "target",
]

STYLES = ("strict", "release")
_MATHQA = catalog.resolve_config("mathqa_x", "python").task_prefix


@runtime_checkable
class _MathQA(Protocol):
    """A release target that has MathQA's own prompt and test, with a tolerance."""

    def mathqa_prompt(self, problem: PythonProblem) -> str: ...

    def mathqa_test(self, problem: PythonProblem, case: Case) -> str: ...


def languages(style: str = "strict") -> list[str]:
    """The languages there is a target for.

    Raises:
        UnknownConfigError: the style is unknown.
    """
    return sorted(_targets(style))


def target(language: str, style: str = "strict") -> Target:
    """The target of a language.

    Raises:
        UnknownConfigError: the style or the language is unknown.
    """
    found = _targets(style).get(language)
    if found is None:
        others = [other for other in STYLES if language in _targets(other)]
        remedy = f"style {others[0]!r} has it; " if others else ""
        raise UnknownConfigError(
            f"there is no conversion to {language!r} in style {style!r}; {remedy}"
            f"there are {', '.join(languages(style))}"
        )
    return found


def convert(problem: PythonProblem, language: str, style: str = "strict") -> Problem:
    """The problem in another language.

    Raises:
        UnconvertibleError: its test cannot be read or the language cannot hold a value.
        UnknownConfigError: the style or the language is unknown.
    """
    found = target(language, style)
    try:
        problem = errata.repaired(problem, found.conversion)
        cases = reading.read_cases(problem)
        if style == "release" and (called := reading.helpers_called(problem)):
            # The release's converters took one function out of the prompt.
            reason = f"its test calls a second function of the prompt: {', '.join(called)}"
            raise UnconvertibleError(problem.task_id, reason)
        as_stated = errata.expected_as_stated(problem, found.conversion)
        if isinstance(found, FamilyB) and not as_stated:
            problem, cases = reading.returned_cases(problem, cases)
        cases = errata.shown(problem, cases, found.conversion)
        typed = found.typed(problem, cases)
        if isinstance(found, _MathQA) and problem.task_id.startswith(_MATHQA):
            description = problem.description.partition(" n0 = ")[0]
            prompt = found.mathqa_prompt(problem)
            test = found.mathqa_test(problem, cases[0])
        else:
            description = found.description(typed)
            prompt, test = found.prompt(typed), found.test(typed)
        return {
            "task_id": task_id(problem.task_id, language),
            "language": language,
            "prompt": prompt,
            "test": test,
            "entry_point": typed.function,
            "canonical_solution": found.canonical_solution(problem),
            "description": description,
        }
    except UnsupportedValueError as error:
        raise UnconvertibleError(problem.task_id, str(error)) from None


def convert_all(
    problems: Iterable[PythonProblem], language: str, style: str = "strict"
) -> Iterator[Problem | UnconvertibleError]:
    """Each problem in another language, or why it cannot be, one at a time."""
    for problem in problems:
        try:
            yield convert(problem, language, style)
        except UnconvertibleError as error:
            yield error


def task_id(python_id: str, language: str) -> str:
    """A task's id in another language: the release's where it has one, `ruby/mine` else."""
    prefix, found, number = python_id.rpartition("/")
    config = catalog.config_of_task(python_id)
    if config is None or not found:
        return f"{language}/{python_id}"
    benchmark = catalog.resolve_benchmark(config.benchmark)
    for other in benchmark.configs.values():
        if other.language == language:
            return other.task_prefix + number
    return f"{prefix}_{language}/{number}"


def _targets(style: str) -> Mapping[str, Target]:
    if style not in STYLES:
        raise UnknownConfigError(f"style {style!r} is unknown; there are {' and '.join(STYLES)}")
    return TARGETS if style == "strict" else RELEASE
