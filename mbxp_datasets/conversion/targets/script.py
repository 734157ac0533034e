"""What JavaScript, PHP, Perl, Ruby and Python share: no declared types, one case after another."""

from __future__ import annotations

import math
from typing import ClassVar

from mbxp_datasets.conversion.problem import Case, TypedProblem
from mbxp_datasets.conversion.targets.base import Target, item_type, tolerance
from mbxp_datasets.conversion.types import ANY, Type
from mbxp_datasets.conversion.values import Value, walk


class Script(Target):
    """A language without declared types; `found` changes no literal but JavaScript's ints."""

    variable: ClassVar[str] = ""
    """What a declaration of a variable starts with in the release's tests, sigil included."""
    sigil: ClassVar[str] = ""
    end: ClassVar[str] = ";"
    infinities: ClassVar[tuple[str, str, str]]
    """Infinity, minus infinity and not a number."""
    escapes: ClassVar[dict[str, str]]
    """Characters of a string literal in double quotes, and what is written for them."""
    strict_call: ClassVar[str]
    """A strict case, with {call}, {expected}, {tolerance}, {index} and {number}."""

    def floating(self, value: float) -> str:
        if math.isnan(value):
            return self.infinities[2]
        if math.isinf(value):
            return self.infinities[0 if value > 0 else 1]
        return repr(value)

    def string(self, value: str) -> str:
        return '"' + "".join(map(self.character, value)) + '"'

    def character(self, one: str) -> str:
        """One character of a string in double quotes."""
        if one in self.escapes:
            return self.escapes[one]
        return one if one.isprintable() else self.code_point(ord(one))

    def code_point(self, code: int) -> str:
        """The escape for a character that cannot stand for itself."""
        return f"\\u{{{code:x}}}"

    def list_literal(self, items: list[Value] | tuple[Value, ...], found: Type) -> str:
        return f"[{self.literals(items, item_type(found))}]"

    def strict_cases(self, typed: TypedProblem) -> str:
        """The calls with their arguments inline, each compared."""
        return "".join(
            self.strict_call.format(
                call=self.call(typed, case),
                expected=self.literal(case.expected, typed.returns),
                tolerance=repr(_tolerance(case)),
                index=index,
                number=index + 1,
            )
            for index, case in enumerate(typed.cases)
        )

    def release_case(self, typed: TypedProblem, index: int, case: Case) -> str:
        """The release's declarations of arguments, result and expected value."""
        start, end = self.variable + self.sigil, f"{self.end}\n"
        lines = [
            f"{start}{name} = {literal}{end}"
            for name, _, literal in self.declared_arguments(typed, index, case)
        ]
        arguments = ", ".join(f"{self.sigil}arg{index}{place}" for place in range(len(lines)))
        lines.append(f"{start}x{index} = {typed.function}({arguments}){end}")
        lines.append(f"{start}v{index} = {self.literal(case.expected, ANY)}{end}")
        return "".join(lines)


def _tolerance(case: Case) -> float:
    # Where ints and floats are one type, this alone tells that ints are compared exactly.
    floats = any(isinstance(part, float) for part in walk(case.expected))
    return tolerance(case) if floats else 0.0
