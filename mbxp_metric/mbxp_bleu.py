"""The `evaluate` module of summaries: smoothed BLEU-4, whole and by language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Not `from evaluate import Metric`: the library takes the first such class it finds here.
import datasets
import evaluate

from mbxp_metric.bleu import mean_bleu
from mbxp_metric.chrf import corpus_chrf

_DESCRIPTION = """\
Smoothed BLEU-4 of summaries of programs, sentence by sentence, as CodeXGLUE computes it for its
task from code to text.
"""
_INPUTS = """
Args:
    predictions: the summaries that a model wrote.
    references: for each the description it is compared with: `target` of the rows.
    languages: for each its programming language, for scores by language.
    chrf: whether chrF by sacrebleu is computed too.
Returns:
    bleu (0 to 100), n, and with `languages` by_language: of each its BLEU. With `chrf` also
    chrf (0 to 100) and chrf_by_language.
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
        chrf: bool = False,
    ) -> dict[str, Any]:
        pairs = list(zip(predictions, references, strict=True))
        if languages is not None and len(languages) != len(pairs):
            raise ValueError(f"there are {len(languages)} languages, but {len(pairs)} predictions")
        scores: dict[str, Any] = {"bleu": mean_bleu(pairs), "n": len(pairs)}
        if chrf:
            scores["chrf"] = corpus_chrf(pairs)
        if languages is not None:
            groups: dict[str, list[tuple[str, str]]] = {name: [] for name in sorted(set(languages))}
            for pair, language in zip(pairs, languages, strict=True):
                groups[language].append(pair)
            scores["by_language"] = {name: mean_bleu(group) for name, group in groups.items()}
            if chrf:
                scores["chrf_by_language"] = {
                    name: corpus_chrf(group) for name, group in groups.items()
                }
        return scores
