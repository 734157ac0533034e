"""Plots of a report, after the paper's figures; their numbers come from `statistics`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from mbxp_datasets.extras import optional
from mbxp_metric.report.results import LETTERS, PLAIN, Score
from mbxp_metric.report.statistics import pass_curve, smallest_n, solve_rates, verdict_counts
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
    "svg.hashsalt": "mbxp",
    "text.parse_math": False,  # a name may hold dollar signs
}

Draw = Callable[[Any, Sequence[Score], Sequence[str]], bool]
"""Draws scores on axes, with all labels of the figure in the order of their colours; returns
whether there was something to draw."""


@dataclass(frozen=True)
class Plot:
    """One kind of plot."""

    name: str
    """Of its files, before that of the benchmark."""
    title: str
    draw: Draw
    by_language: bool = False
    """Whether several models get axes of their own for each language."""
    withheld: bool = False
    """Whether it shows scores that are withheld."""


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
            for plot in PLOTS:
                usable = [score for score in own if plot.withheld or not score.withheld]
                title = f"{benchmark}: {plot.title}"
                figure = Figure(layout="constrained")
                if not usable or not _fill(figure, plot, usable):
                    continue
                figure.suptitle(title, x=0.01, ha="left", fontsize=11)
                svg = io.BytesIO()
                figure.savefig(svg, format="svg", metadata={"Date": None})
                stem = re.sub(r"[^\w.-]+", "_", f"{plot.name}_{benchmark}")
                (directory / f"{stem}.svg").write_bytes(svg.getvalue())
                figure.savefig(directory / f"{stem}.png", dpi=160)
                images.append((title, svg.getvalue()))
    return images


def _fill(figure: Any, plot: Plot, scores: Sequence[Score]) -> bool:
    """Draw on one pair of axes, or on one for each language where lines would be too many."""
    labels = labels_of(scores)
    languages = languages_of(scores)
    several = plot.by_language and len({s.name for s in scores}) > 1 and len(languages) > 1
    if several:
        labels = list(dict.fromkeys(score.name for score in scores))
        panels = [[s for s in scores if s.language == language] for language in languages]
    else:
        panels = [list(scores)]
    columns = min(4, len(panels))
    rows = -(-len(panels) // columns)
    # Bars need room for each of them, lines for their slopes.
    high = 0.55 + 0.2 * len(labels) if plot.draw is verdicts else (2.1 if several else 3.6)
    figure.set_size_inches(2.4 + (2.1 * columns if several else 5.0), 0.6 + rows * high)
    grid = figure.subplots(rows, columns, sharex=several, sharey=several, squeeze=False).flat
    drawn = False
    for place, (panel, axes) in enumerate(zip_longest(panels, grid)):
        there = panel is not None and plot.draw(axes, panel, labels)
        axes.set_visible(there)
        if several and there:
            axes.set_title(panel[0].language, loc="left", fontsize=9)
            below = axes.get_xlabel()
            axes.label_outer()
            if place + columns >= len(panels):  # nothing stands below
                axes.tick_params(labelbottom=True)
                axes.set_xlabel(below)
        drawn = drawn or there
    handles = {
        label: handle
        for axes in figure.axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if drawn:
        order = sorted(handles, key=lambda label: labels.index(label) if label in labels else 0)
        shown = [handles[label] for label in order]
        figure.legend(shown, order, loc="outside right upper", fontsize=8)
    return drawn


def labels_of(scores: Sequence[Score]) -> list[str]:
    """What each score is called beside the others, without what they share."""
    return [_label_of(score, scores) for score in scores]


def _label_of(score: Score, scores: Sequence[Score]) -> str:
    if len({each.language for each in scores}) == 1:
        return score.name
    if len({each.name for each in scores}) == 1:
        return score.language
    return f"{score.language}, {score.name}"


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


def curves(axes: Any, scores: Sequence[Score], labels: Sequence[str]) -> bool:
    """pass@k against k (paper, Figure 6); only with more than one k."""
    found = [(score, pass_curve(score.outcomes)) for score in scores]
    found = [(score, curve) for score, curve in found if len(curve) > 1]
    for score, curve in found:
        label = _label_of(score, scores)
        values = [100 * value for value in curve.values()]
        axes.plot(list(curve), values, label=label, markersize=4, **_look(labels.index(label)))
    if found:
        axes.set_xscale("log")
        ticks = sorted({k for _, curve in found for k in curve})
        axes.set_xticks(ticks, [str(k) if k in (1, 10, 100, ticks[-1]) else "" for k in ticks])
        axes.minorticks_off()
        _name_axes(axes, "k", "pass@k, %")
    return bool(found)


def sizes(axes: Any, scores: Sequence[Score], labels: Sequence[str]) -> bool:
    """pass@1 against the number of parameters (paper, Figures 3 and 4a)."""
    points = size_points(scores)
    if len({size for found in points.values() for size, _ in found}) < 2:
        return False
    for number, (language, found) in enumerate(points.items()):
        x, y = [size for size, _ in found], [100 * value for _, value in found]
        axes.plot(x, y, label=language, markersize=5, **_look(number))
    axes.set_xscale("log")
    ticks = sorted({size for found in points.values() for size, _ in found})
    axes.set_xticks(ticks, [_short_size(size) for size in ticks])
    axes.minorticks_off()
    _name_axes(axes, "parameters", "pass@1, %")
    return True


def verdicts(axes: Any, scores: Sequence[Score], labels: Sequence[str]) -> bool:
    """Shares of verdicts in each language, stacked (paper, Figure 19)."""
    places = [labels.index(_label_of(score, scores)) for score in scores]
    start = [0.0] * len(scores)
    counts = [verdict_counts(score.outcomes) for score in scores]
    for verdict, letter in LETTERS.items():
        shares = [100 * count[letter] / max(1, sum(count.values())) for count in counts]
        if any(shares):
            name = verdict.value.lower().replace("_", " ")
            colour = VERDICT_COLOURS[letter]
            axes.barh(places, shares, left=start, label=name, color=colour, height=0.72)
            start = [a + b for a, b in zip(start, shares, strict=True)]
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.grid(visible=False, axis="y")
    _name_axes(axes, "samples, %", "")
    return True


def ranked(axes: Any, scores: Sequence[Score], labels: Sequence[str]) -> bool:
    """Solve rates of problems from the easiest to the hardest (paper, Figures 20 and 21).

    Only with several samples of a problem: one is solved or not.
    """
    found = [score for score in scores if smallest_n(score.outcomes) > 1]
    for score in found:
        rates = [100 * rate for _, rate in solve_rates(score.outcomes)]
        x = [100 * (place + 0.5) / len(rates) for place in range(len(rates))]
        label = _label_of(score, scores)
        look = {**_look(labels.index(label)), "marker": ""}
        axes.plot(x, rates, label=label, drawstyle="steps-mid", **look)
    _name_axes(axes, "problems from the easiest, %", "samples that pass, %")
    return bool(found)


def deltas(axes: Any, scores: Sequence[Score], labels: Sequence[str]) -> bool:
    """What few-shot prompts or a translation add in each language (paper, Figure 7)."""
    found = setting_deltas(scores)
    languages = languages_of(scores)
    width = 0.8 / max(1, len(found))
    for number, ((model, setting), values) in enumerate(found.items()):
        x = [languages.index(name) + (number - (len(found) - 1) / 2) * width for name in values]
        y = [100 * value for value in values.values()]
        look = {"color": COLOURS[number % len(COLOURS)], "edgecolor": "white", "linewidth": 0}
        look["hatch"] = ("", "///", "...", "xxx")[number // len(COLOURS) % 4]
        axes.bar(x, y, width * 0.92, label=f"{model}, {setting}", **look)
    if found:
        axes.axhline(0, color="#444444", linewidth=0.8)
        axes.set_xticks(range(len(languages)), languages, rotation=35, ha="right")
        axes.grid(visible=False, axis="x")
        _name_axes(axes, "", "change of pass@1, points")
    return bool(found)


PLOTS = (
    Plot("pass_at_k", "pass@k against k", curves, by_language=True),
    Plot("model_size", "pass@1 against model size", sizes),
    Plot("verdicts", "verdicts by language", verdicts, by_language=True, withheld=True),
    Plot("solve_rates", "solve rate of each problem, ranked", ranked, by_language=True),
    Plot("deltas", "change of pass@1 against the plain prompt", deltas),
)


def _look(number: int) -> Mapping[str, Any]:
    """Colour first, then line: no two of twenty-eight lines look the same."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": ("-", "--", ":", "-.")[number // len(COLOURS) % 4],
        "marker": _MARKERS[number % len(_MARKERS)],
        "linewidth": 1.5,
    }


def _name_axes(axes: Any, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _short_size(size: float) -> str:
    return f"{size / 1e9:g}B" if size >= 1e9 else f"{size / 1e6:g}M"
