"""Tokens generated with and without ending a sample where its function ends, as a ratio.

`python -m tests.benchmarks.early_stopping`, from a checkout: on the tests' tiny model, which never
ends by itself. Nothing is downloaded.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from mbxp_metric.generation import GenerationSettings
from mbxp_metric.generation.loop import Generated, Work, generate
from mbxp_metric.generation.model import ModelOptions
from mbxp_metric.generation.tasks import load_tasks
from tests.generation import tiny


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny.train(folder / "model")
        sets = [load_tasks(str(path)) for path in tiny.write_problem_files(folder)]
        found: dict[bool, Generated] = {}
        for stop in (True, False):
            settings = GenerationSettings(stop=stop)
            model = ModelOptions(str(folder / "model"))
            found[stop] = generate(Work(sets, settings, model, folder / str(stop), cpu=True))
    ending, going_on = found[True], found[False]
    print(f"tokens: {ending.tokens} ending with the function, {going_on.tokens} without")
    print(f"ratio of tokens {ending.tokens / going_on.tokens:.3f}")
    print(f"ratio of seconds {ending.seconds / going_on.seconds:.3f}, reading the code included")


if __name__ == "__main__":
    main()
