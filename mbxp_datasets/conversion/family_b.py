"""What the release's second converter did: TypeScript, C# and Go."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.base import Target


class FamilyB(Target):
    """A mixin for the release style; put it before the target it belongs to."""
