"""The configs of variants that samples are for, as a user names them.

A name is that of the config, and after a colon the split of r- and options of the variant:
`i-python`, `mbxp/i-mbjp:seed=1`, `r-mbkp:case`, `t-mbkp:source_language=java,commented=true`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mbxp_datasets import Config, Problem, ProblemFormatError, UnknownConfigError
from mbxp_datasets.problem import json_type, read_rows
from mbxp_datasets.variants import (
    VARIANTS,
    Robustness,
    Row,
    Translation,
    Variant,
    make_variant,
)
from mbxp_datasets.variants.robustness import NOMINAL, PERTURBATIONS

_SPLITS = ", ".join((NOMINAL, *PERTURBATIONS))
_COLUMNS = ("variant", "target_prompt", "right_context", "target")
"""Of a variant's row, what its score depends on."""
_OPTION = re.compile(r"(?:\[[^\]]*\]|[^,\[])+")
"""Up to a comma, but a list in brackets is whole."""


@dataclass(frozen=True)
class NamedVariant:
    """A variant with its options, and one of its splits."""

    variant: Variant
    split: str
    suffix: str
    """What was said beside the config's name, for the name of a set: empty or `:case,seed=1`."""

    def rows(
        self,
        problems: Iterable[Problem],
        config: Config,
        load: Callable[[Config], Iterable[Problem]],
    ) -> Iterator[Row]:
        """Its rows of a config's problems; `load` gives those of a translation's source.

        Raises:
            UnknownConfigError: a translation has no such source.
        """
        if isinstance(self.variant, Translation):
            return self.variant.rows(problems, load(self.variant.source(config)))
        return self.variant.split_rows(problems, self.split)


def variant_columns(path: str | os.PathLike[str]) -> dict[tuple[str, str], Row]:
    """What the rows of variants in a file have for scoring beside a problem's fields.

    By language and task id, as the file has them.

    Raises:
        ProblemFormatError, OSError: the file cannot be read, or a column is no string.
    """
    found: dict[tuple[str, str], Row] = {}
    for number, row in read_rows(path):
        if not isinstance(row, dict) or not row.get("variant"):
            continue
        columns = {name: row[name] for name in _COLUMNS if row.get(name) is not None}
        for name, value in columns.items():
            if not isinstance(value, str):
                raise ProblemFormatError(
                    f"{os.fspath(path)}, line {number}: field {name!r} is {json_type(value)}, not "
                    "a string"
                )
        found[str(row.get("language")), str(row.get("task_id"))] = columns
    return found


def split_name(name: str) -> tuple[str | None, str, str]:
    """A name's benchmark, config and what follows a colon.

    Without a benchmark the first is None, without a colon the last is empty.
    """
    config, _, rest = name.partition(":")
    benchmark, slash, config = config.rpartition("/")
    return (benchmark if slash else None), config, rest


def letter_of(name: str) -> str | None:
    """The letter of the variant that a name is of, in lower case; None for anything else."""
    letter, hyphen, rest = split_name(name)[1].lower().partition("-")
    return letter if hyphen and rest and letter in VARIANTS else None


def named_variant(kind: type[Variant], config: str, text: str) -> NamedVariant:
    """The variant that a name means.

    Args:
        kind: of which variant.
        config: how messages call it, as in `mbxp/r-mbkp`.
        text: what follows the colon of the name.

    Raises:
        UnknownConfigError: an option or a split is not the variant's, or has no such value.
    """
    options: dict[str, Any] = {}
    split = ""
    has_splits = issubclass(kind, Robustness)
    for part in _OPTION.findall(text):
        name, equals, value = part.partition("=")
        if equals:
            options[name] = _value(value)
        elif has_splits and part in (NOMINAL, *PERTURBATIONS):
            split = part
        else:
            raise UnknownConfigError(
                f"--problems {config}:{part}: an option is expected as in seed=1"
                + (f", or one of {_SPLITS}" if has_splits else "")
            )
    if has_splits and not split:
        raise UnknownConfigError(
            f"--problems {config}: name one of its splits, as in {config}:case; there are {_SPLITS}"
        )
    if split not in ("", NOMINAL):
        options.setdefault("perturbations", [split])
    try:
        variant = make_variant(kind, config, options)
    except (ValueError, TypeError) as error:
        raise UnknownConfigError(f"--problems {config}: {error}") from None
    suffix = f":{text}" if text else ""
    return NamedVariant(variant, split or variant.splits[0], suffix)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
