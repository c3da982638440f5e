"""Whole board games, at random and greedy for cards, with everything looked at on the way."""

import random
from collections.abc import Iterator

import pytest

from bullpen.engine import Ask, Choice, Pass, Position, Seeded, UseSpecial, imagine, submit, view
from bullpen.engine.events import ReturnedToHand
from bullpen.game import Game, new_game
from bullpen.rulesets.boards.position import BoardPosition
from tests.games.board_tables import assert_conserved

GAMES = ("board-basic", "board-basic-luck", "board-expert", "board-expert-luck")
TABLES = [(game, players) for game in GAMES for players in range(2, 7)]
table = pytest.mark.parametrize(("game", "players"), TABLES)


def at_random(rng: random.Random, ask: Ask) -> Choice:
    return rng.choice(ask.options)


def greedily(rng: random.Random, ask: Ask) -> Choice:
    cards = [option for option in ask.options if isinstance(option, UseSpecial)]
    others = [option for option in ask.options if not isinstance(option, Pass)]
    return rng.choice(cards or others or list(ask.options))


def moments(game: str, players: int) -> Iterator[tuple[Game, random.Random]]:
    """Play a game at random and one greedily, and stop before every choice."""
    for seed, chooser in enumerate((at_random, greedily)):
        rng = random.Random(f"{game}/{players}/{seed}")
        running = new_game(game, players, seed=seed)
        while not running.over:
            yield running, rng
            ask = rng.choice(running.asks)
            running.choose(rng.choice(ask.seats), chooser(rng, ask))
        yield running, rng


@table
def test_tiles_and_cards_are_conserved(game: str, players: int) -> None:
    for running, _ in moments(game, players):
        assert_conserved(running.rules, running.position)


@table
def test_invariant_13_four_active_rows_and_scores_on_the_track(game: str, players: int) -> None:
    for running, _ in moments(game, players):
        position = running.position
        assert isinstance(position, BoardPosition)
        assert len(position.active) == 4
        assert all(-44 <= score <= 44 for score in position.scores)
        for row, spaces, printed in zip(position.rows, position.spaces, position.board, strict=True):
            assert len(row) == len(spaces) == len(set(spaces))
            assert list(spaces) == sorted(spaces)
            assert all(0 <= space < len(printed) for space in spaces)
        assert len(position.stops) <= 2
        between_tricks = running.asks and running.asks[0].kind == "commit"
        if game.startswith("board-basic") and between_tricks:
            assert len({len(hand) for hand in position.hands}) == 1


@table
def test_the_last_space_is_empty_between_placements(game: str, players: int) -> None:
    for running, _ in moments(game, players):
        position = running.position
        assert isinstance(position, BoardPosition)
        if running.asks and running.asks[0].kind == "commit":
            for spaces, printed in zip(position.spaces, position.board, strict=True):
                assert len(printed) - 1 not in spaces


@table
def test_imagination_fits_the_view(game: str, players: int) -> None:
    for running, rng in moments(game, players):
        if rng.random() < 0.15:
            for seat in (None, rng.randrange(players)):
                seen = running.view(seat)
                imagined = imagine(running.rules, seen, rng)
                assert view(running.rules, imagined, seat) == seen
                assert_conserved(running.rules, imagined)


def something_came_to_light(before: Position, after: Position) -> bool:
    """Whether the viewer may have learnt a hidden card: by drawing it, or by the next trick or the end."""
    assert isinstance(before, BoardPosition)
    assert isinstance(after, BoardPosition)
    piles = [(len(each.deck), len(each.action_deck)) for each in (before, after)]
    return after.result is not None or after.trick != before.trick or piles[0] != piles[1]


@table
def test_hidden_cards_never_show(game: str, players: int) -> None:
    """Deal what a seat cannot see differently: its view stays the same, also after somebody goes on."""
    for running, rng in moments(game, players):
        if running.over or running.asks[0].kind == "commit" or rng.random() < 0.5:
            continue
        rules, position, ask = running.rules, running.position, running.asks[0]
        player = ask.seats[0]
        seat = rng.choice([None, *(other for other in range(players) if other != player)])
        imagined = imagine(rules, running.view(seat), rng)
        assert view(rules, imagined, seat) == running.view(seat)
        # The first option (to go on, or a public choice) is there in every world.
        here, told_here = submit(rules, position, player, ask.options[0], Seeded(1))
        there, told_there = submit(rules, imagined, player, ask.options[0], Seeded(1))
        if not something_came_to_light(position, here):
            assert view(rules, here, seat) == view(rules, there, seat)
            assert [event.seen_by(seat) for event in told_here] == [
                event.seen_by(seat) for event in told_there
            ]


@table
def test_tiles_seen_going_behind_a_screen_are_known_there(game: str, players: int) -> None:
    for running, _ in moments(game, players):
        for event in running.events:
            if isinstance(event, ReturnedToHand):
                hand, known = running.position.hands[event.seat], running.position.known[event.seat]
                assert all(tile in known for tile in event.cards if tile in hand)


@pytest.mark.parametrize("game", GAMES[2:])
def test_greedy_games_play_every_kind_of_action_card(game: str) -> None:
    played = set()
    for players in range(2, 7):
        for running, _ in moments(game, players):
            played |= (
                set(running.position.action_discard) if isinstance(running.position, BoardPosition) else set()
            )
    assert played == {"stop", "exchange", "skip", "start", "ascending", "another"}
