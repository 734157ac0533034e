"""Names: from Python's snake_case to what other languages write."""

from __future__ import annotations

HARNESS_PREFIX = "mbxp__"
"""What every name of a strict test starts with; no entry point or parameter may."""


def camel(name: str) -> str:
    """`differ_At_One` → `differAtOne`; the release lowers the whole name first."""
    first, *rest = name.lower().split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def squeezed(name: str) -> str:
    """`test_tup1` → `testtup1`: lowered, underscores removed."""
    return name.lower().replace("_", "")


def snake(name: str) -> str:
    """`differ_At_One` → `differ_at_one`."""
    return name.lower()


def distinct(names: list[str], reserved: frozenset[str]) -> list[str]:
    """The names, each one that a language can have and none twice.

    An underscore goes after what is reserved or taken; an `x` before what is no identifier,
    as `2d` of `_2d`, or begins as the harness's names do.
    """
    chosen: list[str] = []
    for name in names:
        if not name.isidentifier() or name.startswith(HARNESS_PREFIX):
            name = f"x{name}"
        while name in reserved or name in chosen:
            name += "_"
        chosen.append(name)
    return chosen
