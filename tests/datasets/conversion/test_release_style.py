"""The release style against the release's own files, where a copy of them is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbxp_datasets.conversion import languages
from tests.benchmarks.conversion_fidelity import configs, measure

FLOORS = {"mathqa_x": 1.0, "multi_humaneval": 0.98}
MBXP_FLOORS = {"typescript": 0.98, "csharp": 0.98, "go": 0.98}


@pytest.mark.parametrize("language", languages("release"))
def test_the_release_is_reproduced_byte_for_byte(language: str, official_dir: Path) -> None:
    for config, python, official in configs(official_dir):
        if config.language != language:
            continue
        found = measure(config, python, official)
        floor = FLOORS.get(config.benchmark, MBXP_FLOORS.get(language, 0.99))
        assert not found.missing, found.reasons
        assert not found.extra
        assert found.exact("entry_point") == len(found.rows)
        assert found.exact("prompt", "test") >= floor * len(found.rows)
