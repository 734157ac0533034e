"""What every variant shares: options are fields, rows are made from a config's problems."""

from __future__ import annotations

import hashlib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mbxp_datasets.catalog import Config
from mbxp_datasets.problem import Problem, features

if TYPE_CHECKING:
    from datasets import Features

Row = dict[str, Any]
"""A row of a variant: the fields of a problem and the variant's own columns."""


@dataclass(frozen=True)
class Variant(ABC):
    """One kind of task made from the problems of a config; its options are its fields.

    Options are compared and shown by value, since they are part of a table's cache key.
    """

    letter: ClassVar[str]
    """What its config names start with, before a hyphen."""
    title: ClassVar[str]
    columns: ClassVar[Mapping[str, str]]
    """Its columns beside the fields of a problem and `variant`, its letter, with their types."""
    needs_solutions: ClassVar[bool] = True
    """Whether it has a row only for a problem with a solution in its own language."""

    @classmethod
    def available(cls, config: Config) -> bool:
        """Whether the release has what the rows of a config are made of."""
        return config.solutions > 0

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of its splits."""
        return ("test",)

    @property
    def files_read(self) -> list[str]:
        """The user's files, beside the problems, that its rows depend on."""
        return []

    @property
    def features(self) -> Features:
        """The columns of its rows."""
        from datasets import Value

        found = features()
        columns = {"variant": "string", **self.columns}
        found.update({name: Value(dtype) for name, dtype in columns.items()})
        return found

    @abstractmethod
    def rows(self, problems: Iterable[Problem]) -> Iterator[Row]:
        """The rows made of a config's problems, in their order; the same for the same options."""

    def split_rows(self, problems: Iterable[Problem], split: str) -> Iterator[Row]:
        """The rows of one of the splits."""
        return self.rows(problems)


def generator(seed: int, *names: str) -> random.Random:
    """A source of random numbers of its own for each task: the order of tasks is no matter."""
    text = "\n".join([str(seed), *names])
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def checked_at_least(name: str, value: int | None, least: int) -> None:
    """Refuse a number that an option cannot take.

    Raises:
        ValueError: it is no whole number or below `least`.
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name}={value!r} must be a whole number of at least {least}")


def lines_of(text: str) -> list[str]:
    """The lines with their newlines; only a newline ends one, as in a program."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
