"""Our own games pass the kit that we give to authors; what is wrong with others is found and named."""

from typing import Any, ClassVar

import pytest

from bullpen.engine import (
    PASS,
    PLAY,
    Choice,
    Event,
    Furniture,
    Marker,
    Option,
    Position,
    Question,
    Ruleset,
    Seat,
    bullheads,
    step,
)
from bullpen.engine.choices import PlayCard
from bullpen.engine.events import Took
from bullpen.rulesets import own_games
from bullpen.rulesets.base import TRICK, Base
from bullpen.testing import Broken, check_bot, check_ruleset
from tests.conftest import SOAK
from tests.strategies import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_conforms(game: str) -> None:
    check_ruleset(own_games()[game], games=20 if SOAK else 1)


class Wrong(Base[Position]):
    """The base game, short, to be spoilt by children."""

    id = "wrong"
    name = "Wrong"
    source = "nowhere"
    summary = "A game with something wrong."
    player_range = range(2, 4)

    def game_over(self, position: Position) -> str | None:
        """One round."""
        return "enough"


class LosesACard(Wrong):
    """A taken row loses its first card."""

    def pick_up(self, position: Position, row: int, seat: Seat, cards: list[int], why: str) -> None:
        """Forget a card."""
        super().pick_up(position, row, seat, cards[1:], why)


class ShowsOtherHeads(Wrong):
    """Nine bullheads are shown on every card, and takes cost what is printed on ours."""

    heads = (9,) * 105

    def pick_up(self, position: Position, row: int, seat: Seat, cards: list[int], why: str) -> None:
        """Charge by the table of the family."""
        position.piles[seat] += cards
        position.points[seat] += bullheads(*cards)
        position.happened(Took(seat, row, tuple(cards), bullheads(*cards), why))


class ChargesOtherwise(Wrong):
    """A take tells one price and charges another."""

    heads = (9,) * 105

    def pick_up(self, position: Position, row: int, seat: Seat, cards: list[int], why: str) -> None:
        """Tell nine a card, and charge less."""
        super().pick_up(position, row, seat, cards, why)
        position.points[seat] += bullheads(*cards) - self.bullheads(cards)


class WritesOtherwise(Wrong):
    """What a round cost is written down by another table."""

    heads = (9,) * 105

    def score_round(self, position: Position) -> None:
        """Count the piles by the table of the family."""
        position.points = [bullheads(*pile) for pile in position.piles]
        super().score_round(position)


class FewHeads(Wrong):
    """Some cards have no bullheads at all."""

    heads = (1,) * 100


class ShowsHands(Wrong):
    """Views are not hidden."""

    def hide(self, position: Position, seat: Seat | None) -> None:
        """Hide nothing."""


class WinksAtACard(Wrong):
    """Whether a question waits tells what somebody else holds."""

    def waits(self, position: Position, kind: str, seat: Seat) -> bool:
        """Wait for seat 0 as long as seat 1 holds an even card."""
        return kind == "commit" and seat == 0 and position.hands[1][0] % 2 == 0


class SharesAList(Wrong):
    """A list that copies share."""

    class Shared(Position):
        """A position that does not copy all."""

        laps: list[int] = []  # noqa: RUF012 a default that msgspec copies

    position_type = Shared
    open_fields = frozenset({"laps"})

    def play_trick(self, position: Any) -> None:
        """Count tricks in a list."""
        position.laps.append(position.trick)
        super().play_trick(position)


class RollsDice(Wrong):
    """Randomness that is no shuffle."""

    rolled: ClassVar[list[int]] = [0]

    def start_rows(self, position: Position) -> None:
        """Turn the rows round at every other deal."""
        super().start_rows(position)
        self.rolled[0] += 1
        if self.rolled[0] % 2:
            position.rows.reverse()


class NeverEnds(Wrong):
    """A question for ever."""

    questions: ClassVar[dict[str, Question]] = {**Base.questions, "again": Question("Again?", ("words",))}

    def play_trick(self, position: Position) -> None:
        """Ask and ask."""
        position.next(TRICK)
        self.ask(position, "again", 0)

    def options_again(self, position: Position, seat: Seat) -> tuple[Choice, ...]:
        """Yes or no, it does not matter."""
        return (PASS, PLAY[position.hands[0][0]])


class NoSuchStep(Wrong):
    """A step without a method."""

    def ask_for_cards(self, position: Position) -> None:
        """Plan what cannot be done."""
        position.agenda.insert(0, step("dance"))
        super().ask_for_cards(position)


class NoMethod(Wrong):
    """A question without options."""

    questions: ClassVar[dict[str, Question]] = {**Base.questions, "sing": Question("Sing?", ("words",))}


class NoPlace(Wrong):
    """A question that points nowhere."""

    questions: ClassVar[dict[str, Question]] = {
        **Base.questions, "commit": Question("Choose.", ("roof",), secret=True),
    }  # fmt: skip


class NoField(Wrong):
    """A marker without a field."""

    furniture = Furniture(markers=(Marker("dog", "the dog", "dog"),))


class HiddenDrawer(Wrong):
    """A field with cards that nobody has declared."""

    class Drawer(Position):
        """A position with a drawer."""

        drawer: tuple[int, ...] = ()

    position_type = Drawer

    def play_trick(self, position: Any) -> None:
        """Copy a hidden card into it."""
        position.drawer = tuple(position.deck[:1])
        super().play_trick(position)


class Whispered(Event, frozen=True):
    """An event that is not declared."""


class Whispers(Wrong):
    """Tells events that no client knows."""

    def play_trick(self, position: Position) -> None:
        """Whisper."""
        position.happened(Whispered())
        super().play_trick(position)


class BadSentence(Wrong):
    """An option that is not told."""

    offers = (*Base.offers, Option("wrong.option", 1, "no sentence", least=0))


FAULTS: list[tuple[type[Ruleset[Any]], str]] = [
    (LosesACard, "numbers cards are not conserved in round 1"),
    (ShowsOtherHeads, "was taken for .* bullheads, but `heads` shows"),
    (ChargesOtherwise, "the points are .*, but the takes so far cost"),
    (WritesOtherwise, "the points are .*, but the takes so far cost"),
    (FewHeads, "for every card up to 104"),
    (ShowsHands, "tells hidden cards"),
    (WinksAtACard, "tells hidden cards, in asks"),
    (SharesAList, "share"),
    (RollsDice, "replay|another position|two games"),
    (NeverEnds, "has not ended after"),
    (NoSuchStep, "the agenda holds 'dance', but there is no such method"),
    (NoMethod, "'sing' has no method `options_sing`"),
    (NoPlace, "the answers to 'commit' lie at"),
    (NoField, "marker 'dog' names"),
    (HiddenDrawer, "make them zones or name them"),
    (Whispers, "name Whispered in `own_events`"),
    (BadSentence, "option wrong.option should be told in a sentence"),
]


@pytest.mark.parametrize(("kind", "says"), FAULTS, ids=[kind.__name__ for kind, _ in FAULTS])
def test_a_fault_is_found_and_named(kind: type[Ruleset[Any]], says: str) -> None:
    with pytest.raises(Broken, match=says):
        check_ruleset(kind, most_choices=1_000)


class Careful:
    """Always the first option."""

    def choose(self, view: Any, ask: Any) -> Choice:
        """Answer."""
        choice: Choice = ask.options[0]
        return choice


class Cheeky:
    """Plays what it has not got."""

    def choose(self, view: Any, ask: Any) -> Choice:
        """Answer."""
        return PlayCard(9999)


class Untidy:
    """Leaves its view in a mess."""

    def choose(self, view: Any, ask: Any) -> Choice:
        """Answer."""
        view.position.rows.reverse()
        choice: Choice = ask.options[0]
        return choice


class Moody:
    """Answers now this, now that."""

    mood = 0

    def choose(self, view: Any, ask: Any) -> Choice:
        """Answer."""
        Moody.mood += 1
        choice: Choice = ask.options[Moody.mood % len(ask.options)]
        return choice


def test_a_proper_bot_passes_in_every_game() -> None:
    check_bot(Careful, moments=4)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        (Cheeky, "not among the options"),
        (Untidy, "has changed its view"),
        (Moody, "and then .* to the same view"),
    ],
)
def test_a_bots_fault_is_found_and_named(bot: Any, says: str) -> None:
    with pytest.raises(Broken, match=says):
        check_bot(bot, game_ids=["base"])


def test_a_moody_bot_may_say_so() -> None:
    check_bot(Moody, game_ids=["base"], deterministic=False)
