"""What runs at interpreter start: registers our names, unless the user opts out."""

from __future__ import annotations

import os

OPT_OUT_VARIABLE = "MBXP_NO_AUTOLOAD"


def start() -> None:
    """Import `mbxp_datasets`, which registers; called from the start-up file."""
    if not os.environ.get(OPT_OUT_VARIABLE):
        import mbxp_datasets  # noqa: F401
