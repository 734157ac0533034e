"""Options for a model on a server, shared by the commands that ask one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mbxp_metric.generation.endpoint import Endpoint

KEY_NAME = "MBXP_API_KEY"

Url = Annotated[
    str | None,
    typer.Option(
        "--endpoint", help="Ask a server, as http://host:8000/v1, for --model.", show_default=False
    ),
]
Api = Annotated[
    str | None,
    typer.Option(
        help="Of --endpoint: completions, chat or tgi.",
        show_default="completions, or with --chat chat",
    ),
]
KeyName = Annotated[
    str, typer.Option("--api-key-env", help="Environment variable with the endpoint's key.")
]
Concurrency = Annotated[int, typer.Option(min=1, help="Requests to the endpoint in flight.")]
RequestTimeout = Annotated[float, typer.Option(help="Seconds that the endpoint may take.")]


def endpoint_of(
    url: str,
    model: str,
    api: str | None,
    chat: bool,
    key_name: str,
    concurrency: int,
    timeout: float,
) -> Endpoint:
    """The endpoint that the options name; its key is read from the environment alone.

    Raises:
        GenerationError: the options cannot be used.
        BadParameter: `--chat` and `--api` contradict each other, or there are other processes.
    """
    from mbxp_metric.generation.endpoint import CHAT, COMPLETIONS, Endpoint

    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise typer.BadParameter("--endpoint is asked by one process: start it without a launcher")
    api = api or (CHAT if chat else COMPLETIONS)
    if chat != (api == CHAT):
        raise typer.BadParameter(f"--api {api} is {'not ' if chat else 'only '}for --chat")
    key = os.environ.get(key_name, "").strip() or None
    return Endpoint(url, model, api, key, concurrency, timeout)
