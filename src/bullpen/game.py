"""A game for people who script: position, chance and record in one object."""

import secrets
from array import array
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from typing import Any

from bullpen.engine import (
    Ask,
    BullpenError,
    Chance,
    Choice,
    Event,
    IllegalChoice,
    OptionValue,
    PlayCard,
    Position,
    RecordError,
    Result,
    Ruleset,
    Scripted,
    Seat,
    Seeded,
    UseSpecial,
    View,
    apply,
    find_ask,
    parse,
    view,
)
from bullpen.engine import new_game as deal_new_game
from bullpen.engine import retract as take_back
from bullpen.engine.chance import T
from bullpen.records import Deal, Entry, Record, check, rules_of
from bullpen.rulesets import make

MOST_SEATS, MOST_TRICKS = 2**8, 2**16


class _Noting:
    """Chance that writes down what it gave."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.given: list[tuple[str, tuple[int | str, ...]]] = []

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Shuffle and remember."""
        mixed = self.chance.shuffle(pile, cards)
        self.given.append((pile, tuple(mixed)))
        return mixed


class Game:
    """A running game: ask it what is open, choose for a seat, look at it through a seat's eyes.

    >>> game = Game(make("base", 2), Seeded(1))
    >>> [ask.kind for ask in game.asks]
    ['commit', 'commit']
    >>> events = game.choose(0, game.asks[0].options[0])
    >>> [ask.seats for ask in game.asks]
    [(1,)]
    """

    def __init__(self, rules: Ruleset[Any], chance: Chance, names: Sequence[str] = ()) -> None:
        if names and len(names) != rules.players:
            raise BullpenError(f"There are {len(names)} names for {rules.players} players.")
        if any("\ud800" <= letter <= "\udfff" for name in names for letter in name):
            raise BullpenError("A name holds half a letter, which cannot be written to a file.")
        self.rules = rules
        self.names = tuple(names)
        self._chance = _Noting(chance)
        self._deals: list[Deal] = []
        self._choices: list[Choice] = []
        self._from_the_deal = True
        """Whether the game was played from its first deal, so that a record can hold it."""
        self._moments = array("Q")
        """The round, trick and seat of each choice, in one number: a server holds many games in memory."""
        self.position: Position
        self.position, self.events = deal_new_game(rules, self._chance)
        self._note_deals()

    def __repr__(self) -> str:
        """Say which game it is and how far it has got.

        >>> new_game("base", players=2, seed=1)
        <Game base, 2 players, round 1, trick 1, waiting for 0, 1>
        """
        position, result = self.position, self.result
        seats = ", ".join(str(seat) for ask in self.asks for seat in ask.seats)
        now = f"waiting for {seats}" if result is None else f"over: {result.reason}"
        table = f"{self.rules.id}, {self.rules.players} players"
        return f"<Game {table}, round {position.round}, trick {position.trick}, {now}>"

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that nobody has answered yet."""
        return self.position.open_asks

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.result is not None

    @property
    def result(self) -> Result | None:
        """Scores and ranks, once the game has ended."""
        return self.position.result

    def choose(self, seat: Seat, choice: Choice | str | int) -> tuple[Event, ...]:
        """Answer the open question of a seat; a choice may be given in notation or as a card's number."""
        if not isinstance(choice, Choice):
            choice = _read(choice, self.position, seat)
        position = self.position
        ask = find_ask(position, seat, choice)
        self._choices.append(ask.options[ask.options.index(choice)])
        self._moments.append((position.round * MOST_TRICKS + position.trick) * MOST_SEATS + seat)
        # The game owns its position and the choice is known to be legal, so nothing needs to be copied.
        self.events = apply(self.rules, position, ask, seat, choice, self._chance)
        if self._chance.given:
            self._note_deals()
        return self.events

    def retract(self, seat: Seat) -> tuple[Event, ...]:
        """Take a hidden answer back, possible until the last one is in."""
        self.position, self.events = take_back(self.rules, self.position, seat)
        latest = max(index for index, moment in enumerate(self._moments) if moment % MOST_SEATS == seat)
        del self._choices[latest], self._moments[latest]
        return self.events

    def view(self, seat: Seat | None = None) -> View:
        """Return what a seat (None: a spectator) may know."""
        return view(self.rules, self.position, seat)

    @property
    def record(self) -> Record:
        """The game so far, ready to be saved."""
        if not self._from_the_deal:
            raise RecordError("a game that was set up by hand has no record: nobody knows what came before.")
        return Record(
            game=self.rules.id,
            behaviour=self.rules.behaviour,
            players=self.rules.players,
            options={
                option.key: self.rules.options[option.key]
                for option in self.rules.offers
                if self.rules.options[option.key] != option.default
            },
            names=self.names,
            deals=self._deals[:],
            choices=[
                Entry(
                    moment // MOST_SEATS // MOST_TRICKS,
                    moment // MOST_SEATS % MOST_TRICKS,
                    moment % MOST_SEATS,
                    choice.notation,
                )
                for moment, choice in zip(self._moments, self._choices, strict=True)
            ],
            result=self.result,
        )

    @classmethod
    def from_record(cls, record: Record, chance: Chance | None = None) -> "Game":
        """Return the game that a record holds, to be played on with new chance."""
        return cls.at(record, len(record.choices), chance)

    @classmethod
    def at(cls, record: Record, moment: int, chance: Chance | None = None) -> "Game":
        """Return a recorded game after so many choices, to be played on in another way with new chance.

        >>> game = new_game("base", players=2, seed=1)
        >>> for _ in range(6):
        ...     events = game.choose(game.asks[0].seats[0], game.asks[0].options[0])
        >>> Game.at(game.record, 4).position.trick, game.position.trick
        (2, 3)
        """
        if type(moment) is not int or not 0 <= moment <= len(record.choices):
            raise RecordError(f"there is no moment {moment}: the record has {len(record.choices)} choices.")
        check(record)
        return cls.resumed(record, moment, chance or Seeded(secrets.randbits(64)), record.names)

    @classmethod
    def resumed(cls, record: Record, moment: int, chance: Chance, names: Sequence[str]) -> "Game":
        """Return a game as `at` does, of a record that is known to be sound, with these names."""
        written = Scripted((deal.pile, deal.cards) for deal in record.deals)
        game = cls(rules_of(record), written, names)
        for entry in record.choices[:moment]:
            game.choose(entry.seat, entry.notation)
        game._chance.chance = chance
        return game

    def copy(self, chance: Chance | None = None) -> "Game":
        """Return a game of its own at the same point, for trying something out.

        Its deals are those that this game would get, unless other chance is given.

        >>> game = new_game("base", players=2, seed=1)
        >>> other = game.copy()
        >>> events = other.choose(0, other.asks[0].options[0])
        >>> len(game.asks), len(other.asks)
        (2, 1)
        """
        other = copy(self)
        other.position = self.position.copy()
        other._chance = _Noting(chance or deepcopy(self._chance.chance))
        other._deals, other._choices, other._moments = self._deals[:], self._choices[:], self._moments[:]
        return other

    @classmethod
    def set_up(
        cls, rules: Ruleset[Any], position: Position, chance: Chance, names: Sequence[str] = ()
    ) -> "Game":
        """Return a game that begins with a position in the middle of it; `bullpen.position` makes such."""
        game = cls.ended(rules, position, names)
        game._chance, game._from_the_deal = _Noting(chance), False
        return game

    @classmethod
    def ended(cls, rules: Ruleset[Any], position: Position, names: Sequence[str]) -> "Game":
        """Return a finished game of which only the end is known."""
        game = cls.__new__(cls)
        game.rules, game.names, game.position, game.events = rules, tuple(names), position, ()
        game._chance, game._deals = _Noting(Scripted([])), []
        game._choices, game._moments, game._from_the_deal = [], array("Q"), True
        return game

    def _note_deals(self) -> None:
        number = max(1, self.position.round)
        self._deals += [Deal(number, pile, cards) for pile, cards in self._chance.given]
        self._chance.given.clear()


def _read(written: object, position: Position, seat: Seat) -> Choice:
    """Return the choice that a number or a text stands for; a special card without targets needs no colon."""
    if type(written) is int:
        return PlayCard(written)
    if isinstance(written, str):
        bare = UseSpecial(written.strip())
        asked = any(seat in ask.seats and bare in ask.options for ask in position.asks)
        return bare if asked else parse(written)
    raise IllegalChoice(f"{str(written)[:40]!r} is not a choice.")


def new_game(
    game: str,
    players: int,
    seed: int | str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    names: Sequence[str] = (),
    behaviour: int | None = None,
) -> Game:
    """Start a game by its id; the same seed gives the same deals.

    It is played under the rules of today, or under an earlier behaviour of them.

    >>> new_game("base", players=4, seed=7).view(0).hand
    [18, 24, 28, 34, 38, 40, 44, 62, 71, 87]
    """
    rules = make(game, players, options, behaviour)
    return Game(rules, Seeded(secrets.randbits(64) if seed is None else seed), names)
