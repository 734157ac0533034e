"""From tokens back to exactly the text they stand for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from mbxp_datasets.variants import Insertion
from mbxp_metric.generation import GenerationError, GenerationSettings, PromptBuilder
from mbxp_metric.generation.infilling import template_format
from mbxp_metric.generation.model import LoadedModel, ModelOptions
from tests.generation import tiny

TEXT = "def f(x):\n    return  'é😀' # x\n"
COMPLETIONS = [" x", "x y", "    return 1\n", "  é😀\n\n", "\tx  ", "", "print(x) , y"]


def loaded(spaces_are_eaten: bool) -> LoadedModel:
    tokenizer = Tokenizer(models.BPE(byte_fallback=spaces_are_eaten))
    if spaces_are_eaten:  # as Llama's: a space before each text, taken off again
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
        tokenizer.decoder = decoders.Metaspace(prepend_scheme="first", split=False)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
    alphabet = [] if spaces_are_eaten else pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        special_tokens=["<s>", "</s>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([TEXT, *COMPLETIONS], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    model = SimpleNamespace(
        generation_config=SimpleNamespace(eos_token_id=None),
        config=SimpleNamespace(max_position_embeddings=64),
    )
    return LoadedModel(model, fast, 4)


@pytest.mark.parametrize("spaces_are_eaten", [False, True])
@pytest.mark.parametrize("completion", COMPLETIONS)
def test_prompt_and_completion_are_the_text_of_both(
    completion: str, spaces_are_eaten: bool
) -> None:
    model = loaded(spaces_are_eaten)
    prompt = model.tokenizer(TEXT).input_ids
    whole = model.tokenizer(TEXT + completion).input_ids
    if whole[: len(prompt)] != prompt:
        pytest.skip("this completion continues the prompt's last token")
    new = whole[len(prompt) :]
    assert model.completion(prompt, [*new, model.tokenizer.eos_token_id, 5, 5]) == completion


def request(prompt: str, **settings: Any) -> Any:
    row = {**tiny.problems("python")[0], "prompt": prompt}
    return next(PromptBuilder(GenerationSettings(**settings)).requests([row]))


def test_a_prompt_is_cut_from_the_left() -> None:
    model = loaded(False)
    settings = GenerationSettings(max_prompt_tokens=5, max_new_tokens=4)
    whole = model.tokenizer(TEXT).input_ids
    assert model.tokens(request(TEXT), settings) == whole[-5:]
    begun = model.tokens(request("<s>" + TEXT), settings)
    assert begun == [model.tokenizer.bos_token_id, *whole[-4:]]


def test_what_an_infilling_begins_with_stays() -> None:
    model = loaded(False)
    infilling = template_format("</s>{prefix}<s>{suffix}</s>")
    row = {**next(iter(Insertion().rows(tiny.problems("python")))), "left_context": "é" * 90}
    settings = GenerationSettings(max_prompt_tokens=40, max_new_tokens=4)
    (asked,) = PromptBuilder(settings, infilling=infilling).requests([row])
    found = model.tokens(asked, settings)
    assert len(found) <= 40
    assert found[0] == model.tokenizer.eos_token_id


def test_the_models_own_length_is_kept_to() -> None:
    model = loaded(False)
    settings = GenerationSettings(max_new_tokens=60)
    assert len(model.tokens(request(TEXT), settings)) == 4
    with pytest.raises(GenerationError, match="leaves no room for a prompt"):
        model.tokens(request(TEXT), GenerationSettings(max_new_tokens=64))


def test_a_tokenizer_without_a_template_cannot_chat() -> None:
    with pytest.raises(GenerationError, match="no chat template"):
        loaded(False).tokens(request(TEXT, style="chat"), GenerationSettings())


def test_a_chat_template_is_followed() -> None:
    model = loaded(False)
    model.tokenizer.chat_template = (
        "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[assistant]"
    )
    asked = request(TEXT, style="chat", instruction="{language}:")
    found = model.tokens(asked, GenerationSettings(max_new_tokens=4, max_prompt_tokens=999))
    model = LoadedModel(model.model, model.tokenizer, 4)
    assert model.tokenizer.decode(found).endswith("```[assistant]")


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="cannot be loaded") as found:
        ModelOptions(str(tmp_path)).load("cpu", 4)
    assert "\n" not in str(found.value)
