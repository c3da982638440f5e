"""Windows for special cards are looked through lightly: what comes out is what the whole rules say."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any

import pytest

import bullpen
from bullpen.bots.heuristics import Heuristic
from bullpen.bots.heuristics.anniversary import AnniversaryHeuristic, place_without_specials
from bullpen.bots.heuristics.buffalo import BuffaloHeuristic
from bullpen.bots.heuristics.heuristic import ahead_of_others
from bullpen.bots.heuristics.light_trick import light_row, with_card, without_card
from bullpen.bots.heuristics.lookahead import end_of_trick
from bullpen.engine import PASS, Ask, Choice, Seeded, UseSpecial, apply, bullheads, new_game
from bullpen.engine.events import Event, MarkerGone, Took
from bullpen.game import Game
from bullpen.rulesets import find, make
from bullpen.rulesets.anniversary_cards import SPECIALS as ANNIVERSARY_SPECIALS
from bullpen.rulesets.buffalo import LIFT
from bullpen.rulesets.buffalo_cards import BUFFALO
from bullpen.rulesets.buffalo_cards import SPECIALS as BUFFALO_SPECIALS
from tests.conftest import SOAK

Window = tuple[Any, Any, Ask]
"""The rules, the position and the question."""

GAMES, LAID_OUT = (200, 10_000) if SOAK else (8, 600)
"""How many games are played, and how many tricks that begin with cards laid out by hand."""
ASKED = {
    "anniversary": ("use_special",),
    "buffalo": ("team_window", "choose_row", "replace_card", "sort_pick"),
}
AGREED: dict[str, dict[str, tuple[Any, ...]]] = {
    "anniversary": {
        "anniv.sevenRow": ("any", "own"),
        "anniv.fifthRow": ("any", "insteadOfTake"),
        "anniv.shiftIntoFull": ("take", "forbidden"),
        "anniv.negPos": ("cards", "plain"),
        "anniv.cancelled": ("largest", "chosen"),
    },
    "buffalo": {
        "buffalo.replaceTiming": ("ownTurn", "anyWindow"),
        "buffalo.sortTiming": ("anyWindow", "beforeFirst"),
        "buffalo.anytime": (False, True),
    },
}


def windows(game: str) -> Iterator[Window]:
    """Questions of games, and of tricks in which special cards meet more often than in games."""
    for number in range(GAMES):
        rules, chance = make(game, *table(game, number)), Seeded(number)
        yield from played(rules, new_game(rules, chance)[0], chance, random.Random(number))
    for number in range(LAID_OUT):
        rng = random.Random(-1 - number)
        laid = LAY_OUT[game](*table(game, number), rng)
        yield from played(laid.rules, laid.position, Seeded(number), rng, tricks=1)


def table(game: str, number: int) -> tuple[int, dict[str, Any]]:
    """Players and what they agreed on: as the number grows, all of them with every value of each option."""
    players, agreed = find(game).player_range, list(product(*AGREED[game].values()))
    # One agreement further each time round, lest the same number of players always has the same ones.
    values = agreed[(number + number // len(players)) % len(agreed)]
    return players[number % len(players)], dict(zip(AGREED[game], values, strict=True))


def played(
    rules: Any, position: Any, chance: Seeded, rng: random.Random, tricks: int = 99
) -> Iterator[Window]:
    """Questions on the way; some tables use special cards up soon, and some keep them."""
    spends, until = rng.choice((0.03, 0.2, 0.8)), (position.round, position.trick + tricks)
    while position.result is None and (tricks > 1 or (position.round, position.trick) < until):
        ask = position.open_asks[0]
        if ask.kind in ASKED[rules.id] and len(ask.options) > 1:
            yield rules, position, ask
        at_random = ask.kind == "commit" or rng.random() < spends
        choice = rng.choice(ask.options) if at_random else ask.options[0]
        apply(rules, position, ask, ask.seats[0], choice, chance)


# Tricks that are laid out by hand, near the end of a round.


def some(cards: Iterator[Any], count: int) -> list[Any]:
    """Take so many cards from a pile."""
    return list(islice(cards, count))


def mark(rows: list[list[int]], pile: list[str], names: Sequence[str], rng: random.Random) -> list[list[str]]:
    """Lay special cards of each name from the pile at none to two rows."""
    markers: list[list[str]] = [[] for _ in rows]
    for name in names:
        for place in rng.sample(range(len(rows)), rng.randrange(3)):
            markers[place].append(name)
            pile.remove(name)
    return markers


def lay_out_anniversary(players: int, options: dict[str, Any], rng: random.Random) -> Game:
    """Some cards of a trick are placed already; whoever is next holds a special card."""
    cards, names = (
        iter(rng.sample(range(1, 105), 104)),
        [name for name in ANNIVERSARY_SPECIALS for _ in range(4)],
    )
    rows = [sorted(some(cards, rng.choice((1, 1, 2, 5, 5)))) for _ in range(rng.choice((4, 5)))]
    markers = mark(rows, names, ("stop", "seven"), rng)
    if len(rows) == 5:
        markers[4].append("fifth-row")
        names.remove("fifth-row")
    plays = sorted(zip(cards, rng.sample(range(players), rng.randint(1, players)), strict=False))
    rng.shuffle(names)
    deck, most = iter(names), rng.choice((0, 1, 2))
    held = [rng.randint(0, most) + (seat == plays[0][1]) for seat in range(players)]
    size = rng.choice((0, 1, 1, 1, 2))
    return bullpen.position(
        "anniversary", rows, [some(cards, size) for _ in range(players)], options=options,
        table=plays, markers=markers, specials=[sorted(some(deck, count)) for count in held],
        special_deck=list(deck), piles=[some(cards, 2) for _ in range(players)], round=rng.choice((1, 2)),
    )  # fmt: skip


def lay_out_buffalo(players: int, options: dict[str, Any], rng: random.Random) -> Game:
    """Some cards of a trick are placed already; the team has none to two special cards, and few to come."""
    cards, names = iter(rng.sample(range(1, 105), 104)), [name for name in BUFFALO_SPECIALS for _ in range(2)]
    rows = [sorted(some(cards, rng.choice((1, 1, 2, 5, 5)))) for _ in range(4)]
    markers = mark(rows, names, ("stop", "take-7"), rng)
    seats = rng.sample(range(-1, players), rng.randint(1, players + 1))
    plays, size = sorted(zip(cards, seats, strict=False)), rng.choice((0, 1, 1, 1, 2))
    rng.shuffle(names)
    box, shown, to_come = iter(names), rng.choice((1, 1, 2)), rng.choice((0, 0, 1))
    return bullpen.position(
        "buffalo", rows, [some(cards, size) for _ in range(players)], options=options,
        table=plays, markers=markers, herd=some(cards, size),
        face_up=some(box, shown), special_deck=some(box, to_come), box=list(box),
        firsts=[card for card, seat in plays[: rng.randrange(2)] if seat != BUFFALO],
        lasts=[card for card, seat in plays[-rng.randrange(1, 3) :] if seat != BUFFALO][:1],
    )  # fmt: skip


LAY_OUT: dict[str, Callable[[int, dict[str, Any], random.Random], Game]] = {
    "anniversary": lay_out_anniversary,
    "buffalo": lay_out_buffalo,
}


# What was met, so that nothing is left out by chance.


class Met(Counter[str]):
    """How often something happened in the tricks that were compared."""

    def note(self, window: Window, option: Choice, after: Any) -> None:
        """Count what was used, what lay there, and what happened on the way."""
        rules, position, ask = window
        news: list[Event] = after.news[len(position.news) :]
        self.update({ask.kind, *map(_name, news)})
        if isinstance(option, UseSpecial):
            self[f"use {option.name}"] += 1
            if option.name in ("shift", "push"):
                emptied = [option.targets[0]] in position.rows
                took = any(isinstance(event, Took) and event.why == option.name for event in news)
                self[f"{option.name}{' empties' * emptied}{' takes' * took}"] += 1
        self["Stop"] += any("stop" in names for names in position.markers)
        self["five rows"] += len(position.rows) > 4
        self["row to be filled"] += bool(getattr(position, "must_fill", ()))
        self["last trick"] += not any(position.hands)
        self["two of us"] += rules.players <= 2


def _name(event: Event) -> str:
    if isinstance(event, Took):
        return f"{'buffalo' if event.seat == BUFFALO else 'seat'} takes: {event.why}"
    return f"{event.marker} gone" if isinstance(event, MarkerGone) else type(event).__name__


MET_IN_ANNIVERSARY = (
    *(f"use {name}" for name in ANNIVERSARY_SPECIALS),
    *("shift", "shift takes", "shift empties", "shift empties takes"),
    *("seat takes: low", "seat takes: full", "seat takes: insert", "seat takes: shift"),
    *("Stop", "stop gone", "seven gone", "five rows", "RowRemoved", "Cancelled"),
    *("last trick", "TrickStarted", "RoundEnded", "two of us"),
)
MET_IN_TEAM = (
    *ASKED["buffalo"],
    *(f"use {name}" for name in (*BUFFALO_SPECIALS, LIFT)),
    *("push", "push takes", "push empties", "push empties takes", "row to be filled"),
    *("seat takes: low", "seat takes: full", "seat takes: insert", "seat takes: push"),
    *("buffalo takes: low", "buffalo takes: full", "Stop", "stop gone", "take-7 gone"),
    *("last trick", "TrickStarted", "RoundEnded", "two of us"),
)


def test_windows_of_anniversary_come_out_as_by_the_whole_rules() -> None:
    # Without patience special cards are worth nothing later, and costs are what the trick brings.
    heuristic, met = AnniversaryHeuristic(patience=0.0), Met()
    for window in windows("anniversary"):
        rules, position, ask = window
        (seat,), before = ask.seats, position.copy()
        afters = [
            end_of_trick(rules, position, ask, option, heuristic._simply, place_without_specials)
            for option in ask.options
        ]
        points = [heuristic.points(after, position.round) for after in afters]
        charged = [[then - now for then, now in zip(each, before.points, strict=True)] for each in points]
        expected = [ahead_of_others(each, seat) for each in charged]
        assert heuristic.costs(rules, position, seat, ask) == expected
        assert position == before
        for option, after in zip(ask.options, afters, strict=True):
            met.note(window, option, after)
    assert min(met[each] for each in MET_IN_ANNIVERSARY) >= 5, met


# Beat the Buffalo by the whole rules: there the heuristic itself looks only lightly.


def margin(rules: Any, position: Any) -> float:
    """The buffalo's bullheads less the team's, which count twice for one or two players."""
    team, buffalo = (bullheads(*pile) for pile in position.piles)
    return float(buffalo - (2 * team if rules.players in (1, 2) else team))


def place_in_team(rules: Any, position: Any) -> None:
    """Place the next card, as if the team did not want to use a special card."""
    rules.place_card(position)


def answer_in_team(rules: Any, position: Any, ask: Ask) -> Choice:
    """Use no further special cards, take the cheapest row, replace and sort by what comes of it."""
    if ask.kind in ("team_window", "team_break"):
        return PASS
    if ask.kind == "sort_pick" and ask.about != (1,):
        return ask.options[0]
    costs: Sequence[float]
    if ask.kind == "choose_row":
        costs = Heuristic().cost_choose_row(rules, position, ask.seats[0], ask)
    else:
        costs = [-margin(rules, after_in_team(rules, position, ask, option)) for option in ask.options]
    return ask.options[min(range(len(costs)), key=costs.__getitem__)]


def after_in_team(rules: Any, position: Any, ask: Ask, option: Choice) -> Any:
    """Play the trick out after an option of the team, by the whole rules."""
    return end_of_trick(rules, position, ask, option, answer_in_team, place_in_team)


def test_windows_of_a_team_come_out_as_by_the_whole_rules() -> None:
    heuristic, met = BuffaloHeuristic(keep_special=0.0), Met()
    for window in windows("buffalo"):
        rules, position, ask = window
        before = position.copy()
        afters = [after_in_team(rules, position, ask, option) for option in ask.options]
        expected = [-margin(rules, after) for after in afters]
        if ask.kind == "team_window":
            # Lifting a Stop! costs a little, so that nobody does it for nothing.
            now, lifts = margin(rules, position), [_is_lift(option) for option in ask.options]
            expected = [now + cost + 0.1 * lift for cost, lift in zip(expected, lifts, strict=True)]
        assert heuristic.costs(rules, position, ask.seats[0], ask) == expected
        assert position == before
        for option, after in zip(ask.options, afters, strict=True):
            met.note(window, option, after)
    assert min(met[each] for each in MET_IN_TEAM) >= 5, met


def _is_lift(option: Choice) -> bool:
    return isinstance(option, UseSpecial) and option.name == LIFT


@pytest.mark.parametrize("cards", [[7], [7, 44], [10, 20, 30, 55, 60]])
def test_a_light_row_is_what_is_left_of_its_cards(cards: list[int]) -> None:
    row = light_row(cards, 5, 2)
    for card in cards:
        rest = [other for other in cards if other != card]
        left = without_card(row, card, cards)
        assert left == light_row(rest, 5, 2)
        assert with_card(left, card) == row
