"""Every event has a sentence."""

import random
import re
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from bullpen.engine import Event, Furniture, Played, Result, Seeded, Team, events
from bullpen.game import Game
from bullpen.rulesets import games
from bullpen.terminal import draw, words
from bullpen.terminal.words import NAMES, QUIET, called, name, tell
from bullpen.testing import eagerly, step
from tests.strategies import GAMES, short

TABLE = called(NAMES, Furniture())


def kinds(parent: type[Event] = Event) -> list[type[Event]]:
    """Return every kind of event that the engine and the games know."""
    games()
    return [kind for child in parent.__subclasses__() for kind in (child, *kinds(child))]


def sample(hint: Any) -> Any:
    """Return some value of a type."""
    if hint is Result:
        return Result((3, 9), (1, 2), "somebody reached 66")
    if hint is Played:
        return Played(31, 1, 13)
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return (sample(inner[0]),) * 2 if inner[-1] is Ellipsis else tuple(sample(part) for part in inner)
    plain = {int: 1, str: "stop", bool: True}
    if hint in plain:
        return plain[hint]
    return sample(get_args(hint)[0])


def made(kind: type[Event]) -> Event:
    """Return an event of a kind."""
    hints = get_type_hints(kind)
    return kind(**{field: sample(hints[field]) for field in kind.__struct_fields__})


KINDS = sorted(
    (kind for kind in kinds() if kind.__module__.startswith("bullpen.")),
    key=lambda kind: (kind.__module__, kind.__name__),
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_is_told_in_a_sentence_of_its_own(kind: type[Event]) -> None:
    event = made(kind)
    told = tell(event, TABLE)
    if isinstance(event, QUIET):
        assert told is None
        return
    assert told is not None
    assert told.endswith(".")
    assert told == told.strip()
    assert "\n" not in told
    assert "{" not in told
    assert "None" not in told
    assert "(" not in told or "((" not in told
    assert kind.__name__ not in told, "this kind of event has no sentence of its own"


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_told_in_sentences(game: str) -> None:
    for players in {games()[game].player_range[0], games()[game].player_range[-1]}:
        running = Game(short(game, players), Seeded(players))
        names = called(NAMES, running.rules.furniture)
        rng = random.Random(players)
        happened = [*running.events]
        while not running.over:
            happened += step(running, rng, eagerly)
        for event in happened:
            for seat in (None, 0):
                seen = event.seen_by(seat)
                told = tell(seen, names) if seen is not None else None
                assert told is None or (told.endswith(".") and "\n" not in told and "  " not in told), event
                # Nobody is nameless, and a special card has its title, not what notation calls it.
                assert told is None or "?" not in told, event
                assert told is None or not re.search(r"\bseven\b|take-7|-card\b", told), event


TOLD = [
    (events.RoundStarted(2), "Round 2."),
    (events.Dealt(0, (3, 8)), "Ann gets 3, 8."),
    (events.Dealt(0, (0, 0)), "Ann gets 2 cards."),
    (events.Dealt(0, (0,)), "Ann gets 1 card."),
    (events.RowsStarted(((7, 7), (9,))), "The rows start with 7, 7 | 9."),
    (events.Revealed((Played(31, 1, 13), Played(20, 0, 20))), "The cards: Ben 31 as 13, Ann 20."),
    (events.Took(1, 0, (5,), 2, "low"), "Ben takes row 1: 5, 2 bullheads (the card fits nowhere)."),
    (
        events.Took(1, 0, (1, 2, 3, 4, 6), 5, "full"),
        "Ben takes row 1: 1, 2, 3, 4, 6, 5 bullheads (the row is full).",
    ),
    (events.Took(1, 0, (1,), 1, "low"), "Ben takes row 1: 1, 1 bullhead (the card fits nowhere)."),
    (events.RoundEnded(1, (3, 0), (13, 5)), "Round 1 is over: Ann +3 = 13, Ben +0 = 5."),
    (
        events.GameEnded(Result((3, 3), (1, 1), "somebody reached 66")),
        "Ann and Ben won (somebody reached 66).",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=[type(event).__name__ for event, _ in TOLD])
def test_events_in_plain_english(event: Event, sentence: str) -> None:
    assert tell(event, TABLE) == sentence


def test_a_game_against_the_table_is_won_or_lost() -> None:
    for won, word in ((True, "won"), (False, "lost")):
        told = tell(events.GameEnded(Result((9,), (1,), "the round is over", won=won, against=4)), TABLE)
        assert told is not None
        assert word in told
        assert "9 against 4" in told


def test_a_teams_opponent_has_its_own_name() -> None:
    names = called(NAMES, Furniture(team=Team("Wolf", opponent_seat=-2)))
    assert (name(names, 0), name(names, -2)) == ("Ann", "Wolf")
    assert tell(events.Placed(-2, 45, 3, 1), names) == "Wolf's 45 goes to row 4, place 2."


@pytest.mark.parametrize("bad", ["\x1b[2J", "a\nb", "\x00", "\u202e"])
def test_a_name_that_cannot_be_printed_is_made_printable(bad: str) -> None:
    assert name(called((bad,), Furniture()), 0).isprintable()


@pytest.mark.parametrize("game", GAMES)
def test_every_table_can_be_drawn(game: str) -> None:
    from rich.console import Console

    running = Game(short(game, games()[game].player_range[-1]), Seeded(1))
    names = called(NAMES, running.rules.furniture)
    rng = random.Random(1)
    for _ in range(25):
        for seat in (None, 0):
            now = running.view(seat)
            console = Console(width=200, record=True, file=__import__("io").StringIO())
            console.print(
                draw.rows(now),
                draw.holdings(now, names),
                draw.seats(now, names),
                draw.line(now.hand),
                sep="\n",
            )
            drawn = console.export_text()
            for row in now.rows:
                assert all(str(card) in drawn for card in row)
            assert "Ann" in drawn
            # What Python would print is not what a person reads.
            assert not [sign for sign in ("['", "((", "[[", "=", "None") if sign in drawn]
        if not running.over:
            step(running, rng)


def test_cards_face_down_are_drawn_as_backs() -> None:
    assert draw.card(0).plain.strip() == "▒▒"
    assert draw.card(55).plain == " 55⁷"
    assert words.cards(()) == "nothing"
