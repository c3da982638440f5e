"""Vectors of the ten card games without special cards."""

from typing import Any

from bullpen.engine import Ask, JoinRow, PlaceFirst, PlayCard, Played, PlayPair, Ruleset, TakeRow, bullheads
from bullpen.engine.events import Placed, Shared
from bullpen.rulesets import games, make
from bullpen.rulesets.base import PLACE_NEXT, TRICK
from bullpen.rulesets.double import Double
from bullpen.rulesets.hand import Hand
from bullpen.rulesets.professional import Professional
from bullpen.rulesets.tournament import Tournament
from bullpen.rulesets.two_halves import TwoHalves
from tests.rulebook.tables import Runner, Table, Vector, set_up


def players_of(plays: list[dict[str, Any]]) -> list[str]:
    """Return the players in the order in which they are named, and a silent one where one is too few."""
    names = list(dict.fromkeys(str(play["player"]) for play in plays))
    return names if len(names) > 1 else [*names, "(nobody)"]


def answer_open_questions(table: Table, plays: list[dict[str, Any]], names: list[str]) -> None:
    """Answer what is asked while the cards of a trick are placed, as the vector says."""
    while table.position.table:
        (ask,) = table.position.open_asks
        play = next(
            play
            for play in plays
            if play.get("card", ask.about[0]) == ask.about[0] and names.index(play["player"]) in ask.seats
        )
        if ask.kind == "choose_side":
            table.choose(ask.seats[0], the_side(table, ask, play["tie"]))
        else:
            table.choose(ask.seats[0], TakeRow(play["low_choice"] - 1))


def the_side(table: Table, ask: Ask, side: str) -> JoinRow:
    """Return the choice of the tied row to whose right or left ("R", "L") the card goes."""
    ends = {
        option: table.position.rows[option.row][-1] for option in ask.options if isinstance(option, JoinRow)
    }
    return next(option for option, end in ends.items() if (end < int(ask.about[0])) == (side == "R"))


def play_trick(table: Table, plays: list[dict[str, Any]], names: list[str]) -> None:
    """Commit and place the cards of a trick through the public verbs."""
    for play in plays:
        table.choose(names.index(play["player"]), PlayCard(play["card"], bool(play.get("flip"))))
    answer_open_questions(table, plays, names)


def place_alone(rules: Ruleset[Any], rows: list[list[int]], plays: list[dict[str, Any]]) -> Table:
    """Set up a picture that shows one player's card only, already revealed."""
    table = set_up(rules, rows, [[] for _ in range(rules.players)])
    table.position.asks = ()
    table.position.table = [Played(play["card"], 0, play["card"]) for play in plays]
    table.position.agenda = [TRICK, PLACE_NEXT]
    table.go_on()
    return table


def played(vector: Vector, game: str, **options: Any) -> tuple[Table, list[str]]:
    """Play the trick of a vector."""
    given = vector["given"]
    plays = given["played"]
    names = players_of(plays)
    rules = make(game, len(names), options)
    if "(nobody)" in names:
        table = place_alone(rules, given["rows"], plays)
        answer_open_questions(table, plays, names)
    else:
        hands = [[play["card"] for play in plays if play["player"] == name] for name in names]
        table = set_up(rules, given["rows"], hands)
        play_trick(table, plays, names)
    return table, names


def run_trick(vector: Vector) -> None:
    """A trick with its rows and takes afterwards."""
    table, names = played(vector, vector["variant"])
    then = vector["then"]
    assert table.position.rows == then["rows"]
    assert table.takes(names) == then["takes"]
    if "row_of" in then:
        assert {str(put.card): put.row + 1 for put in table.happened(Placed)} == then["row_of"]


def run_sequence(vector: Vector) -> None:
    """Several tricks one after the other."""
    given = vector["given"]
    names = players_of(given["tricks"][0])
    hands = [
        [play["card"] for trick in given["tricks"] for play in trick if play["player"] == name]
        for name in names
    ]
    table = set_up(make(vector["variant"].removesuffix("-sequence"), len(names)), given["rows"], hands)
    for trick in given["tricks"]:
        play_trick(table, trick, names)
    assert table.position.rows == vector["then"]["rows"]
    assert table.takes(names) == vector["then"]["takes"]


def run_heads(vector: Vector) -> None:
    """The bullheads of cards, and of the whole deck."""
    then = vector["then"]
    assert {str(card): bullheads(card) for card in vector["given"]["cards"]} == then["heads"]
    deck = make("base", 4).universe("numbers")
    if "deck_total" in then:
        assert bullheads(*deck) == then["deck_total"]
    if "histogram" in then:
        heads = [bullheads(card) for card in deck]
        assert {str(number): heads.count(number) for number in set(heads)} == then["histogram"]


def run_deck_size(vector: Vector) -> None:
    """The short deck of Tactics and Logic."""
    for players in vector["given"]["players"]:
        lowest, highest = vector["then"]["deck"][str(players)]
        for rules in (make("tactics", players), make("logic", players, {"logic.maxPlayers": 10})):
            assert rules.universe("numbers") == list(range(lowest, highest + 1))


def run_tournament_sheet(vector: Vector) -> None:
    """A filled-in sheet: who wrote which line, in which game."""
    given, then = vector["given"], vector["then"]
    names = given["players"]
    rules = Tournament(len(names))
    owner = names.index(given["sheet_owner"])
    lines = range(len(given["points_by_line"]))
    writers = [names[rules.line_player(owner, line)] for line in lines]
    position = rules.position_type(len(names))
    for line, points in enumerate(given["points_by_line"]):
        round_points = [0] * len(names)
        round_points[rules.line_player(owner, line)] = points
        position.score_sheet.append(tuple(round_points))
    deck = rules.universe("numbers")
    assert sorted(given["hand"]) == then["hand_sorted"]
    assert [deck[0], deck[-1]] == then["deck"]
    assert writers == then["line_player"]
    assert rules.sheet(position, owner) == given["points_by_line"]
    assert dict(zip(writers, rules.sheet(position, owner), strict=True)) == then["credit"]
    for name, game in then["played_in_game"].items():
        assert rules.sheet_owner(names.index(name), game) == owner
    assert then["line5_empty"] == (len(names) < 5)


def run_tournament_rotation(vector: Vector) -> None:
    """Who holds whose sheet in which game."""
    seats = vector["given"]["n"]
    rules = Tournament(seats)
    holder = [[rules.sheet_owner(seat, game) for seat in range(seats)] for game in range(1, seats + 1)]
    assert holder == vector["then"]["holder"]


def run_probe(vector: Vector) -> None:
    """Where cards would go in a layout of Professional."""
    given, then = vector["given"], vector["then"]
    rules = Professional(2)
    position = rules.position_type(2)
    position.rows = given["rows"]
    on_table = {card for row in given["rows"] for card in row}
    probe = given["probe"]
    cards = probe if isinstance(probe, list) else [card for card in rules.deck() if card not in on_table]
    for card in then.get("unplaceable", []):
        assert rules.row_for(position, card) is None
    if "takes_row" in then:
        row = then["takes_row"]["row"] - 1
        hits = [
            card for card in cards if rules.row_for(position, card) == row and rules.is_full(position, row)
        ]
        assert hits == then["takes_row"]["cards"]
    for card, rows in then.get("tie", {}).items():
        sides = [
            [row + 1, *(("R", int(card) - ends[-1]) if int(card) > ends[-1] else ("L", ends[0] - int(card)))]
            for row in rules.nearest(position, int(card))
            for ends in [position.rows[row]]
        ]
        assert sides == rows


def run_halves_deal(vector: Vector) -> None:
    """Hands of both halves and what is left over."""
    for players in vector["given"]["players"]:
        first, second = TwoHalves(players).sizes()
        assert [first, second, 100 - players * (first + second)] == vector["then"]["deal"][str(players)]


def run_hand_score(vector: Vector) -> None:
    """What pile and hand cost together."""
    given = vector["given"]
    assert Hand(2).worth(given["stack"], given["hand"]) == vector["then"]["points"]


def run_capacity(vector: Vector) -> None:
    """How many can play, by the number of cards."""
    given, most = vector["given"], vector["then"]["max_players"]
    assert (given["deck"] - given["rows"]) // given["hand"] == most
    game = {"OPEN": "open", "NIFTY": "nifty", "HAND": "hand"}[vector["id"].split("-")[0]]
    rules = games()[game]
    assert rules.player_range[-1] == most
    assert len(rules(most).universe("numbers")) == given["deck"]
    assert getattr(rules, "hand_size", None) == given["hand"]


def run_double(vector: Vector) -> None:
    """A trick of Double; rows are lists of positions."""
    table, names = played(vector, "double")
    then = vector["then"]
    rules = Double(len(names))
    assert [rules.positions(row) for row in table.position.rows] == then["rows"]
    takes = []
    for event in table.events:
        if isinstance(event, Shared):
            takes += [
                {
                    "player": names[seat],
                    "row": event.row + 1,
                    "row_points": event.bullheads,
                    "points": event.charged,
                }
                for seat in event.seats
            ]
    for take in table.takes(names):
        takes.append({key: take[key] for key in ("player", "row", "points")} | {"row_points": take["points"]})
    assert takes == [
        {key: take[key] for key in ("player", "row", "row_points", "points")} for take in then["takes"]
    ]


def run_double_deck(vector: Vector) -> None:
    """The two decks of Double."""
    for name in vector["given"]["variant"]:
        deck = make("double", 2, {"double.deck": int(name)}).universe("numbers")
        assert len(deck) == vector["then"]["cards"][name]
        assert bullheads(*deck) == vector["then"]["heads"][name]


def run_nifty(vector: Vector) -> None:
    """A trick of pairs: `cards` in the order in which their owner places them."""
    given, then = vector["given"], vector["then"]
    plays = given["played"]
    names = players_of(plays)
    table = set_up(make("nifty", len(names)), given["rows"], [play["cards"] for play in plays], spares=4)
    for seat, play in enumerate(plays):
        table.choose(seat, PlayPair(min(play["cards"]), max(play["cards"])))
    while table.position.table:
        (ask,) = table.position.open_asks
        play = plays[ask.seats[0]]
        if ask.kind == "choose_order":
            table.choose(ask.seats[0], PlaceFirst(play["cards"][0]))
        else:
            choices = play["low_choice"]
            row = choices[str(ask.about[0])] if isinstance(choices, dict) else choices
            table.choose(ask.seats[0], TakeRow(row - 1))
    assert table.position.rows == then["rows"]
    assert table.takes(names) == then["takes"]
    if "order" in then:
        assert [put.card for put in table.happened(Placed)] == then["order"]


RUNNERS: dict[str, Runner] = {
    **dict.fromkeys(("base", "tactics", "logic", "professional", "two-halves"), run_trick),
    **dict.fromkeys(("base-sequence", "professional-sequence"), run_sequence),
    "base-heads": run_heads,
    "deck-size": run_deck_size,
    "tournament": run_tournament_sheet,
    "tournament-rotation": run_tournament_rotation,
    "professional-probe": run_probe,
    "two-halves-deal": run_halves_deal,
    "hand-score": run_hand_score,
    "capacity": run_capacity,
    "double": run_double,
    "double-deck": run_double_deck,
    "nifty": run_nifty,
}
