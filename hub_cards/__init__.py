"""Templates of what goes to the Hub: cards, and the files of the two Spaces."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from types import ModuleType
from typing import Any

import yaml

from mbxp_datasets.extras import optional

SOURCES: Mapping[str, list[dict[str, str]]] = {
    "mbxp": [
        {
            "name": "MBPP",
            "licence": "CC BY 4.0",
            "url": "https://github.com/google-research/google-research/tree/master/mbpp",
            "by": "Jacob Austin and others, Program Synthesis with Large Language Models, 2021",
        }
    ],
    "multi_humaneval": [
        {
            "name": "HumanEval",
            "licence": "MIT",
            "url": "https://github.com/openai/human-eval",
            "by": "Mark Chen and others, Evaluating Large Language Models Trained on Code, 2021",
        }
    ],
    "mathqa_x": [
        {
            "name": "MathQA",
            "licence": "Apache-2.0",
            "url": "https://math-qa.github.io/math-QA/",
            "by": "Aida Amini and others, MathQA: Towards Interpretable Math Word Problem "
            "Solving, NAACL 2019",
        }
    ],
}
"""What the problems of each benchmark were made from."""


def require_templates() -> ModuleType:
    """Jinja2, so that its lack is met before other work.

    Raises:
        MissingExtraError: it is not installed.
    """
    return optional("jinja2", "hub", "to render a card")


def render(template: str, **values: Any) -> str:
    """A template of this folder; `metadata` becomes the YAML block at its head.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    jinja2 = require_templates()
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    if "metadata" in values:
        values["metadata"] = yaml.safe_dump(values["metadata"], sort_keys=False, allow_unicode=True)
    return str(environment.from_string(text(template)).render(**values)).rstrip() + "\n"


def text(name: str) -> str:
    """A file of this folder."""
    return (files("hub_cards") / name).read_text(encoding="utf-8")
