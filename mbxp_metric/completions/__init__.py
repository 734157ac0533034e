"""From what a model wrote to what a program needs: chat extraction, and where a function ends."""

from mbxp_metric.completions.chat import extract
from mbxp_metric.completions.ending import HELPERS, truncate
from mbxp_metric.completions.parsing import require_grammars
from mbxp_metric.completions.tokens import strip_special_tokens

__all__ = [
    "HELPERS",
    "extract",
    "require_grammars",
    "strip_special_tokens",
    "truncate",
]
