"""The `evaluate` module of summaries: smoothed BLEU-4, whole and by language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Not `from evaluate import Metric`: the library takes the first such class it finds here.
import datasets
import evaluate

from mbxp_metric.bleu import mean_bleu

_DESCRIPTION = """\
Smoothed BLEU-4 of summaries of programs, sentence by sentence, as CodeXGLUE computes it for its
task from code to text.
"""
_INPUTS = """
Args:
    predictions: the summaries that a model wrote.
    references: for each the description it is compared with: `target` of the rows.
    languages: for each its programming language, for scores by language.
Returns:
    bleu (0 to 100), n, and with `languages` by_language.
Example:
    >>> import evaluate, mbxp_metric
    >>> metric = evaluate.load("mbxp_bleu")
    >>> metric.compute(predictions=["a sum"], references=["A sum."])
"""


class MbxpBleu(evaluate.Metric):
    """Smoothed BLEU-4 of summaries."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": text, "references": text}),
            reference_urls=["https://github.com/microsoft/CodeXGLUE"],
            license="Apache-2.0",
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str],
        languages: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        pairs = list(zip(predictions, references, strict=True))
        scores: dict[str, Any] = {"bleu": mean_bleu(pairs), "n": len(pairs)}
        if languages is not None:
            if len(languages) != len(pairs):
                raise ValueError(
                    f"there are {len(languages)} languages, but {len(pairs)} predictions"
                )
            scores["by_language"] = {
                language: mean_bleu(
                    pair for pair, other in zip(pairs, languages, strict=True) if other == language
                )
                for language in sorted(set(languages))
            }
        return scores
