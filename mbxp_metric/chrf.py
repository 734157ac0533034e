"""chrF of texts, by sacrebleu."""

from __future__ import annotations

from collections.abc import Iterable

from mbxp_datasets.extras import optional


def corpus_chrf(pairs: Iterable[tuple[str, str]]) -> float:
    """chrF2 of all pairs of prediction and reference together, from 0 to 100.

    Character n-grams up to six, no words, recall twice as heavy: sacrebleu's own settings.

    Raises:
        MissingExtraError: sacrebleu is not installed.
        ValueError: there is no pair.
    """
    sacrebleu = optional("sacrebleu", "bleu", "to compute chrF")
    predictions, references = [], []
    for prediction, reference in pairs:
        predictions.append(prediction)
        references.append(reference)
    if not predictions:
        raise ValueError("chrF of no pair is not defined")
    return float(sacrebleu.corpus_chrf(predictions, [references]).score)


def chrf_version() -> str:
    """sacrebleu's version, for a signature.

    Raises:
        MissingExtraError: it is not installed.
    """
    return str(optional("sacrebleu", "bleu", "to compute chrF").__version__)
