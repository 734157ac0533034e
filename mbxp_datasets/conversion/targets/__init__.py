"""The target languages by name: `TARGETS` in the strict style, `RELEASE` in the release's."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import cast

from mbxp_datasets.conversion.targets.base import Target


class _Targets(Mapping[str, Target]):
    """The targets that modules of this package define under one name; each imported on use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, language: str) -> Target:
        module = f"{__name__}.{language}"
        if language not in _MODULES or not hasattr(importlib.import_module(module), self._name):
            raise KeyError(language)
        return cast("Target", getattr(importlib.import_module(module), self._name))

    def __iter__(self) -> Iterator[str]:
        return (name for name in _MODULES if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


_MODULES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))

TARGETS: Mapping[str, Target] = _Targets("STRICT")
RELEASE: Mapping[str, Target] = _Targets("RELEASE")
