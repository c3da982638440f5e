"""The HTTP interface, with the description that it gives of itself; and bots that play over it."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import hypothesis
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CheckFunction
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bullpen.records import Record
from bullpen.rulesets import games
from bullpen.server.doors import invitations
from tests.conftest import SOAK
from tests.server.client import Person, call, create, http, person, post, run
from tests.server.places import USUAL, Place
from tests.server.running import ROOT, Server, server


@pytest.fixture(scope="module", params=USUAL)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("api"))) as begun:
        yield begun


def test_the_games_are_all_there(running: Server) -> None:
    listed = call(running, "GET", "/api/games").json()
    assert [game["id"] for game in listed["games"]] == list(games())
    assert listed["levels"][0] == "random"
    for game in games():
        assert call(running, "GET", f"/api/games/{game}/rules").json()["markdown"].startswith("#")
    assert call(running, "GET", "/api/games/chess/rules").status_code == 404


@pytest.mark.parametrize("asked", ["en", "de", "fr", "xx", "../../en", ""])
def test_the_rules_come_in_a_language_that_there_is(running: Server, asked: str) -> None:
    handbook = call(running, "GET", f"/api/rules?language={asked}").json()["rules"]
    assert [page["game"] for page in handbook] == list(games())
    for page in handbook:
        assert page["language"] in (asked, "en")
        one = call(running, "GET", f"/api/games/{page['game']}/rules?language={asked}").json()
        assert one == page


CHECKS: list[CheckFunction] = [status_code_conformance, content_type_conformance, response_schema_conformance]


def test_the_interface_keeps_to_its_description(running: Server) -> None:
    """Generated requests to every path get answers that the description allows, and never a fault."""
    description = call(running, "GET", "/api").json()
    del description["paths"]["/api/bot/stream"]  # it never ends
    schema = schemathesis.openapi.from_dict(description)
    asked = set()
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        strategy = operation.as_strategy()

        def check(case: Any) -> None:
            answer = case.call(base_url=running.url, headers={"cookie": ""})
            assert answer.status_code != 500
            case.validate_response(answer, checks=CHECKS)

        limits = settings(
            max_examples=200 if SOAK else 10,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        given: Any = hypothesis.given(strategy)
        limits(given(check))()
        asked.add(operation.label)
    assert len(asked) == sum(len(methods) for methods in description["paths"].values())


def test_tables_are_made_and_refused_with_sentences(running: Server) -> None:
    cookie = person(running, "Ann")
    wishes: list[tuple[dict[str, Any], int, str]] = [
        ({"game": "chess", "players": 2}, 400, "There is no game 'chess'"),
        ({"game": "base", "players": 1}, 400, "is for 2 to 10 players"),
        ({"game": "base", "players": 2, "options": {"end.value": 0}}, 400, "whole number from 1"),
        ({"game": "base", "players": 2, "options": {"nonsense": 1}}, 400, "has no option"),
        ({"game": "base", "players": 2, "bots": ["genius"]}, 400, "no level"),
        ({"game": "base", "players": 2, "bots": ["random"] * 3}, 400, "2 seats for 3 bots"),
        ({"game": "base", "players": 2, "start": True}, 409, "seats are still open"),
        ({"game": "base", "players": 2, "name": "\x07"}, 400, "A name needs a letter"),
    ]
    for wish, status, says in wishes:
        answer = post(running, "/api/tables", cookie, wish)
        assert (answer.status_code, says in answer.json()["says"]) == (status, True), answer.text
    assert post(running, "/api/tables", "", {"game": "base", "players": 2, "name": "Eve"}).status_code == 401
    assert call(running, "GET", "/api/tables/ZZZZ").status_code == 404


def finished(running: Server) -> tuple[str, str]:
    """A finished game: its record's id and the cookie of who played it."""

    async def play() -> Person:
        cookie = person(running, "Ann")
        code = create(running, cookie, "mountain", 2, bots=["random"], start=True)
        ann = Person(running, code, cookie)
        await ann.ready()
        await ann.play()
        return ann

    ann = run(play())
    return ann.state["table"]["records"][0], ann.cookie


def test_records_are_downloaded_uploaded_and_replayed(running: Server) -> None:
    name, _ = finished(running)
    text = call(running, "GET", f"/api/records/{name}").text
    record = Record.loads(text)
    cookie = person(running, "Ben")
    answer = http().post(f"{running.url}/api/records", content=text, headers={"cookie": f"bullpen={cookie}"})
    http().cookies.clear()
    assert answer.status_code == 201
    copy = answer.json()["id"]
    assert call(running, "GET", f"/api/records/{copy}").text == text
    assert [item["id"] for item in call(running, "GET", "/api/records", cookie).json()["records"]] == [copy]
    for seat in ("all", "none", "0"):
        replay = call(running, "GET", f"/api/records/{copy}/replay?seat={seat}").json()
        assert len(replay["moments"]) == len(record.choices) + 1
        assert replay["moments"][-1]["view"]["position"]["result"] == replay["result"]
        hand = replay["moments"][0]["view"]["position"]["hands"][1]
        assert (0 in hand) == (seat != "all")
    assert call(running, "GET", f"/api/records/{copy}/replay?seat=9").status_code == 400
    assert call(running, "GET", "/api/records/none").status_code == 404
    broken = text.replace('"players": 2', '"players": 3')
    assert http().post(f"{running.url}/api/records", content=broken).status_code == 400
    assert http().post(f"{running.url}/api/records", content=b"x" * 600_000).status_code == 413


def test_the_example_bot_plays_a_game(running: Server) -> None:
    level = "random"
    command = [sys.executable, "examples/remote_bot.py", running.url, "--game", "base", "--against", level]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "ranks" in done.stdout


def test_a_bot_joins_people_at_their_table(running: Server) -> None:
    token = post(running, "/api/bot/token", "", {"name": "Robbie"}).json()["token"]
    bearer = {"authorization": f"Bearer {token}"}

    async def sit() -> Person:
        cookie = person(running, "Ann")
        code = create(running, cookie, "base", 2)
        ann = Person(running, code, cookie)
        await ann.ready()
        return ann

    ann = run(sit())
    url = f"{running.url}/api/tables/{ann.code}/seat"
    assert http().post(url, json={"name": "R"}, headers={"authorization": "Bearer no"}).status_code == 401
    assert http().post(url, json={"name": "Robbie"}, headers=bearer).json()["seat"] == 1

    async def play() -> dict[str, Any]:
        again = Person(running, ann.code, ann.cookie, "again")
        await again.ready()
        await again.request({"type": "start"})
        return again.state

    run(play())
    with http().stream("GET", f"{running.url}/api/bot/stream", headers=bearer) as stream:
        line = next(line for line in stream.iter_lines() if line)
    asked = msgspec.json.decode(line)
    assert asked["type"] == "ask"
    assert asked["seat"] == 1
    choice = {"ask": asked["ask"]["number"], "choice": asked["ask"]["options"][0]["notation"]}
    path = f"{running.url}/api/bot/tables/{ann.code}/choice"
    first = http().post(path, json=choice, headers=bearer)
    assert first.status_code == 200
    assert http().post(path, json=choice, headers=bearer).json() == first.json(), "the same answer again"
    assert http().post(path, json={**choice, "choice": "999"}, headers=bearer).status_code == 409


def test_metrics_and_health(running: Server) -> None:
    assert call(running, "GET", "/healthz").json()["status"] == "ok"
    assert call(running, "GET", "/readyz").json()["status"] == "ok"
    text = call(running, "GET", "/metrics").text
    assert "bullpen_ack_seconds_bucket" in text
    assert "bullpen_storage_ok 1\n" in text


def test_a_table_is_invited_to_by_its_address_as_a_code(running: Server) -> None:
    answer = call(running, "POST", "/api/tables", body={"game": "base", "players": 2}).json()
    made = answer["table"]
    found = call(running, "GET", f"/api/tables/{made['code']}/invitation").json()
    assert found["url"] == f"{running.url}/t/{made['code']}"
    assert found["size"] >= 21
    assert found["path"].startswith("M0 0h7v1h-7z"), "the first line of the first finder"


def test_localhost_is_named_as_other_devices_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "own_address", lambda: "192.168.7.5")
    assert invitations.reachable("localhost:8266", "0.0.0.0") == "192.168.7.5:8266"
    assert invitations.reachable("127.0.0.1", "::") == "192.168.7.5"
    assert invitations.reachable("[::1]:80", "") == "192.168.7.5:80"
    assert invitations.reachable("[2001:db8::1]:80", "0.0.0.0") == "[2001:db8::1]:80"
    assert invitations.reachable("10.0.0.9:80", "0.0.0.0") == "10.0.0.9:80"
