"""How completions are generated: the paper's settings are the defaults."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

SAMPLING_TEMPERATURE = 0.8
STYLES = ("plain", "few-shot", "chat")
DTYPES = ("auto", "float32", "bfloat16", "float16")


class GenerationError(ValueError):
    """A generation that cannot be done as asked; the message has the remedy."""


@dataclass(frozen=True)
class GenerationSettings:
    """What decides the text of a sample, beside the model and the problem; and how many.

    Defaults after section 4.1 and appendix C of the paper.

    Raises:
        GenerationError: a value is out of its range.
    """

    n: int = 1
    """Samples a problem."""
    temperature: float | None = None
    """0 is greedy. None for greedy with one sample and `SAMPLING_TEMPERATURE` with several."""
    top_p: float = 0.95
    """Nucleus: the most likely tokens that together have this probability."""
    top_k: int = 0
    """Only so many of the most likely tokens; 0 for all."""
    max_new_tokens: int = 256
    max_prompt_tokens: int = 1792
    """A longer prompt loses its begin."""
    seed: int = 0
    style: str = "plain"
    """Of the prompt: `plain`, `few-shot` or `chat`."""
    shots: int = 0
    """Solved problems that stand before the prompt."""
    instruction: str | None = None
    """What a chat model is told; None for `prompts.INSTRUCTION`."""
    stop: bool = True
    """Whether a sample ends where its function does, instead of being written on."""

    def __post_init__(self) -> None:
        _at_least("n", self.n, 1)
        _at_least("max_new_tokens", self.max_new_tokens, 1)
        _at_least("max_prompt_tokens", self.max_prompt_tokens, 1)
        _at_least("top_k", self.top_k, 0)
        _at_least("shots", self.shots, 0)
        if self.temperature is not None:
            _at_least("temperature", self.temperature, 0)
        if not 0 < self.top_p <= 1:
            raise GenerationError(f"top_p is {self.top_p}; it must be above 0 and at most 1")
        if self.style not in STYLES:
            raise GenerationError(f"style is {self.style!r}; it may be {', '.join(STYLES)}")
        if self.style == "few-shot" and not self.shots:
            raise GenerationError("style few-shot needs shots of at least 1")
        if self.greedy and self.n > 1:
            raise GenerationError(
                f"temperature 0 gives {self.n} equal samples of each problem; take n 1, or a "
                "temperature above 0"
            )

    @property
    def effective_temperature(self) -> float:
        """The temperature, with the default for so many samples."""
        if self.temperature is not None:
            return float(self.temperature)
        return SAMPLING_TEMPERATURE if self.n > 1 else 0.0

    @property
    def greedy(self) -> bool:
        return self.effective_temperature == 0

    def identity(self) -> dict[str, Any]:
        """What samples in one directory must share: all but `n`."""
        found = {**asdict(self), "temperature": self.effective_temperature}
        del found["n"]
        if self.greedy:
            # No draw, so nothing that decides one.
            for name in ("top_p", "top_k", "seed"):
                del found[name]
        return found


def _at_least(name: str, value: float, least: float) -> None:
    if not value >= least:
        raise GenerationError(f"{name} is {value}; it must be at least {least}")
