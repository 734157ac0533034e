"""Reports of scored runs: tables, plots and one HTML page."""

from __future__ import annotations

from mbxp_metric.report.building import build_report
from mbxp_metric.report.results import ResultsFormatError, Score, read_results

__all__ = ["ResultsFormatError", "Score", "build_report", "read_results"]
