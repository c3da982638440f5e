"""How much work an effort is. It is counted in work and not in seconds, so that a seed gives one answer."""

from bullpen.analysis.errors import AnalysisError

WORK = {"quick": 24_000.0, "standard": 260_000.0, "deep": 5_000_000.0}
"""Units of work: one was about a microsecond on the core that they were settled on."""
REVIEW_SHARE = 0.2
"""What a review spends on each decision, as a share of the work of one evaluation."""


def work_of(effort: str) -> float:
    """Return how much work an effort is, or a sentence that names those there are.

    >>> work_of("quick") < work_of("standard") < work_of("deep")
    True
    """
    if effort not in WORK:
        raise AnalysisError(f"There is no effort {str(effort)[:40]!r}; there are {', '.join(WORK)}.")
    return WORK[effort]
