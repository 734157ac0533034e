"""The files of the two Spaces: the metric's and the leaderboard's."""

from __future__ import annotations

from builder_scripts.base import CITATION
from hub_cards import SOURCES, render, text
from mbxp_datasets.catalog import BENCHMARKS

REQUIREMENT = "mbxp"
"""What `pip install` takes for this package."""
GRADIO = "6.31.0"


def metric_files(repo: str, requirement: str = REQUIREMENT) -> dict[str, bytes]:
    """The Space that `evaluate.load(repo)` takes the metric from.

    Args:
        repo: as in `org/mbxp_exec`.
        requirement: how pip finds this package, as in `mbxp @ git+https://host/repository`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    name = repo.rpartition("/")[2]
    metadata = {
        "title": name,
        "emoji": "\U0001f9ea",
        "colorFrom": "blue",
        "colorTo": "green",
        "sdk": "gradio",
        "sdk_version": GRADIO,
        "app_file": "app.py",
        "pinned": False,
        "license": "apache-2.0",
        "tags": ["evaluate", "metric", "code", "pass@k"],
        "description": "pass@k of programs in fourteen languages, by executing them.",
    }
    given = {"repo": repo, "name": name, "requirement": requirement}
    card = render(
        "metric_space/README.md.jinja",
        metadata=metadata,
        benchmarks=list(BENCHMARKS.values()),
        sources=SOURCES,
        citation=CITATION,
        **given,
    )
    return {
        "README.md": card.encode(),
        "app.py": text("metric_space/app.py").encode(),
        "requirements.txt": render("metric_space/requirements.txt.jinja", **given).encode(),
        # The library looks for a script of the Space's name.
        f"{name}.py": render("metric_space/metric.py.jinja", **given).encode(),
    }
