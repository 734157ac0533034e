"""Scores as a model repository has them: `model-index` in its card, and `.eval_results/*.yaml`."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from huggingface_hub import ModelCardData, metadata_load, metadata_save

from mbxp_datasets import resolve_benchmark
from mbxp_metric.publishing import PublishError
from mbxp_metric.publishing.checks import About, config_of, signature_fields, values

CARD = "README.md"
Read = Callable[[str], "bytes | None"]
"""The content that the repository has for a path."""


def planned_files(
    rows: Sequence[Mapping[str, Any]],
    about: About,
    read: Read,
    *,
    datasets: Mapping[str, str],
    overwrite: bool = False,
) -> dict[str, bytes]:
    """The card and result files of a model repository with these scores in them.

    Args:
        rows: scores that `checks.check` let pass.
        about: whose they are.
        read: what the repository has now.
        datasets: the Hub's dataset of each benchmark; without one a benchmark is in the
            card only, since `.eval_results` needs a dataset that is on the Hub.
        overwrite: replace other values for the same config.

    Raises:
        PublishError: the repository has another value already, or files that cannot be read.
    """
    files = {CARD: _card(rows, about, read(CARD), datasets, overwrite)}
    for benchmark, dataset in datasets.items():
        entries = [
            _eval_entry(row, about, dataset)
            for row in rows
            if row["problems"].startswith(f"{benchmark}/") and 1 in values(row)
        ]
        path = f".eval_results/{benchmark}.yaml"
        if entries:
            files[path] = _eval_results(path, entries, read(path), overwrite)
    return files


def _card(
    rows: Sequence[Mapping[str, Any]],
    about: About,
    before: bytes | None,
    datasets: Mapping[str, str],
    overwrite: bool,
) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / CARD
        name = about.model.partition("/")[2]
        path.write_bytes(before if before is not None else f"# {name}\n".encode())
        try:
            metadata = metadata_load(path) or {}
            index = metadata.setdefault("model-index", [{"name": name, "results": []}])
            results = index[0].setdefault("results", [])
            changed = False
            for row in rows:
                changed |= _merge_result(results, _result(row, about, datasets), overwrite)
            # What it becomes must be readable by the Hub's own classes.
            ModelCardData(**{"model-index": index, "ignore_metadata_errors": False})
        except PublishError:
            raise
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise _unreadable(about.model, CARD, error) from None
        except yaml.YAMLError as error:
            raise _unreadable(about.model, CARD, error) from None
        if before is not None and not changed:
            return before
        metadata_save(path, metadata)
        return path.read_bytes()


def _result(row: Mapping[str, Any], about: About, datasets: Mapping[str, str]) -> dict[str, Any]:
    config = config_of(row["problems"])
    dataset = {
        "name": f"{resolve_benchmark(config.benchmark).title} ({config.name})",
        "type": datasets.get(config.benchmark, config.benchmark),
        "config": config.name,
        "split": "test",
    }
    if about.dataset_revision and config.benchmark in datasets:
        dataset["revision"] = about.dataset_revision
    metrics = [
        {
            "name": f"pass@{k}",
            "type": f"pass@{k}",
            "value": float(value),
            "args": {
                "signature": row["signature"],
                **({"ci95": row[f"pass@{k}_ci95"]} if row.get(f"pass@{k}_ci95") else {}),
            },
        }
        for k, value in sorted(values(row).items())
    ]
    found: dict[str, Any] = {
        "task": {"type": "text-generation", "name": "Code generation"},
        "dataset": dataset,
        "metrics": metrics,
    }
    if about.url:
        found["source"] = {"name": "mbxp", "url": about.url}
    return found


def _merge_result(results: list[dict[str, Any]], new: dict[str, Any], overwrite: bool) -> bool:
    """Put a result in its place; whether anything changed. Results of others stay."""
    identity = _identity(new)
    for number, old in enumerate(results):
        if _identity(old) != identity:
            continue
        before = {metric.get("type"): metric.get("value") for metric in old["metrics"]}
        now = {metric["type"]: metric["value"] for metric in new["metrics"]}
        if all(before.get(name) == value for name, value in now.items()):
            return False
        _refuse_other_values(identity[1], before, now, overwrite)
        kept = [metric for metric in old["metrics"] if metric.get("type") not in now]
        results[number] = {**old, **new, "metrics": [*kept, *new["metrics"]]}
        return True
    results.append(new)
    return True


def _identity(result: Mapping[str, Any]) -> tuple[str, str, str]:
    dataset = result["dataset"]
    return str(dataset.get("type")), str(dataset.get("config")), str(dataset.get("split"))


def _refuse_other_values(
    config: str, before: Mapping[Any, Any], now: Mapping[str, Any], overwrite: bool
) -> None:
    for name, value in now.items():
        if not overwrite and before.get(name, value) != value:
            raise PublishError(
                f"{config}: the model has {name} {before[name]} already, and this is {value}; "
                "--overwrite replaces it"
            )


def _eval_entry(row: Mapping[str, Any], about: About, dataset: str) -> dict[str, Any]:
    """One entry, as `huggingface_hub.EvalResultEntry` reads it; values in percent."""
    config = config_of(row["problems"])
    entry: dict[str, Any] = {"dataset": {"id": dataset, "task_id": config.name}}
    if about.dataset_revision:
        entry["dataset"]["revision"] = about.dataset_revision
    entry["value"] = _percent(row["pass@1"])
    if about.date:
        entry["date"] = about.date
    if about.url:
        entry["source"] = {"url": about.url, "name": "mbxp"}
    entry["notes"] = _notes(row, about)
    return entry


def _notes(row: Mapping[str, Any], about: About) -> str:
    interval = row.get("pass@1_ci95")
    parts = [f"pass@1, n={signature_fields(row['signature'])['n']}"]
    if interval:
        parts.append(f"95 % interval {_percent(interval[0])} to {_percent(interval[1])}")
    if about.revision:
        parts.append(f"model at {about.revision}")
    return ", ".join([*parts, row["signature"]])


def _percent(share: float) -> float:
    return round(100 * float(share), 4)


def _eval_results(
    path: str, entries: Sequence[dict[str, Any]], before: bytes | None, overwrite: bool
) -> bytes:
    try:
        known = yaml.safe_load(before) if before is not None else []
        positions = {
            (each["dataset"]["id"], each["dataset"]["task_id"]): number
            for number, each in enumerate(known)
        }
    except (yaml.YAMLError, ValueError, TypeError, KeyError) as error:
        raise _unreadable("the model", path, error) from None
    changed = False
    for entry in entries:
        config = entry["dataset"]["task_id"]
        number = positions.get((entry["dataset"]["id"], config))
        if number is None:
            known.append(entry)
        elif known[number].get("value") == entry["value"]:
            continue
        else:
            old = known[number].get("value")
            _refuse_other_values(config, {"pass@1 %": old}, {"pass@1 %": entry["value"]}, overwrite)
            known[number] = entry
        changed = True
    if before is not None and not changed:
        return before
    return yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=1000).encode()


def _unreadable(name: str, path: str, error: BaseException) -> PublishError:
    reason = " ".join(str(error).split())
    return PublishError(f"{name}: its {path} cannot be read, and stays as it is: {reason}")


def scored_at(scores: Path) -> str:
    """When a scores file was written, in ISO 8601, UTC."""
    seconds = int(scores.stat().st_mtime)
    moment = datetime.datetime.fromtimestamp(seconds, tz=datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
