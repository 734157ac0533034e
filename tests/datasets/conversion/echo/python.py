"""A Python program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.python import IMPORTS, STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""
import json


def tagged(value):
    if isinstance(value, float):
        return {"f": repr(value)}
    if isinstance(value, (list, tuple)):
        return [tagged(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return {"s": [tagged(item) for item in value]}
    if isinstance(value, dict):
        return {"d": [[tagged(key), tagged(item)] for key, item in value.items()]}
    return value


"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = (
        f"print(json.dumps(tagged({STRICT.literal(value, found)})))\n" for value, found in values
    )
    # The name of the check that is called at the end.
    return (
        IMPORTS
        + _WRITER
        + "".join(lines)
        + "\n\ndef check(candidate):\n    pass\n\n\necho = None\n"
    )
