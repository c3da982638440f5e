"""Runs the vectors of the four fan-card games: Even/Odd, Mountain Climbing, Jumping Cow, Flippin' Digits."""

from collections.abc import Callable
from typing import Any

from bullpen.engine import PlayCard, TakeRow
from bullpen.engine.events import MarkerMoved, Placed, Revealed
from bullpen.rulesets import make
from bullpen.rulesets.flippin_digits import FlippinDigits
from tests.rulebook.tables import Runner, Table, Vector, set_up

Plays = list[dict[str, Any]]
Check = Callable[[Vector, Table, Any], None]


def names(given: Vector) -> list[str]:
    """Return the players in the order in which they are named; that is their seat."""
    return [play["player"] for play in given["played"]]


def marker(game: str, given: Vector) -> dict[str, Any]:
    """Return the fields of the position that say where the fan card lies."""
    if game == "flippin-digits":
        return {"has_flip": (True,) * max(2, len(given["played"]))}
    mark = given["mark"]
    if game == "jumping-cow":
        return {"cow": mark["row"] - 1}
    shown = "side" if game == "even-odd" else "arrow"
    return {"marked": mark["row"] - 1, shown: mark[shown]}


def play_trick(game: str, given: Vector, plays: Plays) -> Table:
    """Set the table, let everybody named play the card, and answer for the rows that are to be taken."""
    rules = make(game, max(2, len(plays)), given.get("options"))
    hands = [[play["card"]] for play in plays] + [[]] * (rules.players - len(plays))
    table = set_up(rules, given["rows"], hands, **marker(game, given))
    # A picture with one player: whoever else has to sit there plays no card in this trick.
    table.position.asks = table.position.asks[: len(plays)]
    for seat, play in enumerate(plays):
        table.choose(seat, PlayCard(play["card"], flipped=play.get("flip", False)))
    while (ask := table.position.asks[0]).kind == "choose_row":
        (seat,) = ask.seats
        table.choose(seat, TakeRow(plays[seat]["low_choice"] - 1))
    return table


def landing_row(table: Table, card: int) -> int:
    """Return the row into which a card was placed, counted from 1."""
    (row,) = [placed.row for placed in table.happened(Placed) if placed.card == card]
    return 1 + int(row)


def check_rows(vector: Vector, table: Table, rows: list[list[int]]) -> None:
    assert table.position.rows == rows


def check_takes(vector: Vector, table: Table, takes: list[dict[str, Any]]) -> None:
    assert table.takes(names(vector["given"])) == takes


def check_row_of(vector: Vector, table: Table, row_of: dict[str, int]) -> None:
    assert {card: landing_row(table, int(card)) for card in row_of} == row_of


def check_order(vector: Vector, table: Table, order: list[int]) -> None:
    (revealed,) = table.happened(Revealed)
    assert [played.card for played in revealed.plays] == order


def check_mark(vector: Vector, table: Table, mark: dict[str, Any]) -> None:
    assert marker(vector["variant"], {**vector["given"], "mark": mark}) == {
        field: getattr(table.position, field) for field in marker(vector["variant"], vector["given"])
    }


def check_mark_candidates(vector: Vector, table: Table, candidates: dict[str, int]) -> None:
    """The ends that the latest move of the marker compared: all rows but the one that it left."""
    places = [vector["given"]["mark"]["row"] - 1, *(move.place for move in table.happened(MarkerMoved))]
    left, reached = places[-2:]
    ends = {str(row + 1): cards[-1] for row, cards in enumerate(table.position.rows) if row != left}
    assert ends == candidates
    assert str(reached + 1) == min(candidates, key=lambda row: candidates[row])


def check_without_flip(vector: Vector, _: Table, then: dict[str, Any]) -> None:
    """What the same trick would have been with every card as it is printed."""
    assert set(then) <= {"row", "take", "rows", "takes"}, f"without_flip holds something unknown: {set(then)}"
    given = vector["given"]
    (card,) = [play["card"] for play in given["played"] if play.get("flip")]
    plays = [{"low_choice": 1, **play, "flip": False} for play in given["played"]]
    table = play_trick(vector["variant"], given, plays)
    took = [take for take in table.takes(names(given)) if take["player"] == owner_of(card, given)]
    assert landing_row(table, card) == then.get("row", landing_row(table, card))
    assert bool(took) == then.get("take", bool(took))
    if "rows" in then:
        check_rows(vector, table, then["rows"])
    if "takes" in then:
        check_takes(vector, table, then["takes"])


def owner_of(card: int, given: Vector) -> str:
    """Return who played a card."""
    return next(str(play["player"]) for play in given["played"] if play["card"] == card)


CHECKS: dict[str, Check] = {
    "rows": check_rows,
    "takes": check_takes,
    "row_of": check_row_of,
    "order": check_order,
    "mark": check_mark,
    "mark_candidates": check_mark_candidates,
    "without_flip": check_without_flip,
}


def run_trick(vector: Vector) -> None:
    """Play the trick and check everything that the vector says of it."""
    given, then = vector["given"], vector["then"]
    assert set(given) <= {"rows", "played", "mark", "options"}, f"given holds something unknown: {set(given)}"
    table = play_trick(vector["variant"], given, given["played"])
    for name, value in then.items():
        assert name in CHECKS, f"nothing checks {name!r}"
        CHECKS[name](vector, table, value)


def run_flip_value(vector: Vector) -> None:
    """Flip single cards; one that cannot be flipped has no value, or none is named."""
    rules = make("flippin-digits", 2, vector["given"].get("options"))
    assert isinstance(rules, FlippinDigits)
    cards, expected = vector["given"]["cards"], vector["then"]["flipped"]
    flipped = {str(card): rules.flipped(card) if rules.can_flip(card) else None for card in cards}
    assert flipped == {str(card): None for card in cards} | expected


RUNNERS: dict[str, Runner] = {
    "even-odd": run_trick,
    "mountain": run_trick,
    "jumping-cow": run_trick,
    "flippin-digits": run_trick,
    "flip-value": run_flip_value,
}
