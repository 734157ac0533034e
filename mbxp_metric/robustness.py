"""How much of a model's score is left when prompts are perturbed.

The drop is the MBXP paper's (section 4.5): of pass@k on the nominal prompts the share that is
lost. Robust pass, drop and relative change are ReCode's (Wang et al., ACL 2023;
`calculate_metric` in run_robust.py of amazon-science/recode), which take the worst case of
several perturbed prompts: sample i of a problem is robust if it passes under each of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mbxp_metric.execution import Verdict
from mbxp_metric.pass_at_k import estimates_pass_at_k
from mbxp_metric.variant_sets import split_name

RESULTS = "results.jsonl"
ALL = "all"
"""The perturbation that stands for all that there are results of."""

Task = tuple[str, str]
"""Language and task id."""


class RobustnessInputError(ValueError):
    """Results that cannot be compared; the message names the directory and the remedy."""


@dataclass
class Run:
    """Whether each sample passes, of one directory of results, perturbation and language."""

    directory: str
    perturbation: str
    language: str
    passed: dict[Task, list[bool]] = field(default_factory=dict)
    """By task, in the order of the samples."""


def read_runs(directory: str | os.PathLike[str]) -> list[Run]:
    """The results that `mbxp score -o` wrote, one run a problem set and language.

    The perturbation is the split in the set's name, `case` in `mbxp/r-mbkp:case,seed=1`; where
    there is none it is the directory's name.

    Raises:
        RobustnessInputError: they are damaged, of texts, or hold a sample that was not executed.
        OSError: they cannot be read.
    """
    path = Path(directory) / RESULTS
    runs: dict[tuple[str, str], Run] = {}
    samples: dict[tuple[str, Task], dict[int, bool]] = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                name, language = str(row["problems"]), str(row["language"])
                verdict, task = Verdict(row["verdict"]), (language, str(row["task_id"]))
                sample = int(row["sample"])
            except (ValueError, TypeError, KeyError) as error:
                raise RobustnessInputError(
                    f"{path}, line {number}: no result of executed samples ({error!r})"
                ) from None
            if verdict is Verdict.INFRA_ERROR:
                raise RobustnessInputError(
                    f"{path}, line {number}: {task[1]} could not be executed (INFRA_ERROR); let "
                    f"`mbxp score … -o {os.fspath(directory)}` do so first"
                )
            if (name, language) not in runs:
                runs[name, language] = Run(os.fspath(directory), _split(name, path), language)
            samples.setdefault((name, task), {})[sample] = verdict is Verdict.PASSED
    if not runs:
        raise RobustnessInputError(f"{path}: there are no results in it")
    for (name, task), found in samples.items():
        runs[name, task[0]].passed[task] = [found[each] for each in sorted(found)]
    return list(runs.values())


def robustness(
    nominal: Sequence[Run], perturbed: Sequence[Run], ks: Sequence[int] = (1,)
) -> list[dict[str, Any]]:
    """One row a language and perturbation, with several of them also one for `ALL` together.

    Raises:
        RobustnessInputError: runs are of other tasks or have other numbers of samples.
    """
    rows = []
    by_language: dict[str, Run] = {}
    for run in nominal:
        if run.language in by_language:
            raise RobustnessInputError(
                f"{run.directory}: several problem sets are in {run.language}; score them apart"
            )
        by_language[run.language] = run
    for run in perturbed:
        if run.language not in by_language:
            raise RobustnessInputError(
                f"{run.directory}: there are results in {run.language}, but no nominal ones"
            )
        _check_same(by_language[run.language], run)
    for language, base in by_language.items():
        own = [run for run in perturbed if run.language == language]
        names = list(dict.fromkeys(run.perturbation for run in own))
        groups = {name: [run for run in own if run.perturbation == name] for name in names}
        if len(groups) > 1:
            groups[ALL] = own
        for name, runs in groups.items():
            numbers = scores(base.passed, [run.passed for run in runs], ks)
            rows.append({"language": language, "perturbation": name, **numbers})
    return rows


def scores(
    nominal: Mapping[Task, Sequence[bool]],
    perturbed: Sequence[Mapping[Task, Sequence[bool]]],
    ks: Sequence[int] = (1,),
) -> dict[str, Any]:
    """The figures of one perturbation, over all its seeds.

    Args:
        nominal: whether each sample of a task passes, in their order.
        perturbed: the same for each seed; sample i is compared with sample i.
        ks: numbers of samples; one above what a task has is left out.

    Returns:
        n_tasks; seeds, how many there are; and for each k `nominal_pass@k`, `pass@k_by_seed`,
        `pass@k` (their mean), `drop@k`, ReCode's robust pass `RP@k`, robust drop `RD@k` and robust
        relative change `RR@k`, from 0 to 1. Drops are None where nothing passes.
    """
    tasks = list(nominal)
    n = np.array([len(nominal[task]) for task in tasks])
    before = [np.array(nominal[task], dtype=bool) for task in tasks]
    seeds = [[np.array(run[task], dtype=bool) for task in tasks] for run in perturbed]
    worst = [np.logical_and.reduce(each) for each in zip(*seeds, strict=True)]
    lost = _counts(old & ~new for old, new in zip(before, worst, strict=True))
    won = _counts(~old & new for old, new in zip(before, worst, strict=True))
    found: dict[str, Any] = {"n_tasks": len(tasks), "seeds": len(seeds)}
    for k in sorted(set(ks)):
        if k > int(n.min()):
            continue
        first = _mean(n, _counts(before), k)
        after = [_mean(n, _counts(seed), k) for seed in seeds]
        robust = _mean(n, _counts(worst), k)
        found[f"nominal_pass@{k}"] = first
        found[f"pass@{k}"] = float(np.mean(after))
        found[f"pass@{k}_by_seed"] = after
        found[f"drop@{k}"] = _drop(first, float(np.mean(after)))
        found[f"RP@{k}"] = robust
        found[f"RD@{k}"] = _drop(first, robust)
        found[f"RR@{k}"] = _mean(n, lost, k) + _mean(n, won, k)
    return found


def _mean(n: np.ndarray, c: np.ndarray, k: int) -> float:
    return float(estimates_pass_at_k(n, c, k).mean())


def _counts(samples: Iterable[np.ndarray]) -> np.ndarray:
    return np.array([int(each.sum()) for each in samples])


def _drop(before: float, after: float) -> float | None:
    return (before - after) / before if before else None


def _split(name: str, path: Path) -> str:
    first = split_name(name)[2].partition(",")[0]
    return first if first and "=" not in first else path.resolve().parent.name


def _check_same(nominal: Run, run: Run) -> None:
    for task in (*nominal.passed, *run.passed):
        here, there = run.passed.get(task), nominal.passed.get(task)
        if here is None or there is None:
            has, lacks = (nominal, run) if here is None else (run, nominal)
            raise RobustnessInputError(
                f"{lacks.directory}: there are no samples of {task[1]} ({task[0]}), but "
                f"{has.directory} has some; both must be of the same problems"
            )
        if len(here) != len(there):
            raise RobustnessInputError(
                f"{run.directory}: {task[1]} has {len(here)} sample(s), but {len(there)} in "
                f"{nominal.directory}; both must have the same number"
            )
