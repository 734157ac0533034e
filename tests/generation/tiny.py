"""A model of a few hundred thousand parameters that knows some of our own problems by heart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from mbxp_datasets import Problem, convert, python_problems, write_problems
from mbxp_metric import demo_problems
from tests.completions.tails import tails

LANGUAGES = ("python", "javascript", "ruby")
PROBLEMS = 4
"""Of each language."""


def problems(language: str) -> list[Problem]:
    """Our own problems with their solutions."""
    found = []
    for problem in list(python_problems(demo_problems.PROBLEMS))[:PROBLEMS]:
        row = convert(problem, language)
        solution = demo_problems.completions(language)[problem.task_id, "right"]
        found.append({**row, "canonical_solution": solution})
    return found


def write_problem_files(folder: Path) -> list[Path]:
    """A file of problems for each language."""
    paths = []
    for language in LANGUAGES:
        paths.append(folder / f"{language}.jsonl")
        write_problems(paths[-1], problems(language))
    return paths


def train(folder: Path) -> None:
    """Train the model until it knows the solutions and what a model writes on after them.

    What it writes on never ends, as with real models.
    """
    texts = {}
    for language in LANGUAGES:
        following = tails(language)["a function and half of one"] * 3
        for row in problems(language):
            texts[row["prompt"]] = f"{row['canonical_solution']}".rstrip("\n") + following
    learn(folder, texts)


def learn(folder: Path, texts: Mapping[str, str], length: int = 240) -> None:
    """Train a model until it writes the text that belongs to each prompt, and save it.

    Args:
        length: of a prompt and its text together, in tokens; the rest is not learnt.
    """
    torch.manual_seed(0)
    tokenizer = _tokenizer([prompt + rest for prompt, rest in texts.items()])
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=1024,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            tie_word_embeddings=True,
        )
    )
    ids, labels = _examples(tokenizer, texts, length)
    mask = (ids != tokenizer.pad_token_id).long()
    optimizer = torch.optim.AdamW(model.parameters(), lr=8e-3)
    for _ in range(400):
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        if loss.item() < 0.01:
            break
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<pad>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>")


def _examples(
    tokenizer: PreTrainedTokenizerFast, texts: Mapping[str, str], length: int
) -> tuple[torch.Tensor, torch.Tensor]:
    ids, labels = [], []
    for prompt, rest in texts.items():
        before = tokenizer(prompt).input_ids
        after = tokenizer(rest).input_ids
        whole = (before + after)[:length]
        padding = [tokenizer.pad_token_id] * (length - len(whole))
        ids.append(whole + padding)
        labels.append(([-100] * len(before) + after)[:length] + [-100] * len(padding))
    return torch.tensor(ids), torch.tensor(labels)
