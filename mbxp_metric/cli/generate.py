"""`mbxp generate`."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console

from mbxp_datasets.extras import optional
from mbxp_metric.cli.common import DONE, DataDir, Source, Style, err, one_line_errors
from mbxp_metric.cli.endpoints import (
    KEY_NAME,
    Api,
    Concurrency,
    KeyName,
    RequestTimeout,
    Url,
    endpoint_of,
)
from mbxp_metric.cli.models import Cpu, DeviceMap, MaxPromptTokens, Model, TopP
from mbxp_metric.completions import require_grammars
from mbxp_metric.console import duration, plain
from mbxp_metric.generation.infilling import InfillingFormat, chosen_format
from mbxp_metric.generation.progress import Progress
from mbxp_metric.generation.settings import DTYPES, GenerationError, GenerationSettings
from mbxp_metric.generation.tasks import TaskSet, load_tasks, parse_shots
from mbxp_metric.problem_sets import checked_style

if TYPE_CHECKING:
    from mbxp_metric.generation.endpoint import Endpoint

DEFAULTS = GenerationSettings()
_SECONDS = 10.0
"""Between two lines of progress, where there is no terminal."""


def generate(
    model: Model,
    configs: Annotated[
        list[str],
        typer.Option(
            "--config",
            "-c",
            help="As mbxp/mbkp, mbxp/t-mbkp or mbxp/r-mbkp:case; humaneval; or a JSONL file of "
            "problems. Repeatable.",
        ),
    ],
    directory: Annotated[
        Path, typer.Option("--out", "-o", help="Where samples go; again to resume or add.")
    ],
    n: Annotated[int, typer.Option("-n", "--n", help="Samples a problem.")] = DEFAULTS.n,
    temperature: Annotated[
        float | None,
        typer.Option(help="0 is greedy.", show_default="0 for one sample, 0.8 for several"),
    ] = None,
    top_p: TopP = DEFAULTS.top_p,
    top_k: Annotated[int, typer.Option(help="0 for all tokens.")] = DEFAULTS.top_k,
    max_new_tokens: Annotated[int, typer.Option()] = DEFAULTS.max_new_tokens,
    max_prompt_tokens: MaxPromptTokens = DEFAULTS.max_prompt_tokens,
    seed: Annotated[int, typer.Option()] = DEFAULTS.seed,
    few_shot: Annotated[
        str, typer.Option(help="Solved problems before each prompt: a number, or paper.")
    ] = "0",
    few_shot_solutions: Annotated[
        Path | None,
        typer.Option(help="Samples that solve them, before the data's own.", show_default=False),
    ] = None,
    chat: Annotated[bool, typer.Option("--chat", help="Ask by the chat template.")] = False,
    instruction: Annotated[
        str | None,
        typer.Option(help="With --chat; {language} is replaced.", show_default=False),
    ] = None,
    infilling: Annotated[
        str | None,
        typer.Option(
            help="Of i-: a format's name, or a template with {prefix} and {suffix}.",
            show_default="told by the model's name",
        ),
    ] = None,
    infilling_stop: Annotated[
        list[str] | None, typer.Option(help="What ends an infill of a template; repeatable.")
    ] = None,
    stop: Annotated[
        bool, typer.Option("--stop/--no-stop", help="End a sample where its function ends.")
    ] = True,
    batch_size: Annotated[int, typer.Option(min=1, help="Prompts at once, a process.")] = 8,
    revision: Annotated[str | None, typer.Option(help="Of the model.", show_default=False)] = None,
    adapter: Annotated[
        str | None, typer.Option(help="LoRA adapter: path or id.", show_default=False)
    ] = None,
    dtype: Annotated[str, typer.Option(help=f"One of {', '.join(DTYPES)}.")] = "auto",
    device_map: DeviceMap = None,
    attn_implementation: Annotated[
        str | None, typer.Option(help="As sdpa or flash_attention_2.", show_default=False)
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run the model's own code.")
    ] = False,
    cpu: Cpu = False,
    endpoint: Url = None,
    api: Api = None,
    api_key_env: KeyName = KEY_NAME,
    concurrency: Concurrency = 8,
    request_timeout: RequestTimeout = 300,
    data_dir: DataDir = None,
    source: Source = "release",
    style: Style = None,
    option: Annotated[
        list[str] | None,
        typer.Option(help="Of a variant, as source_language=java; repeatable."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="First problems of each config.", show_default=False)
    ] = None,
) -> None:
    """Let a model write samples, for `mbxp score`.

    Started by `torchrun` or `accelerate launch`, the processes share the work. The same
    command again goes on after any kill, and with a larger -n adds to what is there; the
    samples of a seed are the same whatever the batch size and number of processes.
    """
    is_main = os.environ.get("RANK", "0") == "0"
    # What goes wrong, goes wrong in all processes: one of them says so.
    err.quiet = not is_main
    with one_line_errors():
        server = None
        if endpoint is not None:
            server = endpoint_of(
                endpoint, model, api, chat, api_key_env, concurrency, request_timeout
            )
        else:
            for module in ("torch", "transformers", "accelerate"):
                optional(module, "generate", "to run a model")
        if dtype not in DTYPES:
            raise typer.BadParameter(f"--dtype {dtype}: one of {', '.join(DTYPES)}")
        checked = checked_style(source, style)
        options = _options(option)
        sets = [load_tasks(name, data_dir, source, checked, options) for name in configs]
        shots = _shots(few_shot, sets)
        if shots:
            sets = [each.with_examples(shots, few_shot_solutions) for each in sets]
        settings = GenerationSettings(
            n=n,
            temperature=temperature,
            top_p=top_p,
            top_k=top_k,
            max_new_tokens=max_new_tokens,
            max_prompt_tokens=max_prompt_tokens,
            seed=seed,
            style="chat" if chat else "few-shot" if shots else "plain",
            shots=shots,
            instruction=instruction,
            stop=stop,
        )
        sets = [each.limited(limit) for each in sets]
        infills = any(row.get("variant") == "i" for each in sets for row in each.rows[:1])
        chosen = chosen_format(infilling, model, infilling_stop or ()) if infills else None
        if server is not None:
            _ask(server, sets, settings, directory, chosen)
        if stop and not chat:
            require_grammars()

        from transformers.utils import logging

        from mbxp_metric.generation import loop
        from mbxp_metric.generation.model import ModelOptions

        if not is_main:
            logging.set_verbosity_error()
            logging.disable_progress_bar()
        done = loop.generate(
            loop.Work(
                sets=sets,
                settings=settings,
                model=ModelOptions(
                    model=model,
                    revision=revision,
                    adapter=adapter,
                    dtype=dtype,
                    device_map=device_map,
                    attn_implementation=attn_implementation,
                    trust_remote_code=trust_remote_code,
                ),
                directory=directory,
                batch_size=batch_size,
                infilling=chosen,
                cpu=cpu,
            ),
            _Shown(err),
        )
    if is_main:
        plain(
            err,
            f"{done.new} samples in {duration(done.seconds)} by process 0 of {done.processes}; "
            f"{done.samples} asked for are in {directory}",
        )
    raise typer.Exit(DONE)


def _ask(
    server: Endpoint,
    sets: list[TaskSet],
    settings: GenerationSettings,
    directory: Path,
    infilling: InfillingFormat | None,
) -> NoReturn:
    from mbxp_metric.generation.endpoint import generate

    told = partial(plain, err)
    done = generate(server, sets, settings, directory, infilling, _Shown(err), told)
    plain(err, f"{done.done} samples came; all that were asked for are in {directory}")
    raise typer.Exit(DONE)


class _Shown:
    """Progress in a line that stays on a terminal, else in one now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        last = progress.done == progress.total
        if not last and time.monotonic() - self._last < self._pause:
            return
        self._last = time.monotonic()
        left = progress.seconds_left
        parts = [
            f"{progress.done} of {progress.total} samples",
            *([f"{progress.tokens_per_second:.0f} tokens/s"] if progress.tokens else []),
            f"{duration(left) if left is not None else '?'} left",
        ]
        if progress.processes > 1:
            parts[0] += f" of process 0 of {progress.processes}"
        line = ", ".join(parts)
        if self._console.is_terminal:
            end = "\n" if last else "\r"
            self._console.print(f"{line:<78}", markup=False, highlight=False, end=end)
        else:
            plain(self._console, line)

    @property
    def _pause(self) -> float:
        return 0.5 if self._console.is_terminal else _SECONDS


def _options(given: list[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in given or []:
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(f"--option {each}: NAME=VALUE is expected")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _shots(text: str, sets: list[TaskSet]) -> int:
    found = {parse_shots(text, each.benchmark) for each in sets}
    if len(found) > 1:
        raise GenerationError(
            f"--few-shot {text} is {' and '.join(map(str, sorted(found)))} for these benchmarks; "
            "generate each into a directory of its own"
        )
    return found.pop()
