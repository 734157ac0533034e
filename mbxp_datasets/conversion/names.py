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
    """The names with an underscore after those that are reserved, empty or already taken."""
    chosen: list[str] = []
    for name in names:
        while not name or name in reserved or name in chosen or name.startswith(HARNESS_PREFIX):
            name = f"{name}_" if not name.startswith(HARNESS_PREFIX) else f"x{name}"
        chosen.append(name)
    return chosen
