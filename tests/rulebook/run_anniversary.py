"""Runs the vectors of the Anniversary game: placements with special cards, and the second deal."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from bullpen.engine import PASS, Ask, Choice, Played, TakeRow, UseSpecial, bullheads
from bullpen.engine.events import Placed
from bullpen.rulesets import make
from bullpen.rulesets.anniversary_cards import AnniversaryPosition, Cancelled
from bullpen.rulesets.base import PLACE_NEXT, SCORE_ROUND
from tests.rulebook.tables import Runner, Table, Vector

Fields = dict[str, Any]

GIVEN = {"rows", "turns", "hands", "bull_piles", "fifth", "stop", "seven", "options"}
TURN = {"player", "card", "special", "low_choice"}
SPECIAL = {"card", "row", "number", "from", "new", "position"}
NAMES = {
    "5th Row": "fifth-row",
    "7 nimmt!": "seven",
    "Insert": "insert",
    "Replace": "replace",
    "Shift": "shift",
    "Stop": "stop",
    "Negative = Positive": "negative-positive",
}
TARGETS: dict[str, tuple[str, ...]] = {
    "fifth-row": (),
    "seven": ("row",),
    "insert": ("row",),
    "replace": ("new",),
    "shift": ("number", "row"),
    "stop": ("row",),
    "negative-positive": (),
}
"""Which fields of a vector's special card are its targets, in the order of the notation."""


class Placements:
    """Revealed cards, placed in the order of the turns; a name's place among those named is its seat."""

    def __init__(self, given: Fields, turns: list[Fields]) -> None:
        assert set(given) <= GIVEN, f"given holds something unknown: {set(given) - GIVEN}"
        for turn in turns:
            special = turn.get("special") or {}
            assert set(turn) <= TURN, f"a turn holds something unknown: {set(turn) - TURN}"
            assert set(special) <= SPECIAL, (
                f"a special card holds something unknown: {set(special) - SPECIAL}"
            )
        self.given, self.turns = given, turns
        named = [*(turn["player"] for turn in turns), *given.get("hands", {}), *given.get("bull_piles", {})]
        self.names = list(dict.fromkeys(named))
        self.table = self.set_up()

    @property
    def position(self) -> AnniversaryPosition:
        position = self.table.position
        assert isinstance(position, AnniversaryPosition)
        return position

    def set_up(self) -> Table:
        """Lay everything out as given; cards that are not named are undealt."""
        given = self.given
        rules = make("anniversary", max(2, len(self.names)), given.get("options"))
        position = AnniversaryPosition(rules.players)
        rules.start(position)
        rules.clear_table(position)  # type: ignore[attr-defined]
        position.round = position.trick = 1
        position.rows = [row[:] for row in given["rows"]]
        position.table = [
            Played(turn["card"], self.seat(turn["player"]), turn["card"]) for turn in self.turns
        ]
        for name, cards in given.get("hands", {}).items():
            position.hands[self.seat(name)] = sorted(cards)
        for name, cards in given.get("bull_piles", {}).items():
            position.piles[self.seat(name)] = cards[:]
            position.points[self.seat(name)] = bullheads(*cards)
        self.give_specials(position)
        named = Counter(
            card
            for zone in rules.zones
            if zone.family == "numbers" and zone.field != "deck"
            for card in zone.cards(position)
        )
        assert named.total() == len(named), "a card is in two places"
        position.deck = [card for card in position.deck if card not in named]
        position.agenda = [PLACE_NEXT]
        return Table(rules, position)

    def give_specials(self, position: AnniversaryPosition) -> None:
        """Everybody holds exactly the special cards of their turns; others may lie at rows already."""
        given = self.given
        position.markers = [[] for _ in position.rows]
        lying = [(row, name) for name in ("stop", "seven") for row in given.get(name) or []]
        if given.get("fifth"):
            lying.append((given["fifth"], "fifth-row"))
        for row, name in lying:
            position.special_deck.remove(name)
            position.markers[row - 1].append(name)
        for turn in self.turns:
            if special := turn.get("special"):
                name, seat = NAMES[special["card"]], self.seat(turn["player"])
                position.special_deck.remove(name)
                position.specials[seat].append(name)
                if "new" in special and special["new"] not in position.hands[seat]:
                    position.hands[seat] = sorted([*position.hands[seat], special["new"]])

    def seat(self, name: str) -> int:
        return self.names.index(name)

    def run(self) -> None:
        """Answer every question as the turn of the card being placed says."""
        self.table.go_on()
        while self.position.asks:
            (ask,) = self.position.asks
            self.table.choose(ask.seats[0], self.answer(ask))
        for turn in self.turns:
            special = turn.get("special") or {}
            if "position" in special:
                places = {placed.card: placed.place for placed in self.table.happened(Placed)}
                assert places[turn["card"]] == special["position"] - 1

    def answer(self, ask: Ask) -> Choice:
        """Return what the vector says to a question; no vector speaks of swapping."""
        if ask.kind == "swap_special":
            return PASS
        turn = self.turns[-len(self.position.table)]
        if ask.kind == "choose_row":
            assert "low_choice" in turn, (
                f"{turn['card']} fits no row, and no low_choice says which one to take"
            )
            return TakeRow(turn["low_choice"] - 1)
        special = turn.get("special")
        if special is None:
            return PASS
        name = NAMES[special["card"]]
        if ask.kind == "np_card":
            return UseSpecial(name, (special["number"],))
        assert "from" not in special or special["number"] in self.position.rows[special["from"] - 1]
        return UseSpecial(name, tuple(special[target] for target in TARGETS[name]))


def marked(played: Placements, marker: str) -> list[int]:
    """Return the rows at which this special card lies, counted from 1."""
    return [row + 1 for row, names in enumerate(played.position.markers) if marker in names]


def by_name(played: Placements, values: list[Any]) -> dict[str, Any]:
    """Return values of seats by the names of the players."""
    return dict(zip(played.names, values, strict=False))


FOUND: dict[str, Callable[[Placements], Any]] = {
    "rows": lambda played: played.position.rows,
    "takes": lambda played: played.table.takes(played.names),
    "fifth": lambda played: next(iter(marked(played, "fifth-row")), None),
    "seven": lambda played: marked(played, "seven"),
    "stop": lambda played: marked(played, "stop"),
    "hands": lambda played: by_name(played, played.position.hands),
    "bull_piles": lambda played: by_name(played, played.position.piles),
    "bull_points": lambda played: by_name(played, played.position.points),
}


def check_aside(played: Placements, cards: list[int]) -> None:
    """ANN-20 does not say which of several sets that are worth the same is put away."""
    aside = played.position.aside
    turned = {event.turned for event in played.table.happened(Cancelled)}
    could_be = {*aside, *(card for pile in played.position.piles for card in pile)}
    assert turned <= set(cards) <= could_be
    assert len(cards) == len(set(cards))
    assert bullheads(*cards) == bullheads(*aside)


def in_order(value: Any) -> Any:
    """Return hands, piles and taken cards in ascending order, as nobody says how they are sorted."""
    if isinstance(value, dict):
        return {key: sorted(item) if isinstance(item, list) else item for key, item in value.items()}
    if isinstance(value, list):
        return [in_order(item) for item in value]
    return value


def check(played: Placements, then: Fields) -> None:
    """Compare everything that is expected with what is there."""
    for key, expected in then.items():
        if key == "aside":
            check_aside(played, expected)
            continue
        assert key in FOUND, f"nothing is known about {key!r}"
        found = FOUND[key](played)
        if isinstance(expected, dict):
            found = {name: found[name] for name in expected}
        assert in_order(found) == in_order(expected), key


def run_turns(vector: Vector) -> None:
    """Place card after card; where a vector says what happens without special cards, do that too."""
    given, then = vector["given"], dict(vector["then"])
    without = then.pop("without_special", None)
    played = Placements(given, given["turns"])
    played.run()
    check(played, then)
    if without is not None:
        turns = [{key: value for key, value in turn.items() if key != "special"} for turn in given["turns"]]
        plain = Placements(given, turns)
        plain.run()
        check(plain, without)


def run_specials(vector: Vector) -> None:
    """End a round with so many special cards in the hands, and count what the next deal brings."""
    each = []
    for case in vector["given"]["cases"]:
        rules = make("anniversary", case["players"])
        position = AnniversaryPosition(rules.players)
        rules.start(position)
        rules.clear_table(position)  # type: ignore[attr-defined]
        assert case["held"] + case["in_supply"] == len(position.special_deck)
        for number in range(case["held"]):
            position.specials[number % rules.players].append(position.special_deck.pop())
        held = [len(names) for names in position.specials]
        position.round, position.agenda = 1, [SCORE_ROUND]
        table = Table(rules, position)
        table.go_on()
        assert table.position.round == 2
        (more,) = {len(names) - had for names, had in zip(position.specials, held, strict=True)}
        each.append(more)
    assert each == vector["then"]["each"]


RUNNERS: dict[str, Runner] = {"anniversary": run_turns, "anniversary-specials": run_specials}
