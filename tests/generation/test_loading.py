"""How a model is loaded, and what is said of one that cannot be."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
import torch
from transformers import T5Config

from mbxp_metric.generation import GenerationSettings, loop
from mbxp_metric.generation.loop import completed
from mbxp_metric.generation.model import LoadedModel, ModelOptions
from mbxp_metric.generation.prompts import Request
from mbxp_metric.generation.settings import GenerationError
from mbxp_metric.generation.tasks import load_tasks

CPU = torch.device("cpu")


@pytest.mark.parametrize(("name", "dtype"), [("auto", torch.float32), ("bfloat16", torch.bfloat16)])
def test_a_model_is_loaded_in_the_dtype_asked_for(
    tiny_model: Path, name: str, dtype: torch.dtype
) -> None:
    assert ModelOptions(str(tiny_model), dtype=name).load(CPU, 8).model.dtype == dtype


@pytest.mark.parametrize("name", ["float7", "int8", "nn", "manual_seed"])
def test_what_is_no_dtype_of_weights_is_refused(tiny_model: Path, name: str) -> None:
    with pytest.raises(GenerationError, match=f"^--dtype {name}: it is auto, float32"):
        ModelOptions(str(tiny_model), dtype=name).load(CPU, 8)


def no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def cut_weights(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])


def no_kind(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "none such"}))


def wrong_entry(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_attention_heads": "four"}))


def encoder_decoder(folder: Path) -> None:
    T5Config().save_pretrained(folder)


@pytest.mark.parametrize("broken", [no_config, cut_weights, no_kind, wrong_entry, encoder_decoder])
def test_a_broken_checkpoint_is_told_of_in_one_line(
    tiny_model: Path, tmp_path: Path, broken: Callable[[Path], None]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    broken(folder)
    with pytest.raises(GenerationError) as caught:
        ModelOptions(str(folder)).load(CPU, 8)
    said = str(caught.value)
    assert said.startswith(f"{folder} cannot be loaded: ")
    assert "\n" not in said
    if broken is encoder_decoder:
        assert "encoder-decoder" in said


def test_a_branch_is_pinned_to_its_commit(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, commit = tmp_path / "hub", "0123456789" * 4
    repository = cache / "models--org--tiny"
    shutil.copytree(tiny_model, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    assert ModelOptions("org/tiny").pinned().revision == commit


def test_a_folder_has_no_commit(tiny_model: Path) -> None:
    assert ModelOptions(str(tiny_model)).pinned() == ModelOptions(str(tiny_model))


def test_a_model_that_is_not_there_leaves_no_directory(
    tmp_path: Path, problem_files: list[Path]
) -> None:
    work = loop.Work(
        sets=[load_tasks(str(problem_files[0]))],
        settings=GenerationSettings(max_new_tokens=8),
        model=ModelOptions(str(tmp_path / "none")),
        directory=tmp_path / "out",
        cpu=True,
    )
    with pytest.raises(GenerationError, match="none cannot be loaded: "):
        loop.generate(work)
    assert not (tmp_path / "out").exists()


def test_a_batch_too_large_for_the_memory_is_halved_until_it_fits(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def decode(loaded: Any, settings: Any, requests: Any, prompts: Any) -> list[list[int]]:
        sizes.append(len(prompts))
        if len(prompts) > 2:
            raise torch.OutOfMemoryError
        return [[40 + prompt[0]] for prompt in prompts]

    monkeypatch.setattr(loop, "decode", decode)
    loaded, batch = prepared(tiny_model, 5)
    found = list(completed(loaded, GenerationSettings(max_new_tokens=8), batch))
    assert sizes == [5, 2, 3, 1, 2]
    assert [request.task_id for request, _, _ in found] == [f"T/{n}" for n in range(5)]


def test_one_prompt_too_large_for_the_memory_names_the_remedy(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decode(*_: Any) -> None:
        raise torch.OutOfMemoryError

    monkeypatch.setattr(loop, "decode", decode)
    loaded, batch = prepared(tiny_model, 2)
    with pytest.raises(GenerationError, match="one prompt of 3 tokens; take a smaller"):
        list(completed(loaded, GenerationSettings(max_new_tokens=8), batch))


def prepared(model: Path, number: int) -> tuple[LoadedModel, loop.Batch]:
    requests = [
        Request(f"T/{each}", "python", 0, "a", (), "", False, (), each) for each in range(number)
    ]
    return ModelOptions(str(model)).load(CPU, 8), [(each, [5, 6, 7]) for each in requests]
