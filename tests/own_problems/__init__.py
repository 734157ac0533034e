"""Problems of our own and, for every language, one right and one wrong completion of each.

`solutions/<language>.txt` holds the completions, each after a line `=== <problem>: right` or
`=== <problem>: wrong`. A completion is what a model writes after the prompt; the wrong ones
compile too.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent
PROBLEMS = FOLDER / "problems.py"
LANGUAGES = sorted(path.stem for path in (FOLDER / "solutions").glob("*.txt"))


def completions(language: str) -> dict[tuple[str, str], str]:
    """The completions of a language by problem and `right` or `wrong`."""
    text = (FOLDER / "solutions" / f"{language}.txt").read_text(encoding="utf-8")
    start, *pieces = re.split(r"^=== (\w+): (right|wrong)\n", text, flags=re.MULTILINE)
    assert not start, f"{language}.txt does not begin with a marker"
    keys = list(zip(pieces[0::3], pieces[1::3], strict=True))
    found = dict(zip(keys, pieces[2::3], strict=True))
    assert len(found) == len(keys), f"{language}.txt holds a completion twice"
    return found
