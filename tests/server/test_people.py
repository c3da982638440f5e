"""Who comes by which key: keys that end, devices that are turned away, and links that ask first."""

import asyncio
import time
from collections.abc import Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bullpen.server.admin import main as admin
from bullpen.server.doors.connection import end_after
from bullpen.server.live.people import (
    BEFORE,
    COOKIE,
    KEY_SECONDS,
    YEAR,
    Identity,
    People,
    Signer,
    TurnedAway,
    device_label,
)
from bullpen.server.sources import Sources
from tests.server.client import Person, call, create, http, person, post, run
from tests.server.fakes import FakeSources, FakeStore
from tests.server.places import BOTH, Place
from tests.server.running import Server, server

DAY = 24 * 3600


class Scene:
    """People with a clock and a store in a test's hands."""

    def __init__(self) -> None:
        self.store, self.sources = FakeStore(), FakeSources()
        self.sources.time = 1_800_000_000_000
        self.people = People(self.store, self.sources)

    def pass_by(self, seconds: float) -> None:
        self.sources.time += round(1000 * seconds)

    def again(self) -> People:
        """The same people after the server was started anew."""
        self.people = People(self.store, self.sources)
        return self.people

    def come(self, identity: Identity) -> str:
        """Let somebody come, and return the cookie."""
        self.people.saw(identity, "Firefox, Linux")
        return self.people.cookie(identity)


def test_a_cookie_ends_a_year_after_it_was_written() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    cookie = scene.people.cookie(ann)
    assert scene.people.known(cookie) == ann
    assert not scene.people.must_renew(ann)
    scene.pass_by(40 * DAY)
    assert scene.people.must_renew(ann)
    scene.pass_by(YEAR - 41 * DAY)
    assert scene.people.known(cookie) == ann
    scene.pass_by(2 * DAY)
    assert scene.people.known(cookie) is None


def test_a_link_ends_after_a_day_and_is_no_cookie() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    link = scene.people.link(ann)
    found = scene.people.linked(link)
    assert found is not None
    assert (found.who, found.name) == (ann.who, "Ann")
    assert scene.people.known(link) is None
    assert scene.people.linked(scene.people.cookie(ann)) is None
    scene.pass_by(KEY_SECONDS)
    assert scene.people.linked(link) is None


def test_a_key_from_before_there_were_devices_still_opens_but_a_link_without_an_end_does_not() -> None:
    scene = Scene()
    old = Identity("a1", "Ann")
    signer = Signer(scene.store.secret())
    assert scene.people.known(signer.sign(old, "guest")) == old
    assert scene.people.must_renew(old)
    assert scene.people.linked(signer.sign(old, "link")) is None
    renewed = scene.people.known(scene.people.cookie(old))
    assert renewed is not None
    assert renewed.device


def test_a_device_is_turned_away_with_the_links_that_it_made_also_after_a_restart() -> None:
    scene = Scene()
    laptop = scene.people.new("Ann")
    phone = scene.people.on_new_device(laptop)
    cookies = [scene.come(laptop), scene.come(phone)]
    link = scene.people.link(phone)
    assert {row.id for row in scene.people.devices(laptop.who)} == {laptop.device, phone.device}
    scene.people.revoke(laptop.who, phone.device)
    for people in (scene.people, scene.again()):
        assert people.known(cookies[0]) == laptop
        assert people.known(cookies[1]) is None
        assert people.linked(link) is None
        assert [row.id for row in people.devices(laptop.who)] == [laptop.device]


def test_nobody_turns_away_a_device_of_somebody_else() -> None:
    scene = Scene()
    ann, eve = scene.people.new("Ann"), scene.people.new("Eve")
    cookie = scene.come(ann)
    scene.come(eve)
    scene.people.revoke(eve.who, ann.device)
    assert scene.people.known(cookie) == ann


def test_links_are_ended_without_turning_a_device_away() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    cookie, link = scene.come(ann), scene.people.link(ann)
    scene.people.end_links(ann.who)
    for people in (scene.people, scene.again()):
        assert people.linked(link) is None
        assert people.known(cookie) == ann
    assert scene.people.linked(scene.people.link(ann)) is not None, "the next one, in the same second"


def test_all_others_are_turned_away_even_those_that_were_never_written_down() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    cookie = scene.come(ann)
    unseen = scene.people.cookie(scene.people.on_new_device(ann))
    old = Signer(scene.store.secret()).sign(Identity(ann.who, "Ann"), "guest")
    link = scene.people.link(ann)
    scene.people.end_others(ann.who, ann.device)
    for people in (scene.people, scene.again()):
        assert people.known(cookie) == ann
        assert people.known(unseen) is None
        assert people.known(old) is None
        assert people.linked(link) is None
    # In the same second: what was made before is over, what is made now is good.
    now = scene.people.linked(scene.people.link(ann))
    assert now is not None
    later = scene.people.on_new_device(now)
    assert scene.people.known(scene.people.cookie(later)) == later
    scene.come(ann)
    scene.come(later)
    assert {row.id for row in scene.people.devices(ann.who)} == {ann.device, later.device}
    scene.people.end_others(ann.who, later.device)
    assert scene.people.known(cookie) is None
    assert scene.people.known(scene.people.cookie(later)) == later


def test_a_key_that_another_process_makes_in_the_meantime_ends_too(place: Place) -> None:
    stores = [place.open(), place.open()]
    here, there = (People(store, FakeSources()) for store in stores)
    ann = here.new("Ann")
    link, cookie = here.link(ann), here.cookie(ann)
    here.end_others(ann.who, ann.device)
    # The other process does not know yet, and lets a device in by the link, and renews another cookie.
    followed = there.linked(link)
    assert followed is not None
    late = there.cookie(there.on_new_device(followed))
    blind = there.link(ann)
    there.look_again()
    for people in (here, there):
        assert people.known(late) is None
        assert people.linked(link) is None
        assert people.linked(blind) is None, "it follows no revocation that its maker did not know"
        assert people.known(cookie) == ann
        assert people.linked(there.link(ann)) is not None
    there.end_links(ann.who)
    here.end_links(ann.who)
    assert here.linked(there.link(ann)) is None, "not the latest revocation"
    there.look_again()
    assert here.linked(there.link(ann)) is not None
    for store in stores:
        store.close()


def test_a_cookie_of_the_kind_before_ends_with_the_next_revocation() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    scene.come(ann)
    body = ".".join([ann.who, "QW5u", "olddevice", str(ann.at)])
    old = f"{body}.{scene.people.signer._mac('guest', body)}"
    found = scene.people.known(old)
    assert found is not None
    assert (found.who, found.device, found.at) == (ann.who, "olddevice", ann.at)
    scene.people.end_others(ann.who, ann.device)
    assert scene.people.known(old) is None


def test_a_device_signs_out_and_the_others_stay() -> None:
    scene = Scene()
    laptop = scene.people.new("Ann")
    phone = scene.people.on_new_device(laptop)
    cookies = [scene.come(laptop), scene.people.cookie(phone)]
    link = scene.people.link(phone)
    gone = scene.people.sign_out(phone)
    assert gone.includes(phone.who, phone.device)
    assert not gone.includes(laptop.who, laptop.device)
    for people in (scene.people, scene.again()):
        assert people.known(cookies[0]) == laptop
        assert people.known(cookies[1]) is None, "though it was never written down before"
        assert people.linked(link) is None


def test_everything_of_somebody_ends_at_once() -> None:
    scene = Scene()
    ann, eve = scene.people.new("Ann"), scene.people.new("Eve")
    cookies = [scene.come(ann), scene.come(scene.people.on_new_device(ann))]
    others, link = scene.come(eve), scene.people.link(ann)
    bot = scene.people.new_bot("Robbie", ann.who, 30)
    token = scene.people.signer.sign(bot, "bot")
    gone = scene.people.sign_out_everywhere(ann.who)
    assert gone.includes(ann.who, ann.device)
    assert gone.includes(bot.who, bot.device)
    assert not gone.includes(eve.who, eve.device)
    for people in (scene.people, scene.again()):
        assert [people.known(cookie) for cookie in cookies] == [None, None]
        assert people.linked(link) is None
        assert people.bot(token) is None
        assert people.known(others) == eve
        assert people.devices(ann.who) == []


def test_a_bots_token_ends_by_itself_and_is_listed_until_then(place: Place) -> None:
    store, sources = place.open(), FakeSources()
    sources.time = 1_800_000_000_000
    people = People(store, sources)
    ann = people.new("Ann")
    people.saw(ann, "Firefox, Linux")
    bot, alone = people.new_bot("Robbie", ann.who, 30), people.new_bot("Nobody's", "", 30)
    tokens = [people.signer.sign(each, "bot") for each in (bot, alone)]
    assert [people.bot(token) for token in tokens] == [bot, alone]
    listed = {row.label: row for row in people.devices(ann.who)}
    assert listed.keys() == {"Firefox, Linux", "Robbie"}
    assert listed["Robbie"].ends == sources.time + 30 * DAY * 1000
    people.end_others(ann.who, ann.device)
    assert people.bot(tokens[0]) == bot, "it is no device"
    assert {row.label for row in people.devices(ann.who)} == {"Firefox, Linux", "Robbie"}
    sources.time += 30 * DAY * 1000 - 1000
    assert people.left(bot) == 1
    assert people.bot(tokens[0]) == bot
    sources.time += 1000
    assert people.bot(tokens[0]) is None
    assert [row.label for row in people.devices(ann.who)] == ["Firefox, Linux"]
    body = f"{bot.who}.Um9i"
    assert people.bot(f"{body}.{people.signer._mac('bot', body)}") is None, "one without an end"
    store.close()


def test_a_bot_is_ended_by_its_owner_or_itself_and_by_nobody_else() -> None:
    scene = Scene()
    ann, eve = scene.people.new("Ann"), scene.people.new("Eve")
    bots = [scene.people.new_bot(name, ann.who, 30) for name in ("One", "Two")]
    tokens = [scene.people.signer.sign(bot, "bot") for bot in bots]
    scene.people.revoke(eve.who, bots[0].who)
    assert scene.people.bot(tokens[0]) == bots[0]
    assert scene.people.revoke(ann.who, bots[0].who).includes(bots[0].who, bots[0].device)
    assert scene.people.sign_out(bots[1]).includes(bots[1].who, bots[1].device)
    for people in (scene.people, scene.again()):
        assert [people.bot(token) for token in tokens] == [None, None]
        assert people.devices(ann.who) == []


@pytest.mark.parametrize("by", ["token", "id", "owner"])
def test_a_host_ends_a_token_that_nobody_has_used(place: Place, by: str) -> None:
    store = place.open()
    people = People(store, Sources())
    bot = people.new_bot("Robbie", "a" * 20, 30)
    token = people.signer.sign(bot, "bot")
    assert people.bot(token) == bot
    admin(["--store", place.name, "revoke", {"token": token, "id": bot.who, "owner": "a" * 20}[by]])
    assert people.look_again().includes(bot.who, bot.device)
    assert people.bot(token) is None
    assert People(store, Sources()).bot(token) is None
    assert people.devices("a" * 20) == []
    store.close()


def test_what_cannot_be_written_down_is_kept_for_later() -> None:
    scene = Scene()
    ann = scene.people.new("Ann")
    scene.come(ann)
    scene.store.fault = OSError("full")
    with pytest.raises(OSError, match="full"):
        scene.people.write_down()
    scene.store.fault = None
    assert [row.id for row in scene.people.devices(ann.who)] == [ann.device]


def test_the_store_keeps_devices_and_what_was_ended(place: Place) -> None:
    store, sources = place.open(), FakeSources()
    people = People(store, sources)
    ann = people.new("Ann")
    phone = people.on_new_device(ann)
    people.saw(ann, "Firefox, Linux")
    people.saw(phone, "Safari, iPhone")
    assert {row.label for row in people.devices(ann.who)} == {"Firefox, Linux", "Safari, iPhone"}
    people.revoke(ann.who, phone.device)
    people.end_links(ann.who)
    store.close()
    again = place.open()
    devices, voids = again.revoked()
    assert devices == {phone.device}
    assert voids[ann.who].links > 0
    assert [row.label for row in again.devices_of(ann.who)] == ["Firefox, Linux"]
    again.close()


def test_whom_another_process_turns_away_is_turned_away_here(place: Place) -> None:
    stores = [place.open(), place.open()]
    here, there = (People(store, FakeSources()) for store in stores)
    ann = here.new("Ann")
    phone, desk = here.on_new_device(ann), here.on_new_device(ann)
    cookies = {device: here.cookie(device) for device in (ann, phone, desk)}
    for device in cookies:
        there.saw(device, "Firefox, Linux")
    assert there.look_again() == TurnedAway(frozenset(), {})
    here.saw(phone, "Safari, iPhone")
    here.revoke(ann.who, phone.device)
    assert there.known(cookies[phone]) is not None
    gone = there.look_again()
    assert gone == TurnedAway(frozenset({phone.device}), {})
    assert there.known(cookies[phone]) is None
    here.end_others(ann.who, desk.device)
    gone = there.look_again()
    assert gone.includes(ann.who, ann.device)
    assert not gone.includes(ann.who, desk.device)
    assert (there.known(cookies[ann]), there.known(cookies[desk])) == (None, desk)
    care = place.care()
    care.revoke(ann.who, there.now + 2)
    care.close()
    assert there.look_again().includes(ann.who, desk.device)
    assert there.known(cookies[desk]) is None
    here.end_links("somebody else")
    assert there.look_again() == TurnedAway(frozenset(), {}), "nobody loses a connection by that"
    for store in stores:
        store.close()


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("<script>", ""),
    ],
)  # fmt: skip
def test_a_device_is_known_by_browser_and_system_only(said: str, label: str) -> None:
    assert device_label(said) == label


# Through the door.


@pytest.fixture(scope="module", params=BOTH)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("people"))) as begun:
        yield begun


def link_of(running: Server, cookie: str) -> str:
    link: str = call(running, "GET", "/api/me", cookie).json()["link"]
    return link


def test_a_link_does_not_replace_anybody_who_has_not_said_yes(running: Server) -> None:
    ann, ben = person(running, "Ann"), person(running, "Ben")
    key = link_of(running, ann)
    looked = post(running, "/api/me/key", ben, {"key": key})
    assert looked.json() == {"name": "Ann", "you": "Ben", "same": False}
    refused = post(running, "/api/me", ben, {"key": key})
    assert (refused.status_code, refused.json()["code"]) == (409, "confirm")
    assert COOKIE not in refused.cookies
    done = post(running, "/api/me", ben, {"key": key, "replace": True})
    assert done.json()["name"] == "Ann"
    both = {"cookie": f"{COOKIE}={done.cookies[COOKIE]}; {BEFORE}={done.cookies[BEFORE]}"}
    assert http().get(f"{running.url}/api/me", headers=both).json()["before"] == "Ben"
    back = http().post(f"{running.url}/api/me", json={"back": True}, headers=both)
    http().cookies.clear()
    assert back.json()["name"] == "Ben"
    assert call(running, "GET", "/api/me", back.cookies[BEFORE]).json()["name"] == "Ann"


def test_who_is_nobody_yet_needs_no_confirmation_and_who_is_the_same_gets_no_second_device(
    running: Server,
) -> None:
    ann = person(running, "Ann")
    key = link_of(running, ann)
    assert post(running, "/api/me/key", "", {"key": key}).json() == {
        "name": "Ann",
        "you": None,
        "same": False,
    }
    phone = post(running, "/api/me", "", {"key": key}).cookies[COOKIE]
    assert post(running, "/api/me/key", ann, {"key": key}).json()["same"]
    post(running, "/api/me", ann, {"key": key})
    assert len(call(running, "GET", "/api/me/devices", ann).json()["devices"]) == 2
    assert call(running, "GET", "/api/me", phone).json()["name"] == "Ann"
    assert post(running, "/api/me", "", {"back": True}).json()["code"] == "closed"
    assert post(running, "/api/me/key", "", {"key": "x"}).json()["code"] == "forbidden"


def test_a_device_that_is_turned_away_is_gone_from_the_table_at_once(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        code = create(running, ann, "base", 2)
        phone = post(running, "/api/me", "", {"key": link_of(running, ann)}).cookies[COOKIE]
        there = Person(running, code, phone)
        await there.ready()
        assert there.seat == 0
        listed = call(running, "GET", "/api/me/devices", ann).json()["devices"]
        (other,) = [device["id"] for device in listed if not device["this"]]
        (this,) = [device["id"] for device in listed if device["this"]]
        assert post(running, "/api/me/revoke", ann, {"device": this}).status_code == 400
        left = post(running, "/api/me/revoke", ann, {"device": other}).json()["devices"]
        assert [device["id"] for device in left] == [this]
        with pytest.raises(ConnectionClosed) as closed:
            await there.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert call(running, "GET", "/api/me", phone).status_code == 401
        assert call(running, "GET", f"/api/tables/{code}", phone).json()["seat"] is None
        assert call(running, "GET", f"/api/tables/{code}", ann).json()["seat"] == 0

    run(play())


def test_whom_a_host_turns_away_by_hand_is_gone_from_a_server_that_runs(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        there = Person(running, create(running, ann, "base", 2), ann)
        await there.ready()
        who = ann.split(".")[0].rpartition("=")[2]
        care = running.place.care()
        care.revoke(who, int(time.time()) + 1)
        care.close()
        with pytest.raises(ConnectionClosed) as closed:
            await there.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert call(running, "GET", "/api/me", ann).status_code == 401

    run(play())


def test_devices_are_nobody_elses_business(running: Server) -> None:
    assert call(running, "GET", "/api/me/devices").status_code == 401
    assert post(running, "/api/me/revoke", "", {"others": True}).status_code == 401
    assert post(running, "/api/me/sign-out", "", {}).status_code == 401


def test_a_device_signs_out_of_the_page(running: Server) -> None:
    async def play() -> None:
        ann = person(running, "Ann")
        code = create(running, ann, "base", 2)
        phone = post(running, "/api/me", "", {"key": link_of(running, ann)}).cookies[COOKIE]
        there = Person(running, code, phone)
        await there.ready()
        left = post(running, "/api/me/sign-out", phone, {})
        assert left.status_code == 200
        cleared = left.headers.get_list("set-cookie")
        assert [cookie.partition("=")[0] for cookie in cleared] == [COOKIE, BEFORE]
        assert all("Max-Age=0" in cookie for cookie in cleared)
        with pytest.raises(ConnectionClosed) as closed:
            await there.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert call(running, "GET", "/api/me", phone).status_code == 401, "a copy of the cookie, too"
        assert call(running, "GET", "/api/me", ann).json()["name"] == "Ann"
        post(running, "/api/me/sign-out", ann, {"everywhere": True})
        assert call(running, "GET", "/api/me", ann).status_code == 401

    run(play())


def test_who_signs_out_is_not_whom_the_browser_was_before_either(running: Server) -> None:
    ann, ben = person(running, "Ann"), person(running, "Ben")
    done = post(running, "/api/me", ben, {"key": link_of(running, ann), "replace": True})
    both = {"cookie": f"{COOKIE}={done.cookies[COOKIE]}; {BEFORE}={done.cookies[BEFORE]}"}
    http().cookies.clear()
    assert http().post(f"{running.url}/api/me/sign-out", json={}, headers=both).status_code == 200
    http().cookies.clear()
    assert call(running, "GET", "/api/me", done.cookies[BEFORE]).status_code == 401
    assert call(running, "GET", "/api/me", ann).status_code == 200, "the other device of Ann"


def test_a_bot_is_listed_with_its_end_and_its_owner_ends_it(running: Server) -> None:
    ann = person(running, "Ann")
    made = post(running, "/api/bot/token", ann, {"name": "Robbie", "days": 7}).json()
    bot = {"authorization": f"Bearer {made['token']}"}
    (listed,) = call(running, "GET", "/api/me/devices", ann).json()["bots"]
    assert (listed["name"], listed["ends"]) == ("Robbie", made["ends"])
    assert 6 * DAY < made["ends"] / 1000 - time.time() <= 7 * DAY
    code = create(running, ann, "base", 3)
    seat = {"name": "Robbie"}
    sat = http().post(f"{running.url}/api/tables/{code}/seat", json=seat, headers=bot)
    assert sat.json()["seat"] == 1
    with httpx.stream("GET", f"{running.url}/api/bot/stream", headers=bot, timeout=20) as stream:
        lines = stream.iter_lines()
        assert post(running, "/api/me/revoke", ann, {"device": listed["id"]}).json()["bots"] == []
        assert [line for line in lines if line] == [], "the stream ends"
    assert http().post(f"{running.url}/api/tables/{code}/seat", json=seat, headers=bot).status_code == 401
    for days in (0, 366):
        assert post(running, "/api/bot/token", ann, {"name": "R", "days": days}).status_code == 400


def test_a_bot_without_an_owner_ends_its_own_token(running: Server) -> None:
    token = post(running, "/api/bot/token", "", {"name": "Robbie"}).json()["token"]
    bot = {"authorization": f"Bearer {token}"}
    ended = [
        http().post(f"{running.url}/api/me/sign-out", json={}, headers=bot).status_code for _ in range(2)
    ]
    assert ended == [200, 401]


def test_a_private_link_of_the_same_second_is_good_and_an_earlier_one_is_not(running: Server) -> None:
    ann = person(running, "Ann")
    for wish in ({"others": True}, {"links": True}, {"others": True}):
        before = link_of(running, ann)
        post(running, "/api/me/revoke", ann, wish)
        after = link_of(running, ann)
        assert post(running, "/api/me", "", {"key": before}).status_code == 403
        assert post(running, "/api/me", "", {"key": after}).json()["name"] == "Ann"


def test_what_is_open_ends_with_the_token_that_opened_it() -> None:
    async def main() -> list[str]:
        ended: list[str] = []
        with end_after(0.01, lambda: ended.append("token")):
            await asyncio.sleep(0.05)
        with end_after(0.01, lambda: ended.append("left before")):
            pass
        with end_after(None, lambda: ended.append("cookie")):
            await asyncio.sleep(0.02)
        return ended

    assert asyncio.run(main()) == ["token"]


def test_a_socket_ends_with_the_token_of_its_bot(running: Server) -> None:
    async def play() -> None:
        code = create(running, person(running, "Ann"), "base", 2)
        store = running.place.open()
        who, now = "b" * 20, int(time.time())
        token = Signer(store.secret()).sign(Identity(who, "Robbie", who, now, ends=now + 2), "bot")
        store.close()
        bot = {"authorization": f"Bearer {token}"}
        async with connect(running.ws + code, additional_headers=bot) as there:
            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(there.recv(), 10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert call(running, "GET", "/api/records").status_code == 401

    run(play())
