"""The road by itself: from a message to the disk and to the seats, with a store that the test holds."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from bullpen.server import protocol
from bullpen.server.config import Config
from bullpen.server.errors import Refused
from bullpen.server.live import road, visits, writer
from bullpen.server.live.hub import Hub
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.room import Room
from bullpen.server.live.visits import join
from bullpen.server.live.writer import Writer
from bullpen.server.protocol import NewTable, Settings
from bullpen.server.store.interface import Batch, Row, StoreError
from bullpen.server.tables import steps, table
from bullpen.server.tables.wire import Teller
from tests.server.fakes import FakeListener, FakeSources, FakeStore
from tests.simulation.universe import Loop, Universe

Answer = tuple[str, int]


class Scene:
    """A hub over a store in memory, and tables at which Ann and Ben sit."""

    def __init__(self, store: FakeStore | None = None) -> None:
        self.store = store or FakeStore()
        self.time = FakeSources()
        self.hub = Hub(Config(archive_after=60), self.store, self.time)
        self._ids = 0

    async def table(self, rounds: int = 0, **settings: Any) -> Room:
        """A running game of two, at which both listen; it ends after some rounds or as usual."""
        options: dict[str, Any] = {"end.kind": "rounds", "end.value": rounds} if rounds else {}
        wish = NewTable(game="base", players=2, name="Ann", options=options, settings=Settings(**settings))
        room = await self.hub.create(wish, "ann")
        await self.ask(room, "ben", protocol.Sit(id="sit", name="Ben"))
        await self.ask(room, "ann", protocol.Start(id="start"))
        for who in ("ann", "ben"):
            join(self.hub, room, FakeListener(who), 0)
        return room

    def send(self, room: Room, who: str, message: protocol.ClientMessage) -> "asyncio.Future[Answer]":
        """Send a message; the answer is (`ack`, number) or (the code of a refusal, 0)."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def reply(refused: Refused | None, number: int) -> None:
            answer.set_result(("ack", number) if refused is None else (refused.code, number))

        self.hub.handle(room, who, message, reply)
        return answer

    async def ask(self, room: Room, who: str, message: protocol.ClientMessage) -> Answer:
        return await asyncio.wait_for(self.send(room, who, message), 5)

    def choice(self, room: Room, who: str, option: int = 0, **more: Any) -> protocol.Choose:
        """A choice that is legal now, with an id of its own."""
        self._ids += 1
        ask = room.table.ask_of(room.table.seat_of(who))
        assert ask is not None
        notation = ask.options[option].notation
        return protocol.Choose(**{"id": f"c{self._ids}", "ask": room.table.asked, "choice": notation, **more})

    async def recovery(self) -> None:
        """Let the store work again, and wait until that is noticed."""
        self.store.fault = None
        while self.hub.writer.trouble is not None:
            await asyncio.sleep(0.005)

    async def written(self, count: int = 1) -> None:
        """Wait until the store has been asked to write so many more groups."""
        wanted = len(self.store.groups) + count
        while len(self.store.groups) < wanted:
            await asyncio.sleep(0.001)


def play(story: Callable[[Scene], Coroutine[Any, Any, None]], store: FakeStore | None = None) -> None:
    """Tell a story with an open hub."""

    async def main() -> None:
        scene = Scene(store)
        await scene.hub.open()
        try:
            await story(scene)
        finally:
            scene.store.open.set()
            await scene.hub.writer.stop()

    asyncio.run(main())


def listener(room: Room, who: str) -> FakeListener:
    found = next(one for one in room.listeners if one.who == who)
    assert isinstance(found, FakeListener)
    return found


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "EVERY", 0.01)


# There and back.


def test_nobody_hears_of_a_step_before_it_is_on_disk_and_the_news_come_before_the_answer() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        before, ann, ben = room.committed, listener(room, "ann"), listener(room, "ben")
        heard = len(ann.heard), len(ben.heard)
        scene.store.open.clear()
        told_first: list[bool] = []
        answer = scene.send(room, "ann", scene.choice(room, "ann"))
        answer.add_done_callback(lambda _: told_first.append(len(ben.heard) > heard[1]))
        await scene.written(1)
        await asyncio.sleep(0.02)
        assert (len(ann.heard), len(ben.heard)) == heard
        assert not answer.done()
        assert not room.settled
        scene.store.open.set()
        assert await answer == ("ack", before + 1)
        await asyncio.sleep(0)
        assert told_first == [True]
        assert ben.numbers[-1] == before + 1
        assert room.settled

    play(story)


def test_what_comes_while_a_group_is_written_waits_and_goes_together() -> None:
    async def story(scene: Scene) -> None:
        room, other = await scene.table(), await scene.table()
        scene.store.open.clear()
        groups = len(scene.store.groups)
        answers = [scene.send(room, "ann", scene.choice(room, "ann"))]
        await scene.written(1)
        answers.append(scene.send(room, "ben", scene.choice(room, "ben")))
        answers += [scene.send(other, who, scene.choice(other, who)) for who in ("ann", "ben")]
        assert len(room.inbox) == 1, "it waits, so that what is told is what is on disk"
        scene.store.open.set()
        assert [kind for kind, _ in await asyncio.gather(*answers)] == ["ack"] * 4
        assert [len(batch.steps) for batch in scene.store.groups[groups:]] == [1, 3]

    play(story)


class AtOnce(Executor):
    """Does everything at once, in no time."""

    def submit(self, work: Callable[..., Any], /, *values: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*values, **named))
        return done


def test_groups_for_a_shared_database_are_let_grow_but_nobody_waits_after_a_quiet_moment() -> None:
    universe, store = Universe(), FakeStore()
    loop = Loop(universe)
    store.steps["t"] = {}

    async def story() -> None:
        scribe = writer.Writer(store, Metrics(), AtOnce(), apart=0.05)
        scribe.start()
        for number, pause in enumerate((0, 0, 0, 0, 0.004, 0.004, 0.03, 0.001), start=1):
            scribe.add(writer.Entry("t", steps=[Row("t", number, b"")]))
            if pause:
                await asyncio.sleep(pause)
        await scribe.stop()

    told = loop.create_task(story())
    universe.run(1.0)
    assert told.done()
    loop.close()
    assert [[row.number for row in group.steps] for group in store.groups] == [[1, 2, 3, 4, 5], [6, 7], [8]]


def test_views_are_given_of_what_is_on_disk_only() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        scene.store.open.clear()
        answer = scene.send(room, "ann", scene.choice(room, "ann"))
        await scene.written(1)
        looked = asyncio.create_task(room.on_disk())
        late = FakeListener()
        join(scene.hub, room, late, 0)
        await asyncio.sleep(0.02)
        assert not looked.done()
        assert not late.heard
        scene.store.open.set()
        await answer
        assert (await looked).number == room.committed
        assert late.numbers == [room.committed]

    play(story)


# Faults stay where they are.


def test_a_fault_while_telling_one_seat_silences_nobody_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    update = Teller.update

    def fails_for_ben(self: Teller, seat: int | None, since: int) -> str:
        if seat == 1:
            raise ZeroDivisionError("a fault of the rules")
        return update(self, seat, since)

    async def story(scene: Scene) -> None:
        room = await scene.table()
        before = room.committed
        with monkeypatch.context() as broken:
            broken.setattr(Teller, "update", fails_for_ben)
            assert await scene.ask(room, "ann", scene.choice(room, "ann")) == ("ack", before + 1)
            assert listener(room, "ann").numbers[-1] == before + 1
            assert listener(room, "ben").numbers[-1] == before
        assert scene.hub.writer.alive
        assert (await scene.ask(room, "ben", scene.choice(room, "ben")))[0] == "ack"
        assert listener(room, "ben").numbers[-1] == room.committed, "what was missed comes with the next news"

    play(story)
    assert "a listener was not told" in caplog.text


def test_a_fault_in_one_room_stays_in_that_room(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        room, other = await scene.table(), await scene.table()

        def arrange(one: Room) -> None:
            if one is room:
                raise ZeroDivisionError("a fault of the keeper")

        scene.hub.arrange = arrange
        for one in (room, other, room, other):
            who = "ann" if one.table.position and 0 not in one.table.position.answers else "ben"
            await scene.ask(other, who, scene.choice(other, who)) if one is other else scene.send(
                room, who, scene.choice(room, who)
            )
        assert scene.hub.writer.alive
        assert scene.hub.writer.trouble is None
        assert other.settled

    play(story)
    assert "a room was not told" in caplog.text


def test_a_reply_that_fails_costs_nobody_else_theirs(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()

        def fails(_: Refused | None, __: int) -> None:
            raise ZeroDivisionError("a fault of a door")

        scene.hub.handle(room, "ann", scene.choice(room, "ann"), fails)
        assert (await scene.ask(room, "ben", scene.choice(room, "ben")))[0] == "ack"

    play(story)
    assert "a reply failed" in caplog.text


def test_a_step_that_fails_half_way_is_undone_from_the_disk(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> int:
        raise ZeroDivisionError("a fault of the server")

    async def story(scene: Scene) -> None:
        room = await scene.table()
        before = room.committed
        scene.hub.do(room, steps.Away(at=1, seat=1, away=True))
        with monkeypatch.context() as broken:
            broken.setattr(table, "animation", fails)
            ann = scene.send(room, "ann", scene.choice(room, "ann"))
            ben = scene.send(room, "ben", scene.choice(room, "ben"))
            assert (await ben)[0] == "internal"
        assert await ann == ("ack", before + 2), "what was done before it is kept"
        assert (await room.on_disk()).number == before + 2
        assert room.table.chairs[1].away
        assert (await scene.ask(room, "ben", scene.choice(room, "ben")))[0] == "ack"

    play(story)
    assert "a step failed" in caplog.text


# The store is at fault.


def test_a_fault_refuses_all_that_waits_at_once_and_leaves_memory_as_the_disk_is() -> None:
    async def story(scene: Scene) -> None:
        rooms = [await scene.table() for _ in range(5)]
        before = [room.committed for room in rooms]
        scene.store.open.clear()
        scene.store.fault = StoreError("database is locked")
        answers = [scene.send(room, "ann", scene.choice(room, "ann")) for room in rooms[:3]]
        await scene.written(1)
        answers += [scene.send(room, "ann", scene.choice(room, "ann")) for room in rooms[3:]]
        answers.append(scene.send(rooms[0], "ben", scene.choice(rooms[0], "ben")))
        groups = len(scene.store.groups)
        scene.store.open.set()
        assert {kind for kind, _ in await asyncio.gather(*answers)} == {"storage"}
        assert len(scene.store.groups) == groups, "nobody waits for the same fault again"
        assert scene.hub.writer.trouble == "The store cannot be written; the log says why."
        for room, number in zip(rooms, before, strict=True):
            assert (await room.on_disk()).number == number
            late = FakeListener()
            join(scene.hub, room, late, 0)
            assert late.numbers == [number]
        with pytest.raises(Refused, match="cannot save"):
            await scene.hub.create(NewTable(game="base", players=2), "ann")
        assert (await scene.ask(rooms[0], "ann", scene.choice(rooms[0], "ann")))[0] == "storage"
        await scene.recovery()
        assert (await scene.ask(rooms[0], "ann", scene.choice(rooms[0], "ann")))[0] == "ack"

    play(story)


def test_a_store_that_can_be_neither_written_nor_read_is_read_again_once_it_works() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        before = room.committed
        scene.store.fault = StoreError("disk I/O error")
        scene.store.unreadable.add(room.table.id)
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "storage"
        looked = asyncio.create_task(room.on_disk())
        await asyncio.sleep(0.03)
        assert not looked.done(), "memory is not what is on disk, so nobody is shown it"
        scene.store.fault = None
        scene.store.unreadable.clear()
        assert (await asyncio.wait_for(looked, 5)).number == before
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"

    play(story)


def test_a_table_that_cannot_be_read_although_the_store_works_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(road, "AGAIN", 0.01)

    async def story(scene: Scene) -> None:
        room = await scene.table()
        before = room.committed
        scene.store.fault = StoreError("the answer was lost")
        scene.store.unreadable.add(room.table.id)
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "storage"
        await scene.recovery()
        looked = asyncio.create_task(room.on_disk())
        await asyncio.sleep(0.03)
        assert not looked.done(), "the reading that follows recovery failed too"
        scene.store.unreadable.clear()
        assert (await asyncio.wait_for(looked, 5)).number == before

    play(story)


def test_a_fault_that_nobody_thought_of_does_not_end_the_writer(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        scene.store.fault = ZeroDivisionError("a fault of the store")
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "storage"
        await scene.recovery()
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"

    play(story)
    assert "unknown way" in caplog.text


def test_exceptions_after_the_commit_leave_nobody_unanswered(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        rooms = [await scene.table(), await scene.table()]
        settled, left = scene.hub.writer.settled, [3]

        def fails(entry: writer.Entry, fault: StoreError | None) -> None:
            left[0] -= 1
            if left[0] >= 0:
                raise ZeroDivisionError("a fault of the road")
            settled(entry, fault)

        scene.hub.writer.settled = fails
        answers = [scene.send(room, "ann", scene.choice(room, "ann")) for room in rooms]
        assert [kind for kind, _ in await asyncio.wait_for(asyncio.gather(*answers), 5)] == ["ack", "ack"]
        assert scene.hub.writer.alive

    play(story)
    assert "steps were not settled" in caplog.text


def test_two_exceptions_in_a_commit_leave_nobody_unanswered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(scene: Scene) -> None:
        rooms = [await scene.table(), await scene.table()]
        left = [2]

        def fails(*values: Any) -> Any:
            left[0] -= 1
            if left[0] >= 0:
                raise ZeroDivisionError("a fault of the writer")
            return Batch(*values)

        monkeypatch.setattr(writer, "Batch", fails)
        for _ in range(2):
            answers = [scene.send(room, "ann", scene.choice(room, "ann")) for room in rooms]
            said = await asyncio.wait_for(asyncio.gather(*answers), 5)
            assert [kind for kind, _ in said] == ["storage", "storage"]
            await scene.recovery()
        for room in rooms:
            assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"

    play(story)


@pytest.mark.parametrize("name", ["_turn", "_commit", "_write", "_note", "_settle"])
def test_a_part_of_the_writer_that_raises_twice_in_a_row_leaves_nobody_unanswered(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    part: Callable[..., Any] = getattr(Writer, name)
    left = [2]

    def fails(*values: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise ZeroDivisionError("a fault of the writer")
        return part(*values)

    async def story(scene: Scene) -> None:
        rooms = [await scene.table(), await scene.table()]
        monkeypatch.setattr(Writer, name, fails)
        choices = [scene.choice(room, "ann") for room in rooms]
        said: set[str] = set()
        while said != {"ack"}:
            # What is on disk after all is known by its id when it comes again.
            answers = [scene.send(room, "ann", sent) for room, sent in zip(rooms, choices, strict=True)]
            said = {kind for kind, _ in await asyncio.wait_for(asyncio.gather(*answers), 5)}
            assert said in ({"ack"}, {"storage"})
            await scene.recovery()
        assert left == [0]
        for room in rooms:
            assert (await scene.ask(room, "ben", scene.choice(room, "ben")))[0] == "ack"
        assert scene.hub.metrics.pending == 0

    play(story)


def test_a_writer_that_is_stuck_or_gone_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        monkeypatch.setattr(writer, "STUCK", 0.01)
        scene.store.open.clear()
        scene.send(room, "ann", scene.choice(room, "ann"))
        await scene.written(1)
        await asyncio.sleep(0.03)
        assert scene.hub.writer.trouble == "The store does not answer."
        scene.store.open.set()

    play(story)
    gone = Scene().hub.writer
    assert not gone.alive
    assert gone.trouble == "Nothing is being written."


def test_steps_that_another_process_wrote_are_read_and_cost_no_other_table_anything() -> None:
    async def story(scene: Scene) -> None:
        room, other = await scene.table(), await scene.table()
        foreign = steps.encode(steps.Hosted(at=1, seat=1))
        scene.store.steps[room.table.id][room.committed + 1] = foreign
        answers = [scene.send(one, "ann", scene.choice(one, "ann")) for one in (room, other)]
        assert [kind for kind, _ in await asyncio.gather(*answers)] == ["storage", "ack"]
        assert (await room.on_disk()).host == 1
        assert scene.hub.writer.trouble is None
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"

    play(story)


def test_a_table_that_was_deleted_under_the_server_leaves_it() -> None:
    async def story(scene: Scene) -> None:
        room, other = await scene.table(), await scene.table()
        del scene.store.steps[room.table.id], scene.store.codes[room.table.id]
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "storage"
        while not room.gone:
            await asyncio.sleep(0.001)
        assert (await scene.ask(room, "ann", scene.choice(other, "ann")))[0] == "unknown-table"
        with pytest.raises(Refused, match="no such table"):
            await scene.hub.find(room.table.code)
        with pytest.raises(Refused, match="put away"):
            join(scene.hub, room, FakeListener(), 0)

    play(story)


# Ids.


def test_the_same_message_again_is_answered_and_the_same_id_for_another_is_refused() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        message = scene.choice(room, "ann", id="mine")
        other = scene.choice(room, "ann", option=1, id="mine")
        scene.store.open.clear()
        first = scene.send(room, "ann", message)
        early = scene.send(room, "ann", message)
        assert not early.done(), "not before it is on disk"
        scene.store.open.set()
        assert await first == await early
        assert await scene.ask(room, "ann", message) == await first
        assert await scene.ask(room, "ann", other) == ("bad-request", 0)
        number = room.committed
        assert (await scene.ask(room, "ben", scene.choice(room, "ben", id="mine")))[0] == "ack", "Ben's own"
        again = Scene(scene.store)
        await again.hub.open()
        back = await again.hub.find(room.table.code)
        assert await again.ask(back, "ann", message) == ("ack", number)
        assert await again.ask(back, "ann", other) == ("bad-request", 0)
        await again.hub.writer.stop()

    play(story)


def test_an_answer_that_brings_somebody_back_is_confirmed_by_its_own_number() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        assert (await scene.ask(room, "ann", protocol.Leave(id="gone")))[0] == "ack"
        before, message = room.committed, scene.choice(room, "ann", id="mine")
        assert await scene.ask(room, "ann", message) == ("ack", before + 1)
        assert room.committed == before + 2, "that Ann is back follows, and is a step too"
        assert await scene.ask(room, "ann", message) == ("ack", before + 1)

    play(story)


def test_ids_are_known_for_the_game_and_only_the_latest_beyond_it() -> None:
    async def story(scene: Scene) -> None:
        # At 20 cards a round more messages come than are known beyond a game.
        room = await scene.table(rounds=4)
        messages: list[tuple[str, protocol.Choose]] = []
        while room.table.phase == "playing":
            for who in ("ann", "ben"):
                asked = room.table.ask_of(room.table.seat_of(who))
                assert room.table.position is not None
                if asked is not None and room.table.position.answer_to(asked) is None:
                    messages.append((who, scene.choice(room, who)))
                    assert (await scene.ask(room, *messages[-1]))[0] == "ack"
        assert (await scene.ask(room, *messages[0]))[0] == "ack"
        assert len(room.table.memory) > 64
        again = Scene(scene.store)
        await again.hub.open()
        back = await again.hub.find(room.table.code)
        assert (await again.ask(back, *messages[-1]))[0] == "ack", "its answer may have been lost"
        assert (await again.ask(back, *messages[0]))[0] == "too-late"
        assert (await again.ask(back, "ann", protocol.Rematch(id="again")))[0] == "ack"
        assert len(back.table.memory) == 65
        assert (await again.ask(back, *messages[-1]))[0] == "ack"
        await again.hub.writer.stop()

    play(story)


def test_after_the_clock_has_chosen_an_answer_is_too_late() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table(clock=30)
        choice = scene.choice(room, "ann")
        scene.hub.do(room, steps.Chosen(at=1, seat=0, choice=choice.choice, by="clock"), asked=choice.ask)
        assert await scene.ask(room, "ann", choice) == ("too-late", 0)
        assert await scene.ask(room, "ann", protocol.TakeBack(id="back", ask=choice.ask)) == ("too-late", 0)
        scene.hub.do(room, steps.Chosen(at=1, seat=1, choice="1", by="clock"), asked=choice.ask + 99)
        assert room.table.position is not None
        assert 1 not in room.table.position.answers, "it was meant for another question"

    play(story)


def test_a_choice_is_taken_back_only_so_often() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        for turn in range(21):
            assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"
            back = protocol.TakeBack(id=f"back{turn}", ask=room.table.asked)
            said = (await scene.ask(room, "ann", back))[0]
            assert said == ("ack" if turn < 20 else "closed")

    play(story)


def test_a_table_sees_only_so_many_steps_in_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        monkeypatch.setattr(table, "MOST_STEPS", room.committed + 1)
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"
        assert (await scene.ask(room, "ben", scene.choice(room, "ben"))) == ("closed", 0)
        scene.hub.do(room, steps.Away(at=1, seat=0, away=True))
        assert not room.table.chairs[0].away

    play(story)


# Clocks.


@pytest.mark.parametrize("jump", [3_600_000, -3_600_000])
def test_the_time_of_day_changes_no_clock(jump: int) -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table(clock=30)
        scene.time.seconds += 10
        left = room.left(scene.time.seconds)
        scene.time.time += jump
        assert room.left(scene.time.seconds) == left == room.table.animation + 20_000
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "ack"
        assert room.left(scene.time.seconds) == left
        again = Scene(scene.store)
        again.time.time = scene.time.time
        await again.hub.open()
        back = await again.hub.find(room.table.code)
        found = back.left(again.time.seconds)
        assert found is not None
        assert 15_000 <= found <= room.table.animation + 30_000
        await again.hub.writer.stop()

    play(story)


def test_a_host_hands_over_after_a_time_without_a_connection_and_not_sooner() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        ann = listener(room, "ann")
        visits.part(scene.hub, room, ann)
        scene.time.seconds += 29
        join(scene.hub, room, ann, 0)
        visits.part(scene.hub, room, ann)
        scene.time.seconds += 1
        visits._hand_over(scene.hub, room, 0)
        assert room.table.host == 0, "gone for a second only"
        scene.time.seconds += 29
        visits._hand_over(scene.hub, room, 0)
        assert room.table.host == 1

    play(story)


def test_people_get_time_after_a_fault() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table(clock=30)
        scene.store.fault = StoreError("disk full")
        assert (await scene.ask(room, "ann", scene.choice(room, "ann")))[0] == "storage"
        scene.time.seconds += 3600
        await scene.recovery()
        await room.on_disk()
        assert room.left(scene.time.seconds) == 15_000

    play(story)


# Coming and going.


def test_somebody_who_comes_while_a_table_is_archived_finds_the_one_room() -> None:
    async def story(scene: Scene) -> None:
        room = await scene.table()
        room.listeners.clear()
        scene.time.seconds += 61
        scene.store.open.clear()
        archiving = asyncio.create_task(scene.hub.archive_unvisited())
        await asyncio.sleep(0.01)
        assert await scene.hub.find(room.table.code) is room
        scene.store.open.set()
        await archiving
        assert await scene.hub.find(room.table.id) is room
        assert not scene.store.archived
        room.listeners.clear()
        scene.time.seconds += 61
        await scene.hub.archive_unvisited()
        assert room.gone
        assert scene.store.archived == {room.table.id}
        one, other = await asyncio.gather(scene.hub.find(room.table.id), scene.hub.find(room.table.id))
        assert one is other
        assert one is not room
        assert not scene.store.archived

    play(story)


def test_a_table_that_cannot_be_read_is_left_out_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    store, rooms = FakeStore(), []

    async def before(scene: Scene) -> None:
        rooms.extend([await scene.table() for _ in range(4)])

    async def after(scene: Scene) -> None:
        assert len(scene.hub.rooms) == 1
        assert (await scene.hub.find(rooms[3].table.code)).table.phase == "playing"
        for room, says in (
            (rooms[0], "cannot be read"),
            (rooms[1], "cannot be read"),
            (rooms[2], "cannot save"),
        ):
            with pytest.raises(Refused, match=says):
                await scene.hub.find(room.table.code)

    play(before, store)
    store.steps[rooms[0].table.id][2] = b"{"
    store.steps[rooms[1].table.id][2] = steps.encode(steps.Chosen(at=1, seat=0, choice="banana"))
    store.unreadable.add(rooms[2].table.id)
    play(after, store)
    assert caplog.text.count("table left out") == 3


def test_a_log_from_before_there_were_folds_is_folded_when_it_is_read() -> None:
    store, log = FakeStore(), dict[int, bytes]()

    async def before(scene: Scene) -> None:
        room = await scene.table()
        while room.table.phase == "playing":
            assert room.table.position is not None
            ask = room.table.position.open_asks[0]
            scene.hub.do(room, steps.Chosen(at=1, seat=ask.seats[0], choice=ask.options[0].notation))
            await room.on_disk()
        await scene.ask(room, "ann", protocol.Rematch(id="again"))
        for batch in store.groups:
            log.update({row.number: row.body for row in batch.steps})

    async def after(scene: Scene) -> None:
        (room,) = scene.hub.rooms.values()
        while room.table.id not in store.folds:
            await asyncio.sleep(0.001)
        assert room.table.phase == "playing"

    play(before, store)
    (name, fold), steps_after = store.folds.popitem(), store.steps
    assert [*store.steps[name]] == [fold.number + 1], "a finished game leaves the disk, but for its record"
    assert len(store.records) == 1
    store.steps = {name: log}
    play(after, store)
    assert store.folds == {name: fold}
    assert store.steps == steps_after
