"""Prose there and back through two translation models: a paraphrase.

The reference set-up is NL-Augmenter's, as ReCode uses it: facebook/wmt19-en-de and
facebook/wmt19-de-en, two beams on the way back. Sentences go through, not whole docstrings, so
that their lines, marks and examples stay where they are.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbxp_datasets.download import cache_dir
from mbxp_datasets.extras import optional
from mbxp_datasets.problem import Problem
from mbxp_datasets.variants.comments import parts
from mbxp_datasets.variants.prose import Paragraph, kept_phrases, paragraphs

MODELS = ("facebook/wmt19-en-de", "facebook/wmt19-de-en")
BEAMS = 2
_PURPOSE = "to translate there and back"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_NOT_PROSE = re.compile(r"\"\"\"|'''|\*/|/\*|\\|[^\S ]")
_LONGEST = 200
"""Tokens of a translation where the model does not say; FSMT's own limit."""
_MOST_TOKENS = 1024
"""That a model reads where it does not say."""
_LEAST_WORDS = 3
"""Of a sentence that goes through."""


@dataclass(frozen=True)
class RoundTrip:
    """A pair of models by Hub id or folder, and what they are asked for."""

    models: tuple[str, str] = MODELS
    rank: int = 0
    """Which of the best translations back is taken, from 0."""
    batch_size: int = 16

    @property
    def cache_file(self) -> Path:
        """Where its translations are kept; another for other models."""
        parts = [*self.models, *map(_content, self.models), str(self.rank), str(BEAMS)]
        name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        return cache_dir() / "translations" / f"{name}.jsonl"

    def require(self) -> None:
        """Refuse what cannot be loaded, as far as that is known without loading it.

        Raises:
            MissingExtraError: a library is not installed.
            ValueError: a folder of a model is not there.
        """
        for module in ("torch", "transformers", "tqdm"):
            if importlib.util.find_spec(module) is None:
                optional(module, "translate", _PURPOSE)
        for name in self.models:
            if name.startswith(("/", ".", "~")) and not Path(name).expanduser().is_dir():
                raise ValueError(f"translation_models: there is no folder {name}")

    def translate(self, texts: Sequence[str]) -> dict[str, str]:
        """Each text there and back; those in the cache need no model.

        Whatever was translated before an interruption is in the cache.

        Raises:
            MissingExtraError: a library is not installed.
            ValueError: a model cannot be had; the message names it.
        """
        known = _read(self.cache_file)
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        if unknown:
            self.cache_file.parent.mkdir(parents=True, exist_ok=True)
            with open(self.cache_file, "a", encoding="ascii") as file:
                file.write("\n")  # ends a line that an interruption cut off
                for batch, back in self._batches(unknown):
                    for text, other in zip(batch, back, strict=True):
                        known[text] = other
                        file.write(json.dumps({"text": text, "back": other}) + "\n")
                    file.flush()
        return {text: known[text] for text in texts}

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[Sequence[str], list[str]]]:
        optional("torch", "translate", _PURPOSE)
        there, back = (_Model(name) for name in self.models)
        # Long ones first, and with their like: little of a batch is padding.
        ordered = sorted(texts, key=lambda text: (-len(text), text))
        starts = range(0, len(ordered), self.batch_size)
        for start in optional("tqdm.auto", "translate", _PURPOSE).tqdm(starts, "back-translation"):
            batch = ordered[start : start + self.batch_size]
            between = there(batch)
            found = back(between, max(BEAMS, self.rank + 1), self.rank)
            # What is too long for a model was cut for it, and would be half a sentence.
            yield (
                batch,
                [
                    other if there.fits(text) and back.fits(middle) else text
                    for text, middle, other in zip(batch, between, found, strict=True)
                ],
            )


class _Model:
    """A translation model with its tokenizer, on the accelerator if there is one."""

    def __init__(self, name: str) -> None:
        torch = optional("torch", "translate", _PURPOSE)
        transformers = optional("transformers", "translate", _PURPOSE)
        folder = os.path.expanduser(name) if name.startswith("~") else name
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
            model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
        except (OSError, ValueError, ImportError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ValueError(
                f"translation_models: {name} cannot be loaded ({reason}); name a pair that is on "
                "this machine or can be downloaded"
            ) from None
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = model.to(self._device).eval()
        positions = getattr(model.config, "max_position_embeddings", None)
        self._limit = min(self._tokenizer.model_max_length, positions or _MOST_TOKENS)
        self._torch = torch

    def fits(self, text: str) -> bool:
        """Whether the model can read all of a text."""
        return bool(len(self._tokenizer(text).input_ids) <= self._limit)

    def __call__(self, texts: Sequence[str], beams: int | None = None, rank: int = 0) -> list[str]:
        """The translations; `beams` None for what the model's own settings say."""
        inputs = self._tokenizer(
            list(texts), return_tensors="pt", padding=True, truncation=True, max_length=self._limit
        )
        known = {name: inputs[name].to(self._device) for name in ("input_ids", "attention_mask")}
        options: dict[str, Any] = {"do_sample": False}
        if beams is not None:
            options |= {"num_beams": beams, "num_return_sequences": rank + 1}
        longest = self._model.generation_config.max_length or _LONGEST
        with self._torch.inference_mode():
            found = self._model.generate(**known, **options, max_length=longest)
        decoded = self._tokenizer.batch_decode(found, skip_special_tokens=True)
        return [str(text).strip() for text in decoded[rank :: rank + 1 if beams else 1]]


def back_translated(
    problems: Sequence[Problem], trip: RoundTrip, keep_code_words: bool
) -> Iterator[tuple[str, int]]:
    """The prompt of each problem with its prose paraphrased, and how many sentences are other.

    With `keep_code_words` a sentence stays as it is if its translation lacks a quoted word, or
    a name of the prompt's code that it had. A prompt whose code would be read otherwise stays.

    Raises:
        MissingExtraError, ValueError: the models cannot be used.
    """
    found = [list(paragraphs(problem)) for problem in problems]
    texts = [text for each in found for group in each for text in _sentences(group)]
    translated = trip.translate([text for text in texts if _is_worth(text)])
    for problem, groups in zip(problems, found, strict=True):
        kept = kept_phrases(problem, keep_code_words)
        prompt, changed = problem["prompt"], 0
        for group in reversed(groups):
            old = _sentences(group)
            new = [_checked(text, translated.get(text, text), kept) for text in old]
            lines = _refilled(" ".join(new).split(" "), group)
            if old == new or lines is None:
                continue
            changed += sum(before != after for before, after in zip(old, new, strict=True))
            for (start, end), line in zip(reversed(group.spans), reversed(lines), strict=True):
                prompt = prompt[:start] + line + prompt[end:]
        if _code(prompt, problem["language"]) != _code(problem["prompt"], problem["language"]):
            prompt, changed = problem["prompt"], 0
        yield prompt, changed


def _sentences(group: Paragraph) -> list[str]:
    return _SENTENCE_END.split(group.text)


def _is_worth(text: str) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= _LEAST_WORDS


def _checked(text: str, other: str, kept: Sequence[re.Pattern[str]]) -> str:
    """The translation, or the text itself where that lost something or is no prose."""
    if not other or _NOT_PROSE.search(other):
        return text
    lost = any(sorted(each.findall(text)) != sorted(each.findall(other)) for each in kept)
    return text if lost else other


def _refilled(words: list[str], group: Paragraph) -> list[str] | None:
    """The words on as many lines as before, in the same proportions; None if they are too few."""
    sizes = [len(line.split(" ")) for line in group.lines]
    if len(words) < len(sizes):
        return None
    lines, before = [], 0
    for number in range(1, len(sizes) + 1):
        end = round(sum(sizes[:number]) * len(words) / sum(sizes))
        end = min(max(end, before + 1), len(words) - (len(sizes) - number))
        lines.append(" ".join(words[before:end]))
        before = end
    return lines


def _code(prompt: str, language: str) -> list[str]:
    return [piece for piece, natural in parts(prompt, language) if not natural]


def _content(model: str) -> str:
    """What tells a folder's state from another; empty for an id of the Hub."""
    folder = Path(model).expanduser()
    if not folder.is_dir():
        return ""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return repr([(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files])


def _read(path: str | os.PathLike[str]) -> dict[str, str]:
    """The translations in a cache; a line that an interruption cut off is none."""
    found: dict[str, str] = {}
    if not Path(path).is_file():
        return found
    for line in Path(path).read_text(encoding="ascii").splitlines():
        try:
            row = json.loads(line)
            found[row["text"]] = row["back"]
        except (ValueError, KeyError, TypeError):
            continue
    return found
