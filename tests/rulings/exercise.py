"""Plays games of every kind, special cards first, and prints which cited lines were run.

    python -m tests.rulings.exercise [GAME …]

Random play rarely meets the interesting corners, so the players here love special cards and whatever they
have done least so far. A game is played again and again, with other players, options and deals, until every
weighty ruling about it was met or the rounds are up. The same lines are found on every run.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from tests.rulings.citations import PACKAGE, Place, cited, load_weights

if TYPE_CHECKING:
    from bullpen.engine import Ask, Choice, Ruleset

LEAST_GAMES, MOST_GAMES = 30, 400
"""How many games of a kind are played at least, and at most while a ruling is still missing."""
MOST_CHOICES = 1500
"""A game that takes longer is left."""


class Footprints:
    """Notes which of the wanted lines are run; files and functions without any are not slowed down."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._wanted: dict[str, set[int]] = {}
        for place in places:
            self._wanted.setdefault(str(PACKAGE / place.file), set()).update(place.lines)
        self._open: dict[CodeType, set[int]] = {}
        self.found: dict[str, set[int]] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Follow a call if lines of the function are still wanted."""
        code = frame.f_code
        if code not in self._open:
            lines = {line for _, _, line in code.co_lines() if line is not None} | {code.co_firstlineno}
            self._open[code] = lines & self._wanted.get(code.co_filename, set())
        wanted = self._open[code]
        self._note(code, code.co_firstlineno)
        return self._follow if wanted else None

    def _follow(self, frame: FrameType, event: str, arg: Any) -> Any:
        self._note(frame.f_code, frame.f_lineno)
        return self._follow

    def _note(self, code: CodeType, line: int) -> None:
        wanted = self._open[code]
        if line in wanted:
            wanted.discard(line)
            self.found.setdefault(code.co_filename[len(str(PACKAGE)) + 1 :].replace("\\", "/"), set()).add(
                line
            )

    def passed(self, place: Place) -> bool:
        """Return whether one of the lines of a place was run."""
        return not place.lines.isdisjoint(self.found.get(place.file, ()))


class Player:
    """Chooses for all seats: in most games special cards before all else, in some it hoards them."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._liking = random.choice((4.0, 4.0, 1.0, 0.02))
        self._done: Counter[str] = Counter()

    def choose(self, ask: "Ask") -> "Choice":
        """Choose a kind of answer, rather one that was rare so far, and then any answer of that kind."""
        kinds: dict[str, list[Choice]] = {}
        for option in ask.options:
            kinds.setdefault(self._kind(option), []).append(option)
        (kind,) = self._random.choices(list(kinds), [self._appeal(kind) for kind in kinds])
        self._done[kind] += 1
        return self._random.choice(kinds[kind])

    def _kind(self, choice: "Choice") -> str:
        return f"{type(choice).__name__} {getattr(choice, 'name', '')} {getattr(choice, 'flipped', '')}"

    def _appeal(self, kind: str) -> float:
        if kind.startswith("Pass"):
            return 0.3
        liking = self._liking if kind.startswith("UseSpecial") else 1.0
        return liking / (1 + self._done[kind] / 20)


def agree(kind: "type[Ruleset[Any]]", random: Random) -> "Ruleset[Any]":
    """Return the rules of a game for some number of players and, every other time, unusual options."""
    from bullpen.engine import BadOption, WrongPlayers

    while True:
        given: dict[str, Any] = {}
        for option in kind.offers:
            if random.random() < 0.5:
                continue
            if option.allowed:
                given[option.key] = random.choice(option.allowed)
            elif option.least is not None and random.random() < 0.5:
                given[option.key] = random.randint(option.least, option.least + 4)
        try:
            return kind(random.choice(kind.player_counts(given)), given)
        except (BadOption, WrongPlayers):
            # A seat that is not there at so few players, for example: agree on something else.
            continue


def refuse(kind: "type[Ruleset[Any]]") -> None:
    """Try to play with one player too many."""
    from bullpen.engine import WrongPlayers

    try:
        kind(kind.player_counts({})[-1] + 1)
    except WrongPlayers:
        return
    raise AssertionError(f"{kind.id} was not refused with one player too many.")


def use_up_actions(position: Any) -> None:
    """Put all action cards that are left on the discards, where they would be late in a very long game."""
    position.action_deck, position.action_discard = [], position.action_deck


CRAFTED: dict[str, Callable[[Any], None]] = {
    "board-expert": use_up_actions,
    "board-expert-luck": use_up_actions,
}
"""What is done to the first position of every fourth game, to meet what play alone hardly ever leads to."""

LOOKED_AT: dict[str, Callable[[Any, Any], Any]] = {
    "tournament": lambda rules, position: rules.sheet(position, 0),
}
"""What people look at when a game is over, besides its result."""


class Exercise:
    """What was met so far: the lines that cite a ruling, and the cases that rulings are about."""

    def __init__(self) -> None:
        self._places = cited()
        self.footprints = Footprints(place for places in self._places.values() for place in places)
        self.met: set[str] = set()
        self._cases: dict[str, Any] = {}

    def load(self) -> "dict[str, type[Ruleset[Any]]]":
        """Return the games; loaded only now, so that what a module does when it is loaded is seen too."""
        from bullpen.rulesets import games
        from tests.rulings.cases import CASES

        self._cases = CASES
        return games()

    def due(self, game: str) -> Iterator[str]:
        """Name the weighty rulings about a game that were not met in full yet."""
        for number, ruling in load_weights().items():
            if ruling.weight in "AB" and game in ruling.games and not self._met(number):
                yield number

    def _met(self, number: str) -> bool:
        case = number in self.met or number not in self._cases
        return case and all(self.footprints.passed(place) for place in self._places.get(number, ()))

    def play(self, rules: "Ruleset[Any]", random: Random, number: int) -> None:
        """Play a game to its end, sometimes looking at it, imagining it or taking an answer back."""
        from bullpen.engine import Seeded, imagine, new_game, retract, submit, view

        chance, player = Seeded(f"{rules.id}/{number}"), Player(random)
        open_cases = [name for name in self.due(rules.id) if name in self._cases and name not in self.met]
        position, _ = new_game(rules, chance)
        if number % 4 == 3 and rules.id in CRAFTED:
            CRAFTED[rules.id](position)
        for _ in range(MOST_CHOICES):
            if position.result is not None:
                break
            ask = random.choice(position.open_asks)
            seat = random.choice(ask.seats)
            if random.random() < 0.02:
                imagine(rules, view(rules, position, seat), random)
                view(rules, position, None)
            choice = player.choose(ask)
            after, events = submit(rules, position, seat, choice, chance)
            if open_cases:
                open_cases = self._look(open_cases, (rules, position, ask, choice, events, after))
            position = after
            still_hidden = ask.secret and ask in position.asks and seat in position.answers
            if still_hidden and random.random() < 0.02:
                position, _ = retract(rules, position, seat)
        if position.result is not None and position.result.winners and rules.id in LOOKED_AT:
            LOOKED_AT[rules.id](rules, position)

    def _look(self, names: list[str], facts: tuple[Any, ...]) -> list[str]:
        """Note which of these cases has just come up, and return the others."""
        from tests.rulings.cases import Moment

        moment = Moment(*facts)
        self.met |= {name for name in names if self._cases[name](moment)}
        return [name for name in names if name not in self.met]


def exercise(names: list[str]) -> dict[str, Any]:
    """Play these games (all, if none is named); return the cited lines that were run and the cases met."""
    done = Exercise()
    before = sys.gettrace()
    sys.settrace(done.footprints)
    try:
        chosen = {game: kind for game, kind in done.load().items() if game in names or not names}
        players = {game: Random(game) for game in chosen}
        for kind in chosen.values():
            refuse(kind)
        for number in range(MOST_GAMES):
            if number >= LEAST_GAMES:
                chosen = {game: kind for game, kind in chosen.items() if any(done.due(game))}
            for game, kind in chosen.items():
                done.play(agree(kind, players[game]), players[game], number)
    finally:
        sys.settrace(before)
    lines = {file: sorted(found) for file, found in sorted(done.footprints.found.items())}
    return {"lines": lines, "cases": sorted(done.met)}


if __name__ == "__main__":
    json.dump(exercise(sys.argv[1:]), sys.stdout)
