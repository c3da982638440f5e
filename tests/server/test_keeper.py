"""The keeper by itself: when bots play, when they stop, and what clocks do."""

import asyncio
import copy
from collections.abc import Callable

import pytest

from bullpen.server.live.bot_process import Job
from bullpen.server.live.keeper import Keeper
from bullpen.server.live.room import Room
from bullpen.server.protocol import NewTable, Settings
from bullpen.server.tables import steps
from tests.server.fakes import FakeHub, FakeListener, FakeTimers, room_with

MOST = 2000
"""More decisions than any game here has."""


class FakePool:
    """Answers with the first option, at once, or never, or with a fault."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, str, Job]] = []
        self.fault: Exception | None = None
        self.hold = asyncio.Event()
        self.hold.set()

    async def choose(self, table: str, payer: str, job: Job, wanted: Callable[[], bool]) -> str | None:
        self.jobs.append((table, payer, job))
        await self.hold.wait()
        if self.fault is not None:
            raise self.fault
        return job.ask.options[0].notation if wanted() else None

    async def close(self) -> None: ...


class Scene:
    """A keeper with everything around it in a test's hands."""

    def __init__(self, *people: str, clock: int = 0, bots: int = 0, game: str = "base") -> None:
        self.hub, self.pool, self.timers = FakeHub(), FakePool(), FakeTimers()
        self.keeper = Keeper(self.hub, self.pool, self.timers)
        name = "Ann" if people else None
        wish = NewTable(
            game=game,
            players=len(people) + bots,
            name=name,
            bots=("random",) * bots,
            settings=Settings(clock=clock),
        )
        self.room: Room = room_with(self.hub, wish, *people[1:])

    async def settle(self) -> None:
        """Let everything happen that needs no time."""
        for _ in range(MOST):
            await asyncio.sleep(0)

    def pass_by(self, seconds: float) -> None:
        self.timers.pass_by(seconds)
        self.hub.time.time += round(1000 * seconds)
        self.hub.time.seconds += seconds

    @property
    def chosen(self) -> list[steps.Chosen]:
        return [step for step in self.hub.done if isinstance(step, steps.Chosen)]


def test_nobody_there_no_bots_and_they_go_on_when_somebody_comes() -> None:
    async def play() -> None:
        scene = Scene(bots=3)
        scene.keeper.arrange(scene.room)
        await scene.settle()
        assert not scene.pool.jobs
        scene.room.listeners.add(FakeListener())
        scene.keeper.arrange(scene.room)
        await scene.settle()
        assert scene.room.table.phase == "over"

    asyncio.run(play())


def test_bots_with_a_clock_in_an_empty_room_stop_too() -> None:
    async def play() -> None:
        scene = Scene(bots=4, clock=1)
        scene.keeper.arrange(scene.room)
        for _ in range(100):
            await scene.settle()
            scene.pass_by(60)
        assert not scene.chosen

    asyncio.run(play())


def test_when_the_last_listener_goes_the_bots_stop_at_once() -> None:
    async def play() -> None:
        scene = Scene(bots=3)
        watcher = FakeListener()
        scene.room.listeners.add(watcher)
        scene.pool.hold.clear()
        scene.keeper.arrange(scene.room)
        await asyncio.sleep(0)
        assert scene.pool.jobs
        scene.room.listeners.discard(watcher)
        scene.pool.hold.set()
        await scene.settle()
        assert not scene.chosen

    asyncio.run(play())


def test_a_clock_keeps_its_promise_to_absent_people_and_then_the_room_falls_silent() -> None:
    async def play() -> None:
        scene = Scene("ann", "ben", clock=30, bots=1)
        scene.keeper.arrange(scene.room)
        for _ in range(50):
            await scene.settle()
            scene.pass_by(60)
        by = [step.by for step in scene.chosen]
        assert by.count("clock") == 4, "two people, two decisions each"
        assert all(chair.away for chair in scene.room.table.chairs if chair.who)
        assert scene.room.table.phase == "playing"
        told = len(scene.hub.done)
        scene.pass_by(3600)
        await scene.settle()
        assert len(scene.hub.done) == told

    asyncio.run(play())


@pytest.mark.parametrize("jump", [3_600_000, -3_600_000])
def test_the_time_of_day_may_jump_while_a_clock_runs(jump: int) -> None:
    async def play() -> None:
        scene = Scene("ann", "ben", clock=30)
        scene.keeper.arrange(scene.room)
        (before,) = scene.timers.pending
        scene.hub.time.time += jump
        scene.keeper.arrange(scene.room)
        assert scene.timers.pending == [before]

    asyncio.run(play())


def test_after_a_fault_people_get_time_again() -> None:
    async def play() -> None:
        scene = Scene("ann", "ben", clock=30)
        scene.keeper.arrange(scene.room)
        scene.hub.fault = True
        scene.pass_by(120)
        await scene.settle()
        assert not scene.chosen
        scene.hub.fault = False
        scene.keeper.arrange(scene.room)
        await scene.settle()
        assert scene.timers.pending == [15.0]
        assert not scene.chosen
        scene.pass_by(15)
        await scene.settle()
        assert {step.by for step in scene.chosen} == {"clock"}

    asyncio.run(play())


def test_whatever_the_pool_does_no_seat_thinks_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        scene = Scene(bots=2)
        scene.room.listeners.add(FakeListener())
        scene.pool.fault = ZeroDivisionError("a bot's own fault")
        scene.keeper.arrange(scene.room)
        await scene.settle()
        assert not scene.room.thinking
        assert scene.room.table.phase == "over", "chance has stood in"

    asyncio.run(play())
    assert "a bot could not choose" in caplog.text


def test_a_question_that_is_asked_again_because_its_answer_was_not_saved_has_a_clock_again() -> None:
    async def play() -> None:
        scene = Scene("ann", "ben", clock=10)
        room, on_disk = scene.room, copy.deepcopy(scene.room.table)
        scene.keeper.arrange(room)
        for seat in (0, 1):
            ask = room.table.ask_of(seat)
            assert ask is not None
            room.table.apply(steps.Chosen(at=1, seat=seat, choice=ask.options[0].notation))
        # Memory is ahead of the disk when time is up, and goes back to what is on disk after that.
        assert room.table.asked > on_disk.asked
        scene.pass_by(60)
        await scene.settle()
        assert not scene.chosen
        room.table = on_disk
        scene.keeper.arrange(room)
        scene.pass_by(60)
        await scene.settle()
        assert {step.by for step in scene.chosen} == {"clock"}

    asyncio.run(play())


def test_a_team_whose_time_is_up_gets_what_most_wanted_and_nobody_the_blame() -> None:
    async def play() -> None:
        scene = Scene("ann", "ben", "cy", clock=30, game="buffalo")
        table, now = scene.room.table, scene.hub.sources.now()
        while not any(len(ask.seats) > 1 for ask in table.position.open_asks):  # type: ignore[union-attr]
            assert table.position is not None
            ask = table.position.open_asks[0]
            scene.hub.do(scene.room, steps.Chosen(at=now, seat=ask.seats[0], choice=ask.options[0].notation))
        assert table.position is not None
        ask = table.position.open_asks[0]
        first, *_, last = (option.notation for option in ask.options)
        for seat, choice in ((0, first), (1, last), (2, last)):
            scene.hub.do(scene.room, steps.Voted(at=now, seat=seat, choice=choice))
        scene.pass_by(3600)
        await scene.settle()
        step = next(step for step in scene.chosen if step.by == "team")
        assert (step.seat, step.choice) == (1, last)
        assert [chair.misses for chair in table.chairs] == [0, 0, 0]

    asyncio.run(play())


def test_bots_play_at_the_expense_of_a_player_before_a_spectator() -> None:
    async def play() -> None:
        scene = Scene("ann", bots=1)
        scene.room.listeners |= {FakeListener("", "192.0.2.9"), FakeListener("ann", "192.0.2.7")}
        scene.keeper.arrange(scene.room)
        await scene.settle()
        assert {payer for _, payer, _ in scene.pool.jobs} == {"192.0.2.7"}

    asyncio.run(play())
