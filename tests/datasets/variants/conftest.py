"""`load_dataset` with a cache of its own, and rows of both sources of problems."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

datasets = pytest.importorskip("datasets")
Load = Callable[..., Any]


@pytest.fixture(scope="session")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """The split `test` of a config; what conversion leaves out is no matter here."""
    cache = tmp_path_factory.mktemp("arrow")

    def load(*args: Any, **kwargs: Any) -> Any:
        kwargs = {"split": "test", "cache_dir": str(cache), **kwargs}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r".*cannot be converted")
            return datasets.load_dataset(*args, **kwargs)

    return load


@pytest.fixture
def solutions(tmp_path: Path) -> Callable[[str], str]:
    """A file of samples with the given text."""

    def write(text: str) -> str:
        path = tmp_path / "solutions.jsonl"
        path.write_text(text)
        return str(path)

    return write
