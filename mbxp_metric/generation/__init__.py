"""From a model to samples."""

from mbxp_metric.generation.prompts import PromptBuilder, Request
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.generation.store import PartStore, SampleStore

__all__ = [
    "GenerationError",
    "GenerationSettings",
    "PartStore",
    "PromptBuilder",
    "Request",
    "SampleStore",
]
