"""What people and hosts can do at a table."""

import asyncio
from collections.abc import Iterator

import pytest

from bullpen.server.live.people import COOKIE
from tests.server.client import Person, call, create, full_table, http, person, post, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server
from tests.server.test_races import started


@pytest.fixture(scope="module", params=USUAL)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("tables")), "--host-grace", "0.3") as begun:
        yield begun


def test_a_person_plays_against_bots(running: Server) -> None:
    async def play() -> Person:
        cookie = person(running, "Ann")
        level = call(running, "GET", "/api/games").json()["levels"][0]
        code = create(running, cookie, "base", 3, bots=[level, level], start=True)
        ann = Person(running, code, cookie)
        await ann.ready()
        await ann.play()
        return ann

    ann = run(play())
    assert [seat["kind"] for seat in ann.state["table"]["seats"]] == ["person", "bot", "bot"]
    mine = call(running, "GET", "/api/records", ann.cookie).json()["records"]
    assert [record["id"] for record in mine] == ann.state["table"]["records"]
    assert mine[0]["seat"] == 0


def test_the_host_fills_and_empties_seats(running: Server) -> None:
    async def arrange() -> None:
        cookies = [person(running, name) for name in ("Ann", "Ben", "Cy")]
        code = create(running, cookies[0], "base", 3)
        ann, ben, cy = (Person(running, code, cookie, name) for name, cookie in enumerate(cookies))
        for somebody in (ann, ben, cy):
            await somebody.ready()
        assert (await ben.request({"type": "sit", "name": "Ben", "seat": 2}))["type"] == "ack"
        assert (await ben.request({"type": "sit", "name": "Ben"}))["code"] == "closed"
        assert (await cy.request({"type": "sit", "name": "Cy", "seat": 2}))["code"] == "full"
        assert (await ann.request({"type": "start"}))["code"] == "closed"
        assert (await ben.request({"type": "add_bot", "level": "random"}))["code"] == "not-host"
        assert (await ann.request({"type": "add_bot", "level": "genius"}))["code"] == "bad-request"
        assert (await ann.request({"type": "add_bot", "level": "random"}))["type"] == "ack"
        assert (await cy.request({"type": "sit", "name": "Cy"}))["code"] == "full"
        assert (await ann.request({"type": "remove", "seat": 1}))["type"] == "ack"
        assert (await cy.request({"type": "sit", "name": "  Cy\x07 "}))["type"] == "ack"
        assert [seat["name"] for seat in cy.state["table"]["seats"]] == ["P0", "Cy", "Ben"]
        assert (await ann.request({"type": "hand_over", "seat": 1}))["type"] == "ack"
        await cy.until(lambda: cy.state["you"]["host"])
        assert (await ann.request({"type": "start"}))["code"] == "not-host"
        assert (await cy.request({"type": "start"}))["type"] == "ack"
        assert (await ann.request({"type": "sit", "name": "Ann"}))["code"] == "closed"

    run(arrange())


def test_a_host_who_leaves_hands_over(running: Server) -> None:
    async def leave() -> None:
        code, cookies = full_table(running, "base", 3)
        ann, ben, cy = (Person(running, code, cookie, seed) for seed, cookie in enumerate(cookies))
        for somebody in (ann, ben, cy):
            await somebody.ready()
        assert (await ann.request({"type": "leave"}))["type"] == "ack"
        await ben.until(lambda: ben.state["you"]["host"])
        assert ben.state["table"]["seats"][0]["kind"] == "open"
        await ben.close()
        await cy.until(lambda: cy.state["you"]["host"])

    run(leave())


def test_leaving_a_running_game_lets_a_bot_play_until_the_person_is_back(running: Server) -> None:
    async def leave() -> None:
        ann, ben = await started(running, "base", 2)
        assert (await ben.request({"type": "leave"}))["type"] == "ack"
        await ann.until(lambda: ann.state["table"]["seats"][1]["away"])
        for _ in range(3):
            await ann.until(lambda: ann.open_ask is not None)
            await ann.choose()
        await ben.close()
        back = Person(running, ben.code, ben.cookie, "back")
        await back.ready()
        await back.until(lambda: not back.state["table"]["seats"][1]["away"])
        await asyncio.gather(ann.play(), back.play())

    run(leave())


def test_time_that_runs_out(running: Server) -> None:
    async def sleep() -> None:
        ann, ben = await started(running, "base", 2, clock=1)
        while not ben.state["table"]["seats"][1]["away"]:
            if ann.open_ask is not None:
                await ann.choose()
            await ben.receive()
            await ann.until_number(ben.last)
        answers = ("Committed", "Chose")
        misses = [event for event in ben.events if event["type"] in answers and event["seat"] == 1]
        assert len(misses) >= 2
        assert not ben.state["table"]["seats"][0]["away"]
        # From now on nobody waits for Ben, until he speaks.
        await ann.until(lambda: ann.open_ask is not None)
        await ann.choose()
        again = Person(running, ben.code, ben.cookie, "again")
        await again.ready()
        await again.until(lambda: not again.state["table"]["seats"][1]["away"])

    run(sleep())


def test_rematch_keeps_seats_and_spectators(running: Server) -> None:
    async def again() -> None:
        ann, ben = await started(running, "mountain", 2)
        watcher = Person(running, ann.code)
        await watcher.ready()
        await asyncio.gather(ann.play(), ben.play(), watcher.until(lambda: watcher.phase == "over"))
        assert (await ben.request({"type": "rematch"}))["code"] == "not-host"
        assert (await ann.request({"type": "rematch"}))["type"] == "ack"
        await ben.until(lambda: ben.phase == "playing")
        await asyncio.gather(
            ann.play(), ben.play(), watcher.until(lambda: len(watcher.state["table"]["records"]) == 2)
        )
        assert ann.state["table"]["played"] == 2

    run(again())


def test_take_back_is_a_table_setting(running: Server) -> None:
    async def back() -> None:
        for allowed in (True, False):
            ann, _ = await started(running, "base", 2, take_back=allowed)
            ask = ann.open_ask
            assert ask is not None
            await ann.choose()
            assert ann.state["mine"] is not None
            answer = await ann.request({"type": "take_back", "ask": ask["number"]})
            assert answer.get("code", "ack") == ("ack" if allowed else "closed")
            assert (ann.open_ask == ask) == allowed

    run(back())


def test_a_private_link_brings_the_seat_to_another_device(running: Server) -> None:
    cookie = person(running, "Ann")
    code = create(running, cookie, "base", 2)
    key = call(running, "GET", "/api/me", cookie).json()["link"]
    assert (
        post(running, "/api/me", "", {"key": key[:-1] + ("0" if key[-1] != "0" else "1")}).status_code == 403
    )
    assert post(running, "/api/me", "", {"key": cookie}).status_code == 403, "a cookie is no link"
    answer = post(running, "/api/me", "", {"key": key})
    phone = answer.cookies[COOKIE]
    assert [table["code"] for table in answer.json()["tables"]] == [code]
    assert call(running, "GET", f"/api/tables/{code}", phone).json()["seat"] == 0
    assert call(running, "GET", f"/api/tables/{code}", person(running, "Eve")).json()["seat"] is None


def test_cookies_and_headers_are_strict(running: Server) -> None:
    cookie = post(running, "/api/me", "", {"name": "Ann"}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    headers = call(running, "GET", "/").headers
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_every_view_of_the_client_is_one_page_and_nothing_else_is(running: Server) -> None:
    browser = {"accept": "text/html,application/xhtml+xml"}
    for path in ("/", "/t/ABCD", "/anything/at/all"):
        answer = http().get(running.url + path, headers=browser)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
    for path in ("/assets/none.js", "/api/none", "/%2e%2e/%2e%2e/app.py", "/..%2fapp.py"):
        assert call(running, "GET", path).status_code == 404
    assert http().get(f"{running.url}/api/none", headers=browser).status_code == 404


def test_phrases_are_heard_and_private_tables_are_not_listed(running: Server) -> None:
    async def talk() -> None:
        ann, ben = await started(running, "base", 2, privacy="private")
        assert (await ann.request({"type": "say", "phrase": "moo"}))["type"] == "ack"
        while (await ben.receive())["type"] != "said":
            pass
        listed = call(running, "GET", "/api/tables").json()["tables"]
        assert ann.code not in {table["code"] for table in listed}
        quiet, _ = await started(running, "base", 2, talk=False)
        assert (await quiet.request({"type": "say", "phrase": "moo"}))["code"] == "closed"
        assert quiet.code in {table["code"] for table in call(running, "GET", "/api/tables").json()["tables"]}

    run(talk())


async def until_team_asked(people: list[Person]) -> None:
    """Play until the team is being asked something together."""
    while not any(who.open_ask and len(who.open_ask["seats"]) > 1 for who in people):
        asked = next(who for who in people if who.open_ask)
        number = (await asked.choose())["number"]
        for who in people:
            await who.until_number(number)


def test_a_team_does_not_talk_before_the_reveal_and_then_agrees(running: Server) -> None:
    async def play() -> None:
        ann, ben, cy = people = await started(running, "buffalo", 3)
        assert (await ann.request({"type": "say", "phrase": "hello"}))["code"] == "closed"
        await until_team_asked(people)
        assert (await ann.request({"type": "say", "phrase": "hello"}))["type"] == "ack"
        ask = ann.open_ask
        assert ask is not None
        number = ask["number"]
        options = [option["notation"] for option in ask["options"]]
        assert len(options) > 1
        for who, choice in ((ann, options[0]), (ben, options[-1]), (cy, options[-1])):
            assert (await who.choose(choice))["type"] == "ack"
            await ann.until_number(who.last)
        assert ann.state["ask"]["number"] == number, "two against one is no consent"
        assert ann.state["votes"] == {"0": options[0], "1": options[-1], "2": options[-1]}
        answer = await ann.request({"type": "choose", "ask": number, "choice": options[-1]})
        assert answer["type"] == "ack"
        assert {
            "type": "Chose",
            "seat": 0,
            "kind": ask["kind"],
            "notation": options[-1],
            "forced": False,
        } in ann.events

    run(play())


def test_a_captain_decides(running: Server) -> None:
    async def play() -> None:
        ann, ben = people = await started(running, "buffalo", 2, team="captain")
        await until_team_asked(people)
        ask = ben.open_ask
        assert ask is not None
        options = [option["notation"] for option in ask["options"]]
        await ben.choose(options[-1])
        assert ben.state["ask"]["number"] == ask["number"]
        await ann.until_number(ben.last)
        assert ann.state["votes"] == {"1": options[-1]}
        await ann.choose(options[0])
        assert ann.state["ask"] != ask

    run(play())
