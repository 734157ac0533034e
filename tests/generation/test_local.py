"""A model in this process as a generator, like the one of `mbxp generate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from mbxp_metric.generation import GenerationError, GenerationSettings, PromptBuilder
from mbxp_metric.generation.local import LocalGenerator
from mbxp_metric.generation.loop import Work, generate
from mbxp_metric.generation.model import ModelOptions
from mbxp_metric.generation.tasks import TaskSet

SETTINGS = GenerationSettings(n=3, max_new_tokens=8, temperature=1.0, stop=False)
ROWS: list[dict[str, Any]] = [
    {
        "task_id": f"T/{number}",
        "language": "python",
        "prompt": f"def f{number}(a):\n" + "    # more\n" * number,
    }
    for number in range(3)
]


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> ModelOptions:
    """A model that writes noise."""
    folder = tmp_path_factory.mktemp("untrained")
    letters = ["<eos>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({letter: at for at, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    config = LlamaConfig(
        vocab_size=len(letters), num_attention_heads=2, bos_token_id=None, eos_token_id=0, **sizes
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return ModelOptions(str(folder))


def test_it_writes_what_mbxp_generate_writes(untrained: ModelOptions, tmp_path: Path) -> None:
    generator = LocalGenerator(untrained, SETTINGS.max_new_tokens, batch_size=4, cpu=True)
    requests = PromptBuilder(SETTINGS).requests(ROWS)
    mine = {request.key: request.row(text) for request, text in generator(requests, SETTINGS)}
    generate(Work([TaskSet("rows", "", ROWS)], SETTINGS, untrained, tmp_path, 2, cpu=True))
    lines = (tmp_path / "samples.jsonl").read_text().splitlines()
    assert len(lines) == 9
    assert sorted(map(str, mine.values())) == sorted(str(json.loads(line)) for line in lines)
    assert generator.tokens > len(mine)


def test_a_model_that_is_not_there_is_told_when_it_is_asked(tmp_path: Path) -> None:
    generator = LocalGenerator(ModelOptions(str(tmp_path / "none")), 8, cpu=True)
    requests = PromptBuilder(SETTINGS).requests(ROWS)
    with pytest.raises(GenerationError, match="cannot be loaded"):
        list(generator(requests, SETTINGS))
