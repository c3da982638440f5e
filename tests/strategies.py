"""Random tables: any game, any number of players, any options."""

from typing import Any

from hypothesis import strategies as st

from bullpen.engine import BullpenError, Option, OptionValue, Ruleset
from bullpen.rulesets import games, make, own_games

GAMES = tuple(own_games())
SHORTENING: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1, "hand.maxRounds": 20}
"""Options that make a game short without taking anything out of it."""


def values(option: Option) -> st.SearchStrategy[OptionValue]:
    """Any value that an option takes."""
    if option.allowed:
        return st.sampled_from(option.allowed)
    if option.least is not None:
        return st.integers(option.least, option.least + 3)
    return st.just(option.default)


@st.composite
def rulesets(draw: st.DrawFn, game: str | None = None) -> Ruleset[Any]:
    """Any game with any number of players and any options that go together."""
    kind = games()[game or draw(st.sampled_from(GAMES))]
    options = {option.key: draw(values(option)) for option in kind.offers if draw(st.booleans())}
    try:
        counts = kind.player_counts(options)
        return make(kind.id, draw(st.integers(counts[0], counts[-1])), options)
    except BullpenError:
        # A first seat beyond the table: any other option may be kept.
        return make(kind.id, kind.player_range[-1])


def short(game: str, players: int) -> Ruleset[Any]:
    """Return a game that is over soon."""
    offered = {option.key: option.default for option in games()[game].offers}
    ends_soon = offered.get("end.kind") == "deal"
    return make(
        game,
        players,
        {
            key: value
            for key, value in SHORTENING.items()
            if key in offered and not (ends_soon and key.startswith("end."))
        },
    )
