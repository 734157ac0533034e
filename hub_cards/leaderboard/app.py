"""The leaderboard's page: `python -m hub_cards.leaderboard.app --samples` shows it locally."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hub_cards.leaderboard.board import (
    SIZES,
    Board,
    Score,
    keep_in_folder,
    keep_on_hub,
    read_board,
    submission,
)
from hub_cards.leaderboard.samples import write_samples
from mbxp_datasets import resolve_benchmark
from mbxp_datasets.extras import MissingExtraError, optional
from mbxp_metric.publishing import PublishError
from mbxp_metric.publishing.checks import About, UnfitResultsError

COLUMNS = {
    "Model": "markdown",
    "Parameters (B)": "number",
    "Benchmark": "str",
    "Language": "str",
    "k": "number",
    "pass@k (%)": "number",
    "from (95 %)": "number",
    "to (95 %)": "number",
    "n": "str",
    "Mode": "str",
    "Date": "str",
}
ANY = "any"
FRESH = 60.0
"""Seconds that what was downloaded is shown without asking again."""
INTRODUCTION = """\
# MBXP leaderboard

pass@k of code models in many languages, by executing what they wrote against the tests of
[MBXP, multi-HumanEval and MathQA-X](https://openreview.net/forum?id=Bo7eeXm6An8). Only whole
results, executed in strong isolation and without faults of the machine, are shown. The mark ⋮ of a
column sorts by it; a model's name leads to its page.
"""
SUBMISSION = """\
Give the `scores.json` that `mbxp score … -o DIRECTORY` wrote. It is checked by the same rules as
`mbxp push results`: known and whole configs, no INFRA_ERROR, strong isolation, finite values that
agree with the counts and the signature, nothing twice. Nothing is executed.
"""


class Source:
    """Where submissions are: a folder, or a dataset of the Hub that is downloaded."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._local = Path(place).is_dir()
        self._known: tuple[float, Board] | None = None
        self.keep = keep_in_folder(Path(place)) if self._local else keep_on_hub(place)

    def read(self) -> Board:
        """What is there now.

        Raises:
            PublishError: the Hub does not give it.
        """
        if self._local:
            return read_board(Path(self.place))
        if self._known is not None and time.monotonic() - self._known[0] < FRESH:
            return self._known[1]
        from huggingface_hub import snapshot_download

        from mbxp_metric.publishing.hub import one_line

        with one_line(self.place, sent=False):
            folder = snapshot_download(
                self.place, repo_type="dataset", allow_patterns=["*.json"], max_workers=4
            )
        self._known = time.monotonic(), read_board(Path(folder))
        return self._known[1]


def build(source: Source) -> Any:
    """The page over a source, as `gradio.Blocks`.

    Raises:
        MissingExtraError: gradio is not installed.
        PublishError: the Hub does not give the results.
    """
    gr = optional("gradio", "leaderboard", "to show the leaderboard")
    board = source.read()

    def choice(label: str, choices: Sequence[Any], value: Any = ANY) -> Any:
        return gr.Dropdown([ANY, *choices], value=value, label=label, elem_id=f"by-{label}")

    with gr.Blocks(title="MBXP leaderboard", analytics_enabled=False) as page:
        gr.Markdown(INTRODUCTION + _notice(board))
        with gr.Tabs() as tabs:
            with gr.Tab("Results", id="results"):
                with gr.Row():
                    filters = [
                        choice("Benchmark", board.choices("benchmark")),
                        choice("Language", board.choices("language")),
                        choice("k", board.choices("k"), 1 if 1 in board.choices("k") else ANY),
                        choice("Mode", board.choices("mode")),
                        choice("Size", list(SIZES)),
                    ]
                found = _table(board, *(each.value for each in filters))
                table = gr.Dataframe(
                    found,
                    headers=list(COLUMNS),
                    datatype=list(COLUMNS.values()),
                    interactive=False,
                    show_label=False,
                    elem_id="scores",
                    wrap=True,
                    max_height=700,
                )
            with gr.Tab("Model", id="model"):
                model = gr.Dropdown(board.models(), label="Model", value=None, elem_id="model")
                about = gr.Markdown("Choose a model.", elem_id="about")
            with gr.Tab("Submit", id="submit"):
                gr.Markdown(SUBMISSION)
                with gr.Row():
                    fields = [
                        gr.Textbox(label="Model", placeholder="org/name"),
                        gr.Textbox(label="Revision", placeholder="40 hexadecimal digits"),
                        gr.Textbox(label="Parameters", placeholder="7000000000; may be empty"),
                        gr.Textbox(label="Date", placeholder="2026-01-31"),
                        gr.Textbox(label="Report", placeholder="https://…; may be empty"),
                    ]
                file = gr.File(label="scores.json", file_types=[".json"], elem_id="file")
                button = gr.Button("Check and submit", variant="primary")
                outcome = gr.Markdown(elem_id="outcome")

        def filtered(*chosen: Any) -> list[list[Any]]:
            return _table(source.read(), *chosen)

        def submitted(path: str | None, *texts: str) -> tuple[str, Any]:
            outcome = _submit(source, path, *texts)
            return outcome, gr.update(choices=source.read().models())

        def opened(request: Any) -> tuple[Any, Any, str]:
            name = request.query_params.get("model")
            now = source.read()
            if name not in now.models():
                return gr.update(), gr.update(choices=now.models()), _model_page(now, None)
            return (
                gr.update(selected="model"),
                gr.update(choices=now.models(), value=name),
                _model_page(now, name),
            )

        # Annotations are texts here, and gradio looks for the type itself.
        opened.__annotations__["request"] = gr.Request
        for each in filters:
            each.change(filtered, filters, table, show_progress="hidden")
        model.change(lambda name: _model_page(source.read(), name), model, about)
        button.click(submitted, [file, *fields], [outcome, model]).then(filtered, filters, table)
        page.load(opened, None, [tabs, model, about]).then(filtered, filters, table)
    return page


def _table(board: Board, *chosen: Any) -> list[list[Any]]:
    names = ("benchmark", "language", "k", "mode", "size")
    wanted = {
        name: None if value == ANY else value for name, value in zip(names, chosen, strict=True)
    }
    return [_line(score) for score in board.chosen(**wanted)]


def _line(score: Score) -> list[Any]:
    size = score.parameters
    return [
        f"[{score.model}](?model={score.model})" + (" (sample)" if score.sample else ""),
        None if size is None else round(size / 1e9, 2),
        resolve_benchmark(score.benchmark).title,
        score.language,
        score.k,
        *(None if each is None else round(100 * each, 1) for each in _values(score)),
        score.n,
        score.mode,
        score.date,
    ]


def _values(score: Score) -> tuple[float, float | None, float | None]:
    return score.value, score.low, score.high


def _model_page(board: Board, model: str | None) -> str:
    scores = board.chosen(model=model) if model else []
    if not scores:
        return "Choose a model."
    first = scores[0]
    lines = [f"## {model}", ""]
    if first.sample:
        lines += ["**A sample: its scores are made up.**", ""]
    for url in dict.fromkeys(score.url for score in scores if score.url):
        lines += [f"[Report]({url})", ""]
    for revision in dict.fromkeys(score.revision for score in scores if score.revision):
        lines += [f"Revision `{revision}`", ""]
    lines += ["| config | language | k | pass@k | 95 % interval | n |", "|---|---|---|---|---|---|"]
    order = sorted(scores, key=lambda score: (score.benchmark, score.config, score.k))
    for score in order:
        value, low, high = (
            "" if each is None else f"{100 * each:.1f} %" for each in _values(score)
        )
        interval = f"{low} to {high}" if low else ""
        lines.append(
            f"| {score.benchmark}/{score.config} | {score.language} | {score.k} | {value} "
            f"| {interval} | {score.n} |"
        )
    lines += ["", "Signatures:", "", "```"]
    lines += list(dict.fromkeys(score.signature for score in order))
    return "\n".join([*lines, "```"])


def _submit(source: Source, path: str | None, *texts: str) -> str:
    """Check a submission and keep it; what came of it, in Markdown."""
    model, revision, parameters, date, url = (text.strip() for text in texts)
    if path is None:
        return "**Refused:** choose the file `scores.json`."
    try:
        about = About(
            model=model,
            revision=revision or None,
            parameters=_whole(parameters),
            date=date or None,
            url=url or None,
        )
        name, content = submission(Path(path), about, source.read())
        return f"**Accepted:** `{name}`. {source.keep(name, content)}"
    except UnfitResultsError as error:
        return "**Refused; nothing was kept:**\n\n" + "\n".join(
            f"- `{_code(fault)}`" for fault in error.faults[:20]
        )
    except (OSError, PublishError) as error:
        return f"**Not kept:** `{_code(str(error))}`"


def _whole(text: str) -> Any:
    """The number that a text is; the text itself where it is none, for the checks to refuse."""
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else text or None


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _notice(board: Board) -> str:
    samples = any(score.sample for score in board.scores)
    lines = ["**Samples: these scores are made up.**"] if samples else []
    if board.faults:
        count = len(board.faults)
        lines.append(f"{count} file(s) are left out: `{_code(board.faults[0])}`")
    return "".join(f"\n{line}\n" for line in lines)


def launch(place: str, port: int | None = None) -> None:
    """Show the board of a folder or a Hub dataset until interrupted.

    Raises:
        MissingExtraError, PublishError: as `build` raises.
    """
    gr = optional("gradio", "leaderboard", "to show the leaderboard")
    page = build(Source(place))
    # Fonts of the system: the default theme's come from another host.
    fonts = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    page.launch(server_port=port, theme=gr.themes.Default(**fonts))


def main() -> None:
    """Command line of the leaderboard."""
    parser = argparse.ArgumentParser(prog="python -m hub_cards.leaderboard.app")
    parser.add_argument(
        "results",
        nargs="?",
        default=os.environ.get("MBXP_RESULTS"),
        help="a folder or a dataset of the Hub, as in org/name; by default MBXP_RESULTS",
    )
    parser.add_argument("--samples", action="store_true", help="made-up results, in a new folder")
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if not given.samples and not given.results:
        parser.error("name the results, or --samples")
    try:
        with tempfile.TemporaryDirectory() as folder:
            if given.samples:
                write_samples(Path(folder))
            launch(folder if given.samples else given.results, given.port)
    except (MissingExtraError, PublishError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
