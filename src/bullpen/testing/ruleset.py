"""Whether a ruleset is a game of the family: everything that our own games are held to."""

import random
from collections.abc import Callable
from typing import Any

import msgspec

from bullpen.engine import (
    BullpenError,
    Event,
    IllegalChoice,
    PlayCard,
    Position,
    Ruleset,
    Seat,
    Seeded,
    imagine,
    preview,
    submit,
    view,
)
from bullpen.game import Game
from bullpen.records import Record, check
from bullpen.testing.charges import check_charges, check_heads
from bullpen.testing.claims import claim
from bullpen.testing.declarations import check_declarations, check_furnished
from bullpen.testing.positions import check_position, undeclared
from bullpen.testing.secrecy import check_events, check_view
from bullpen.testing.surfaces import Tried, try_surfaces
from bullpen.testing.tables import Chooser, agreements, at_random, eagerly, player_counts, step

MOST_CHOICES = 20_000
"""A game that goes on after so many choices is taken to go on for ever, unless its author knows better."""


def check_ruleset(
    kind: type[Ruleset[Any]], *, games: int = 1, seed: int = 1, most_choices: int = MOST_CHOICES
) -> Tried:
    """Raise `Broken` with a sentence unless a ruleset keeps every promise of the family.

    At the smallest, a middle and the largest table, games are played at random and eagerly with special
    cards. After every choice every card is in exactly one place, every question can be answered and every
    step be done; at many moments nothing hidden shows, imagined positions look right, copies are
    independent, and a record replays to the same position. The same seed gives the same game. Every value of
    every option can be played. At its largest table it is played through the environments, the terminal and
    the server as far as they are installed; what was left out is returned. The ruleset need not be installed
    or registered. More `games` find more. A game has to end within `most_choices`.
    """
    check_declarations(kind)
    for players in player_counts(kind):
        for number in range(games):
            for chooser in (at_random, eagerly):
                check_game(kind(players), seed + number, chooser, most_choices=most_choices)
        for number in range(4 * games):
            check_events(kind(players), seed + number)
    check_determinism(kind(player_counts(kind)[0]), seed)
    for options in agreements(kind):
        check_agreement(kind, options, seed)
    return try_surfaces(kind, seed)


def check_game(
    rules: Ruleset[Any],
    seed: int,
    chooser: Chooser = at_random,
    also: Callable[[Game], None] | None = None,
    most_choices: int = MOST_CHOICES,
) -> Game:
    """Play a whole game, claiming everything on the way (and `also` what else must hold), and return it."""
    game, rng = Game(rules, Seeded(seed)), random.Random(seed)
    check_heads(rules, game.position)
    for choices in range(most_choices):
        if game.over:
            break
        if rng.random() < min(0.1, 10 / (choices + 1)):
            check_moment(game, rng)
        before = game.position.points[:]
        step(game, rng, chooser)
        check_position(rules, game.position)
        check_charges(game, before)
        check_furnished(rules, game.position)
        check_news(rules, game.events)
        if also is not None:
            also(game)
        found = undeclared(rules, game.position)
        claim(
            not found,
            f"{rules.id}: {sorted(found)} hold something; make them zones or name them in `open_fields`.",
        )
    claim(
        game.over,
        f"{rules.id}: the game with {rules.players} players has not ended after {most_choices} choices.",
    )
    check_result(game)
    check_record(game)
    return game


def check_moment(game: Game, rng: random.Random) -> None:
    """Claim what costs more: secrecy, imagination, previews, copies, refusals and the record so far."""
    rules, position = game.rules, game.position
    seat = rng.choice([None, *range(rules.players)])
    check_view(rules, position, seat, rng)
    check_imagination(rules, position, seat, rng)
    check_preview(rules, position, rng)
    check_copies(rules, position, rng)
    check_refusal(game, rng)
    check_record(game)


def check_imagination(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> None:
    """Whatever a seat imagines is a possible position and looks to it like what it sees."""
    seen = view(rules, position, seat)
    imagined = imagine(rules, seen, rng)
    check_position(rules, imagined)
    claim(
        view(rules, imagined, seat) == seen,
        f"{rules.id}: what seat {seat} imagines does not look like what it sees; check `whereabouts`.",
    )


def check_preview(rules: Ruleset[Any], position: Position, rng: random.Random) -> None:
    """Every answer can be previewed, which changes nothing."""
    ask = rng.choice(position.open_asks)
    seen = view(rules, position, ask.seats[0])
    for option in rng.sample(ask.options, min(8, len(ask.options))):
        preview(rules, seen, option)
    claim(
        seen == view(rules, position, ask.seats[0]),
        f"{rules.id}: a preview of {ask.kind!r} has changed the view.",
    )


def check_copies(rules: Ruleset[Any], position: Position, rng: random.Random) -> None:
    """A submitted choice leaves the old position as it was, and neither follows the other."""
    before = _written(position)
    ask = rng.choice(position.open_asks)
    after, _ = submit(rules, position, ask.seats[0], rng.choice(ask.options), Seeded("elsewhere"))
    scramble(after)
    shared = [name for name, text in _written(position).items() if text != before[name]]
    claim(
        not shared,
        f"{rules.id}: a position and its copy share {shared}: hold immutable values, or extend `copy_lists`.",
    )


def _written(position: Position) -> dict[str, str]:
    """Return every field as a text, which no copy can share."""
    return {name: repr(getattr(position, name)) for name in position.__struct_fields__}


def scramble(position: Position) -> None:
    """Spoil everything that a position could share with another."""
    for field in position.__struct_fields__:
        value = getattr(position, field)
        if isinstance(value, list):
            for item in value:
                if isinstance(item, list):
                    item.append(-1)
            value.append(-1)
        if isinstance(value, dict):
            value[-1] = None


def check_refusal(game: Game, rng: random.Random) -> None:
    """A choice that is not among the options is refused, and changes nothing."""
    seat, nonsense = rng.randrange(-1, game.rules.players + 1), PlayCard(9999)
    before = game.position.copy()
    try:
        game.choose(seat, nonsense)
    except IllegalChoice:
        claim(game.position == before, f"{game.rules.id}: a refused choice has changed the position.")
    else:
        claim(False, f"{game.rules.id}: seat {seat} could play the card 9999.")


def check_news(rules: Ruleset[Any], events: tuple[Event, ...]) -> None:
    """Every event can be sent, and those of the game's own are declared."""
    for event in events:
        kind = type(event)
        ours = kind.__module__.startswith("bullpen.engine.")
        claim(ours or kind in rules.own_events, f"{rules.id}: name {kind.__name__} in `own_events`.")
        msgspec.json.encode(event)


def check_result(game: Game) -> None:
    """There are as many scores and ranks as seats."""
    result, rules = game.result, game.rules
    assert result is not None
    counts = {len(result.scores), len(result.ranks)}
    claim(
        counts == {rules.players},
        f"{rules.id}: the result has not one score and one rank for every seat: {result}.",
    )
    claim(min(result.ranks) == 1, f"{rules.id}: nobody is first: {result.ranks}.")
    claim(result.reason, f"{rules.id}: the result does not say why the game ended.")
    claim(
        (result.won is not None) == rules.cooperative,
        f"{rules.id}: a game is won together if, and only if, its furniture has a team.",
    )


def check_record(game: Game) -> None:
    """Saved, loaded and replayed, a game is the same game."""
    record = Record.loads(game.record.dumps())
    claim(record == game.record, f"{game.rules.id}: a record is not the same when it is read back.")
    try:
        position = check(record, game.rules)
    except BullpenError as error:
        claim(False, f"{game.rules.id}: a record cannot be replayed: {error}")
    else:
        claim(
            _without_news(position) == _without_news(game.position),
            f"{game.rules.id}: a record replays to another position; is there randomness that is no shuffle?",
        )


def _without_news(position: Position) -> Position:
    twin = position.copy()
    twin.news = []
    return twin


def check_determinism(rules: Ruleset[Any], seed: int) -> None:
    """The same seed and the same choices give the same events."""
    one, other = _told(rules, seed), _told(rules, seed)
    claim(one == other, f"{rules.id}: the same seed and the same choices gave two games.")


def _told(rules: Ruleset[Any], seed: int) -> list[tuple[Event, ...]]:
    game, rng = Game(rules, Seeded(seed)), random.Random(seed)
    events = [game.events]
    while not game.over and len(events) < 200:
        events.append(step(game, rng, eagerly))
    return events


def check_agreement(kind: type[Ruleset[Any]], options: dict[str, Any], seed: int) -> None:
    """A game with these options can be played for a while."""
    counts = kind.player_counts({option.key: option.default for option in kind.offers} | options)
    rng = random.Random(seed)
    # The largest table has a seat for every option that names one.
    game = Game(kind(counts[-1], options), Seeded(seed))
    for _ in range(60):
        if game.over:
            return
        before = game.position.points[:]
        step(game, rng, eagerly)
        check_position(game.rules, game.position)
        check_charges(game, before)
    if not game.over:
        check_moment(game, rng)
