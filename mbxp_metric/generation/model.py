"""A transformers model with its tokenizer: from text to tokens and exactly back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import hf_hub_download
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from mbxp_datasets.extras import optional
from mbxp_metric.generation.prompts import Request
from mbxp_metric.generation.settings import DTYPES, GenerationError, GenerationSettings

_CONTEXT = 16
"""Tokens of the prompt that are decoded with a completion."""


@dataclass(frozen=True)
class ModelOptions:
    """Which model, and how it is loaded; the names are those of `from_pretrained`."""

    model: str
    revision: str | None = None
    adapter: str | None = None
    """Path or id of a LoRA adapter, by peft."""
    dtype: str = "auto"
    device_map: str | None = None
    """For a model that needs several devices; None puts it whole on each process's own."""
    attn_implementation: str | None = None
    trust_remote_code: bool = False

    def identity(self) -> dict[str, Any]:
        """What samples in one directory must share."""
        found = asdict(self)
        for name in ("device_map", "attn_implementation", "trust_remote_code"):
            del found[name]
        return found

    def pinned(self) -> ModelOptions:
        """The same with the commit that the Hub has at the revision; as it is for a folder.

        A branch moves: named alone, a run taken up later would mix samples of two models.

        Raises:
            GenerationError: there is no such model.
        """
        with _loading(self.model):
            # Says best what is wrong with a name or a folder.
            AutoConfig.from_pretrained(
                self.model, revision=self.revision, trust_remote_code=self.trust_remote_code
            )
            if Path(self.model).is_dir():
                return self
            config = hf_hub_download(self.model, "config.json", revision=self.revision)
        return replace(self, revision=Path(config).parent.name)  # snapshots/<commit>/config.json

    def load(self, device: Any, max_new_tokens: int) -> LoadedModel:
        """The model on a device, or as its device map says, and its tokenizer.

        Raises:
            GenerationError: it or its adapter cannot be loaded, or it is no causal model.
            MissingExtraError: peft is needed for the adapter.
        """
        dtype = self._dtype()
        shared = {"revision": self.revision, "trust_remote_code": self.trust_remote_code}
        with _loading(self.model):
            config = AutoConfig.from_pretrained(self.model, **shared)
            if config.is_encoder_decoder:
                raise ValueError(
                    "it is an encoder-decoder model, and completing needs a causal one"
                )
            tokenizer = AutoTokenizer.from_pretrained(self.model, **shared)
            model = AutoModelForCausalLM.from_pretrained(
                self.model,
                dtype=dtype,
                device_map=self.device_map,
                attn_implementation=self.attn_implementation,
                **shared,
            )
        if self.adapter is not None:
            peft = optional("peft", "lora", "to load a LoRA adapter")
            with _loading(f"the adapter {self.adapter}"):
                model = peft.PeftModel.from_pretrained(model, self.adapter)
        if self.device_map is None:
            model = model.to(device)
        return LoadedModel(model.eval(), tokenizer, max_new_tokens)

    def _dtype(self) -> Any:
        found = "auto" if self.dtype == "auto" else getattr(torch, self.dtype, None)
        if found != "auto" and not (isinstance(found, torch.dtype) and found.is_floating_point):
            raise GenerationError(f"--dtype {self.dtype}: it is {', '.join(DTYPES)}")
        return found


@contextmanager
def _loading(what: str) -> Iterator[None]:
    """Tell in one line what cannot be loaded.

    What is in a checkpoint is not ours: a broken file or entry of it raises what it likes.
    """
    try:
        yield
    except Exception as error:
        first = next((line for line in str(error).splitlines() if line.strip()), "")
        raise GenerationError(
            f"{what} cannot be loaded: {first or type(error).__name__}"
        ) from error


class LoadedModel:
    """A model ready to complete batches of token lists."""

    def __init__(self, model: Any, tokenizer: Any, max_new_tokens: int) -> None:
        self.model = model
        self.tokenizer = tokenizer
        own = model.generation_config.eos_token_id
        ends = own if isinstance(own, list) else [own]
        self.eos = {each for each in [*ends, tokenizer.eos_token_id] if each is not None}
        pad = tokenizer.pad_token_id
        self.rows_leave = True
        """Whether rows of a batch can leave it: a model with another cache has to keep them."""
        self._pad = pad if pad is not None else min(self.eos, default=0)
        self._limit: int | None = getattr(model.config, "max_position_embeddings", None)
        # A checkpoint's own settings (top_k, repetition_penalty) would be mixed with ours.
        model.generation_config = GenerationConfig(
            do_sample=False,
            max_new_tokens=max_new_tokens,
            eos_token_id=sorted(self.eos) or None,
            pad_token_id=self._pad,
        )

    def tokens(self, request: Request, settings: GenerationSettings) -> list[int]:
        """The tokens of a prompt, cut from the left.

        The token that a document begins with stays, and so does what an infilling begins with.

        Raises:
            GenerationError: the tokenizer has no chat template, or the model no room.
        """
        if request.messages:
            ids = self._conversation(request)
        else:
            ids = list(self.tokenizer(request.prompt).input_ids)
            # Some tokenizers end each text, after which a model has nothing to say.
            while len(ids) > 1 and ids[-1] in self.eos:
                ids.pop()
        room = settings.max_prompt_tokens
        if self._limit is not None:
            room = min(room, self._limit - settings.max_new_tokens)
        if room < 2:
            raise GenerationError(
                f"the model reads {self._limit} tokens, which leaves no room for a prompt beside "
                f"{settings.max_new_tokens} new ones; take a smaller --max-new-tokens"
            )
        if len(ids) <= room:
            return ids or [self._pad]
        begin = ids[: min(self._kept(request, ids), room - 1)]
        return begin + ids[len(ids) - room + len(begin) :]

    def _kept(self, request: Request, ids: list[int]) -> int:
        """How many tokens a prompt begins with that are no code: of the document, of a format."""
        if request.infilling is None:
            return int(ids[0] == self.tokenizer.bos_token_id)
        template = request.infilling.local or request.infilling.template
        opening = self.tokenizer(template.partition("{")[0]).input_ids
        pairs = enumerate(zip(opening, ids, strict=False))
        return next((at for at, (one, other) in pairs if one != other), len(opening))

    def _conversation(self, request: Request) -> list[int]:
        if not getattr(self.tokenizer, "chat_template", None):
            raise GenerationError("--chat: the tokenizer of this model has no chat template")
        text = self.tokenizer.apply_chat_template(
            list(request.messages), tokenize=False, add_generation_prompt=True
        )
        # The template writes the special tokens itself.
        return list(self.tokenizer(text, add_special_tokens=False).input_ids)

    def completion(self, prompt: Sequence[int], new: Sequence[int]) -> str:
        """The text of new tokens, so that the prompt's text and it are the text of both.

        Decoded alone, the first new token may lose its space. So the last tokens of the prompt
        are decoded with it, and their own text is taken off.
        """
        for number, token in enumerate(new):
            if token in self.eos:
                new = new[:number]
                break
        before = list(prompt[-_CONTEXT:])
        shown, both = self._text(before), self._text([*before, *new])
        pairs = enumerate(zip(shown, both, strict=False))
        end = min(len(shown), len(both))
        return both[next((at for at, (one, other) in pairs if one != other), end) :]

    def _text(self, tokens: list[int]) -> str:
        text: str = self.tokenizer.decode(
            tokens, skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return text

    def padded(self, prompts: Sequence[Sequence[int]]) -> dict[str, Any]:
        """`input_ids` and `attention_mask` of a batch, filled up on the left."""
        length = max(map(len, prompts))
        ids = [[self._pad] * (length - len(each)) + list(each) for each in prompts]
        mask = [[0] * (length - len(each)) + [1] * len(each) for each in prompts]
        device = self.model.device
        return {
            "input_ids": torch.tensor(ids, device=device),
            "attention_mask": torch.tensor(mask, device=device),
        }
