"""Plots of a report, after the paper's figures; their numbers come from `statistics`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mbxp_datasets.extras import optional
from mbxp_metric.report.results import LETTERS, PLAIN, Score
from mbxp_metric.report.statistics import pass_curve, solve_rates, verdict_counts
from mbxp_metric.report.tables import benchmarks_of, languages_of, models_of

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Told apart with every kind of colour blindness (Okabe and Ito 2008)."""

VERDICT_COLOURS = dict(
    zip(
        LETTERS.values(),
        ("#009e73", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#0072b2", "#f0e442", "#999999"),
        strict=True,
    )
)
_MARKERS = "osD^vPX"
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([MB])(?![A-Za-z0-9])", re.IGNORECASE)
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 110,
    "font.size": 9,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "savefig.bbox": "tight",
    "svg.hashsalt": "mbxp",
    "text.parse_math": False,  # a name may hold dollar signs
}

Draw = Callable[[Any, Sequence[Score]], bool]
"""Draws on axes and returns whether there was something to draw."""


def require_matplotlib() -> None:
    """Raise `MissingExtraError` where plots cannot be drawn, before work starts."""
    optional("matplotlib", "report", "to draw plots (or leave them out by --no-plots)")


def draw(scores: Sequence[Score], directory: Path) -> list[tuple[str, bytes]]:
    """Write every plot that the scores suffice for as SVG and PNG; return titles and SVGs."""
    require_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    directory.mkdir(parents=True, exist_ok=True)
    images = []
    with matplotlib.rc_context(_STYLE):
        for benchmark, own in benchmarks_of(scores).items():
            for name, title, plot in _plots():
                figure = Figure(figsize=(7, 4.2))
                axes = figure.subplots()
                usable = own if plot is verdicts else [s for s in own if not s.withheld]
                if not usable or not plot(axes, usable):
                    continue
                axes.set_title(f"{benchmark}: {title}", loc="left", fontsize=11)
                svg = io.BytesIO()
                figure.savefig(svg, format="svg", metadata={"Date": None})
                stem = re.sub(r"[^\w.-]+", "_", f"{name}_{benchmark}")
                (directory / f"{stem}.svg").write_bytes(svg.getvalue())
                figure.savefig(directory / f"{stem}.png", dpi=160)
                images.append((f"{benchmark}: {title}", svg.getvalue()))
    return images


def _plots() -> Iterator[tuple[str, str, Draw]]:
    yield "pass_at_k", "pass@k against k", curves
    yield "model_size", "pass@1 against model size", sizes
    yield "verdicts", "verdicts by language", verdicts
    yield "solve_rates", "solve rate of each problem, ranked", ranked
    yield "deltas", "change of pass@1 against the plain prompt", deltas


def model_size(score: Score) -> float | None:
    """Parameters of a model, as its name says (`1.3B`)."""
    found = _SIZE.search(score.model.replace("-", " ").replace("_", " "))
    return float(found[1]) * (1e9 if found[2].upper() == "B" else 1e6) if found else None


def size_points(scores: Sequence[Score]) -> dict[str, list[tuple[float, float]]]:
    """By language, parameters and pass@1 of the plain results of every model with a size."""
    points: dict[str, list[tuple[float, float]]] = {}
    for score in scores:
        size, value = model_size(score), score.row.get("pass@1")
        if size is not None and value is not None and score.setting == PLAIN:
            points.setdefault(score.language, []).append((size, float(value)))
    return {language: sorted(found) for language, found in points.items()}


def setting_deltas(scores: Sequence[Score]) -> dict[tuple[str, str], dict[str, float]]:
    """By model and setting, pass@1 less that of the model's plain prompt in each language."""
    models = models_of(scores)
    found: dict[tuple[str, str], dict[str, float]] = {}
    for (model, setting), by_language in models.items():
        plain = models.get((model, PLAIN), {})
        if setting == PLAIN or not plain:
            continue
        found[model, setting] = {
            language: float(score.row["pass@1"]) - float(plain[language].row["pass@1"])
            for language, score in by_language.items()
            if language in plain and "pass@1" in score.row and "pass@1" in plain[language].row
        }
    return {key: values for key, values in found.items() if values}


def curves(axes: Any, scores: Sequence[Score]) -> bool:
    """pass@k against k (paper, Figure 6); only with more than one k."""
    found = [(score, pass_curve(score.outcomes)) for score in scores]
    found = [(score, curve) for score, curve in found if len(curve) > 1]
    several = len({score.name for score in scores}) > 1
    for number, (score, curve) in enumerate(found):
        label = f"{score.language}, {score.name}" if several else score.language
        values = [100 * value for value in curve.values()]
        axes.plot(list(curve), values, label=label, markersize=4, **_look(number))
    if found:
        axes.set_xscale("log")
        ticks = sorted({k for _, curve in found for k in curve})
        axes.set_xticks(ticks, [str(k) for k in ticks])
        axes.minorticks_off()
        _label(axes, "k", "pass@k, %")
        _legend(axes)
    return bool(found)


def sizes(axes: Any, scores: Sequence[Score]) -> bool:
    """pass@1 against the number of parameters (paper, Figures 3 and 4a)."""
    points = size_points(scores)
    if len({size for found in points.values() for size, _ in found}) < 2:
        return False
    for number, (language, found) in enumerate(points.items()):
        x, y = [size for size, _ in found], [100 * value for _, value in found]
        axes.plot(x, y, label=language, markersize=5, **_look(number))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda size, _: _short_size(size))
    _label(axes, "parameters", "pass@1, %")
    _legend(axes)
    return True


def verdicts(axes: Any, scores: Sequence[Score]) -> bool:
    """Shares of verdicts in each language, stacked (paper, Figure 19)."""
    several = len({score.name for score in scores}) > 1
    labels = [f"{s.language}, {s.name}" if several else s.language for s in scores]
    start = [0.0] * len(scores)
    totals = [max(1, sum(verdict_counts(s.outcomes).values())) for s in scores]
    for verdict, letter in LETTERS.items():
        shares = [
            100 * verdict_counts(score.outcomes)[letter] / total
            for score, total in zip(scores, totals, strict=True)
        ]
        if any(shares):
            name = verdict.value.lower().replace("_", " ")
            axes.barh(
                labels, shares, left=start, label=name, color=VERDICT_COLOURS[letter], height=0.72
            )
            start = [a + b for a, b in zip(start, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.grid(visible=False, axis="y")
    axes.figure.set_size_inches(7, max(2.0, 1.1 + 0.27 * len(scores)))
    _label(axes, "samples, %", "")
    _legend(axes)
    return True


def ranked(axes: Any, scores: Sequence[Score]) -> bool:
    """Solve rates of problems from the easiest to the hardest (paper, Figures 20 and 21)."""
    several = len({score.name for score in scores}) > 1
    for number, score in enumerate(scores):
        rates = [100 * rate for _, rate in solve_rates(score.outcomes)]
        if not rates:
            continue
        x = [100 * (place + 0.5) / len(rates) for place in range(len(rates))]
        label = f"{score.language}, {score.name}" if several else score.language
        axes.plot(x, rates, label=label, drawstyle="steps-mid", **{**_look(number), "marker": ""})
    _label(axes, "problems from the easiest, %", "samples that pass, %")
    _legend(axes)
    return True


def deltas(axes: Any, scores: Sequence[Score]) -> bool:
    """What few-shot prompts or a translation add in each language (paper, Figure 7)."""
    found = setting_deltas(scores)
    languages = languages_of(scores)
    width = 0.8 / max(1, len(found))
    for number, ((model, setting), values) in enumerate(found.items()):
        x = [languages.index(name) + (number - (len(found) - 1) / 2) * width for name in values]
        y = [100 * value for value in values.values()]
        colour = COLOURS[number % len(COLOURS)]
        axes.bar(x, y, width * 0.92, label=f"{model}, {setting}", color=colour)
    if found:
        axes.axhline(0, color="#444444", linewidth=0.8)
        axes.set_xticks(range(len(languages)), languages, rotation=35, ha="right")
        axes.grid(visible=False, axis="x")
        _label(axes, "", "change of pass@1, points")
        _legend(axes)
    return bool(found)


def _look(number: int) -> Mapping[str, Any]:
    """Colour first, then line: no two of twenty-eight lines look the same."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": ("-", "--", ":", "-.")[number // len(COLOURS) % 4],
        "marker": _MARKERS[number % len(_MARKERS)],
        "linewidth": 1.5,
    }


def _label(axes: Any, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _legend(axes: Any) -> None:
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=8)


def _short_size(size: float) -> str:
    return f"{size / 1e9:g}B" if size >= 1e9 else f"{size / 1e6:g}M"
