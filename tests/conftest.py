"""What every room's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Read by the Hugging Face libraries at import, which is after this.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_UPDATE_DOWNLOAD_COUNTS"] = "0"


@pytest.fixture(autouse=True)
def _no_known_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test executes its programs itself, whatever others executed before."""
    monkeypatch.setenv("MBXP_VERDICTS", str(tmp_path / "verdicts.sqlite"))


@pytest.fixture(scope="session")
def official_dir() -> Path:
    """A local copy of the release's data, whole or in part; the test is skipped without one."""
    beside = Path(__file__).parent.parent.parent / "shared" / "official"
    named = os.environ.get("MBXP_DATA_DIR")
    found = Path(named).expanduser() if named else beside
    if not found.is_dir():
        pytest.skip("no copy of the release here: set MBXP_DATA_DIR")
    return found
