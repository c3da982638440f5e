"""Runs the vectors of Beat the Buffalo: pictures of a table, played on through its windows."""

from collections.abc import Callable
from typing import Any

from bullpen.engine import (
    PASS,
    PlaceFirst,
    PlayCard,
    Played,
    Seeded,
    TakeRow,
    UseSpecial,
    bullheads,
    new_game,
)
from bullpen.engine.events import Placed
from bullpen.rulesets import make
from bullpen.rulesets.base import PLACE_NEXT, SCORE_ROUND
from bullpen.rulesets.buffalo import LIFT
from bullpen.rulesets.buffalo_cards import BUFFALO, STOP, TAKE_7, BuffaloPosition
from tests.rulebook.tables import Runner, Table, Vector

Fields = dict[str, Any]

GIVEN = {
    "rows",
    "played",
    "steps",
    "hands",
    "stop",
    "take7",
    "must_fill",
    "mustFill",
    "bull_piles",
    "options",
}
STEP = {
    "op",
    "card",
    "row",
    "rows",
    "player",
    "new",
    "number",
    "from",
    "order",
    "position",
    "low_choice",
    "reverse",
}


def special_name(printed: str) -> str:
    """Turn a printed name such as `Take 7!` into the name in notation."""
    return printed.lower().rstrip("!").strip().replace(" ", "-")


def filled_rows(fields: Fields) -> list[int]:
    """Return the rows that must be filled, counted from 0."""
    rows = fields.get("must_fill") or fields.get("mustFill") or []
    return [row - 1 for row in rows]


class Trick:
    """A revealed trick: the team's names are its seats, and every step is answered through the windows."""

    def __init__(self, given: Fields, steps: list[Fields]) -> None:
        assert set(given) <= GIVEN, f"unknown fields {set(given) - GIVEN}"
        self.given = given
        self.steps = steps
        plays = given["played"]
        named = [*(play["player"] for play in plays), *given.get("hands", {})]
        self.names = [name for name in dict.fromkeys(named) if name != "buffalo"]
        self.card_of = {play["player"]: play["card"] for play in plays}
        self.low_choices = {play["card"]: play["low_choice"] for play in plays if "low_choice" in play}
        self.table = self.set_up()
        self.wanted = 0
        """How many cards must have been placed once the steps so far are done."""

    def seat(self, name: str) -> int:
        return BUFFALO if name == "buffalo" else self.names.index(name)

    def set_up(self) -> Table:
        """Lay everything out as given; the special cards come up in the order in which they are used."""
        given = self.given
        rules = make("buffalo", max(1, len(self.names)), given.get("options"))
        position = BuffaloPosition(rules.players)
        position.rows = [row[:] for row in given["rows"]]
        position.markers = [
            [name for key, name in (("stop", STOP), ("take7", TAKE_7)) if row + 1 in given.get(key, [])]
            for row in range(len(position.rows))
        ]
        position.must_fill = tuple(filled_rows(given))
        position.hands = [[] for _ in range(rules.players)]
        for name, hand in given.get("hands", {}).items():
            position.hands[self.seat(name)] = sorted(hand)
        piles = given.get("bull_piles", {})
        position.piles = [list(piles.get("team", [])), list(piles.get("buffalo", []))]
        position.known = [[] for _ in range(rules.players)]
        position.points = [bullheads(*position.piles[0])] * rules.players
        position.scores = [0] * rules.players
        position.round = position.trick = 1
        played = [Played(card, self.seat(name), card) for name, card in self.card_of.items()]
        position.table = sorted(played, key=lambda play: play.value)
        used = [special_name(step["card"]) for step in self.steps if step["op"] == "special"]
        # A Stop! that nobody uses keeps every window open, so that each card waits for its step.
        position.face_up, position.special_deck = [STOP, *used[:1]], used[1:]
        position.agenda = [PLACE_NEXT]
        table = Table(rules, position)
        table.go_on()
        return table

    @property
    def position(self) -> BuffaloPosition:
        position = self.table.position
        assert isinstance(position, BuffaloPosition)
        return position

    @property
    def placed(self) -> list[int]:
        """The cards placed so far, in order."""
        return [placed.card for placed in self.table.happened(Placed)]

    # The steps.

    def run(self) -> None:
        """Do all steps."""
        for number, step in enumerate(self.steps, start=1):
            assert set(step) <= STEP, f"step {number} has unknown fields {set(step) - STEP}"
            getattr(self, "op_" + step["op"])(step)
            self.place(step)

    def place(self, step: Fields) -> None:
        """Go on until as many cards are placed as the steps so far want; a low card is answered for."""
        while len(self.placed) < self.wanted or self.asked("choose_row"):
            if self.asked("choose_row"):
                self.choose_row(step)
            else:
                assert self.asked("team_window"), "there is no card left to place"
                self.table.choose(0, PASS)

    def choose_row(self, step: Fields) -> None:
        (ask,) = self.position.asks
        row = step.get("low_choice", self.low_choices.get(ask.about[0]))
        if isinstance(row, dict):
            row = row.get(self.names[ask.seats[0]])
        assert row is not None, f"{ask.about[0]} fits no row, and no low_choice says which one to take"
        self.table.choose(ask.seats[0], TakeRow(row - 1))

    def asked(self, kind: str) -> bool:
        """Whether this is the open question."""
        return [ask.kind for ask in self.position.open_asks] == [kind]

    def op_place(self, step: Fields) -> None:
        """The next card."""
        self.wanted += 1

    def op_place_all(self, step: Fields) -> None:
        """All cards that are left."""
        self.wanted = len(self.card_of)

    def op_unstop(self, step: Fields) -> None:
        """Lift one lock or several."""
        for row in step.get("rows", [step["row"]] if "row" in step else self.locked()):
            self.table.choose(0, UseSpecial(LIFT, (row,)))

    def locked(self) -> list[int]:
        return [row + 1 for row, names in enumerate(self.position.markers) if STOP in names]

    def op_special(self, step: Fields) -> None:
        """Use a special card."""
        name = special_name(step["card"])
        getattr(self, "use_" + name.replace("-", "_"))(step)

    def use(self, name: str, *targets: int) -> None:
        """Any member may speak for the team."""
        self.table.choose(len(self.names[1:]), UseSpecial(name, targets))

    def use_take_7(self, step: Fields) -> None:
        self.use(TAKE_7, step["row"])

    def use_stop(self, step: Fields) -> None:
        self.use(STOP, step["row"])

    def use_replace(self, step: Fields) -> None:
        """The new card is placed at once, so this step places one."""
        name = step.get("player", self.owner_of_next())
        self.use("replace", self.card_of[name])
        if self.asked("replace_card"):
            self.table.choose(self.seat(name), PlayCard(step["new"]))
        self.card_of[name] = step["new"]
        self.wanted = len(self.placed) + self.asked("choose_row")

    def owner_of_next(self) -> str:
        return str(self.names[self.position.table[0].seat])

    def use_insert(self, step: Fields) -> None:
        """The inserted card is placed by this."""
        self.use("insert", step["row"])
        self.wanted = len(self.placed)
        if "position" in step:
            (place,) = [placed.place for placed in self.table.happened(Placed)][-1:]
            assert place == step["position"] - 1

    def use_push(self, step: Fields) -> None:
        assert "from" not in step or step["number"] in self.position.rows[step["from"] - 1]
        self.use("push", step["number"], step["row"])

    def pending_card(self, step: Fields) -> int:
        """The card a step speaks of, by its number or its owner."""
        return int(step["number"] if "number" in step else self.card_of[step["player"]])

    def use_first_card(self, step: Fields) -> None:
        self.use("first-card", self.pending_card(step))

    def use_last_card(self, step: Fields) -> None:
        behind = (1,) if step.get("reverse") else ()
        self.use("last-card", self.pending_card(step), *behind)

    def use_sort(self, step: Fields) -> None:
        """Pick the cards one by one; the last one follows by itself."""
        self.use("sort")
        for name in step["order"][:-1]:
            card = self.card_of[name] if isinstance(name, str) else name
            self.table.choose(0, PlaceFirst(card))


def marked(trick: Trick, marker: str) -> list[int]:
    """Return the rows with this special card beside them, counted from 1."""
    return [row + 1 for row, names in enumerate(trick.position.markers) if marker in names]


def takes(trick: Trick) -> list[Fields]:
    """Return the takes as the vectors write them: by the team or the buffalo."""
    team_then_buffalo = ["team"] * len(trick.position.hands) + ["buffalo"]
    return trick.table.takes(team_then_buffalo)


def hands(trick: Trick) -> dict[str, list[int]]:
    return {name: trick.position.hands[trick.seat(name)] for name in trick.names}


def piles(trick: Trick) -> dict[str, list[int]]:
    return dict(zip(("team", "buffalo"), trick.position.piles, strict=True))


FOUND: dict[str, Callable[[Trick], Any]] = {
    "rows": lambda trick: trick.position.rows,
    "takes": takes,
    "order": lambda trick: trick.placed,
    "stop": lambda trick: marked(trick, STOP),
    "take7": lambda trick: marked(trick, TAKE_7),
    "must_fill": lambda trick: [row + 1 for row in trick.position.must_fill],
    "mustFill": lambda trick: [row + 1 for row in trick.position.must_fill],
    "hands": hands,
    "bull_piles": piles,
    "bull_points": lambda trick: {name: bullheads(*pile) for name, pile in piles(trick).items()},
}


def check(trick: Trick, then: Fields) -> None:
    """Compare everything that is expected with what is there."""
    for key, expected in then.items():
        assert key in FOUND, f"nothing is known about {key!r}"
        found = FOUND[key](trick)
        if isinstance(expected, dict):
            found = {name: found[name] for name in expected}
        assert found == expected, key


def run_buffalo(vector: Vector) -> None:
    """Play the steps; where a vector says what happens without special cards, play that too."""
    given, then = vector["given"], dict(vector["then"])
    without = then.pop("without_special", None)
    trick = Trick(given, given["steps"])
    trick.run()
    check(trick, then)
    if without is not None:
        plain = Trick(given, [{"op": "place_all"}])
        plain.run()
        check(plain, without)


def run_table(vector: Vector) -> None:
    """Count the special cards of a new game for each number of players."""
    found = {}
    for players in vector["given"]["players"]:
        position, _ = new_game(make("buffalo", players), Seeded(players))
        assert len(position.face_up) == min(2, len(position.face_up) + len(position.special_deck))
        found[str(players)] = len(position.face_up) + len(position.special_deck)
    assert found == vector["then"]["specials"]


def run_result(vector: Vector) -> None:
    """Score piles of so many bullheads and look who won."""
    found = []
    for case in vector["given"]["cases"]:
        rules = make("buffalo", case["players"])
        position = BuffaloPosition(rules.players, scores=[0] * rules.players, agenda=[SCORE_ROUND])
        # The 1 has one bullhead.
        position.piles = [[1] * case["team"], [1] * case["buffalo"]]
        table = Table(rules, position)
        table.go_on()
        assert table.position.result is not None
        found.append(table.position.result.won)
    assert found == vector["then"]["won"]


RUNNERS: dict[str, Runner] = {
    "buffalo": run_buffalo,
    "buffalo-table": run_table,
    "buffalo-result": run_result,
}
