"""Problems of our own and, for every language, one right and one wrong completion of each.

The demonstration shows them, and the tests try the converter on them. `solutions/<language>.txt`
holds the completions, each after a line `=== <problem>: right` or `=== <problem>: wrong`. A
completion is what a model writes after the prompt; the wrong ones compile too.
"""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent
PROBLEMS = _FOLDER / "problems.py"
"""A file for `python_problems`; nothing imports it."""
LANGUAGES = tuple(sorted(path.stem for path in (_FOLDER / "solutions").glob("*.txt")))
"""Languages with completions."""


def completions(language: str) -> dict[tuple[str, str], str]:
    """The completions of a language by problem and `right` or `wrong`.

    Raises:
        FileNotFoundError: there are none in the language.
        ValueError: its file is malformed.
    """
    name = f"{language}.txt"
    text = (_FOLDER / "solutions" / name).read_text(encoding="utf-8")
    start, *pieces = re.split(r"^=== (\w+): (right|wrong)\n", text, flags=re.MULTILINE)
    if start:
        raise ValueError(f"{name} does not begin with a marker")
    keys = list(zip(pieces[0::3], pieces[1::3], strict=True))
    found = dict(zip(keys, pieces[2::3], strict=True))
    if len(found) != len(keys):
        raise ValueError(f"{name} holds a completion twice")
    return found
