"""Positions that are set up by hand, and positions as text."""

import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_type_hints

import msgspec
from msgspec import Struct, field

from bullpen.engine import (
    NOBODY,
    NUMBERS,
    BullpenError,
    OptionValue,
    Position,
    Ruleset,
    Seeded,
    Step,
    Zone,
    find_ask,
    go_on,
    new_game,
    parse,
    refuse_files,
)
from bullpen.engine.misread import misread
from bullpen.game import Game
from bullpen.rulesets import find, make

FORMAT = "bullpen-position"
VERSION = 1
MOST_LETTERS = 200_000
DERIVED = frozenset({"players", "asks", "answers", "news", "result"})
"""Fields of a position that follow from the others, or are written in their own way."""


class BadPosition(BullpenError):
    """No game can come to this position."""


class Document(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A position as it stands in a file: its fields by name, and the open questions."""

    format: Literal["bullpen-position"] = "bullpen-position"
    version: int = VERSION
    game: str
    players: int
    options: dict[str, OptionValue] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    position: dict[str, Any]
    asks: list[tuple[str, tuple[int, ...], tuple[int | str, ...]]] = field(default_factory=list)
    """Kind, seats, and what the question is about; without any, the game goes on from its agenda."""
    answers: dict[int, str] = field(default_factory=dict)


def position(
    game: str,
    rows: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    *,
    options: Mapping[str, OptionValue] | None = None,
    names: Sequence[str] = (),
    seed: int | str = 0,
    **fields: Any,
) -> Game:
    """Return a game that begins with these rows and hands, at its next question.

    All other fields of the game's position may be given by name: `piles`, `scores`, `points`, `table` (cards
    being placed, as pairs of card and seat), `deck`, `round`, and what the game has of its own. What is not
    given is as after a deal. Cards that are named nowhere lie in the deck or, where all cards are dealt,
    aside; special cards that are named nowhere lie in their pile. The seed mixes the decks, now and later.

    >>> game = position("tactics", rows=[[10, 13], [6], [14, 17, 18], [7, 9]], hands=[[1, 19], [2, 23]])
    >>> game
    <Game tactics, 2 players, round 1, trick 9, waiting for 0, 1>
    >>> position("base", rows=[[10], [20], [30], [40]], hands=[[1, 10], [2, 3]])
    Traceback (most recent call last):
    ...
    bullpen.positions.BadPosition: The card 10 lies in two places: hands and rows.
    """
    if "table" in fields:
        fields["table"] = [_played(laid) for laid in fields["table"]]
    return _set_up(make(game, len(hands), options), {"rows": rows, "hands": hands, **fields}, seed, names)


def _set_up(rules: Ruleset[Any], given: Mapping[str, Any], seed: int | str, names: Sequence[str]) -> Game:
    """Lay the cards out, and let the game go on."""
    chance = Seeded(seed)
    made = _laid_out(rules, given, chance)
    rules.resume(made)
    _check(rules, made)
    return _running(rules, made, chance, names)


def _played(laid: Any) -> Any:
    """Return a card on the table that was given as a pair."""
    if isinstance(laid, Sequence) and len(laid) == 2:
        card, seat = laid
        return {"card": card, "seat": seat, "value": card}
    return laid


def _laid_out(rules: Ruleset[Any], given: Mapping[str, Any], chance: Seeded) -> Position:
    """Return a fresh deal in which the given fields replace those that were dealt."""
    made: Position
    made, _ = new_game(rules, Seeded("laid out"))
    dealt_out = not made.deck
    made.agenda, made.asks, made.answers, made.news = [], (), {}, []
    numbers = [zone.field for zone in rules.zones if zone.family == NUMBERS]
    for name in numbers:
        held = getattr(made, name)
        per_seat = isinstance(held, list) and held and isinstance(held[0], list)
        setattr(made, name, [[] for _ in held] if per_seat else type(held)())
    made.known = [[] for _ in range(rules.players)]
    _set_fields(rules, made, given)
    for hand in made.hands:
        hand.sort()
    if "piles" in given and "points" not in given:
        made.points = [rules.bullheads(pile) for pile in made.piles]
    if "trick" not in given:
        made.trick = max(0, int(getattr(rules, "hand_size", 0)) - max(map(len, made.hands), default=0))
    if "deck" not in given:
        left = Counter(rules.universe(NUMBERS))
        left.subtract(card for zone in rules.zones if zone.family == NUMBERS for card in zone.cards(made))
        rest = sorted(left.elements())
        if dealt_out:
            made.aside = [*made.aside, *rest]
        else:
            made.deck = chance.shuffle("deck", rest)
    for family in sorted({zone.family for zone in rules.zones} - {NUMBERS}):
        _hide_rest(rules, made, given, family, chance)
    return made


def _hide_rest(
    rules: Ruleset[Any], made: Position, given: Mapping[str, Any], family: str, chance: Seeded
) -> None:
    """Where special cards of a family are given, put those named nowhere face down to their first pile."""
    zones = [zone for zone in rules.zones if zone.family == family]
    piles = [zone.field for zone in zones if zone.sight == NOBODY and zone.field not in given]
    if not piles or not any(zone.field in given for zone in zones):
        return
    left = Counter(rules.universe(family))
    left.subtract(card for zone in zones if zone.field not in piles for card in zone.cards(made))
    rest = chance.shuffle(piles[0], sorted(left.elements()))
    for name in piles[1:]:
        size = len(getattr(made, name))
        setattr(made, name, rest[:size])
        del rest[:size]
    setattr(made, piles[0], rest)


def _set_fields(rules: Ruleset[Any], made: Position, given: Mapping[str, Any]) -> None:
    """Put values into fields, if they are of the right kind."""
    hints = get_type_hints(type(made))
    allowed = sorted(set(made.__struct_fields__) - DERIVED)
    for name, value in given.items():
        if name not in allowed:
            raise BadPosition(
                f"A position of {rules.id} has no {str(name)[:40]!r}; it has {', '.join(allowed)}."
            )
        try:
            setattr(made, name, msgspec.convert(_plain(value), type=hints[name]))
        except msgspec.ValidationError as error:
            raise BadPosition(f"{name} cannot be this: {misread(error)}.") from None


def _plain(value: Any) -> Any:
    """Return ranges and other sequences as lists."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in value]
    return value


# What must hold.


def _check(rules: Ruleset[Any], made: Position) -> None:
    """Raise one sentence about the first thing that cannot be."""
    _check_counts(rules, made)
    _check_cards(rules, made)
    _check_rows(rules, made)
    for played in made.table:
        if not -1 <= played.seat < rules.players:
            raise BadPosition(
                f"The {played.card} on the table belongs to seat {played.seat}, which is nobody."
            )


def _check_counts(rules: Ruleset[Any], made: Position) -> None:
    """There are as many lists as there are seats and rows."""
    fresh: Position
    fresh, _ = new_game(rules, Seeded("laid out"))
    for name in ("hands", "piles", "points", "scores", "known"):
        held, wanted = len(getattr(made, name)), len(getattr(fresh, name))
        if held != wanted:
            raise BadPosition(
                f"{name} has {held} entries, but {rules.id} with {rules.players} players has {wanted}."
            )
    rows = rules.rows_on_table(made)
    if len(made.rows) != rows:
        raise BadPosition(f"{rules.id} has {rows} rows, not {len(made.rows)}.")
    for count in (made.round, made.trick, *made.points, *made.scores):
        if not -(10**6) < count < 10**6:
            raise BadPosition(f"{count} is too large a number.")


def _check_cards(rules: Ruleset[Any], made: Position) -> None:
    """Every card is in exactly one place."""
    for family in sorted({zone.family for zone in rules.zones}):
        zones = [zone for zone in rules.zones if zone.family == family]
        universe = Counter(rules.universe(family))
        lying = Counter(card for zone in zones for card in zone.cards(made))
        for card, count in lying.items():
            if not universe[card]:
                raise BadPosition(
                    f"There is no card {str(card)[:20]} in {rules.id} with {rules.players} players."
                )
            if count > universe[card]:
                raise BadPosition(_too_many(made, zones, card, universe[card]))
        missing = universe - lying
        if missing:
            some = ", ".join(str(card) for card in sorted(missing, key=str)[:5])
            raise BadPosition(f"Some cards lie nowhere: {some}.")
    for seat, (hand, known) in enumerate(zip(made.hands, made.known, strict=True)):
        gone = Counter(known) - Counter(hand)
        if gone:
            raise BadPosition(f"known says that seat {seat} holds {min(gone)}, but it does not.")


def _too_many(made: Position, zones: Sequence[Zone], card: Any, most: int) -> str:
    """Say where a card lies that there are not so many of."""
    where = [zone.field for zone in zones for held in zone.cards(made) if held == card]
    each = Counter(where)
    if most == 1 and len(each) == len(where) == 2:
        return f"The card {card} lies in two places: {' and '.join(where)}."
    places = " and ".join(f"{count} in {name}" for name, count in each.items())
    there = f"is one card {card}" if most == 1 else f"are {most} cards {card}"
    return f"There {there}, but {len(where)} are laid out: {places}."


def _check_rows(rules: Ruleset[Any], made: Position) -> None:
    """Rows hold at least a card, at most as many as they can, and ascend where the game has them ascend."""
    if getattr(made, "display", ()):
        return
    limits = rules.row_limits(made)
    if limits is None:
        return
    for number, (row, limit) in enumerate(zip(made.rows, limits, strict=True), start=1):
        if not row and number - 1 not in getattr(made, "must_fill", ()):
            raise BadPosition(f"Row {number} is empty; a row always has a card.")
        if len(set(row)) > limit:
            raise BadPosition(f"Row {number} has {len(row)} cards, but there is room for {limit}.")
        if getattr(rules, "ascending", False) and any(low > high for low, high in pairwise(row)):
            raise BadPosition(f"Row {number} does not ascend: {' '.join(map(str, row))}.")


def _running(rules: Ruleset[Any], made: Position, chance: Seeded, names: Sequence[str]) -> Game:
    """Return the game at its next question."""
    try:
        go_on(rules, made, chance)
    except BullpenError:
        raise
    except Exception as error:  # whatever a step finds wrong means that nobody can get here
        raise BadPosition(f"The game cannot go on from there ({type(error).__name__}).") from None
    _check_questions(rules, made)
    made.news = []
    return _named(rules, made, chance, names)


def _named(rules: Ruleset[Any], made: Position, chance: Seeded, names: Sequence[str]) -> Game:
    """Return a game with a name for every seat, or for none."""
    if names and len(names) != rules.players:
        raise BadPosition(f"There are {len(names)} names for {rules.players} players.")
    return Game.set_up(rules, made, chance, names)


def _check_questions(rules: Ruleset[Any], made: Position) -> None:
    """Every question has an answer; where all play by the plain rules, they hold equally many cards."""
    for ask in made.asks:
        if not ask.options:
            raise BadPosition(f"Seat {ask.seats[0]} is asked something that it cannot answer: {ask.prompt}")
    sizes = {len(made.hands[ask.seats[0]]) for ask in made.asks if ask.kind == "commit"}
    if len(sizes) > 1 and getattr(rules, "ascending", False):
        raise BadPosition(f"The hands have {' and '.join(map(str, sorted(sizes)))} cards; all must be equal.")


# Positions as text.


def dumps(game: Game) -> str:
    """Return the position of a game as text: all that is needed to play on from there.

    >>> game = position("base", rows=[[10], [20], [30], [40]], hands=[[1, 11], [2, 3]])
    >>> loads(dumps(game)).position == game.position
    True
    """
    rules, now = game.rules, game.position
    if now.result is not None:
        raise BadPosition("The game is over: there is nothing to play on.")
    plain = type(now)(now.players)
    fields = {
        name: msgspec.to_builtins(getattr(now, name))
        for name in now.__struct_fields__
        if name not in DERIVED and getattr(now, name) != getattr(plain, name)
    }
    written = Document(
        game=rules.id,
        players=rules.players,
        options={
            offer.key: rules.options[offer.key]
            for offer in rules.offers
            if rules.options[offer.key] != offer.default
        },
        names=game.names,
        position=fields,
        asks=[(ask.kind, ask.seats, ask.about) for ask in now.asks],
        answers={seat: choice.notation for seat, choice in now.answers.items()},
    )
    body = {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(written, str_keys=True)}
    return msgspec.json.format(msgspec.json.encode(body), indent=1).decode() + "\n"


def loads(text: str, seed: int | str = 0) -> Game:
    """Return the game that a text describes: a document of `dumps`, or one line.

    A line is the game, its rows, its hands and, if they matter, the bull piles:

    >>> loads("tactics: 10 13 / 6 / 14 17 18 / 7 9 | 1 19 / 2 23").view(1).hand
    [2, 23]
    """
    if len(text) > MOST_LETTERS:
        raise BadPosition("The text is too long for a position.")
    if not text.lstrip().startswith("{"):
        return _from_line(text, seed)
    try:
        read = msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadPosition(f"This is not a position: {misread(error)}.") from None
    if read.version != VERSION:
        raise BadPosition(f"This position is of version {read.version}; this program reads {VERSION}.")
    return _from_document(read, Seeded(seed))


def _from_line(text: str, seed: int | str) -> Game:
    """Read `game: rows | hands | piles`, with / between rows and between seats."""
    game, colon, rest = text.strip().partition(":")
    parts = rest.split("|")
    if not colon or len(parts) not in (2, 3):
        raise BadPosition(
            "A position is written  game: rows | hands  or  game: rows | hands | piles,"
            " with a / between rows and between seats."
        )
    rows, hands, *piles = [[_numbers(cards) for cards in part.split("/")] for part in parts]
    given = {"rows": rows, "hands": hands, **({"piles": piles[0]} if piles else {})}
    return _set_up(make(game.strip(), len(hands)), given, seed, ())


def _numbers(text: str) -> list[int]:
    """Return the numbers of a text."""
    cards = text.replace(",", " ").split()
    for card in cards:
        if not (card.isascii() and card.isdecimal() and len(card) <= 4):
            raise BadPosition(f"{card[:20]!r} is not the number of a card.")
    return [int(card) for card in cards]


def _from_document(read: Document, chance: Seeded) -> Game:
    """Set up what a document says."""
    refuse_files(find(read.game).offers, read.options)
    rules = make(read.game, read.players, read.options)
    made: Position = rules.position_type(rules.players)
    _set_fields(rules, made, read.position)
    if not made.agenda and not read.asks:
        made = _laid_out(rules, read.position, chance)
        rules.resume(made)
    _check(rules, made)
    _check_agenda(rules, made)
    if not read.asks:
        return _running(rules, made, chance, read.names)
    _ask_again(rules, made, read)
    return _named(rules, made, chance, read.names)


def _check_agenda(rules: Ruleset[Any], made: Position) -> None:
    """Every step is one that the game has."""
    for step in made.agenda:
        if step.name == "shuffle":
            fine = len(step.args) == 1 and isinstance(getattr(made, str(step.args[0]), None), list)
        else:
            fine = not step.name.startswith("_") and _takes(getattr(rules, step.name, None), step)
        if not fine:
            raise BadPosition(f"{rules.id} has no step {step.name[:40]!r} with {len(step.args)} arguments.")


def _takes(method: Any, step: Step) -> bool:
    """Whether a method is a step that takes these arguments."""
    try:
        signature = inspect.signature(method)
        signature.bind(None, *step.args)
    except (TypeError, ValueError):
        return False
    return signature.return_annotation in (None, "None") and next(iter(signature.parameters)) == "position"


def _ask_again(rules: Ruleset[Any], made: Position, read: Document) -> None:
    """Let the rules ask what was asked, and note the answers."""
    for kind, seats, about in read.asks:
        if kind not in rules.questions or not seats or not set(seats) <= set(range(rules.players)):
            raise BadPosition(f"{rules.id} does not ask {kind[:40]!r} of seats {list(seats)[:10]}.")
        try:
            rules.ask(made, kind, *seats, about=about)
        except Exception:
            raise BadPosition(f"{kind!r} cannot be asked there.") from None
    _check_questions(rules, made)
    for seat, notation in read.answers.items():
        choice = parse(notation)
        find_ask(made, seat, choice)
        made.answers[seat] = choice
    if len(made.answers) >= len(made.asks):
        raise BadPosition("Every question is answered already.")


__all__ = ["BadPosition", "Document", "dumps", "loads", "position"]
