from __future__ import annotations

import math
from pathlib import Path

import evaluate
import pytest

import mbxp_metric
from mbxp_metric.bleu import _words, mean_bleu, smoothed_bleu
from mbxp_metric.mbxp_bleu import MbxpBleu

from .bleu_pairs import pairs

VALUES = [float(line) for line in Path(__file__).with_name("bleu_values.txt").open()]
"""What CodeXGLUE's evaluator (a public copy of its bleu.py) gives for each pair."""


def test_evaluate_finds_it_by_name() -> None:
    assert type(evaluate.load("mbxp_bleu")) is MbxpBleu
    assert mbxp_metric.MbxpBleu is MbxpBleu


def test_it_agrees_with_code_x_glue_on_200_pairs() -> None:
    assert len(VALUES) == len(pairs()) == 200
    for pair, value in zip(pairs(), VALUES, strict=True):
        assert smoothed_bleu(*pair) == pytest.approx(value, abs=1e-6)
    assert mean_bleu(pairs()) == pytest.approx(100 * sum(VALUES) / 200, abs=1e-6)


def test_its_precisions_are_those_of_sacrebleu() -> None:
    bleu = pytest.importorskip("sacrebleu").BLEU(
        tokenize="none", smooth_method="add-k", smooth_value=1
    )
    compared = 0
    for prediction, reference in pairs():
        found, wanted = _words(prediction), _words(reference)
        if not found or not wanted:
            continue  # nothing is a score of 0 there
        precisions = bleu.sentence_score(" ".join(found), [" ".join(wanted)]).precisions
        mean = math.prod(each / 100 for each in precisions) ** (1 / 4)
        brevity = math.exp(min(0.0, 1 - (len(wanted) + 1) / (len(found) + 1)))
        assert smoothed_bleu(prediction, reference) == pytest.approx(mean * brevity, abs=1e-6)
        compared += 1
    assert compared > 190


def test_scores_are_given_by_language() -> None:
    predictions, references = map(list, zip(*pairs()[3:7], strict=True))
    scores = MbxpBleu().compute(
        predictions=predictions, references=references, languages=["java", "go", "java", "go"]
    )
    assert scores is not None
    assert scores["n"] == 4
    assert scores["by_language"]["java"] == pytest.approx(50 * (VALUES[3] + VALUES[5]), abs=1e-6)
    assert list(scores["by_language"]) == ["go", "java"]


def test_equal_texts_have_the_highest_score() -> None:
    assert mean_bleu([("a sum of four", "A sum of four")]) == pytest.approx(100)


def test_nothing_and_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="no pair"):
        mean_bleu([])
    with pytest.raises(ValueError, match="1 languages, but 2 predictions"):
        MbxpBleu().compute(predictions=["a", "b"], references=["a", "b"], languages=["go"])


def test_chrf_is_given_if_asked_for() -> None:
    pytest.importorskip("sacrebleu")
    scores = MbxpBleu().compute(
        predictions=["a sum", "b"], references=["a sum", "c"], languages=["go", "java"], chrf=True
    )
    assert scores is not None
    assert 0 < scores["chrf"] < 100
    assert scores["chrf_by_language"] == pytest.approx({"go": 100.0, "java": 0.0})
