"""What analysis refuses."""

from bullpen.engine import BullpenError


class AnalysisError(BullpenError):
    """Something cannot be analysed; the sentence says why."""
