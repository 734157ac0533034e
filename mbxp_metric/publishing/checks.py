"""What results must be to be published: the same rules for a push and for the leaderboard."""

from __future__ import annotations

import datetime
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from mbxp_datasets import Config, UnknownConfigError, resolve_benchmark
from mbxp_datasets.catalog import REVISION
from mbxp_metric.execution import Verdict

SCORES = "scores.json"
METRIC = re.compile(r"pass@([1-9][0-9]*)")
_REPO = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_COMMIT = re.compile("[0-9a-f]{40}")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?")
_TOLERANCE = 1e-9


class UnfitResultsError(ValueError):
    """Results that must not be published; `faults` has a line for each reason."""

    def __init__(self, where: str, faults: Sequence[str]) -> None:
        self.faults = list(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{where}: {faults[0]}{more}")


@dataclass(frozen=True)
class About:
    """Whose results they are."""

    model: str
    """Its repository on the Hub, as in `org/name`."""
    revision: str | None = None
    """The commit of the model, 40 hexadecimal digits."""
    date: str | None = None
    """When it was scored, in ISO 8601."""
    dataset: str | None = None
    """The dataset's repository on the Hub."""
    dataset_revision: str | None = None
    """The commit of the dataset, 40 hexadecimal digits."""
    parameters: int | None = None
    """Of the model."""
    url: str | None = None
    """Where the report is."""

    def faults(self) -> list[str]:
        """What is wrong with it, a line each."""
        return [*_about_faults(self)]


def read_scores(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The scores of a directory that `mbxp score -o` wrote, or of such a file; unchecked.

    Raises:
        OSError: it cannot be read.
        UnfitResultsError: it is no JSON object.
    """
    file = Path(path)
    if file.is_dir():
        file /= SCORES
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnfitResultsError(str(file), [f"is not JSON: {error}"]) from None
    if not isinstance(document, dict):
        raise UnfitResultsError(str(file), ["is no JSON object, as `mbxp score -o` writes it"])
    return document


def check(document: Mapping[str, Any], about: About, where: str) -> list[dict[str, Any]]:
    """The scores of the document, if all of them may be published under that name.

    Raises:
        UnfitResultsError: they may not; it has every reason.
    """
    faults = [*about.faults(), *document_faults(document), *_other_model(document, about)]
    if faults:
        raise UnfitResultsError(where, faults)
    return list(document["scores"])


def generated_with(document: Mapping[str, Any], name: str) -> list[str]:
    """What generation.json says of the samples, of each file another; as in `revision`."""
    generation = document.get("generation")
    if not isinstance(generation, dict):
        return []
    files = [generation, *(each for each in generation.values() if isinstance(each, dict))]
    found = (each.get(name) for each in files)
    return sorted({value for value in found if isinstance(value, str)})


def _other_model(document: Mapping[str, Any], about: About) -> Iterator[str]:
    """Where the samples say that another model wrote them. A local path says nothing."""
    for name, wanted in (("model", about.model), ("revision", about.revision)):
        for found in generated_with(document, name):
            known = _repo_id(found) if name == "model" else _COMMIT.fullmatch(found)
            if wanted is not None and known and found != wanted:
                yield f"generation: the samples are of {name} {found}, not of {wanted}"


def document_faults(document: Mapping[str, Any]) -> list[str]:
    """Why the scores of `mbxp score` must not be published; none if they may be."""
    rows = document.get("scores")
    if not isinstance(rows, list) or not rows:
        return ["scores: there are none"]
    faults = []
    isolation = document.get("isolation")
    if not isinstance(isolation, str) or isolation.split(" ")[0] != "strong":
        faults.append(f"isolation: is {isolation!r}, and must be strong")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            faults.append(f"scores[{number}]: is no object")
            continue
        name = row.get("problems")
        label = name if isinstance(name, str) and name else f"scores[{number}]"
        faults += [f"{label}: {fault}" for fault in row_faults(row)]
    names = Counter(str(row.get("problems")) for row in rows if isinstance(row, dict))
    faults += [f"{name}: has {count} scores" for name, count in names.items() if count > 1]
    return faults


def row_faults(row: Mapping[str, Any]) -> Iterator[str]:
    """Why one score must not be published, a line each."""
    config = _config(row.get("problems"))
    if isinstance(config, str):
        yield config
        return
    if row.get("language") != config.language:
        yield f"language is {row.get('language')!r}, and must be {config.language!r}"
    yield from _count_faults(row, config)
    yield from _value_faults(row)
    yield from _signature_faults(row, config)


def values(row: Mapping[str, Any]) -> dict[int, float]:
    """pass@k of a score by k."""
    found = ((METRIC.fullmatch(name), value) for name, value in row.items())
    return {int(match[1]): value for match, value in found if match}


def signature_fields(signature: str) -> dict[str, str]:
    """The `name:value` pairs of a signature."""
    pairs = (part.partition(":") for part in signature.split("|")[1:])
    return {name: value for name, colon, value in pairs if colon}


def config_of(name: str) -> Config:
    """The config that `benchmark/config` names exactly.

    Raises:
        UnknownConfigError: there is none.
    """
    benchmark, slash, config = name.partition("/")
    configs = resolve_benchmark(benchmark).configs
    if not slash or config not in configs or benchmark != configs[config].benchmark:
        raise UnknownConfigError(f"{name!r} is no config, as in mbxp/mbkp")
    return configs[config]


def _config(name: object) -> Config | str:
    if not isinstance(name, str):
        return "problems: does not name a config, as in mbxp/mbkp"
    try:
        config = config_of(name)
    except UnknownConfigError:
        return f"problems: {name!r} is no config of the release, as in mbxp/mbkp"
    return config if config.rows else f"problems: the release has no {name}"


def _count_faults(row: Mapping[str, Any], config: Config) -> Iterator[str]:
    problems, samples = row.get("n_problems"), row.get("n_samples")
    if problems != config.rows or not _count(problems):
        yield f"partial: n_problems is {problems!r}, and the release has {config.rows}"
    if not _number(row.get("coverage")) or row["coverage"] != 1:
        yield f"partial: coverage is {row.get('coverage')!r}, and must be 1"
    if row.get("infra_errors") != 0 or not _count(row.get("infra_errors")):
        yield f"infra_errors is {row.get('infra_errors')!r}, and must be 0: score again"
    verdicts = row.get("verdicts")
    names = {verdict.value for verdict in Verdict}
    if not isinstance(verdicts, dict) or not set(verdicts) <= names:
        yield "verdicts: must count each verdict by its name"
    elif not all(_count(count) for count in verdicts.values()):
        yield "verdicts: a count is no whole number from 0"
    elif not _count(samples) or sum(verdicts.values()) != samples:
        yield f"verdicts: add up to {sum(verdicts.values())}, but n_samples is {samples!r}"
    elif verdicts.get(Verdict.INFRA_ERROR.value):
        yield "verdicts: an INFRA_ERROR is no verdict; score again"


def _value_faults(row: Mapping[str, Any]) -> Iterator[str]:
    found = values(row)
    if not found:
        yield "there is no pass@k"
    before = 0.0
    for k, value in sorted(found.items()):
        if not _share(value):
            yield f"pass@{k} is {value!r}, and must be a number from 0 to 1"
            continue
        if value < before - _TOLERANCE:
            yield f"pass@{k} is {value!r}, which is less than with a smaller k"
        before = value
        interval = row.get(f"pass@{k}_ci95")
        if interval is None:
            continue
        pair = isinstance(interval, list) and len(interval) == 2
        if not pair or not all(_share(end) for end in interval):
            yield f"pass@{k}_ci95 is {interval!r}, and must be two numbers from 0 to 1"
        elif not interval[0] - _TOLERANCE <= value <= interval[1] + _TOLERANCE:
            yield f"pass@{k}_ci95 is {interval!r}, and does not hold {value!r}"


def _signature_faults(row: Mapping[str, Any], config: Config) -> Iterator[str]:
    signature, problems = row.get("signature"), row["problems"]
    if not isinstance(signature, str) or not signature:
        yield "there is no signature"
        return
    if signature.split("|")[0] != problems:
        yield f"signature: is for {signature.split('|')[0]!r}"
    fields = signature_fields(signature)
    for name, wanted in (("mode", "official"), ("iso", "strong")):
        if fields.get(name) != wanted:
            yield f"signature: has no {name}:{wanted}"
    for name in ("data", "n", "k", "v", config.language):
        if not fields.get(name):
            yield f"signature: has no {name}:"
    data = fields.get("data", "")
    if data and data != REVISION and not data.startswith("local:"):
        yield f"signature: data:{data} is not the release, nor a copy of it (local:)"
    yield from _agreement_faults(row, fields)


def _agreement_faults(row: Mapping[str, Any], fields: Mapping[str, str]) -> Iterator[str]:
    """Where counts, values and signature contradict each other."""
    n, problems, samples = fields.get("n", ""), row.get("n_problems"), row.get("n_samples")
    least, _, most = n.partition("-")
    found = values(row)
    told = set(fields.get("k", "").split(","))
    untold = [k for k in sorted(found) if str(k) not in told]
    if untold:
        yield f"pass@{untold[0]} is not among the k of the signature"
    if not re.fullmatch("[1-9][0-9]{0,8}(-[1-9][0-9]{0,8})?", n):
        yield f"signature: n:{n} is no number of samples from 1"
        return
    if any(k > int(least) for k in found):
        yield f"pass@{max(found)} needs that many samples of each problem; the signature has n:{n}"
    if not (_count(problems) and _count(samples)):
        return
    if not int(least) * problems <= samples <= int(most or least) * problems:
        yield f"n_samples is {samples}, but the signature has n:{n} of {problems} problems"
    if most:
        return
    verdicts = row.get("verdicts")
    passed = verdicts.get(Verdict.PASSED.value, 0) if isinstance(verdicts, dict) else None
    value = found.get(1)
    if samples and _count(passed) and _share(value) and abs(value - passed / samples) > _TOLERANCE:
        yield f"pass@1 is {value!r}, but {passed} of {samples} samples passed"


def _about_faults(about: About) -> Iterator[str]:
    for name in ("model", "dataset"):
        repo = getattr(about, name)
        if repo is not None and not _repo_id(repo):
            yield f"{name}: {repo!r} is no name of a repository, as in org/name"
    for name in ("revision", "dataset_revision"):
        revision = getattr(about, name)
        if revision is not None and not _COMMIT.fullmatch(str(revision)):
            yield f"{name}: {revision!r} is no commit of 40 hexadecimal digits"
    if about.date is not None and not _iso_date(about.date):
        yield f"date: {about.date!r} is no date in ISO 8601, as in 2026-01-31T12:00:00Z"
    if about.parameters is not None and not (_count(about.parameters) and about.parameters):
        yield f"parameters: {about.parameters!r} is no whole number from 1"
    if about.url is not None and not re.fullmatch(r"https?://[^\s<>\"'`()\[\]]+", str(about.url)):
        yield f"url: {about.url!r} is no address, as in https://host/path"


def _repo_id(text: object) -> bool:
    if not isinstance(text, str) or len(text) > 96 or "--" in text or ".." in text:
        return False
    parts = text.split("/")
    return len(parts) == 2 and all(_REPO.fullmatch(part) for part in parts)


def _iso_date(text: object) -> bool:
    if not isinstance(text, str) or not _ISO_DATE.fullmatch(text):
        return False
    try:
        datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def _number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _share(value: object) -> TypeGuard[float]:
    return _number(value) and 0 <= value <= 1


def _count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
