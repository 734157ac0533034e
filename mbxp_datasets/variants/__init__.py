"""The paper's other tasks, made from the same problems.

A variant's configs are named after its letter and the config they are made from: `t-mbkp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from mbxp_datasets.catalog import Benchmark, Config, UnknownConfigError, resolve_config
from mbxp_datasets.variants.base import Row, Variant
from mbxp_datasets.variants.insertion import Insertion, without_overlap
from mbxp_datasets.variants.robustness import Robustness
from mbxp_datasets.variants.summarization import Summarization
from mbxp_datasets.variants.translation import Translation

__all__ = [
    "VARIANTS",
    "Insertion",
    "Robustness",
    "Row",
    "Summarization",
    "Translation",
    "Variant",
    "make_variant",
    "option_names",
    "resolve_variant",
    "variant_configs",
    "without_overlap",
]

VARIANTS: Mapping[str, type[Variant]] = {
    variant.letter: variant for variant in (Translation, Robustness, Insertion, Summarization)
}
"""By the letter of their configs."""


def variant_configs(benchmark: Benchmark, variant: type[Variant]) -> list[Config]:
    """The configs of a benchmark that the release has all it needs for."""
    return [config for config in benchmark.configs.values() if variant.available(config)]


def resolve_variant(benchmark: Benchmark, name: str) -> tuple[type[Variant] | None, Config]:
    """The variant and the config that a name such as `t-mbkp`, `i-python` or `mbkp` means.

    Raises:
        UnknownConfigError: there is no such config, or not in this variant.
    """
    letter, hyphen, rest = name.partition("-")
    variant = VARIANTS.get(letter.lower()) if hyphen else None
    config = resolve_config(benchmark.name, rest if variant else name)
    if variant is not None and config not in variant_configs(benchmark, variant):
        names = [f"{variant.letter}-{each.name}" for each in variant_configs(benchmark, variant)]
        raise UnknownConfigError(
            f"{benchmark.name} has no {variant.letter}-{config.name}, since the release has no "
            f"solutions for it; there are {', '.join(names)}"
        )
    return variant, config


def option_names(variant: type[Variant] | None = None) -> list[str]:
    """The options of a variant, or of any."""
    variants = VARIANTS.values() if variant is None else [variant]
    return sorted({field.name for each in variants for field in fields(each)})


def make_variant(variant: type[Variant], name: str, options: Mapping[str, Any]) -> Variant:
    """A variant with these options; `name` is the config's, for messages.

    Raises:
        ValueError: an option is another variant's, or has no such value.
    """
    known = option_names(variant)
    for option in options:
        if option not in known:
            raise ValueError(f"{option}= is no option of {name}, which takes {', '.join(known)}")
    return variant(**options)
