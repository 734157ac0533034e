"""How models are asked for what stands between two pieces of code: a table of their formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_PLACES = ("{prefix}", "{suffix}")


class InfillingFormatError(ValueError):
    """A format that is not known, or a template that cannot be used."""


@dataclass(frozen=True)
class InfillingFormat:
    """What goes around the code before and after, and what ends the model's answer."""

    name: str
    template: str
    """`{prefix}` and `{suffix}` once each; they are replaced byte for byte."""
    stops: tuple[str, ...]
    """The first of these ends the infill: tokens of the model, as text."""
    models: str = ""
    """The ids of the models that know it, as a regular expression for some part of the id."""
    local: str = ""
    """The template for a transformers tokenizer, where its tokens are spelled otherwise."""

    def __post_init__(self) -> None:
        for template in filter(None, (self.template, self.local)):
            for place in _PLACES:
                if template.count(place) != 1:
                    raise InfillingFormatError(
                        f"the infilling template {template!r} must have {place} exactly once"
                    )

    def prompt(self, prefix: str, suffix: str, local: bool = False) -> str:
        """The text that the model reads; with `local`, as a transformers tokenizer needs it.

        The start token of a document is not in it: tokenizers and servers put it there.
        """
        template = self.local if local and self.local else self.template
        parts = re.split(r"(\{prefix\}|\{suffix\})", template)
        code = dict(zip(_PLACES, (prefix, suffix), strict=True))
        return "".join(code.get(part, part) for part in parts)

    def middle(self, generated: str) -> str:
        """What the model put in: its text up to the first stop token, or all of it.

        Args:
            generated: What came after the prompt, decoded with special tokens kept. A stop
                token that was cut in the middle at the end of it goes too.
        """
        ends = [at for stop in self.stops if (at := generated.find(stop)) >= 0]
        if ends:
            return generated[: min(ends)]
        for stop in self.stops:
            # Two characters at least: a lone `<` may be an operator.
            for length in range(len(stop) - 1, 1, -1):
                if _is_told(stop[:length]) and generated.endswith(stop[:length]):
                    return generated[:-length]
        return generated


def _is_told(start: str) -> bool:
    """Whether the start of a stop token is one that code does not end in."""
    return bool(re.match(r"\s?(?:<[|｜/]|</?\w|\[[A-Z])", start))


_FIM = "<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>"
_FIM_BARS = "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"

FORMATS: tuple[InfillingFormat, ...] = (
    # https://huggingface.co/bigcode/starcoder2-15b: the tokens of StarCoder, and `<file_sep>`
    # between the files of a repository; prompt as in github.com/nuprl/MultiPL-E, starcoder2.py.
    InfillingFormat(
        "starcoder2",
        "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
        ("<|endoftext|>", "<file_sep>", "<repo_name>", *_FIM),
        r"starcoder2",
    ),
    # https://huggingface.co/bigcode/starcoder, "Fill-in-the-middle".
    InfillingFormat(
        "starcoder",
        "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
        ("<|endoftext|>", "<filename>", "<reponame>", *_FIM),
        r"starcoder",
    ),
    # github.com/facebookresearch/codellama, llama/generation.py, `infilling_prompt_tokens`.
    # Only these sizes were trained to infill. In the transformers tokenizer the space before a
    # token is the token's own, written U+2581.
    InfillingFormat(
        "codellama",
        "<PRE> {prefix} <SUF>{suffix} <MID>",
        (" <EOT>", "▁<EOT>", "<EOT>", "</s>"),
        r"code-?llama-(?:7b|13b)(?!.*python)",
        local="▁<PRE> {prefix}▁<SUF>{suffix}▁<MID>",
    ),
    InfillingFormat(
        "codellama-spm",
        "<PRE> <SUF>{suffix} <MID> {prefix}",
        (" <EOT>", "▁<EOT>", "<EOT>", "</s>"),
        local="▁<PRE>▁<SUF>{suffix}▁<MID> {prefix}",
    ),
    # github.com/dpfried/incoder, example_usage.py, `infill` with its extra sentinel.
    InfillingFormat(
        "incoder",
        "{prefix}<|mask:0|>{suffix}<|mask:1|><|mask:0|>",
        ("<|endofmask|>", "<|mask:", "<|/ file", "<|endoftext|>"),
        r"incoder",
    ),
    # github.com/deepseek-ai/DeepSeek-Coder, README, "Code Insertion".
    InfillingFormat(
        "deepseek-coder",
        "<｜fim▁begin｜>{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
        (
            "<｜end▁of▁sentence｜>",
            "<|EOT|>",
            "<｜fim▁begin｜>",
            "<｜fim▁hole｜>",
            "<｜fim▁end｜>",
        ),
        r"deepseek-coder",
    ),
    # github.com/QwenLM/Qwen2.5-Coder, README, "Fill in the middle", and
    # examples/Qwen2.5-Coder-fim.py for the ids of the tokens that end it.
    InfillingFormat(
        "qwen2.5-coder",
        "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
        (
            "<|endoftext|>",
            "<|im_end|>",
            "<|fim_pad|>",
            "<|repo_name|>",
            "<|file_sep|>",
            *_FIM_BARS,
        ),
        r"qwen2\.5-coder",
    ),
    # https://ai.google.dev/gemma/docs/codegemma/prompt-structure; no blanks beside the tokens.
    InfillingFormat(
        "codegemma",
        "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
        ("<|file_separator|>", "<eos>", "<end_of_turn>", *_FIM_BARS),
        r"codegemma",
    ),
    # github.com/mistralai/mistral-common, tests/test_fim_tokenizer.py, and the table of
    # github.com/mistralai/cookbook, concept-deep-dive/tokenization/chat_templates.md.
    InfillingFormat(
        "codestral",
        "[SUFFIX]{suffix}[PREFIX] {prefix}",
        ("</s>", "[SUFFIX]", "[PREFIX]", "[MIDDLE]"),
        r"codestral",
    ),
)


def infilling_format(name: str) -> InfillingFormat:
    """The format of that name.

    Raises:
        InfillingFormatError: there is none.
    """
    for each in FORMATS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise InfillingFormatError(f"no infilling format {name!r}; one of {names}, or a template")


def format_of_model(model: str) -> InfillingFormat:
    """The format that a model was trained in, told by its id or path.

    Raises:
        InfillingFormatError: no format is known for it.
    """
    for each in FORMATS:
        if each.models and re.search(each.models, model, re.IGNORECASE):
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise InfillingFormatError(
        f"it is not known how {model!r} infills: name a format ({names}) or give a template "
        "with {prefix} and {suffix}"
    )


def template_format(template: str, stops: Sequence[str] = ()) -> InfillingFormat:
    """A format of one's own: `{prefix}` and `{suffix}` in a text, and what ends the infill.

    Raises:
        InfillingFormatError: one of the two is not there exactly once, or a stop is empty.
    """
    if not all(stops):
        raise InfillingFormatError("an empty stop would end every infill at once")
    return InfillingFormat("template", template, tuple(stops))


def chosen_format(
    choice: str | None, model: str = "", stops: Sequence[str] = ()
) -> InfillingFormat:
    """The format for what a user gave: a name, a template, or nothing, when the model tells.

    Raises:
        InfillingFormatError: no format comes of it.
    """
    if choice is None:
        return format_of_model(model)
    if "{prefix}" in choice or "{suffix}" in choice:
        return template_format(choice, stops)
    return infilling_format(choice)
