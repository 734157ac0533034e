"""`mbxp bootstrap`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mbxp_datasets import Config, Problem, UnknownConfigError, load_problems, python_file
from mbxp_datasets.extras import optional
from mbxp_datasets.sources.files import python_problems
from mbxp_datasets.variants import Translation
from mbxp_metric.cli.common import (
    DEFAULTS,
    DONE,
    NOT_SCORED,
    Allow,
    AsJson,
    DataDir,
    Engine,
    Isolation,
    Source,
    Style,
    Timeout,
    Workers,
    checked_settings,
    err,
    one_line_errors,
    out,
)
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
from mbxp_metric.console import plain
from mbxp_metric.execution import ToolchainMissing, require_consent
from mbxp_metric.generation.settings import GenerationError, GenerationSettings
from mbxp_metric.problem_sets import checked_style, named_config, named_set
from mbxp_metric.scoring import open_executor, open_journal, versions

if TYPE_CHECKING:
    from mbxp_metric.generation.bootstrap import Generator

SAMPLING = GenerationSettings()


def bootstrap(
    model: Model,
    config: Annotated[
        str, typer.Option("--config", "-c", help="As mbxp/mbgp; or a JSONL file of problems.")
    ],
    directory: Annotated[
        Path, typer.Option("--out", "-o", help="Where all of it goes; again to resume.")
    ],
    stages: Annotated[
        str, typer.Option(help="Samples@temperature of each stage.")
    ] = "100@0.8,1000@1.0,10000@1.2",
    prompts: Annotated[
        str, typer.Option(help="Kinds of prompts in each stage.")
    ] = "plain,few-shot,translation",
    shots: Annotated[int, typer.Option(min=1, help="Of a few-shot prompt.")] = 3,
    round_size: Annotated[
        int, typer.Option("--round", min=1, help="Samples of a problem between two executions.")
    ] = 20,
    strict: Annotated[
        bool, typer.Option(help="Let a sample pass our strict tests too, where there are any.")
    ] = True,
    top_p: TopP = SAMPLING.top_p,
    max_new_tokens: Annotated[int, typer.Option()] = SAMPLING.max_new_tokens,
    max_prompt_tokens: MaxPromptTokens = SAMPLING.max_prompt_tokens,
    seed: Annotated[int, typer.Option()] = SAMPLING.seed,
    endpoint: Url = None,
    api: Api = None,
    api_key_env: KeyName = KEY_NAME,
    concurrency: Concurrency = 8,
    request_timeout: RequestTimeout = 300,
    batch_size: Annotated[int, typer.Option(min=1, help="Prompts at once.")] = 8,
    dtype: Annotated[str, typer.Option(help="As auto or bfloat16.")] = "auto",
    device_map: DeviceMap = None,
    cpu: Cpu = False,
    data_dir: DataDir = None,
    source: Source = "release",
    style: Style = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="First problems only.", show_default=False)
    ] = None,
    workers: Workers = DEFAULTS.workers,
    timeout: Timeout = DEFAULTS.timeout,
    isolation: Isolation = DEFAULTS.isolation,
    engine: Engine = DEFAULTS.engine,
    allow: Allow = False,
    as_json: AsJson = False,
) -> None:
    """Sample until problems have canonical solutions that pass.

    Each stage asks for more samples of what is still unsolved. DIR/solutions.jsonl holds the
    problems with their `canonical_solution` and its `provenance`, DIR/coverage.json how many
    each stage solved; the same command resumes.
    """
    with one_line_errors():
        require_consent(allow)
        checked = checked_style(source, style)
        settings = checked_settings(
            isolation=isolation, workers=workers, timeout=timeout, engine=engine
        )

        from mbxp_metric.generation.bootstrap import (
            TRANSLATION,
            Bootstrap,
            Bootstrapping,
            parse_stages,
            strict_tests,
        )

        if endpoint is not None:
            server = endpoint_of(
                endpoint, model, api, False, api_key_env, concurrency, request_timeout
            )
            about = {"model": model, "api": server.api}
            generate: Generator = partial(server, told=partial(plain, err))
        else:
            generate, about = _local(model, dtype, device_map, cpu, max_new_tokens, batch_size)
        found = named_config(config)
        problems = list(named_set(config, None, data_dir, checked).problems.values())[:limit]
        languages = sorted({each["language"] for each in problems})
        if len(languages) != 1:
            raise GenerationError(f"--config {config}: problems of one language are expected")
        tests: dict[str, str] = {}
        if strict and found is not None and checked != "strict":
            python = python_problems(python_file(found, data_dir))
            tests = strict_tests(problems, python, found.language)
        kinds = tuple(dict.fromkeys(kind.strip() for kind in prompts.split(",")))
        work = Bootstrap(
            problems,
            GenerationSettings(
                top_p=top_p,
                max_new_tokens=max_new_tokens,
                max_prompt_tokens=max_prompt_tokens,
                seed=seed,
            ),
            about,
            parse_stages(stages),
            kinds,
            tests,
            _sources(found, data_dir) if TRANSLATION in kinds else (),
            shots,
            round_size,
        )
        with ExitStack() as stack:
            executor = stack.enter_context(open_executor(settings))
            tools = executor.toolchains(languages)
            missing = [str(why) for why in tools.values() if isinstance(why, ToolchainMissing)]
            if missing:
                raise GenerationError(missing[0])
            journal = open_journal(directory / "journal.jsonl", settings, versions(tools))
            stack.enter_context(journal)
            done = Bootstrapping(work, directory, generate, executor, journal, partial(plain, err))
            done.run()
    if as_json:
        print(json.dumps(done.coverage, indent=1))
    else:
        plain(out, f"{done.refused} samples passed the problem's own test alone")
        plain(out, f"solutions in {directory / 'solutions.jsonl'}")
    if done.not_executed:
        plain(err, f"{done.not_executed} samples could not be executed: repeat the command")
    raise typer.Exit(NOT_SCORED if done.not_executed else DONE)


def _local(
    model: str,
    dtype: str,
    device_map: str | None,
    cpu: bool,
    max_new_tokens: int,
    batch_size: int,
) -> tuple[Generator, dict[str, Any]]:
    """A model in this process, and what tells it from others."""
    for module in ("torch", "transformers", "accelerate"):
        optional(module, "generate", "to run a model")

    from mbxp_metric.generation.local import LocalGenerator
    from mbxp_metric.generation.model import ModelOptions

    options = ModelOptions(model, dtype=dtype, device_map=device_map).pinned()
    return LocalGenerator(options, max_new_tokens, batch_size, cpu), options.identity()


def _sources(config: Config | None, data_dir: Path | None) -> list[Problem]:
    """The problems that translation prompts begin with."""
    if config is None:
        return []
    try:
        source = Translation().source(config)
    except UnknownConfigError:
        return []
    return list(load_problems(source.benchmark, source.name, data_dir))
