"""Record the lesson: python tools/make_lesson.py plays it on a real table and writes it down for the browser.

The browser knows no rule, so a lesson without a network is a recording: a fixed deal of six cards each,
played by the engine, told to seat 0 in the server's own messages, with what the coach says in between.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from bullpen.engine import OptionValue, view
from bullpen.engine.chance import T
from bullpen.rulesets.base import Base
from bullpen.server.doors.looks import looks
from bullpen.server.protocol import Settings
from bullpen.server.tables import steps
from bullpen.server.tables.fair import Dealer, Terms
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import Teller, encode

FILE = Path(__file__).parents[1] / "web" / "src" / "lesson" / "lesson.json"
NAMES = ("", "Hilda", "Otto", "Mimi")
"""The learner's own name is known to the browser."""
PENS = (20, 42, 58, 90)


class Trick(NamedTuple):
    """The cards of the four seats, who takes which pen by choice, and where the coach speaks."""

    cards: tuple[int, int, int, int]
    before: tuple[tuple[str, str], ...]
    """What the coach says first, and what it points at."""
    pause: tuple[tuple[str, str, str], ...] = ()
    """After an event of this type the table waits while the coach says this and points at that."""
    low: tuple[int, int] | None = None
    """The seat with a low card, and the row that it takes."""
    try_first: int | None = None
    """A card to be lifted and put back before the right one is played."""


LESSON = (
    Trick(
        (46, 59, 61, 47),
        before=(("goal", "heads"), ("hand", "hand")),
        pause=(("Revealed", "reveal", "rows"), ("Placed", "nearest", "row:1")),
    ),
    Trick(
        (21, 4, 64, 66),
        before=(("above", "row:0"),),
        pause=(("Took", "low", "row:1"),),
        low=(1, 1),
    ),
    Trick(
        (25, 92, 8, 69),
        before=(("full", "row:2"),),
        pause=(("Took", "sixth", "row:2"),),
        try_first=70,
    ),
    Trick((70, 93, 95, 72), before=(("safe", "row:2"),)),
    Trick(
        (3, 27, 97, 73),
        before=(("own", "hand"),),
        pause=(("Took", "cheap", "row:1"), ("TrickStarted", "last", "row:3"), ("Took", "order", "row:3")),
        low=(0, 1),
    ),
)
LAST = (99, 33, 98, 10)
"""The last cards are played by themselves."""


class Short(Base):  # type: ignore[type-arg]
    """The base game with six cards each: enough to meet every rule once."""

    hand_size = 6


class Fixed(Dealer):
    """Deals the lesson; there is nothing to be proved about it."""

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Put the cards of the lesson on top, hand by hand, then those that start the pens."""
        tricks = [*(trick.cards for trick in LESSON), LAST]
        dealt: list[Any] = [trick[seat] for seat in range(len(NAMES)) for trick in tricks]
        return [*dealt, *PENS, *(card for card in cards if card not in {*dealt, *PENS})]

    def settle(self) -> bool:
        """Nothing is promised."""
        return False


class Recorder:
    """Plays the lesson and notes its beats: what is shown, said and to be done."""

    def __init__(self) -> None:
        options: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}
        created = steps.Created(
            at=0, code="", game="base", players=len(NAMES), options=options,
            settings=Settings(talk=False, hints=False), secret="00" * 32, behaviour=Base.behaviour,
        )  # fmt: skip
        self.table = Table("lesson", created)
        self.table.rules = Short(len(NAMES), options)
        self.table.dealer = Fixed(bytes(32), Terms.of("lesson", self.table.rules, ()), scheme=1)
        self.beats: list[dict[str, Any]] = []
        self._told = 0

    def record(self) -> list[dict[str, Any]]:
        """Return the whole lesson."""
        self.table.apply(steps.Sat(at=0, who="learner", seat=0, name="?"))
        for seat, name in enumerate(NAMES[1:], start=1):
            self.table.apply(steps.BotSat(at=0, seat=seat, level="easy", name=name))
        self.table.apply(steps.Started(at=0))
        self.show(self._teller().snapshot(0))
        for trick in LESSON:
            self.play(trick)
        self.beats.append({"beat": "say", "tip": "end", "at": "result"})
        return self.beats

    def play(self, trick: Trick) -> None:
        """Say what is to be said before a trick, then play it."""
        for tip, place in trick.before:
            self.beats.append({"beat": "say", "tip": tip, "at": place})
        if trick.try_first is not None:
            self.beats.append({"beat": "lift", "tip": "try", "at": "hand", "card": trick.try_first})
            self.beats.append({"beat": "say", "tip": "tried", "at": "row:2"})
        self.choose("play", str(trick.cards[0]))
        since = self.table.number
        for seat, card in enumerate(trick.cards):
            self._answer(seat, str(card))
        if trick.low is not None:
            since = self._low(*trick.low, since)
        self.show(self._teller().update(0, since), trick.pause)

    def _low(self, seat: int, row: int, since: int) -> int:
        """Let a low card take a row, the learner's when told so; return from where on the news are new."""
        if seat == 0:
            self.show(self._teller().update(0, since))
            self.choose("choose", f"r{row + 1}")
            since = self.table.number
        self._answer(seat, f"r{row + 1}")
        return since

    def _answer(self, seat: int, choice: str) -> None:
        self.table.apply(steps.Chosen(at=0, seat=seat, choice=choice, by="bot" if seat else "person"))

    def choose(self, tip: str, choice: str) -> None:
        """The learner is to give this answer."""
        place = "hand" if choice.isdecimal() else "rows"
        self.beats.append({"beat": "do", "tip": tip, "at": place, "choice": choice})

    def show(self, message: str, pause: tuple[tuple[str, str, str], ...] = ()) -> None:
        """Note a message, cut where the coach speaks; each is numbered after the one before."""
        told = json.loads(message)
        events = told.get("events", [])
        for kind, tip, place in pause:
            cut = next(at for at, event in enumerate(events) if event["type"] == kind) + 1
            part = {"type": "update", "events": events[:cut], "waiting": [], "ask": None, "mine": None}
            self._note(part)
            self.beats.append({"beat": "say", "tip": tip, "at": place})
            events = events[cut:]
        if told["type"] == "update":
            told["events"] = events
        self._note(told)

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] == "update":
            message["since"] = self._told
        if message.get("clock"):
            # A learner has all the time in the world.
            message["clock"]["left"] = None
        if "table" in message:
            # There is nothing on a server to be watched again.
            message["table"]["records"] = []
        self._told += 1
        message["number"] = self._told
        self.beats.append({"beat": "show", "message": message, "looks": self._looks()})

    def _looks(self) -> Any:
        game = self.table.game
        assert game is not None
        return json.loads(encode(looks(game.rules, view(game.rules, game.position, 0))))

    def _teller(self) -> Teller:
        return Teller(self.table, lambda: ([True] * len(NAMES), 0), 0)


def lesson() -> str:
    """Return the file as it should be."""
    return json.dumps(Recorder().record(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(lesson(), encoding="utf-8")
    sys.stdout.write(f"{FILE.name}: {FILE.stat().st_size} bytes\n")
