"""Judge boards by playing on them: python benchmarks/board_balance.py [--games N] [--seed S] [--board FILE].

Two kinds of players, both of which see no more than their view: `random` chooses anything, `greedy` looks at
what the next placement brings. Everything is seeded, so the same call prints the same tables.
"""

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from bullpen.engine import (
    Ask,
    Choice,
    Event,
    PlayCard,
    PlayPair,
    Seeded,
    StartRow,
    UseSpecial,
    View,
    new_game,
    stream,
    submit,
    view,
)
from bullpen.engine.events import Moved, Placed, Revealed, Scored, TrickStarted, Used
from bullpen.rulesets import make
from bullpen.rulesets.boards.basic import BoardBasic
from bullpen.rulesets.boards.position import BoardPosition, Turn
from bullpen.rulesets.boards.spaces import Draw, Oxen, Points, Space, Take

GAMES = ("board-basic", "board-basic-luck", "board-expert", "board-expert-luck")
PLAYERS = range(2, 7)
Chooser = Callable[[BoardBasic, View, Ask, random.Random], Choice]


# The players.


def choose_anything(_rules: BoardBasic, _seen: View, ask: Ask, rng: random.Random) -> Choice:
    """The random player."""
    return rng.choice(ask.options)


def choose_greedily(rules: BoardBasic, seen: View, ask: Ask, rng: random.Random) -> Choice:
    """The greedy player: the option whose next placement brings most, and any of those that are equal."""
    worth = Worth(rules, seen)
    values = [worth.of(ask, option) for option in ask.options]
    best = max(values)
    return rng.choice(
        [option for option, value in zip(ask.options, values, strict=True) if value > best - 0.01]
    )


class Worth:
    """What the greedy player thinks an option is worth, in points, from what it can see."""

    action_card = 2.0
    """A card in hand is worth a point at the end, and a little more for what it may do."""
    luck_card = 2.5

    def __init__(self, rules: BoardBasic, seen: View) -> None:
        assert isinstance(seen.position, BoardPosition)
        self.rules, self.seen, self.position = rules, seen, seen.position

    def of(self, ask: Ask, option: Choice) -> float:
        """Return the worth of an option."""
        if isinstance(option, PlayCard):
            return self.placing(Turn(option.card, self.position.stops))
        if isinstance(option, PlayPair):
            turns = [Turn(tile, self.position.stops) for tile in (option.low, option.high)]
            return sum(self.placing(turn) for turn in turns)
        if isinstance(option, StartRow):
            return self.starting(int(ask.about[0]), option.row)
        if ask.kind == "choose_two_tiles":
            assert isinstance(option, UseSpecial)
            return float(self.rules.oxen(*option.targets))
        if ask.kind == "choose_luck":
            return 0.0
        return self.window(option)

    def window(self, option: Choice) -> float:
        """What the placement brings after this card, less what the card is worth if it is kept."""
        turn, price = self.position.turn, 0.0
        if isinstance(option, UseSpecial):
            card = self.rules.card_named(option.name)
            assert self.seen.seat is not None
            turn = dict(card.ways(self.position, self.seen.seat, turn))[option.targets]
            price = self.luck_card if option.name in ("plus-five", "positive-ox") else self.action_card
        return self.placing(turn) - price

    def placing(self, turn: Turn) -> float:
        """What placing the tile brings at once, as far as the board tells."""
        landing = self.rules.landing(self.position, turn)
        assert landing is not None
        row = self.position.rows[landing.row]
        if turn.plan.luck == "plus-five":
            return 5.0
        if landing.last:
            return self.taking(landing.row, lucky=turn.plan.luck == "positive-ox")
        tile = turn.tile
        if turn.plan.at_start is not None:
            tile = row[landing.space - 1]
        return self.space(self.rules.space_at(landing.row, landing.space), tile)

    def taking(self, row: int, *, lucky: bool) -> float:
        """What taking a row brings: tiles in hand are half a loss, since most of them will be played."""
        oxen = sorted((self.rules.oxen(tile) for tile in self.position.rows[row]), reverse=True)
        take = self.rules.space_at(row, -1)
        assert isinstance(take, Take)
        kept = -0.5 * sum(oxen) if take.to_screen else 0.0
        return take.balance(sum(oxen), sum(oxen[:2]) if lucky else 0) + kept

    def starting(self, tile: int, row: int) -> float:
        """What starting a row brings."""
        return self.space(self.rules.space_at(row, 0), tile)

    def space(self, space: Space, tile: int) -> float:
        """What a space brings that is no take."""
        if isinstance(space, Oxen):
            return space.factor * self.rules.oxen(tile)
        if isinstance(space, Points):
            return space.points
        if isinstance(space, Draw):
            return self.action_card if space.name == "draw_action" else -0.5
        return 0.0


PLAYER_KINDS: dict[str, Chooser] = {"random": choose_anything, "greedy": choose_greedily}


# One game.


class Course(Struct):
    """What is worth remembering of a game."""

    players: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    tricks: int = 0
    double_tricks: int = 0
    begun: bool = False
    """Whether the tiles of a trick are still to be shown."""
    covered: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often each space was newly covered, and so acted."""
    points: Counter[str] = field(default_factory=Counter)
    """The points that were won and lost, by what brought them."""
    moved: Counter[str] = field(default_factory=Counter)
    """The same without their signs."""
    used: Counter[str] = field(default_factory=Counter)


def play(rules: BoardBasic, seats: list[Chooser], seed: str, first: int | None = None) -> Course:
    """Play a game and return its course; `first` makes seat 0 begin with its tile of that rank."""
    chance, rng = Seeded(seed), stream(seed, "players")
    position, events = new_game(rules, chance)
    course = Course(players=rules.players)
    note(course, events)
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        choice = seats[seat](rules, view(rules, position, seat), ask, rng)
        if first is not None and (seat, position.trick, ask.kind) == (0, 1, "commit"):
            choice = ask.options[first]
        position, events = submit(rules, position, seat, choice, chance)
        note(course, events)
    course.scores, course.winners = position.result.scores, position.result.winners
    return course


def note(course: Course, events: Iterable[Event]) -> None:
    """Remember what just happened."""
    sliding = False
    for event in events:
        if isinstance(event, TrickStarted):
            course.tricks += 1
            course.begun = True
        elif isinstance(event, Revealed):
            course.double_tricks += course.begun and len(event.plays) > course.players
            course.begun = False
        elif isinstance(event, Placed | Moved):
            # Of tiles that slide, the first one covers a space anew; the others and the one put first do not.
            course.covered[event.row, event.place] += not sliding
            sliding = isinstance(event, Moved) and event.source == event.row
        elif isinstance(event, Scored):
            source = source_of(event.why)
            course.points[source] += event.change
            course.moved[source] += abs(event.change)
        elif isinstance(event, Used):
            course.used[event.special] += 1


def source_of(why: str) -> str:
    """Return what kind of thing brought points."""
    if why.startswith("take"):
        return "takes"
    if why.startswith(("green", "red")):
        return "oxen"
    if why.startswith(("+", "-")):
        return "plus and minus"
    return "luck" if why == "plus-five" else why


# Tables.


def table(title: str, head: list[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table in Markdown."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print(
            "| " + " | ".join(f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in row) + " |"
        )


def courses(
    game: str, players: int, kind: str, games: int, seed: int, options: dict[str, Any]
) -> list[Course]:
    """Play many games with one kind of player at all seats."""
    rules = make(game, players, options)
    assert isinstance(rules, BoardBasic)
    seats = [PLAYER_KINDS[kind]] * players
    return [play(rules, seats, f"{seed}/{game}/{players}/{kind}/{number}") for number in range(games)]


def scores_row(found: list[Course]) -> list[object]:
    """Summarise the scores and the length of games."""
    scores = [score for course in found for score in course.scores]
    best = statistics.fmean(max(course.scores) for course in found)
    worst = statistics.fmean(min(course.scores) for course in found)
    ends = 100 * sum(abs(score) == 44 for score in scores) / len(scores)
    tricks = [course.tricks for course in found]
    doubles = 100 * sum(course.double_tricks for course in found) / sum(tricks)
    return [
        statistics.fmean(scores), statistics.pstdev(scores), best, worst, f"{ends:.1f} %",
        statistics.fmean(tricks), f"{min(tricks)}–{max(tricks)}", f"{doubles:.0f} %",
    ]  # fmt: skip


def share_row(found: list[Course]) -> list[object]:
    """Say which share of all points moved comes from what."""
    moved: Counter[str] = sum((course.moved for course in found), Counter())
    points: Counter[str] = Counter()
    for course in found:
        points.update(course.points)
    seats = sum(len(course.scores) for course in found)
    sources = ("takes", "oxen", "plus and minus", "luck", "final count")
    return [f"{100 * moved[each] / moved.total():.0f} % ({points[each] / seats:+.1f})" for each in sources]


def space_rows(rules: BoardBasic, found: list[Course]) -> Iterator[list[object]]:
    """Say how often a tile comes to lie on each space in a game."""
    covered: Counter[tuple[int, int]] = sum((course.covered for course in found), Counter())
    for row, spaces in enumerate(rules.layout):
        cells = [f"{name} {covered[row, space] / len(found):.1f}" for space, name in enumerate(spaces)]
        yield [row + 1, " · ".join(cells)]


def card_row(found: list[Course], names: list[str]) -> list[object]:
    """Say how often each card is played in a game."""
    return [statistics.fmean(course.used[name] for course in found) for name in names]


def first_move_rows(rules: BoardBasic, games: int, seed: int) -> Iterator[list[object]]:
    """Let seat 0 begin with each of its tiles in the same deals; all else is greedy."""
    seats: list[Chooser] = [choose_greedily] * rules.players
    scores: list[object] = ["mean score"]
    wins: list[object] = ["wins"]
    for rank in range(rules.hand_size):
        found = [play(rules, seats, f"{seed}/first/{rules.id}/{number}", rank) for number in range(games)]
        won = sum((0 in course.winners) / len(course.winners) for course in found)
        scores.append(statistics.fmean(course.scores[0] for course in found))
        wins.append(f"{100 * won / games:.0f} %")
    yield from (scores, wins)


def skill_row(game: str, players: int, games: int, seed: int, options: dict[str, Any]) -> list[object]:
    """Let one greedy player sit among random ones: how often it wins, ties shared."""
    rules = make(game, players, options)
    assert isinstance(rules, BoardBasic)
    wins, edge = 0.0, []
    for number in range(games):
        seat = number % players
        seats: list[Chooser] = [choose_anything] * players
        seats[seat] = choose_greedily
        course = play(rules, seats, f"{seed}/skill/{game}/{players}/{number}")
        wins += (seat in course.winners) / len(course.winners)
        others = [score for other, score in enumerate(course.scores) if other != seat]
        edge.append(course.scores[seat] - statistics.fmean(others))
    return [players, f"{100 * wins / games:.0f} %", f"{100 / players:.0f} %", statistics.fmean(edge)]


def report(game: str, games: int, seed: int, options: dict[str, Any]) -> None:
    """Print all tables of a game."""
    print(f"\n## {game}")
    by_table = {
        (players, kind): courses(game, players, kind, games, seed, options)
        for players in PLAYERS
        for kind in PLAYER_KINDS
    }
    head = ["players", "kind", "mean", "sd", "best", "worst", "at ±44", "tricks", "from–to", "two-tile"]
    table("Scores and tricks", head, ([*key, *scores_row(found)] for key, found in by_table.items()))
    head = ["players", "kind", "takes", "oxen", "plus and minus", "luck", "final count"]
    table("Share of points moved (and net points per player)", head,
          ([*key, *share_row(found)] for key, found in by_table.items()))  # fmt: skip
    rules = make(game, 4, options)
    assert isinstance(rules, BoardBasic)
    table("Tiles on each space in a game of four greedy players", ["row", "spaces"],
          space_rows(rules, by_table[4, "greedy"]))  # fmt: skip
    names = [card.name for card in rules.cards]
    if names:
        table("Cards played in a game", ["players", "kind", *names],
              ([*key, *card_row(found, names)] for key, found in by_table.items()))  # fmt: skip
    table("Four greedy players: the first tile, from the lowest to the highest of the hand",
          ["", *(str(rank) for rank in range(1, 13))], first_move_rows(rules, games, seed))  # fmt: skip
    table("One greedy player among random ones", ["players", "wins", "fair share", "points ahead"],
          (skill_row(game, players, games, seed, options) for players in PLAYERS))  # fmt: skip


def main() -> None:
    """Read the arguments and print the report."""
    parser = argparse.ArgumentParser(description="Judge boards by playing on them.")
    parser.add_argument("--games", type=int, default=200, help="games for each line of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--board", default="own", help="a board file (default: our own boards)")
    parser.add_argument("--only", choices=GAMES, action="append", help="only this game")
    arguments = parser.parse_args()
    for game in arguments.only or GAMES:
        report(game, arguments.games, arguments.seed, {"board.data": arguments.board})


if __name__ == "__main__":
    main()
