"""The games that have a heuristic: search over imagined worlds, by rules or by the compiled twin."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from bullpen.bots.heuristics import Heuristic
from bullpen.bots.heuristics.anniversary import AnniversaryHeuristic
from bullpen.bots.heuristics.boards import BoardHeuristic
from bullpen.bots.heuristics.buffalo import BuffaloHeuristic
from bullpen.bots.heuristics.double import DoubleHeuristic
from bullpen.bots.heuristics.hand import HandHeuristic
from bullpen.bots.heuristics.nifty import NiftyHeuristic
from bullpen.bots.heuristics.open import OpenHeuristic
from bullpen.bots.heuristics.tournament import TournamentHeuristic
from bullpen.bots.levels.human import hasty_choice
from bullpen.bots.preparing import SEARCH
from bullpen.bots.registry import Mind, offer
from bullpen.bots.search.any_game import Effort, rules_for, search, weigh
from bullpen.engine import Ask, Choice, PlayCard, View

HEURISTICS: dict[str, Heuristic] = {
    "tournament": TournamentHeuristic(),
    "open": OpenHeuristic(),
    "nifty": NiftyHeuristic(),
    "hand": HandHeuristic(),
    "double": DoubleHeuristic(),
    "buffalo": BuffaloHeuristic(),
    "anniversary": AnniversaryHeuristic(),
    "board-basic": BoardHeuristic(),
    "board-basic-luck": BoardHeuristic(),
    "board-expert": BoardHeuristic(),
    "board-expert-luck": BoardHeuristic(),
}

SEARCHED = HEURISTICS | {"anniversary": AnniversaryHeuristic(patience=2.5)}
"""What a search goes by: as `medium`, but those who look further ahead keep their special cards longer."""
CROWD = AnniversaryHeuristic(patience=2.5, fading=0.5)
"""What `expert` goes by at large tables of Anniversary, where special cards are as useful late as early."""
TEAM, LARGE_TEAM = BuffaloHeuristic(undercut=4.0), BuffaloHeuristic(undercut=2.0, keep_special=1.0)
"""What members of a team go by in Beat the Buffalo: low cards are dear, for nobody knows who comes first."""
LARGE = 5
"""From so many players on a table is large. Special cards of a team, being many, are better used there."""

BOARDS = tuple(game for game, heuristic in HEURISTICS.items() if isinstance(heuristic, BoardHeuristic))

HARD = Effort(playouts=16, seconds=0.1, candidates=4, prior=4.0, slips=0.1, reach=1)
EXPERT = Effort(playouts=200, seconds=0.23, candidates=8, prior=3.0, slips=0.1, reach=3)
HARD_IN = {"anniversary": replace(HARD, playouts=48)}
"""What `hard` does in games that need more: special cards add chance."""
NETWORKS = ("open", "hand")
"""Where `expert` searches with a self-taught network instead, by the compiled twin."""

DOUBLE_PLAYOUTS = 12_000
"""What `expert` plays out for a card in Double, where playouts are compiled."""

TOURNAMENT_REACH = 5
"""With so many cards or fewer two players play a game of a Tournament exactly; six would often take 0.2 s."""

TEAM_SAY = 0.5
"""How much the heuristic's cost of a card counts in a team, where the base game's search knows of no team."""

GLANCE = 0.15
"""The share of the range of all costs that people with ten cards in hand take for nearly alike."""
OVERLOOKED = 0.5
"""The share of its options that a beginner does not think of."""


def choose_as_beginner(heuristic: Heuristic, view: View, ask: Ask, mind: Mind) -> Choice:
    """Weigh the options carefully, but overlook half of them."""
    costs = weigh(view, ask, mind, heuristic)
    places = [place for place in range(len(costs)) if mind.rng.random() >= OVERLOOKED]
    return ask.options[min(places or [mind.rng.randrange(len(costs))], key=lambda place: costs[place])]


def choose_like_people(heuristic: Heuristic, view: View, ask: Ask, mind: Mind) -> Choice:
    """Weigh the options as `medium` does, but the more cards are in hand the less carefully."""
    costs = weigh(view, ask, mind, heuristic)
    return hasty_choice(ask.options, list(costs), haste_among(costs, len(view.hand)), mind.rng)


def haste_among(costs: Sequence[float], cards: int) -> float:
    """Return by how much options may differ and still be nearly alike to people with so many cards."""
    return GLANCE * (max(costs) - min(costs)) * min(1.0, cards / 10)


def choose_by_heuristic(heuristic: Heuristic, view: View, ask: Ask, mind: Mind) -> Choice:
    """Take the option that costs least."""
    costs = weigh(view, ask, mind, heuristic)
    return ask.options[min(range(len(costs)), key=lambda place: costs[place])]


def choose_by_search(heuristic: Heuristic, effort: Effort, view: View, ask: Ask, mind: Mind) -> Choice:
    """Search as hard as the level does."""
    return search(view, ask, mind, heuristic, effort)


def choose_in_double(view: View, ask: Ask, mind: Mind) -> Choice:
    """Choose a card of Double by compiled playouts; rows as in the other games."""
    if ask.kind != "commit":
        return search(view, ask, mind, HEURISTICS["double"], EXPERT)
    from bullpen.bots.search.double import Roller, halve  # noqa: PLC0415 NumPy and Numba are an extra

    rules: Any = rules_for(view)
    roller = Roller(view, rules.deck(), rules.hand_size, mind.seed)
    place = halve(
        roller, sorted({view.hand.index(card) for card in view.hand}), DOUBLE_PLAYOUTS, EXPERT.slips
    )
    return next(option for option in ask.options if option == PlayCard(view.hand[place]))


def choose_in_anniversary(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play cards as in the base game, rows by looking ahead, and special cards by the heuristic alone."""
    from bullpen.bots.levels import with_specials  # noqa: PLC0415 NumPy and Numba are an extra
    from bullpen.fast import NotCovered  # noqa: PLC0415

    heuristic = CROWD if view.players >= LARGE else SEARCHED["anniversary"]
    if ask.kind == "commit":
        with suppress(NotCovered):
            return with_specials.best_card(view, ask, mind, heuristic)
    return search(view, ask, mind, heuristic, replace(EXPERT, reach=1))


def choose_by_network(view: View, ask: Ask, mind: Mind) -> Choice:
    """Search with the game's network; a position that the twin does not take, without."""
    from bullpen.bots.search import course  # noqa: PLC0415 NumPy and Numba are an extra
    from bullpen.fast import NotCovered  # noqa: PLC0415

    try:
        return course.choose(view, ask, mind)
    except NotCovered:
        return search(view, ask, mind, HEURISTICS[view.game], EXPERT)


def choose_in_team(view: View, ask: Ask, mind: Mind) -> Choice:
    """Search alone; in a team do what the others can expect, for playouts by each member pull it apart."""
    if view.players == 1:
        return search(view, ask, mind, HEURISTICS["buffalo"], HARD)
    return choose_by_heuristic(team_of(view.players), view, ask, mind)


def choose_as_captain(view: View, ask: Ask, mind: Mind) -> Choice:
    """Search alone; in a team play cards as in the base game, in which the buffalo plays any card."""
    if view.players == 1:
        return search(view, ask, mind, HEURISTICS["buffalo"], EXPERT)
    from bullpen.bots.levels import with_specials  # noqa: PLC0415 NumPy and Numba are an extra
    from bullpen.fast import NotCovered  # noqa: PLC0415

    heuristic = team_of(view.players)
    if ask.kind == "commit":
        with suppress(NotCovered):
            return with_specials.best_card(view, ask, mind, heuristic, TEAM_SAY, wild=1)
    return choose_by_heuristic(heuristic, view, ask, mind)


def team_of(members: int) -> Heuristic:
    """Return what the members of a team of this size go by."""
    return LARGE_TEAM if members >= LARGE else TEAM


def choose_in_tournament(view: View, ask: Ask, mind: Mind) -> Choice:
    """Pick as `medium` does; after the draft each game is one of Logic in which all hands are known."""
    if ask.kind == "draft_pick":
        return choose_by_heuristic(HEURISTICS["tournament"], view, ask, mind)
    from bullpen.bots.levels import expert  # noqa: PLC0415 NumPy and Numba are an extra

    as_logic = replace(view, game="logic", options={"logic.maxPlayers": 10})
    best = expert.best_card if ask.kind == "commit" else expert.best_row
    return best(as_logic, ask.options, mind, TOURNAMENT_REACH)


def choose_on_board(view: View, ask: Ask, mind: Mind) -> Choice:
    """Choose by compiled playouts; boards that are too large for the twin are played by the engine."""
    from bullpen.bots.search import boards, worlds  # noqa: PLC0415 NumPy and Numba are an extra
    from bullpen.fast import NotCovered  # noqa: PLC0415

    try:
        return worlds.search(view, ask, mind, boards.effort_for(ask))
    except NotCovered:
        return search(view, ask, mind, HEURISTICS[view.game], EXPERT)


def choose_in_nifty(level: str, view: View, ask: Ask, mind: Mind) -> Choice:
    """Choose by compiled playouts; positions that the twin does not take are played by the engine."""
    from bullpen.bots.search import nifty, worlds  # noqa: PLC0415 NumPy and Numba are an extra
    from bullpen.fast import NotCovered  # noqa: PLC0415

    try:
        return worlds.search(view, ask, mind, nifty.EFFORTS[level])
    except NotCovered:
        return search(view, ask, mind, HEURISTICS["nifty"], HARD if level == "hard" else EXPERT)


for game, heuristic in HEURISTICS.items():
    offer("easy", game)(partial(choose_as_beginner, heuristic))
    offer("human", game)(partial(choose_like_people, heuristic))
    offer("medium", game)(partial(choose_by_heuristic, heuristic))
    offer("hard", game)(partial(choose_by_search, SEARCHED[game], HARD_IN.get(game, HARD)))
    offer("expert", game)(partial(choose_by_search, SEARCHED[game], EXPERT))

offer("hard", "buffalo")(choose_in_team)
offer("expert", "buffalo", needs=SEARCH)(choose_as_captain)
offer("expert", "anniversary", needs=SEARCH)(choose_in_anniversary)
offer("expert", "double", needs=("double",))(choose_in_double)
for game in NETWORKS:
    offer("expert", game, needs=(game,))(choose_by_network)
offer("hard", "nifty", needs=("nifty",))(partial(choose_in_nifty, "hard"))
offer("expert", "nifty", needs=("nifty",))(partial(choose_in_nifty, "expert"))
offer("expert", "tournament", needs=SEARCH)(choose_in_tournament)
offer("expert", *BOARDS, needs=("boards",))(choose_on_board)
