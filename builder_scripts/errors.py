"""Errors of the export, apart from it since it imports `datasets`."""

from __future__ import annotations


class ExportError(ValueError):
    """A benchmark that cannot be exported as asked."""
