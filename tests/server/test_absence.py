"""People who are not there, who come later, and what the others may do meanwhile."""

import json

import pytest

from bullpen.bots import LEVELS
from bullpen.server import protocol
from bullpen.server.errors import Refused
from bullpen.server.live.company import nudge
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.room import Room
from bullpen.server.protocol import ClientMessage, NewTable, Settings
from bullpen.server.tables import steps
from bullpen.server.tables.opening import first_steps, new_table
from bullpen.server.tables.requests import Caller, steps_for
from bullpen.server.tables.table import News, Table
from tests.server.fakes import FakeListener, FakeSources

LONG, SHORT = 30_000, 29_999


class Company:
    """A table of people, of whom some are connected and some are not."""

    def __init__(self, *people: str, bots: int = 0, **settings: object) -> None:
        self.absent: dict[int, int] = {}
        self.known = list(people)
        self.sources = FakeSources()
        wish = NewTable(
            game="base",
            players=len(people) + bots,
            name=people[0],
            settings=Settings(privacy="private", **settings),  # type: ignore[arg-type]
        )
        self.table: Table = new_table(wish, self.sources, ())
        self.news: list[News] = []
        self._log: list[steps.AnyStep] = [self.table.created]
        for step in first_steps(self.table, wish, self.caller(people[0])):
            self.apply(step)
        for name in people[1:]:
            self.do(name, protocol.Sit(id=f"sit {name}", name=name))
        for number in range(bots):
            self.do(people[0], protocol.AddBot(id=f"bot {number}", level="easy"))

    def caller(self, who: str) -> Caller:
        def connected() -> list[int]:
            return [
                seat for seat, chair in enumerate(self.table.chairs) if chair.who and seat not in self.absent
            ]

        return Caller(who, 1, connected, LEVELS, lambda seat: self.absent.get(seat, 0))

    def apply(self, step: steps.AnyStep) -> None:
        self.news.append(self.table.apply(step))
        self._log.append(step)

    def do(self, who: str, message: ClientMessage) -> None:
        for step in steps_for(message, self.table, self.caller(who)):
            self.apply(step)

    def start(self) -> "Company":
        self.do(self.known[0], protocol.Start(id="start"))
        return self

    def stand_in(self, who: str, seat: int, name: str = "stand in") -> None:
        self.do(who, protocol.StandIn(id=name, seat=seat))

    @property
    def away(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.table.chairs) if chair.away]

    @property
    def notices(self) -> list[tuple[str, int, int | None]]:
        return [(told.kind, told.seat, told.by) for news in self.news for told in news.notices]

    def check_log(self) -> None:
        """The log leads to the same table."""
        again = Table.replayed(self.table.id, [steps.decode(steps.encode(step)) for step in self._log])
        assert again.chairs == self.table.chairs
        assert (again.host, again.absent_host) == (self.table.host, self.table.absent_host)
        assert (again.host, again.doubts) == (self.table.host, self.table.doubts)


def test_after_half_a_minute_anybody_may_let_a_bot_play_and_all_are_told() -> None:
    company = Company("Ann", "Ben", "Cy").start()
    company.absent = {1: LONG}
    company.stand_in("Cy", 1)
    assert company.table.chairs[1].away
    assert company.notices == [("stood_in", 1, 2)]
    company.check_log()


def test_before_that_nobody_alone_may_not_even_the_host() -> None:
    company = Company("Ann", "Ben").start()
    for absent in ({1: SHORT}, {}):
        company.absent = absent
        for message in (protocol.StandIn(id="s", seat=1), protocol.Remove(id="r", seat=1)):
            with pytest.raises(Refused, match="gone for 30 seconds") as refused:
                company.do("Ann", message)
            assert refused.value.retry == (1 if absent else None)
    assert not company.table.chairs[1].away


def test_the_others_together_may_replace_somebody_who_is_there() -> None:
    company = Company("Ann", "Ben", "Cy", "Dan", "Eve").start()
    company.stand_in("Ann", 4)
    with pytest.raises(Refused, match="already"):
        company.stand_in("Ann", 4, "again")
    company.stand_in("Ben", 4)
    assert company.away == [], "two of four are no majority"
    company.stand_in("Cy", 4)
    assert company.away == [4]
    assert company.notices == [
        ("stand_in_asked", 4, 0),
        ("stand_in_asked", 4, 1),
        ("stand_in_asked", 4, 2),
        ("stood_in", 4, 2),
    ]
    company.check_log()


def test_one_and_a_friend_need_each_other() -> None:
    company = Company("Ann", "Ben", "Cy").start()
    company.stand_in("Ann", 2)
    assert company.away == []
    company.stand_in("Ben", 2)
    assert company.away == [2]


def test_a_line_that_is_being_opened_again_silences_nobody() -> None:
    company = Company("Ann", "Ben", "Cy", "Dan").start()
    company.stand_in("Ann", 3)
    company.absent = {0: SHORT}
    company.stand_in("Ben", 3)
    assert company.away == [3], "Ann, who asked first, counts while she is gone for a moment"


def test_whoever_is_gone_for_a_moment_may_still_be_against_it() -> None:
    company = Company("Ann", "Ben", "Cy", "Dan", "Eve").start()
    company.absent = {2: SHORT, 3: SHORT}
    company.stand_in("Ann", 4)
    company.stand_in("Ben", 4)
    assert company.away == [], "two of four are no majority, and two are about to come back"


def test_asking_again_counts_once_others_have_gone_for_good() -> None:
    company = Company("Ann", "Ben", "Cy", "Dan", "Eve").start()
    company.stand_in("Ann", 4)
    company.stand_in("Ben", 4)
    with pytest.raises(Refused, match="already"):
        company.stand_in("Ann", 4, "again")
    company.absent = {3: LONG}
    company.stand_in("Ann", 4, "and again")
    assert company.away == [4]
    company.check_log()


def test_whoever_answers_is_there_and_the_asking_begins_anew() -> None:
    company = Company("Ann", "Ben", "Cy").start()
    company.stand_in("Ann", 2)
    assert company.table.position is not None
    ask = company.table.ask_of(2)
    assert ask is not None
    company.do("Cy", protocol.Choose(id="c", ask=company.table.asked, choice=ask.options[0].notation))
    company.stand_in("Ben", 2)
    assert not company.table.chairs[2].away


def test_a_bot_or_an_open_seat_or_oneself_cannot_be_stood_in_for() -> None:
    company = Company("Ann", "Ben", bots=1).start()
    for seat in (0, 2, 9):
        with pytest.raises(Refused, match="No other person"):
            company.stand_in("Ann", seat)
    with pytest.raises(Refused, match="no seat"):
        company.stand_in("Eve", 1)


def test_a_host_who_was_gone_is_host_again_on_coming_back() -> None:
    company = Company("Ann", "Ben", "Cy").start()
    table = company.table
    for heir in (1, 2):
        # First Ann is gone for long, then Ben, who stands in for her, as well.
        company.apply(steps.Hosted(at=1, seat=heir))
        assert (table.host, table.absent_host) == (heir, "Ann")
    company.apply(steps.Hosted(at=1, seat=0))
    assert (table.host, table.absent_host) == (0, "")
    company.do("Ann", protocol.Leave(id="bye"))
    assert (table.host, table.absent_host) == (1, "Ann")
    company.apply(steps.Away(at=1, seat=0, away=False))
    assert (table.host, table.absent_host) == (0, "")
    company.check_log()


def test_a_host_who_gives_the_table_away_does_not_get_it_back() -> None:
    company = Company("Ann", "Ben", "Cy")
    table = company.table
    company.apply(steps.Hosted(at=1, seat=1))
    company.do("Ben", protocol.HandOver(id="take it", seat=2))
    assert (table.host, table.absent_host) == (2, "")
    company.apply(steps.Hosted(at=1, seat=1))
    company.do("Cy", protocol.Leave(id="bye"))
    assert (table.host, table.absent_host) == (1, "")
    company.check_log()


def test_the_person_takes_the_seat_back_by_playing() -> None:
    company = Company("Ann", "Ben", "Cy").start()
    company.absent = {1: LONG}
    company.stand_in("Ann", 1)
    company.absent = {}
    ask = company.table.ask_of(1)
    assert ask is not None
    company.do("Ben", protocol.Choose(id="c", ask=company.table.asked, choice=ask.options[0].notation))
    assert not company.table.chairs[1].away
    assert company.notices[-1] == ("back", 1, None)


def test_a_bots_seat_is_taken_over_by_somebody_who_comes_later() -> None:
    company = Company("Ann", bots=2).start()
    before = company.table.chairs[2].name
    company.do("Eve", protocol.Sit(id="sit", name="Eve", seat=2))
    assert (company.table.chairs[2].who, company.table.chairs[2].level) == ("Eve", "")
    assert company.news[-1].notices == (protocol.Notice("taken_over", 2, 2, before),)
    assert company.news[-1].view, "the newcomer must be shown the hand"
    company.do("Fay", protocol.Sit(id="sit", name="Fay"))
    assert company.table.seat_of("Fay") == 1
    with pytest.raises(Refused, match="no bot holds"):
        company.do("Gus", protocol.Sit(id="sit", name="Gus"))
    company.check_log()


@pytest.mark.parametrize("seat", [0, 7])
def test_a_persons_seat_is_not_taken_over_even_when_a_bot_stands_in(seat: int) -> None:
    company = Company("Ann", "Ben", bots=1).start()
    company.do("Ann", protocol.Leave(id="leave"))
    with pytest.raises(Refused, match="no bot holds"):
        company.do("Eve", protocol.Sit(id="sit", name="Eve", seat=seat))


def test_a_table_may_keep_its_seats_as_they_are() -> None:
    company = Company("Ann", bots=1, take_over=False).start()
    with pytest.raises(Refused, match="stay as they are"):
        company.do("Eve", protocol.Sit(id="sit", name="Eve"))


def test_leaving_and_removing_are_told_by_name() -> None:
    company = Company("Ann", "Ben", "Cy")
    company.do("Ann", protocol.Remove(id="r", seat=1))
    company.do("Cy", protocol.Leave(id="l"))
    assert company.notices == [("removed", 1, 0), ("left", 2, 2)]
    assert [told.before for news in company.news for told in news.notices] == ["Ben", "Cy"]


def test_the_clock_tells_whom_it_sends_away() -> None:
    company = Company("Ann", "Ben", clock=30).start()
    while len(company.away) < 2:
        assert company.table.position is not None
        ask = company.table.position.open_asks[0]
        choice = ask.options[0].notation
        company.apply(steps.Chosen(at=1, seat=ask.seats[0], choice=choice, by="clock"))
    assert sorted(company.notices) == [("timed_out", 0, None), ("timed_out", 1, None)]


def test_a_forgotten_table_is_off_the_list_until_the_person_is_back() -> None:
    company = Company("Ann", "Ben").start()
    company.do("Ben", protocol.Forget(id="f"))
    assert (company.table.chairs[1].away, company.table.chairs[1].forgotten) == (True, True)
    with pytest.raises(Refused, match="already"):
        company.do("Ben", protocol.Forget(id="g"))
    company.check_log()
    company.apply(steps.Away(at=1, seat=1, away=False))
    assert not company.table.chairs[1].forgotten
    lobby = Company("Ann", "Ben")
    lobby.do("Ben", protocol.Forget(id="f"))
    assert lobby.table.chairs[1].open


def test_people_without_names_get_names_that_nobody_else_has() -> None:
    company = Company("Goose", "Ann", "Ben")
    company.do("Ann", protocol.Leave(id="l"))
    company.do("Nobody", protocol.Sit(id="s", name=""))
    chair = company.table.chairs[1]
    assert (chair.name, chair.named) == ("Goose 2", False)
    company.start()
    assert company.table.game is not None
    assert company.table.game.record.names == ("Goose", "Goose 2", "Ben")


@pytest.mark.parametrize(
    ("wish", "clock"),
    [
        ({"settings": Settings()}, 60),
        ({"settings": Settings(), "unlimited": True}, 0),
        ({"settings": Settings(clock=15)}, 15),
        ({"settings": Settings(privacy="private")}, 0),
        ({"settings": Settings(), "bots": ("easy",) * 3}, 0),
    ],
)
def test_a_table_with_strangers_has_a_clock(wish: dict[str, object], clock: int) -> None:
    table = new_table(NewTable(game="base", players=4, name="Ann", **wish), FakeSources(), ())  # type: ignore[arg-type]
    assert table.settings.clock == clock


class Nudging:
    """A room in which Ann and Ben play, and a bot."""

    def __init__(self) -> None:
        self.company = Company("Ann", "Ben", bots=1).start()
        self.room = Room(self.company.table, self.company.table.number, 0.0, Metrics())
        self.listener = FakeListener("Ben")
        self.listener.sent = self.room.committed
        self.room.listeners.add(self.listener)

    def nudge(self, who: str, seat: int, now: float = 0.0, name: str = "n") -> None:
        nudge(self.room, who, protocol.Nudge(id=name, seat=seat), now)


def test_anybody_may_remind_whom_all_wait_for_but_not_too_often() -> None:
    scene = Nudging()
    scene.nudge("Ann", 1)
    assert [json.loads(text) for text in scene.listener.heard] == [{"type": "nudged", "seat": 1, "by": 0}]
    with pytest.raises(Refused) as refused:
        scene.nudge("Ann", 1, 4.0, "m")
    assert (refused.value.code, refused.value.retry) == ("too-fast", 6000)
    scene.nudge("Ann", 1, 10.0, "o")
    assert len(scene.listener.heard) == 2


@pytest.mark.parametrize(
    ("who", "seat", "says"),
    [
        ("Eve", 1, "with a seat"),
        ("Ann", 0, "Nobody waits"),
        ("Ann", 9, "Nobody waits"),
        ("Ann", 2, "needs no reminder"),
    ],
)
def test_nobody_is_reminded_without_need(who: str, seat: int, says: str) -> None:
    scene = Nudging()
    with pytest.raises(Refused, match=says):
        scene.nudge(who, seat)
    assert not scene.listener.heard


def test_whoever_has_answered_is_not_reminded() -> None:
    scene = Nudging()
    ask = scene.company.table.ask_of(1)
    assert ask is not None
    choice = protocol.Choose(id="c", ask=scene.company.table.asked, choice=ask.options[0].notation)
    scene.company.do("Ben", choice)
    with pytest.raises(Refused, match="Nobody waits"):
        scene.nudge("Ann", 1)


def test_a_room_knows_for_how_long_somebody_is_missed() -> None:
    scene = Nudging()
    room = scene.room
    assert [room.absent(seat, 5.0) for seat in range(3)] == [5000, None, None], "Ann never came"
    room.listeners.clear()
    room.left_at["Ben"] = 7.0
    told = json.loads(room.who_is_there(8.5))
    assert told["absent"] == [8500, 1500, None]
    assert told["connected"] == [False, False, False]
