"""Terms: what is played, when an episode ends, what is rewarded, and what becomes of illegal actions."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from msgspec import Struct

from bullpen.engine import BullpenError, OptionValue, Ruleset
from bullpen.rulesets import find
from bullpen.rulesets.anniversary import Anniversary
from bullpen.rulesets.tournament import Tournament

Span: TypeAlias = Literal["round", "game"]
"""Where an episode ends: after one round, or when the game has a result."""
Reward: TypeAlias = Literal["bullheads", "rank", "win"]
"""What is rewarded; see `rewards`."""
Illegal: TypeAlias = Literal["first", "raise", "lose"]
"""An illegal action: the first legal one is taken instead, an error is raised, or the episode is lost."""
Forced: TypeAlias = Literal["ask", "skip"]
"""Whether a seat with one answer only is asked, or answered for."""


class BadTerms(BullpenError):
    """An environment cannot be played on these terms."""


class Terms(Struct, frozen=True, kw_only=True):
    """What an environment is made with."""

    game: str = "base"
    players: int = 4
    options: Mapping[str, OptionValue] | None = None
    episode: Span = "round"
    reward: Reward = "bullheads"
    illegal: Illegal = "first"
    forced: Forced = "ask"

    def __post_init__(self) -> None:
        """Refuse words that mean nothing."""
        for name, words in (
            ("episode", Span),
            ("reward", Reward),
            ("illegal", Illegal),
            ("forced", Forced),
        ):
            allowed = get_args(words)
            if getattr(self, name) not in allowed:
                given = str(getattr(self, name))[:40]
                raise BadTerms(f"{name} is one of {', '.join(allowed)}, not {given!r}.")


class Wishes(TypedDict, total=False):
    """The terms that have a default in every environment, to be given by keyword."""

    options: Mapping[str, OptionValue] | None
    episode: Span
    reward: Reward
    illegal: Illegal
    forced: Forced


class OneAnniversaryRound(Anniversary):
    """The first of the two rounds alone."""

    rounds = 1


class OneTournamentGame(Tournament):
    """The first of the games alone, with the hands that were drafted."""

    def game_over(self, position: Any) -> str:
        """Every sheet would go round; here none does."""
        return "one game was played"


_ONE_ROUND: dict[str, type[Ruleset[Any]]] = {
    "anniversary": OneAnniversaryRound,
    "tournament": OneTournamentGame,
}
"""Games of several rounds whose number cannot be agreed on."""
_FIRST_ROUND: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}


def rules_for(terms: Terms) -> Ruleset[Any]:
    """Return the rules that an environment follows."""
    kind = find(terms.game)
    options = dict(terms.options or {})
    if terms.episode == "round":
        if kind(terms.players, options).options.get("end.kind") in ("target", "rounds"):
            options |= _FIRST_ROUND
        kind = _ONE_ROUND.get(kind.id, kind)
    rules = kind(terms.players, options)
    rules.asks_always = terms.forced == "ask"
    return rules
