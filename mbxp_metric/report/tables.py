"""The tables of a report: which numbers stand where, and what is said below them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from mbxp_metric.execution import LANGUAGES
from mbxp_metric.report.checks import incomparable, notes
from mbxp_metric.report.rendering import Cell, Table
from mbxp_metric.report.results import PLAIN, Score
from mbxp_metric.report.statistics import (
    Estimate,
    by_number,
    common_average,
    common_numbers,
    compare,
    error_breakdown,
    holm,
    problem_values,
    smallest_n,
    solve_rates,
)

_PERCENT = "pass@k in percent with its 95 % bootstrap interval over problems"


def languages_of(scores: Sequence[Score]) -> list[str]:
    """The languages of some scores in one fixed order."""
    there = {score.language for score in scores}
    return [*(n for n in LANGUAGES if n in there), *sorted(there - set(LANGUAGES))]


def benchmarks_of(scores: Sequence[Score]) -> dict[str, list[Score]]:
    """The scores of each benchmark, in order of appearance."""
    found: dict[str, list[Score]] = {}
    for score in scores:
        found.setdefault(score.benchmark, []).append(score)
    return found


def models_of(scores: Sequence[Score]) -> dict[tuple[str, str], dict[str, Score]]:
    """The scores of each model and setting by language; all are of one benchmark."""
    found: dict[tuple[str, str], dict[str, Score]] = {}
    for score in scores:
        found.setdefault((score.model, score.setting), {})[score.language] = score
    return found


def pass_at_k(score: Score, k: int, scores: Sequence[Score]) -> Estimate:
    """A score's pass@k as scores.json has it, with what there is to say of it."""
    note = "; ".join(notes(score, scores))
    value = score.row.get(f"pass@{k}")
    if score.withheld or value is None:
        return Estimate(None, note=note or f"a problem has fewer than {k} samples")
    low, high = score.row.get(f"pass@{k}_ci95") or (None, None)
    return Estimate(float(value), low, high, note)


def score_tables(scores: Sequence[Score]) -> list[Table]:
    """Every score in a row, and for each benchmark and k a matrix of models and languages."""
    ks = sorted({k for score in scores for k in score.ks})
    titles = [f"pass@{k}" for k in ks]
    columns = ["model", "setting", "benchmark", "language", *titles, "problems", "samples"]
    rows: list[list[Cell]] = []
    for score in scores:
        about: list[Cell] = [score.model, score.setting, score.benchmark, score.language]
        values = [pass_at_k(score, k, scores) for k in ks]
        counts = [int(score.row["n_problems"]), int(score.row["n_samples"])]
        rows.append([*about, *values, *counts])
    tables = [Table("scores", "Scores", columns, rows, [_PERCENT])]
    for benchmark, own in benchmarks_of(scores).items():
        tables += [_matrix(benchmark, own, k, scores) for k in ks]
    return tables


def _matrix(benchmark: str, own: Sequence[Score], k: int, scores: Sequence[Score]) -> Table:
    languages = languages_of(own)
    rows: list[list[Cell]] = []
    models = models_of(own)
    averages, about = average_over_common(own, k)
    for key, by_language in models.items():
        cells = [
            pass_at_k(by_language[name], k, scores) if name in by_language else None
            for name in languages
        ]
        rows.append([*key, *cells, averages.get(key)])
    name = f"pass_at_{k}_{benchmark}"
    columns = ["model", "setting", *languages, "average"]
    return Table(name, f"{benchmark}: pass@{k}", columns, rows, [_PERCENT, about])


def average_over_common(
    scores: Sequence[Score], k: int
) -> tuple[dict[tuple[str, str], Estimate], str]:
    """The mean over the languages and problems that all of some models have, and which those are.

    A language is left out where a score is withheld or lacks samples for `k`; a problem where
    any model lacks it in any of those languages. The scores are of one benchmark.
    """
    models = models_of(scores)
    usable = {
        key: {
            language: score
            for language, score in by_language.items()
            if not score.withheld and smallest_n(score.outcomes) >= k
        }
        for key, by_language in models.items()
    }
    usable = {key: found for key, found in usable.items() if found}
    if not usable:
        return {}, "no average: no model has a score"
    common = set.intersection(*(set(found) for found in usable.values()))
    languages = [name for name in languages_of(scores) if name in common]
    left_out = [name for name in languages_of(scores) if name not in common]
    values = {
        key: [by_number(problem_values(found[name].outcomes, k)) for name in languages]
        for key, found in usable.items()
    }
    numbers = common_numbers([each for found in values.values() for each in found])
    if not languages or not numbers:
        return {}, "no average: the models have no language or problem in common"
    about = (
        f"average over the {len(numbers)} problem(s) that every model here has in each of "
        f"{len(languages)} language(s) ({', '.join(languages)})"
    )
    if left_out:
        about += f"; left out: {', '.join(left_out)}"
    return {key: common_average(found, numbers) for key, found in values.items()}, about


def comparison_table(scores: Sequence[Score]) -> Table | None:
    """Each two models, or settings of one, on the problems both have; None with only one."""
    rows: list[list[Cell]] = []
    p_values: list[float] = []
    refused: list[str] = []
    for a, b in combinations(scores, 2):
        if (a.language, a.benchmark) != (b.language, b.benchmark) or not _worth(a, b):
            continue
        # A variant's problems are others than the plain ones but have the same task ids.
        same = a.problems == b.problems or a.setting == b.setting
        why = incomparable(a, b) if same else ""
        found = None if why or a.withheld or b.withheld else compare(a.outcomes, b.outcomes)
        if found is None:
            reason = why or "a score is withheld or no problem is shared"
            refused.append(f"not compared: {a.name} and {b.name} in {a.language}: {reason}")
            continue
        names: list[Cell] = [a.language, a.name, b.name, found.n_problems]
        rows.append([*names, found.first, found.second, found.difference, found.test])
        p_values.append(found.p_value)
    if not rows and not refused:
        return None
    for row, p, adjusted in zip(rows, p_values, holm(p_values), strict=True):
        row += [_p(p), _p(adjusted)]
    columns = ["language", "A", "B", "problems", "A pass@1", "B pass@1", "B − A", "test"]
    remarks = [
        "on the problems that both have samples for; the interval of the difference is that of "
        "the paired bootstrap over problems",
        "p: exact McNemar test (McNemar 1947) with one sample of each problem, else paired "
        "bootstrap (Koehn 2004), two-sided; p (Holm): adjusted for all rows (Holm 1979)",
        *refused,
    ]
    title = "Paired comparison"
    return Table("comparison", title, [*columns, "p", "p (Holm)"], rows, remarks)


def _worth(a: Score, b: Score) -> bool:
    """Two models in one setting, or a model's other setting with its plain one."""
    if a.model != b.model:
        return a.setting == b.setting
    return PLAIN in (a.setting, b.setting)


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def settings_tables(scores: Sequence[Score]) -> list[Table]:
    """A model's plain, few-shot and variant results side by side, where it has several."""
    tables = []
    for benchmark, own in benchmarks_of(scores).items():
        for model in dict.fromkeys(score.model for score in own):
            mine = [score for score in own if score.model == model]
            settings = list(dict.fromkeys(score.setting for score in mine))
            if len(settings) < 2:
                continue
            found = {(score.setting, score.language): score for score in mine}
            rows: list[list[Cell]] = [
                [language, *(_side(found.get((s, language)), scores) for s in settings)]
                for language in languages_of(mine)
            ]
            remark = "pass@1 in percent; for s- BLEU, where scores.json has one"
            name = f"settings_{benchmark}_{model}"
            title = f"{benchmark}: {model} in each setting"
            tables.append(Table(name, title, ["language", *settings], rows, [remark]))
    return tables


def _side(score: Score | None, scores: Sequence[Score]) -> Estimate | None:
    if score is None:
        return None
    bleu = score.row.get("bleu")
    if bleu is not None:
        return Estimate(float(bleu) / 100, note="BLEU")
    return pass_at_k(score, 1, scores)


def error_table(scores: Sequence[Score]) -> Table:
    """Of all samples, how many pass and how the others fail (paper, I.1)."""
    rows: list[list[Cell]] = []
    for score in scores:
        shares = error_breakdown(score.outcomes)
        failed = shares.get("assertion", 0.0) + shares.get("non-assertion", 0.0)
        names: list[Cell] = [score.model, score.setting, score.benchmark, score.language]
        parts = [shares.get(name) for name in ("passed", "assertion", "non-assertion")]
        rows.append([*names, *parts, shares["assertion"] / failed if failed else None])
    columns = ["model", "setting", "benchmark", "language", "passed", "assertion errors"]
    columns += ["non-assertion errors", "assertion share of errors"]
    remark = "percent of samples; an assertion error is a program that runs and fails its test"
    return Table("errors", "Errors", columns, rows, [remark])


def problem_table(scores: Sequence[Score]) -> Table:
    """The solve rate of every problem under every model (paper, I.2)."""
    rows: list[list[Cell]] = []
    for score in scores:
        for task_id, rate in solve_rates(score.outcomes):
            samples = len(score.outcomes[task_id])
            names: list[Cell] = [score.model, score.setting, score.language, task_id]
            rows.append([*names, samples, rate])
    columns = ["model", "setting", "language", "task_id", "samples", "solve_rate"]
    return Table("problems", "Solve rate of each problem", columns, rows)


def signature_table(scores: Sequence[Score]) -> Table:
    """The signature of every score, and what differs."""
    rows: list[list[Cell]] = [
        [
            score.name,
            score.language,
            str(score.row.get("signature", "")),
            "; ".join(notes(score, scores)),
        ]
        for score in scores
    ]
    columns = ["model", "language", "signature", "notes"]
    return Table("signatures", "Signatures", columns, rows)
