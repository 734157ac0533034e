"""Special tokens of tokenizers that a generation loop left in its text."""

from __future__ import annotations

import re

_END = (
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|endofmask|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|EOT|>",
    "<|file_separator|>",
    "<|fim_prefix|>",
    "<fim_prefix>",
    "<file_sep>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "</s>",
    "<eos>",
    "<pad>",
    "<|pad|>",
    "[/INST]",
)
_START = ("<s>", "<bos>", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>")
_ROLE = re.compile(
    r"<\|im_start\|>\w*\n?|<start_of_turn>\w*\n?|<\|start_header_id\|>\w*<\|end_header_id\|>\s*"
    r"|<\|assistant\|>\n?"
)
_FIRST_END = re.compile("|".join(re.escape(token) for token in _END))
_LAST_PIECE = re.compile(r"<[|｜][\w▁]*[|｜]?\Z|</s?\Z")


def strip_special_tokens(text: str) -> str:
    """The text without start and role tokens before it, cut at the first end token.

    A token that was cut in the middle, as in `return x<|endoft`, goes too.
    """
    while True:
        token = next((token for token in _START if text.startswith(token)), None)
        role = _ROLE.match(text)
        if token is not None:
            text = text[len(token) :]
        elif role is not None:
            text = text[role.end() :]
        else:
            break
    end = _FIRST_END.search(text)
    if end is not None:
        return text[: end.start()]
    return _LAST_PIECE.sub("", text)
