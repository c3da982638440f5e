"""A host bans, closes sign-up and tables, and announces; servers that run know it within two seconds."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bullpen.cli import main
from bullpen.server.config import Config
from bullpen.server.doors.about import host_texts
from bullpen.server.errors import Refused
from bullpen.server.live.hub import Hub
from bullpen.server.live.moderation import Moderation
from bullpen.server.live.order import announce, keep_order
from bullpen.server.live.visits import join
from bullpen.server.protocol import Announcement, NewTable, Settings
from bullpen.server.store.interface import MeasureRow, StoreError
from tests.server.client import Person, call, create, http, person, post, run
from tests.server.fakes import FakeListener, FakeSources, FakeStore
from tests.server.places import BOTH, Place
from tests.server.running import Server, server

Said = pytest.CaptureFixture[str]
HOUR = 3_600_000
FORWARDED = "192.0.2.7"


def moderation(*rows: MeasureRow) -> tuple[Moderation, FakeSources]:
    store, sources = FakeStore(), FakeSources()
    store.order(*rows)
    return Moderation(store, sources), sources


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("192.0.2.7/32", "192.0.2.7", "192.0.2.8"),
        ("192.0.2.0/25", "192.0.2.127", "192.0.2.128"),
        ("192.0.2.0/25", "::ffff:192.0.2.1", "::ffff:192.0.2.200"),
        ("2001:db8:1:2::/64", "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"),
        ("10.0.0.0/8", "10.255.0.1", "2001:db8::a"),
    ],
)
def test_a_banned_network_holds_its_addresses_and_no_others(network: str, inside: str, outside: str) -> None:
    found, _ = moderation(MeasureRow("address", network), MeasureRow("address", "198.51.100.0/24"))
    with pytest.raises(Refused, match="banned your network address"):
        found.check(inside, "")
    for elsewhere in (outside, "", "nowhere"):
        found.check(elsewhere, "ann")


def test_a_ban_ends_by_itself_and_says_when() -> None:
    found, sources = moderation(MeasureRow("person", "ann", until=1_000_000 + HOUR, says="Be kind."))
    with pytest.raises(Refused) as refused:
        found.check("192.0.2.7", "ann")
    assert (refused.value.code, refused.value.retry) == ("banned", HOUR)
    assert refused.value.says.endswith("banned you until 1970-01-01 01:16 UTC. Be kind.")
    found.check("192.0.2.7", "ben")
    sources.time += HOUR
    found.check("192.0.2.7", "ann")


class Scene:
    """A hub whose host gives orders."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.hub = Hub(Config(), self.store, FakeSources())

    async def table(self, *people: str, start: bool = False) -> tuple[Any, list[FakeListener]]:
        wish = NewTable(game="base", players=2, name="Ann", bots=("easy",), start=start)
        room = await self.hub.create(msgspec.structs.replace(wish, settings=Settings()), people[0])
        listeners = [FakeListener(who) for who in (*people, "")]
        for listener in listeners:
            join(self.hub, room, listener, 0)
        return room, listeners


@pytest.mark.parametrize("playing", [True, False])
def test_a_banned_person_gives_up_the_seat_and_hears_why(
    playing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr("bullpen.server.live.order.LOOK_AGAIN", 0)
        scene = Scene()
        await scene.hub.open()
        room, (ann, watching) = await scene.table("ann", start=playing)
        scene.store.order(MeasureRow("person", "ann"))
        await keep_order(scene.hub)
        await scene.hub.writer.flushed()
        assert "has banned you" in ann.heard[-1] or "has banned you" in ann.heard[-2]
        assert (ann.ended, watching.ended) == (4404, None)
        chair = room.table.chairs[0]
        assert (chair.away, chair.open) == (playing, not playing)
        await scene.hub.writer.stop()

    asyncio.run(story())


def test_measures_that_could_not_be_carried_out_are_carried_out_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        monkeypatch.setattr("bullpen.server.live.order.LOOK_AGAIN", 0)
        scene = Scene()
        await scene.hub.open()
        _, (ann, _) = await scene.table("ann")
        scene.store.order(MeasureRow("announcement", says="Soon."))
        with monkeypatch.context() as patch:
            patch.setattr(scene.hub.rooms, "values", lambda: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await keep_order(scene.hub)
        assert not any("Soon." in text for text in ann.heard)
        await keep_order(scene.hub)
        assert msgspec.json.decode(ann.heard[-1]) == {"type": "announcement", "says": "Soon."}
        heard = len(ann.heard)
        await keep_order(scene.hub)
        assert len(ann.heard) == heard
        scene.store.order()
        await keep_order(scene.hub)
        assert msgspec.json.decode(ann.heard[-1]) == {"type": "announcement"}
        announce(scene.hub, Announcement(restarts=True))
        scene.store.order(MeasureRow("announcement", says="Too late."))
        await keep_order(scene.hub)
        assert msgspec.json.decode(ann.heard[-1]) == {"type": "announcement", "restarts": True}
        await scene.hub.writer.stop()

    asyncio.run(story())


# By hand, on a store of either kind.


def test_measures_are_listed_lifted_copied_and_forgotten_when_they_have_ended(
    filled: Place, tmp_path: Path, capsys: Said
) -> None:
    def say(*words: str) -> str:
        assert main(["admin", "--store", filled.name, *words]) == 0
        return capsys.readouterr().out

    assert say("ban", "annwho", "--days", "0.5", "--reason", "Be kind.").startswith("annwho is banned.")
    assert say("ban", "192.0.2.77/24").startswith("192.0.2.0/24 is banned.")
    assert say("ban", "2001:db8::1").startswith("2001:db8::/64 is banned.")
    say("sign-up", "closed")
    say("announce", "The server restarts at 21:00.")
    listed = say("bans")
    assert "person        annwho                until " in listed
    assert listed.endswith("3 bans\n")
    assert "sign-up\n" in listed
    copy = tmp_path / "copy.sqlite3"
    assert main(["admin", "copy-store", filled.name, str(copy)]) == 0
    capsys.readouterr()
    assert main(["admin", "--store", str(copy), "bans"]) == 0
    assert capsys.readouterr().out == listed
    say("unban", "2001:db8::5")
    say("sign-up", "open")
    say("announce", "--clear")
    care = filled.care()
    assert [row.about for row in care.measures()] == ["annwho", "192.0.2.0/24"]
    care.order(MeasureRow("sign-up", made=round(1000 * time.time()) + 24 * HOUR))
    assert [row.about for row in care.measures()] == ["192.0.2.0/24", ""]
    care.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["ban", "nobody"], "neither the identity of somebody nor an address"),
        (["ban", "8.0.0.0/7"], "too wide"),
        (["ban", "127.0.0.1"], "Name a proxy with --proxy"),
        (["ban", "::1"], "Name a proxy with --proxy"),
        (["ban", "192.0.2.1", "--days", "0"], "more than 0"),
        (["ban", "192.0.2.1", "--days", "nan"], "more than 0"),
        (["unban", "192.0.2.1"], "is not banned"),
        (["announce"], "Say what to announce"),
        (["announce", "Soon", "--clear"], "Say what to announce"),
        (["announce", "two\nlines"], "at most 200 letters"),
        (["announce", "x" * 201], "at most 200 letters"),
    ],
)
def test_a_slip_is_one_sentence_and_changes_nothing(
    path: Path, words: list[str], why: str, capsys: Said
) -> None:
    assert main(["admin", "--store", str(path), *words]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert main(["admin", "--store", str(path), "bans"]) == 0
    assert capsys.readouterr().out == "0 bans\n"


# A server that runs.


@pytest.fixture(scope="module", params=BOTH)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = Place(request.param, tmp_path_factory.mktemp("moderation"))
    with server(place, "--proxy", "127.0.0.1") as begun:
        yield begun


def order(running: Server, *words: str) -> None:
    assert main(["admin", "--store", running.place.name, *words]) == 0


def who_is(cookie: str) -> str:
    return cookie.split(".", maxsplit=1)[0].rpartition("=")[2]


async def silence(socket: Person | ClientConnection) -> None:
    """Listen for ever."""
    while True:
        await (socket.receive() if isinstance(socket, Person) else socket.recv())


async def ended(socket: Person | ClientConnection) -> int:
    """Wait until a connection ends, and return with which code."""
    with pytest.raises(ConnectionClosed) as closed:
        await silence(socket)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def soon(done: Any) -> Any:
    """Ask again until there is an answer, for two seconds and a little."""
    end = time.monotonic() + 4
    while not (found := done()):
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
    return found


def test_whom_a_host_bans_is_sent_away_and_cannot_come_back_by_any_key(running: Server) -> None:
    async def play() -> None:
        ann, ben = person(running, "Ann"), person(running, "Ben")
        code = create(running, ann, "base", 2)
        key = call(running, "GET", "/api/me", ann).json()["link"]
        there, other = Person(running, code, ann), Person(running, code, ben)
        await there.ready()
        await other.ready()
        order(running, "ban", who_is(ann), "--reason", "Be kind.")
        assert await ended(there) == 4404
        assert there.refusals[-1]["code"] == "banned"
        assert there.refusals[-1]["says"].endswith("has banned you. Be kind.")
        await other.until(lambda: other.state["table"]["seats"][0]["kind"] == "open")
        for method, path, cookie, body in (
            ("GET", "/api/me", ann, None),
            ("POST", "/api/me", ann, {"name": "Eve"}),
            ("POST", "/api/me", "", {"key": key}),
            ("POST", "/api/me", ben, {"key": key, "replace": True}),
            ("POST", f"/api/tables/{code}/seat", ann, {"name": "Ann"}),
        ):
            answer = call(running, method, path, cookie, body)
            assert (answer.status_code, answer.json()["code"]) == (403, "banned"), path
        again = Person(running, code, ann)
        with contextlib.suppress(ConnectionClosed):
            await again.connect()
        assert await ended(again) == 4404
        assert again.refusals[-1]["code"] == "banned"
        order(running, "unban", who_is(ann))
        await soon(lambda: call(running, "GET", "/api/me", ann).status_code == 200)

    run(play())


def test_a_banned_network_is_refused_at_every_door_and_cut_off(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        code = create(running, ann, "base", 2)
        from_there = {"X-Forwarded-For": FORWARDED}
        watching = await connect(running.ws + code, additional_headers=from_there)
        await watching.send('{"type":"resume","id":"1","last":0}')
        await watching.recv()
        idle = await connect(running.ws + code, additional_headers=from_there)
        began = time.monotonic()
        order(running, "ban", "192.0.2.0/24", "--days", "1")
        assert await ended(watching) == 4404
        assert time.monotonic() - began < 4
        await idle.send('{"type":"resume","id":"1","last":0}')
        assert msgspec.json.decode(await idle.recv())["code"] == "banned"
        page = http().get(f"{running.url}/", headers=from_there)
        assert (page.status_code, page.headers["content-type"]) == (403, "text/plain; charset=utf-8")
        assert "banned your network address until" in page.text
        refused = http().get(f"{running.url}/api/games", headers=from_there)
        assert (refused.status_code, refused.json()["code"]) == (403, "banned")
        assert 86_000 < int(refused.headers["retry-after"]) <= 86_400
        assert http().get(f"{running.url}/healthz", headers=from_there).status_code == 200
        assert http().get(f"{running.url}/", headers={"X-Forwarded-For": "198.51.100.1"}).status_code == 200
        order(running, "unban", "192.0.2.0/24")
        await soon(lambda: http().get(f"{running.url}/api/games", headers=from_there).status_code == 200)
        await idle.close()

    run(play())


def test_while_sign_up_is_closed_only_those_come_who_were_here(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        key = call(running, "GET", "/api/me", ann).json()["link"]
        order(running, "sign-up", "closed")
        await soon(lambda: not call(running, "GET", "/api/tables").json()["sign_up"])
        for path in ("/api/me", "/api/bot/token"):
            refused = post(running, path, "", {"name": "Eve"})
            assert (refused.status_code, refused.json()["code"]) == (403, "sign-up-closed")
        assert post(running, "/api/me", ann, {"name": "Anna"}).status_code == 200
        assert post(running, "/api/me", "", {"key": key}).status_code == 200
        assert post(running, "/api/bot/token", ann, {"name": "Bot"}).status_code == 201
        create(running, ann, "base", 2)
        order(running, "sign-up", "open")
        await soon(lambda: call(running, "GET", "/api/tables").json()["sign_up"])
        person(running, "Eve")

    run(play())


def test_what_is_announced_is_heard_by_all_and_by_those_who_come(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        there = Person(running, create(running, ann, "base", 2), ann)
        await there.ready()
        order(running, "announce", "The server restarts at 21:00.")
        said = {"type": "announcement", "says": "The server restarts at 21:00."}
        while await there.receive() != said:
            pass
        assert call(running, "GET", "/api/tables").json()["announcement"] == said["says"]
        late = Person(running, there.code)
        await late.connect()
        while await late.receive() != said:
            pass
        order(running, "announce", "--clear")
        while await there.receive() != {"type": "announcement"}:
            pass

    run(play())


def test_a_table_that_is_closed_or_deleted_ends_for_those_who_play(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        for word in ("close", "delete-table"):
            there = Person(running, create(running, ann, "base", 2, bots=["easy"], start=True), ann)
            await there.ready()
            order(running, word, there.code)
            code = await ended(there)
            if word == "close":
                assert code == 4404
                assert there.refusals[-1]["says"] == "The host of this server has closed this table."
            # A bot's next step may have met the deletion first: then everybody comes again, in vain.
            found = call(running, "GET", f"/api/tables/{there.state['table']['id']}", ann)
            assert found.status_code == (200 if word == "close" else 404)

    run(play())


def test_a_server_that_stops_says_that_it_restarts(tmp_path: Path) -> None:
    async def play() -> None:
        with server(tmp_path / "stopping.sqlite3", "--no-sign-up") as running:
            assert post(running, "/api/me", "", {"name": "Eve"}).json()["code"] == "sign-up-closed"
            code = post(running, "/api/tables", "", {"game": "base", "players": 2}).json()["table"]["code"]
            there = Person(running, code)
            await there.ready()
            stopping = asyncio.create_task(asyncio.to_thread(running.stop))
            while await there.receive() != {"type": "announcement", "restarts": True}:
                pass
            assert await ended(there) == 1012
            await stopping

    run(play())


# Tables with a password.


def test_nobody_sees_a_table_with_a_password_before_giving_it(running: Server) -> None:
    async def play() -> None:
        ann, ben, eve = (person(running, name) for name in ("Ann", "Ben", "Eve"))
        code = create(running, ann, "base", 2, password="Café", settings={"privacy": "private"})
        assert call(running, "GET", f"/api/tables/{code}", ann).json()["table"]["locked"]
        sit = {"name": "Ben"}
        for method, path, body in (
            ("GET", "", None),
            ("GET", "/invitation", None),
            ("GET", "/looks", None),
            ("POST", "/seat", sit),
            ("POST", "/enter", {"password": "cafe"}),
            ("POST", "/enter", {"password": ""}),
        ):
            answer = call(running, method, f"/api/tables/{code}{path}", ben, body)
            assert (answer.status_code, answer.json()["code"]) == (403, "password"), path
        assert post(running, f"/api/tables/{code}/enter", "", {"password": "Café"}).status_code == 401
        for cookie in ("", eve):
            stranger = Person(running, code, cookie)
            with contextlib.suppress(ConnectionClosed):
                await stranger.connect()
            assert await ended(stranger) == 4404
            assert [refusal["code"] for refusal in stranger.refusals] == ["password"]
            assert stranger.snapshots == 0
        # An accent may be typed as a sign of its own.
        entered = post(running, f"/api/tables/{code}/enter", ben, {"password": "Cafe\u0301"})
        assert entered.status_code == 200, entered.text
        assert post(running, f"/api/tables/{code}/seat", ben, sit).status_code == 200
        there = Person(running, code, ben)
        await there.ready()
        assert there.seat == 1
        assert "Café" not in entered.text + there.raw[0]
        bodies = running.place.ask("SELECT body FROM steps")
        assert not any("Café" in bytes(body).decode() for (body,) in bodies)

    run(play())


def test_who_gave_a_password_comes_in_again_after_a_game_and_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        with server(tmp_path / "again.sqlite3") as running:
            ann, ben = person(running, "Ann"), person(running, "Ben")
            more = {"password": "moo", "settings": {"privacy": "private"}, "bots": ["random"]}
            code = create(running, ann, "base", 2, options={"end.kind": "rounds", "end.value": 1}, **more)
            assert post(running, f"/api/tables/{code}/enter", ben, {"password": "moo"}).status_code == 200
            for _ in range(2):
                watching = Person(running, code, ben)
                await watching.ready()
                assert watching.seat is None
                await watching.close()
                playing = Person(running, code, ann)
                await playing.ready()
                if playing.phase == "lobby":
                    await playing.request({"type": "start"})
                    await playing.play()
                await playing.close()
                running.kill()
                running.start()

    run(play())


def test_a_password_wants_a_private_table_and_is_not_guessed_for_ever(tmp_path: Path) -> None:
    with server(tmp_path / "guessed.sqlite3", "--limited") as running:
        ann, eve = person(running, "Ann"), person(running, "Eve")
        wish = {"game": "base", "players": 2, "name": "Ann", "password": "moo"}
        refused = post(running, "/api/tables", ann, {**wish, "settings": {"privacy": "public"}})
        assert (refused.status_code, refused.json()["says"]) == (400, "A table with a password is private.")
        code = create(running, ann, "base", 2, password="moo", settings={"privacy": "private"})
        codes = [
            post(running, f"/api/tables/{code}/enter", eve, {"password": str(guess)}).json()["code"]
            for guess in range(40)
        ]
        assert codes[:30] == ["password"] * 30
        assert "too-fast" in codes[30:]


def test_the_host_texts_are_told_as_they_are(tmp_path: Path) -> None:
    imprint = tmp_path / "imprint.md"
    imprint.write_text("# Ann\n\n<b>Main Street</b> 1", encoding="utf-8")
    found = host_texts(Config(imprint=str(imprint)))
    assert (found.imprint, found.privacy) == ("# Ann\n\n<b>Main Street</b> 1", "")
    imprint.write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match="is not a text in UTF-8"):
        host_texts(Config(privacy=str(imprint)))
    with pytest.raises(OSError, match="No such file"):
        host_texts(Config(imprint=str(tmp_path / "none")))
