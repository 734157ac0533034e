"""r-: prose there and back through two models; a tiny pair of random weights stands for them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets import load_problems
from mbxp_datasets.extras import MissingExtraError
from mbxp_datasets.variants import Robustness, back_translation
from mbxp_datasets.variants.back_translation import RoundTrip
from mbxp_datasets.variants.comments import parts

from .test_robustness import code, problem

Load = Callable[..., Any]
WORDS = ["write", "a", "function", "to", "find", "the", "sum", "of", "all", "numbers", "in"]
WORDS += ["list", "return", "it", "largest", "given"]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two sequence-to-sequence models of a few thousand weights that only know our words."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    torch.set_num_threads(1)
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    vocabulary = {word: number for number, word in enumerate([*special, *WORDS])}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    plain.normalizer = tokenizers.normalizers.Lowercase()
    plain.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, **names)
    folders = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        config = transformers.BartConfig(
            vocab_size=len(vocabulary),
            d_model=16,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=32,
            decoder_ffn_dim=32,
            max_position_embeddings=64,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
            decoder_start_token_id=1,
            forced_eos_token_id=2,
            init_std=1.0,
        )
        folder = tmp_path_factory.mktemp("model")
        model = transformers.BartForConditionalGeneration(config)
        model.generation_config.max_length = 12
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        folders.append(str(folder))
    return folders[0], folders[1]


PROMPT = '''def f(numbers):
    """Write a function to find the largest of
    all numbers given. Return it in a list.

    >>> f([1])
    [1]
    """
'''


def test_a_pair_of_models_paraphrases_only_prose(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = []
    for number, folder in enumerate(pair):
        copies.append(str(tmp_path / f"{number}"))
        shutil.copytree(folder, copies[-1])
    options: Any = {"translation_models": copies, "keep_code_words": False, "batch_size": 1}
    given = problem(PROMPT)
    rows = list(Robustness(**options).split_rows([given, given], "back_translation"))
    (row, again) = rows
    assert row == again
    assert row["changed_words"] > 0
    assert code(row["prompt"], "python") == code(PROMPT, "python")
    assert row["prompt"].count("\n") == PROMPT.count("\n")
    assert row["prompt"].endswith('\n\n    >>> f([1])\n    [1]\n    """\n')

    def refuse(self: RoundTrip, texts: Sequence[str]) -> Any:
        raise AssertionError("translated again")

    monkeypatch.setattr(RoundTrip, "_batches", refuse)
    cached = list(Robustness(**options).split_rows([given], "back_translation"))
    assert cached == [row]
    with pytest.raises(AssertionError, match="translated again"):
        list(Robustness(seed=1, **options).split_rows([given], "back_translation"))


def test_a_config_has_a_split_of_paraphrases(pair: tuple[str, str], load: Load) -> None:
    options = {"perturbations": ["back_translation"], "translation_models": list(pair)}
    loaded = load("multi_humaneval", "r-python", source="convert", split=None, **options)
    assert list(loaded) == ["nominal", "back_translation"]
    rows = loaded["back_translation"]
    assert rows.num_rows == 164
    assert sum(row["prompt"] != row["nominal_prompt"] for row in rows) > 0
    for row in rows:
        assert code(row["prompt"], "python") == code(row["nominal_prompt"], "python")


def test_an_interrupted_translation_goes_on(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trip = RoundTrip(pair, batch_size=1)
    asked: list[str] = []
    calls = back_translation._Model.__call__

    def stop_at_second(self: Any, texts: Sequence[str], *more: Any) -> list[str]:
        asked.extend(texts if more else [])
        if len(asked) == 2:
            raise KeyboardInterrupt
        return calls(self, texts, *more)

    texts = ["write a sum", "return the largest list"]
    monkeypatch.setattr(back_translation._Model, "__call__", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        trip.translate(texts)
    with open(trip.cache_file, "a", encoding="ascii") as file:
        file.write('{"text": "cut o')
    monkeypatch.setattr(back_translation._Model, "__call__", calls)
    assert set(trip.translate(texts)) == set(texts)
    assert set(trip.translate(texts[1:])) == {texts[1]}


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Say what becomes of which sentence; others stay."""

    def say(answers: dict[str, str]) -> None:
        monkeypatch.setattr(
            RoundTrip, "translate", lambda self, texts: {t: answers.get(t, t) for t in texts}
        )

    return say


@pytest.mark.parametrize(
    ("prose", "answers", "expected"),
    [
        ("Find the sum.", {"Find the sum.": "Look for the total."}, "Look for the total."),
        (
            "Find the sum of\n     * all of the words. Then stop at once.",
            {"Find the sum of all of the words.": "Add up every one of these words."},
            "Add up every one\n     * of these words. Then stop at once.",
        ),
        ("Find the\n     * words", {"Find the words": "Search"}, "Find the\n     * words"),
        ("Find 'x' and count.", {"Find 'x' and count.": "Find x, count."}, "Find 'x' and count."),
        ("Find count for it.", {"Find count for it.": "Find number."}, "Find count for it."),
        ("Find count for it.", {"Find count for it.": "Get count."}, "Get count."),
        ("Find it for me.", {"Find it for me.": "Find */ it"}, "Find it for me."),
        ("Find it for me.", {"Find it for me.": ""}, "Find it for me."),
        ("Find it for me.\n     * - One two three.", {"- One two three.": "- Un."}, None),
    ],
)
def test_sentences_keep_their_lines_names_and_marks(
    spoken: Callable[[dict[str, str]], None], prose: str, answers: dict[str, str], expected: str
) -> None:
    spoken(answers)
    expected = prose.replace("One two three.", "Un.") if expected is None else expected
    prompt = "/**\n     * {}\n     * > f(1)\n     * One two three.\n     */\nint f(int count) {{\n"
    given = problem(prompt.format(prose), "java")
    (row,) = Robustness().split_rows([given], "back_translation")
    assert row["prompt"] == prompt.format(expected)


def test_official_prompts_change_in_their_prose_only(
    official_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        RoundTrip,
        "translate",
        lambda self, texts: {text: text + " indeed".upper() for text in texts},
    )
    for name in ("mbpp", "mbjp", "mbkp", "mbphp", "mbcsp"):
        problems = list(load_problems("mbxp", name, official_dir))
        rows = list(Robustness().split_rows(problems, "back_translation"))
        assert sum(row["changed_words"] > 0 for row in rows) > 0.9 * len(rows)
        for row, given in zip(rows, problems, strict=True):
            language = given["language"]
            assert code(row["prompt"], language) == code(given["prompt"], language)
            assert row["prompt"].replace(" INDEED", "").split() == given["prompt"].split()
            assert row["prompt"].count("\n") == given["prompt"].count("\n")
            outside = "".join(
                piece for piece, natural in parts(row["prompt"], language) if not natural
            )
            assert "INDEED" not in outside


def test_what_cannot_be_loaded_is_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="there is no folder /nowhere"):
        Robustness(perturbations=("back_translation",), translation_models=("/nowhere", "/nowhere"))
    with pytest.raises(ValueError, match="must be two models, there and back"):
        Robustness(translation_models="one")  # type: ignore[arg-type]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"torch is needed: pip install 'mbxp\[translate\]"):
        Robustness(perturbations=("back_translation",))
