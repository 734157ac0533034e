"""t-: the solution in a source language stands before the prompt in the target language.

After section 4.3, figure 5 and appendix H of the paper.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from mbxp_datasets.catalog import BENCHMARKS, Config, UnknownConfigError, resolve_config
from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.base import Row, Variant, lines_of
from mbxp_datasets.variants.comments import LINE_COMMENTS
from mbxp_datasets.variants.solutions import passing, read_solutions


@dataclass(frozen=True)
class Translation(Variant):
    """The source's prompt and solution, a blank line, and the target's prompt.

    A problem without a source solution that passes keeps its plain prompt, and `has_source`
    is false. `target_prompt` is what a program begins with, since the source is no part of it.
    """

    source_language: str | None = None
    """A language or a config's name; None for Python, or for Python what has solutions."""
    commented: bool = False
    """Whether the source stands in line comments of the target language."""
    solutions: str | None = None
    """A file of solutions in the source language, used before the release's own."""

    letter: ClassVar[str] = "t"
    title: ClassVar[str] = "translation"
    columns: ClassVar[dict[str, str]] = {
        "target_prompt": "string",
        "source_language": "string",
        "source_task_id": "string",
        "source_program": "string",
        "has_source": "bool",
    }
    needs_solutions: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.solutions is not None:
            object.__setattr__(self, "solutions", os.path.expanduser(os.fspath(self.solutions)))

    @classmethod
    def available(cls, config: Config) -> bool:
        return default_source(config) is not None

    @property
    def files_read(self) -> list[str]:
        return [self.solutions] if self.solutions is not None else []

    def source(self, target: Config) -> Config:
        """The config whose solutions are translated.

        Raises:
            UnknownConfigError: there is no such language, it is the target's own, or none of
                its problems has a solution and no file of solutions is named.
        """
        named = self.source_language
        if named is None:
            named = default_source(target)
        if named is None:
            raise UnknownConfigError(
                f"t-{target.name} of {target.benchmark}: no other language has solutions; pass "
                "source_language= and solutions="
            )
        found = resolve_config(target.benchmark, named)
        if found.name == target.name:
            raise UnknownConfigError(
                f"t-{target.name} of {target.benchmark}: source_language={named!r} is the "
                "target's own; name another"
            )
        if not found.solutions and self.solutions is None:
            raise UnknownConfigError(
                f"t-{target.name} of {target.benchmark}: the release has no solution in "
                f"{found.language}; pass solutions= with a file of them, or another "
                "source_language="
            )
        return found

    def rows(self, problems: Iterable[Problem], sources: Iterable[Problem] = ()) -> Iterator[Row]:
        """The rows of the target's problems; `sources` are the problems in the source language.

        A source belongs to the target whose task id has the same number.

        Raises:
            ProblemFormatError, OSError: the file of solutions cannot be read.
        """
        by_number = {_number(source): source for source in self._solved(sources)}
        for problem in problems:
            yield self._row(problem, by_number.get(_number(problem)))

    def _solved(self, sources: Iterable[Problem]) -> Iterator[Problem]:
        if self.solutions is None:
            yield from passing(sources)
            return
        given: Mapping[str, str] | None = None
        for source in sources:
            if given is None:
                given = read_solutions(self.solutions, source["language"])
            if source["task_id"] in given:
                yield {**source, "canonical_solution": given[source["task_id"]]}
            else:
                yield from passing([source])

    def _row(self, problem: Problem, source: Problem | None) -> Row:
        prompt, program = problem["prompt"], None
        if source is not None:
            program = source["prompt"] + (source["canonical_solution"] or "")
            shown = program
            if self.commented:
                shown = _commented(program, LINE_COMMENTS[problem["language"]])
            prompt = shown + ("\n" if shown.endswith("\n") else "\n\n") + prompt
        return {
            **problem,
            "variant": self.letter,
            "prompt": prompt,
            "target_prompt": problem["prompt"],
            "source_language": source["language"] if source else None,
            "source_task_id": source["task_id"] if source else None,
            "source_program": program,
            "has_source": source is not None,
        }


def default_source(target: Config) -> str | None:
    """Python; for Python itself the first other language with solutions, if there is one."""
    if target.language != "python":
        return "python"
    configs = BENCHMARKS[target.benchmark].configs.values()
    others = (config.name for config in configs if config.solutions and config.name != target.name)
    return next(others, None)


def _number(problem: Problem) -> str:
    return problem["task_id"].partition("/")[2]


def _commented(program: str, mark: str) -> str:
    return "".join(f"{mark} {line}" if line.strip() else mark + line for line in lines_of(program))
