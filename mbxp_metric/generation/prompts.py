"""From a row of a config to what a model reads, and where its answer ends."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mbxp_datasets.variants.few_shot import head_of, shot
from mbxp_metric.generation.infilling import InfillingFormat
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.generation.store import Key

INSTRUCTION = (
    "Complete the following function in {language}. Answer with the whole function, its "
    "signature included, in one code block, without tests or explanations."
)
"""What a chat model is told before the code; `{language}` is replaced by the language's name."""
TITLES = {
    "cpp": "C++",
    "csharp": "C#",
    "javascript": "JavaScript",
    "php": "PHP",
    "typescript": "TypeScript",
}
"""Names of languages that are not just capitalized."""

NEWLINE = ("\n",)
"""What ends a summary."""

Message = dict[str, str]
"""`role` and `content`, as chat templates and endpoints take them."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Request:
    """One sample to be generated."""

    task_id: str
    language: str
    sample: int
    """Number within the problem, from 0."""
    prompt: str
    """What the model reads; for a chat model the last message."""
    messages: tuple[Message, ...]
    """For a chat model the whole conversation; else empty."""
    head: str
    """What stands before the completion in the program: with it, an end can be told."""
    until_function_ends: bool
    """Whether what follows the function that the head begins is of no use."""
    stops: tuple[str, ...]
    """The first of these ends the completion and is no part of it."""
    seed: int
    """Of this sample alone, 63 bits, the same whatever else is generated."""
    infilling: InfillingFormat | None = None
    """How the two contexts of a gap were put together."""

    @property
    def key(self) -> Key:
        return self.language, self.task_id, self.sample

    def row(self, text: str) -> dict[str, Any]:
        """The line of a samples file; `text` is what the model wrote, cut at the first stop.

        Lone surrogates, which no UTF-8 file can hold, become U+FFFD.
        """
        text = _SURROGATE.sub("\ufffd", text)
        if self.infilling is not None:
            text = self.infilling.middle(text)
        for stop in self.stops:
            text = text.partition(stop)[0]
        return {
            "task_id": self.task_id,
            "language": self.language,
            "sample": self.sample,
            "answer" if self.messages else "completion": text,
        }


@dataclass(frozen=True)
class PromptBuilder:
    """Makes the requests for rows of a config, variants' rows among them."""

    settings: GenerationSettings
    examples: Sequence[Mapping[str, Any]] = ()
    """The solved problems that stand before each prompt."""
    infilling: InfillingFormat | None = None
    """The model's, which rows of i- need."""
    local: bool = True
    """Whether a transformers tokenizer reads the prompts, and no server."""

    def requests(
        self, rows: Iterable[Mapping[str, Any]], samples: Iterable[int] | None = None
    ) -> Iterator[Request]:
        """The requests: for each row its n samples; examples are no tasks.

        Args:
            samples: Only those of these numbers.

        Raises:
            GenerationError: a row cannot be asked for in this style.
        """
        shown = {(each["language"], each["task_id"]) for each in self.examples}
        for row in rows:
            if (row["language"], row["task_id"]) in shown:
                continue
            prompt, messages = self.prompt(row), tuple(self.messages(row))
            infilling = self.infilling if row.get("variant") == "i" else None
            stops = NEWLINE if row.get("variant") == "s" and not messages else ()
            for sample in range(self.settings.n) if samples is None else samples:
                yield Request(
                    task_id=row["task_id"],
                    language=row["language"],
                    sample=sample,
                    prompt=prompt,
                    messages=messages,
                    head=head_of(row),
                    until_function_ends=self._until_function_ends(row),
                    stops=infilling.stops if infilling else stops,
                    seed=seed_of(self.settings.seed, row["language"], row["task_id"], sample),
                    infilling=infilling,
                )

    def prompt(self, row: Mapping[str, Any]) -> str:
        """What a model reads for a row; for a chat model the last message."""
        if row.get("variant") == "i":
            return self._infilled(row)
        if self.settings.style == "chat":
            return self._asked(row)
        return "".join(map(shot, self.examples)) + str(row["prompt"])

    def messages(self, row: Mapping[str, Any]) -> list[Message]:
        """The conversation that ends in the prompt; empty if the style is not chat."""
        if self.settings.style != "chat":
            return []
        found: list[Message] = []
        for each in self.examples:
            found += [
                {"role": "user", "content": self._asked(each)},
                {"role": "assistant", "content": _fenced(each, _solved(each))},
            ]
        return [*found, {"role": "user", "content": self.prompt(row)}]

    def _asked(self, row: Mapping[str, Any]) -> str:
        if row.get("variant") == "s":
            return str(row["prompt"])
        instruction = self.settings.instruction or INSTRUCTION
        language = str(row["language"])
        named = instruction.replace("{language}", TITLES.get(language, language.capitalize()))
        return f"{named}\n\n{_fenced(row, str(row['prompt']))}"

    def _infilled(self, row: Mapping[str, Any]) -> str:
        if self.settings.style != "plain":
            raise GenerationError(f"{row['task_id']}: i- is generated with plain prompts only")
        if self.infilling is None:
            raise GenerationError(
                f"{row['task_id']}: i- needs the format in which the model takes both contexts: "
                "--infilling"
            )
        left, right = str(row["left_context"]), str(row["shown_right_context"])
        return self.infilling.prompt(left, right, self.local)

    def _until_function_ends(self, row: Mapping[str, Any]) -> bool:
        text = self.settings.style == "chat" or row.get("variant") in ("s", "i")
        return self.settings.stop and not text


def seed_of(seed: int, language: str, task_id: str, sample: int) -> int:
    """A number of 63 bits for one sample, whatever else is generated beside it."""
    text = f"{seed}\n{language}\n{task_id}\n{sample}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big") >> 1


def _solved(row: Mapping[str, Any]) -> str:
    return head_of(row) + str(row["canonical_solution"])


def _fenced(row: Mapping[str, Any], code: str) -> str:
    return f"```{row['language']}\n{code}{'' if code.endswith(chr(10)) else chr(10)}```"
