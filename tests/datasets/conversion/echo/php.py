"""A PHP program that prints values."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.php import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

LOSSY = frozenset({"set", "arrays"})
"""A set is a list, and so is a dict with the keys 0, 1, 2, …, or none."""

_WRITER = r"""<?php

function json($value) {
    if (is_float($value)) {
        $text = is_nan($value) ? 'nan' : (is_infinite($value) ? ($value > 0 ? 'inf' : '-inf')
            : json_encode($value));
        return '{"f": "' . $text . '"}';
    }
    if (is_string($value)) {
        return str_replace("\x7f", '\u007f', json_encode($value, JSON_UNESCAPED_SLASHES));
    }
    if (!is_array($value)) {
        return json_encode($value);
    }
    if (array_is_list($value)) {
        return '[' . implode(', ', array_map('json', $value)) . ']';
    }
    $pairs = array_map(null, array_keys($value), array_values($value));
    return '{"d": ' . json($pairs) . '}';
}

"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = (f'echo json({STRICT.literal(value, found)}), "\\n";\n' for value, found in values)
    return _WRITER + "".join(lines)
