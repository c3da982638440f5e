"""Records at the door: what is brought is bounded, and what is shown comes in parts."""

import asyncio
import gzip
import random
import tracemalloc
from typing import Any

import msgspec
import pytest

from bullpen.engine import Seeded
from bullpen.game import Game
from bullpen.records import Record, check
from bullpen.rulesets import make
from bullpen.server.doors import library
from bullpen.server.doors.library import Library
from bullpen.server.doors.reading import OPEN_REPLAYS, Check, Checked, Content, No, Page, Reader
from bullpen.server.errors import Refused
from bullpen.server.limits import Limits
from tests.server.client import call, http
from tests.server.places import Place
from tests.server.running import server

LIMITS = Limits()


def played(rounds: int, players: int = 2, names: tuple[str, ...] = ()) -> Record:
    """A game of so many rounds, played by chance."""
    rules = make("base", players, {"end.kind": "rounds", "end.value": rounds})
    game = Game(rules, Seeded(rounds), list(names or [f"P{seat}" for seat in range(players)]))
    dice = random.Random(rounds)
    while not game.over:
        ask = game.position.open_asks[0]
        game.choose(ask.seats[0], dice.choice(ask.options).notation)
    return game.record


def page(record: Record, first: int = 0, seat: str = "all", **more: Any) -> Page:
    asked = Page(
        name="r",
        text=record.dumps(),
        seat=seat,
        first=first,
        moments=LIMITS.page_moments,
        size=LIMITS.page_bytes,
        most_choices=LIMITS.replay_choices,
        compressed=False,
    )
    return msgspec.structs.replace(asked, **more)


def shown(reader: Reader, job: Page) -> dict[str, Any]:
    answer = reader.do(job)
    assert isinstance(answer, Content), answer
    found: dict[str, Any] = msgspec.json.decode(answer.body)
    return found


@pytest.mark.parametrize("seat", ["all", "none", "1"])
def test_parts_put_together_are_the_whole(seat: str) -> None:
    record, reader = played(6), Reader()
    whole = shown(reader, page(record, seat=seat))
    moments: list[Any] = []
    while len(moments) < whole["total"]:
        part = shown(reader, page(record, len(moments), seat, moments=37))
        assert part["first"] == len(moments)
        moments += part["moments"]
    assert moments == whole["moments"]
    assert len(moments) == len(record.choices) + 1
    assert shown(reader, page(record, len(moments), seat))["moments"] == []


def test_a_part_read_on_its_own_is_the_same_part() -> None:
    record = played(6)
    going_on = Reader()
    shown(going_on, page(record, moments=50))
    job = page(record, 50)
    assert shown(going_on, job) == shown(Reader(), job)


def test_a_part_is_bounded_in_moments_and_bytes() -> None:
    record, reader = played(20), Reader()
    assert len(shown(reader, page(record, moments=10))["moments"]) == 10
    small = shown(reader, page(record, size=5_000))
    assert 1 < len(small["moments"]) < 10
    packed = reader.do(page(record, compressed=True))
    plain = reader.do(page(record))
    assert isinstance(packed, Content)
    assert isinstance(plain, Content)
    assert gzip.decompress(packed.body) == plain.body


def test_replays_that_are_left_open_are_forgotten() -> None:
    reader = Reader()
    for name in range(3 * OPEN_REPLAYS):
        reader.do(page(played(2), name=str(name), moments=5))
    assert len(reader._open) == OPEN_REPLAYS


@pytest.mark.parametrize("seat", ["", "2", "-1", "x", "٣", "9" * 5000, "None"])
def test_eyes_that_are_not_there_are_refused(seat: str) -> None:
    answer = Reader().do(page(played(1), seat=seat))
    assert isinstance(answer, No)
    assert answer.code == "bad-request"


def test_a_record_of_changed_rules_is_refused_in_a_sentence_and_no_fault() -> None:
    record = played(1)
    record.behaviour += 1
    answer = Reader().do(page(record))
    assert isinstance(answer, No)
    assert answer.code == "cannot-replay"
    assert "this program plays 1" in answer.says
    assert "can be downloaded" in answer.says


def test_a_game_that_is_too_long_is_handed_out_but_not_replayed() -> None:
    answer = Reader().do(page(played(3), most_choices=20))
    assert isinstance(answer, No)
    assert answer.code == "cannot-replay"


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (played(3).dumps(), ""),
        (played(3, names=("Ann", "\u3164\u200b")).dumps(), "bad-request"),
        (played(8).dumps(), "too-large"),
        (played(3).dumps().replace('"players": 2', '"players": 3'), "bad-request"),
        ("[" * 10_000, "bad-request"),
        ("", "bad-request"),
    ],
    ids=["sound", "invisible name", "long", "wrong", "nested", "empty"],
)
def test_what_is_brought_is_checked(record: str, code: str) -> None:
    answer = Reader().do(Check(record.encode(), 120))
    if isinstance(answer, Checked):
        assert code == ""
        assert answer.text == record
    else:
        assert isinstance(answer, No)
        assert answer.code == code


def test_a_name_of_a_record_that_is_brought_turns_no_text_around() -> None:
    turned = "Ann" + chr(0x202E) + "nnA" + chr(0x2066) + "\n"
    answer = Reader().do(Check(played(1, names=(turned, "Ben")).dumps().encode(), 120))
    assert isinstance(answer, Checked)
    assert answer.summary.names == ("AnnnnA", "Ben")
    assert Record.loads(answer.text).names == ("AnnnnA", "Ben")


def test_checking_keeps_one_position_and_not_all() -> None:
    def most(record: Record) -> int:
        tracemalloc.start()
        try:
            check(record)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    short, long = played(10), played(60)
    assert len(long.choices) > 5 * len(short.choices)
    # Positions are some 5 kB each, and all of them would be as many as the choices.
    assert most(long) - most(short) < 500 * (len(long.choices) - len(short.choices))


async def asked(jobs: int, job: Page, room: Library) -> list[Any]:
    work = [room.page(job) for _ in range(jobs)]
    try:
        return await asyncio.gather(*work, return_exceptions=True)
    finally:
        await room.close()


def test_the_library_turns_away_what_it_cannot_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_WAITING", 3)
    answers = asyncio.run(asked(5, page(played(2)), Library()))
    bodies = [answer for answer in answers if isinstance(answer, bytes)]
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert (len(bodies), len(refused)) == (3, 2)
    assert len(set(bodies)) == 1
    assert all((error.code, error.retry) == ("too-fast", 2000) for error in refused)


def test_a_job_without_end_is_given_up_and_the_next_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> tuple[str, bytes]:
        room = Library()
        monkeypatch.setattr(library, "JOB_SECONDS", 0.0)
        try:
            await room.page(page(played(2)))
        except Refused as error:
            said = error.says
        monkeypatch.undo()
        try:
            return said, await room.page(page(played(2)))
        finally:
            await room.close()

    said, body = asyncio.run(work())
    assert "in time" in said
    assert msgspec.json.decode(body)["total"] == len(played(2).choices) + 1


def behave_otherwise(place: Place) -> None:
    """Make the kept records those of rules that this version does not know."""
    place.change("""UPDATE records SET body = replace(body, '"behaviour": 1', '"behaviour": 99')""")


def test_brought_records_are_shown_in_parts_and_outlive_the_rules(place: Place) -> None:
    record = played(30)
    with server(place) as running:
        answer = http().post(f"{running.url}/api/records", content=record.dumps())
        assert answer.status_code == 201, answer.text
        path = f"/api/records/{answer.json()['id']}"
        first = call(running, "GET", f"{path}/replay").json()
        assert (first["first"], first["total"]) == (0, len(record.choices) + 1)
        assert len(first["moments"]) == LIMITS.page_moments
        rest = call(running, "GET", f"{path}/replay?from={len(first['moments'])}").json()
        assert rest["moments"][0] != first["moments"][-1]
        for wrong in ("-1", "x", "1e9", "9" * 5000):
            assert call(running, "GET", f"{path}/replay?from={wrong}").status_code == 400
        long = played(260).dumps()
        assert http().post(f"{running.url}/api/records", content=long).status_code == 413
        call(running, "GET", f"{path}/replay").raise_for_status()
        running.kill()
        behave_otherwise(place)
        running.start()
        refused = call(running, "GET", f"{path}/replay")
        assert (refused.status_code, refused.json()["code"]) == (409, "cannot-replay")
        assert "behaviour 99" in refused.json()["says"]
        assert call(running, "GET", path).status_code == 200, "it can be downloaded all the same"
        record.behaviour += 1
        changed = http().post(f"{running.url}/api/records", content=record.dumps())
        assert (changed.status_code, "behaviour" in changed.json()["says"]) == (400, True)
