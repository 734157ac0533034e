"""Options of the commands that ask a model."""

from __future__ import annotations

from typing import Annotated

import typer

Model = Annotated[str, typer.Option("--model", "-m", help="Path or id of a causal LM.")]
TopP = Annotated[float, typer.Option(help="Nucleus; 1 for all tokens.")]
MaxPromptTokens = Annotated[int, typer.Option(help="A longer prompt loses its begin.")]
DeviceMap = Annotated[
    str | None, typer.Option(help="As auto, for one model on many devices.", show_default=False)
]
Cpu = Annotated[bool, typer.Option("--cpu", help="Use no accelerator.")]
