"""How the seats are expected to play on: levels, or like people."""

from collections.abc import Sequence

from bullpen.analysis.errors import AnalysisError
from bullpen.bots import BY_NAME, LEVELS
from bullpen.engine import Seat

PEOPLE = "people"
MIX = (("human", 0.40), ("medium", 0.35), ("expert", 0.25))
"""How people are thought to play: in every imagined round each of them is drawn anew from these."""
OWN = "expert"
"""How a seat itself is thought to go on among people."""
NAMES = (*LEVELS, *BY_NAME, PEOPLE)


def expected(against: str | Sequence[str], players: int, seat: Seat) -> tuple[str, ...]:
    """Return how each seat is expected to play from here on.

    One level is meant for everybody, the own seat included; `people` for all others; a sequence names all
    seats, the own one too.

    >>> expected("people", 3, 1)
    ('people', 'expert', 'people')
    >>> expected("medium", 2, 0)
    ('medium', 'medium')
    """
    if isinstance(against, str):
        names = [against] * players
        if against == PEOPLE:
            names[seat] = OWN
    else:
        names = list(against)
    if len(names) != players:
        raise AnalysisError(f"against names {len(names)} seats, but {players} play.")
    for name in names:
        if name not in NAMES:
            raise AnalysisError(f"against cannot be {str(name)[:40]!r}; it can be {', '.join(NAMES)}.")
    return tuple(names)
