"""The files of the two Spaces: the metric's and the leaderboard's."""

from __future__ import annotations

from typing import Any

from builder_scripts.base import CITATION
from hub_cards import SOURCES, render, text
from mbxp_datasets.catalog import BENCHMARKS

METRIC_REQUIREMENT = "mbxp[completions]"
BOARD_REQUIREMENT = "mbxp[leaderboard]"
"""What `pip install` takes for this package, and what each Space needs of it."""
GRADIO = "6.31.0"


def metric_files(repo: str, requirement: str = METRIC_REQUIREMENT) -> dict[str, bytes]:
    """The Space that `evaluate.load(repo)` takes the metric from.

    Args:
        repo: as in `org/mbxp_exec`.
        requirement: how pip finds this package, as in `mbxp @ git+https://host/repository`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    name = repo.rpartition("/")[2]
    metadata = _metadata(
        name,
        "\U0001f9ea",
        ["evaluate", "metric", "code", "pass@k"],
        "pass@k of programs in fourteen languages, by executing them.",
    )
    given = {"repo": repo, "name": name, "requirement": requirement}
    card = render("metric_space/README.md.jinja", **_shared(metadata), **given)
    return {
        "README.md": card.encode(),
        "app.py": text("metric_space/app.py").encode(),
        "requirements.txt": render("metric_space/requirements.txt.jinja", **given).encode(),
        # The library looks for a script of the Space's name.
        f"{name}.py": render("metric_space/metric.py.jinja", **given).encode(),
    }


def leaderboard_files(results: str, requirement: str = BOARD_REQUIREMENT) -> dict[str, bytes]:
    """The Space that shows a dataset of results.

    Args:
        results: the dataset on the Hub, as in `org/results`.
        requirement: how pip finds this package, as in `mbxp @ git+https://host/repository`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    metadata = _metadata(
        "MBXP leaderboard",
        "\U0001f3c6",
        ["leaderboard", "code", "pass@k"],
        "pass@k of code models in many languages, by executing them.",
    )
    given = {"results": results, "requirement": requirement}
    card = render("leaderboard/README.md.jinja", **_shared(metadata), **given)
    return {
        "README.md": card.encode(),
        "app.py": render("leaderboard/space_app.py.jinja", **given).encode(),
        "requirements.txt": f"{requirement}\n".encode(),
    }


def results_files(repo: str) -> dict[str, bytes]:
    """A new dataset of results, still empty, for the leaderboard `repo`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    metadata = {
        "license": "apache-2.0",
        "pretty_name": "Results of the MBXP leaderboard",
        "tags": ["code", "pass@k"],
        "viewer": False,
    }
    card = render("leaderboard/results.md.jinja", **_shared(metadata), repo=repo)
    return {"README.md": card.encode()}


def _metadata(title: str, emoji: str, tags: list[str], description: str) -> dict[str, Any]:
    return {
        "title": title,
        "emoji": emoji,
        "colorFrom": "blue",
        "colorTo": "green",
        "sdk": "gradio",
        "sdk_version": GRADIO,
        "app_file": "app.py",
        "pinned": False,
        "license": "apache-2.0",
        "tags": tags,
        "short_description": description,
    }


def _shared(metadata: dict[str, Any]) -> dict[str, Any]:
    benchmarks = list(BENCHMARKS.values())
    return {
        "metadata": metadata,
        "benchmarks": benchmarks,
        "sources": SOURCES,
        "citation": CITATION,
    }
