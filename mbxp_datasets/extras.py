"""Optional dependencies: had when used, and named by their extra where they are not there."""

from __future__ import annotations

import importlib
from types import ModuleType


class MissingExtraError(ModuleNotFoundError):
    """An optional dependency is not installed; the message names the extra."""


def optional(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a module that an extra of this package brings.

    Args:
        module: as in `tree_sitter_language_pack`.
        extra: the name of the extra in the package's metadata.
        purpose: what needs it, as in "to see where a function ends".

    Raises:
        MissingExtraError: it is not installed; the message has the remedy.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        root = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != root:
            raise
        raise MissingExtraError(
            f"{purpose}, {root} is needed: pip install 'mbxp[{extra}]'", name=root
        ) from None
