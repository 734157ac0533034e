"""The target languages by name: `TARGETS` in the strict style, `RELEASE` in the release's."""

from __future__ import annotations

import importlib
import pkgutil

from mbxp_datasets.conversion.targets.base import Target

TARGETS: dict[str, Target] = {}
RELEASE: dict[str, Target] = {}

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    if _module != "base":
        _found = importlib.import_module(f"{__name__}.{_module}")
        TARGETS[_found.STRICT.language] = _found.STRICT
        if hasattr(_found, "RELEASE"):
            RELEASE[_found.RELEASE.language] = _found.RELEASE
