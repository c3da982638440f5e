"""Attacks of one visitor on a server with its usual limits: each is refused, and nothing of it remains.

How much the others notice of each is measured by `benchmarks/attacks.py`.
"""

import contextlib
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bullpen.server.limits import Limits
from tests.server.client import OPEN, Person, call, create, full_table, http, person, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server
from tests.server.test_hostile import at_table, frame, opened, read_until
from tests.server.test_records import played

LIMITS = Limits()
TEXT, CONTINUATION, PING, PONG, CLOSE = 1, 0, 9, 10, 8


@pytest.fixture(scope="module", params=USUAL)
def limited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("attacks")), "--limited") as started:
        yield started


def closed_with(made: socket.socket) -> int | None:
    """Read to the end, and return the code of the close frame; None if the end came without one."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while part := made.recv(65536):
            received += part
    code = None
    while len(received) >= 2:
        kind, size, start = received[0] & 15, received[1], 2
        if size == 126:
            size, start = struct.unpack("!H", received[2:4])[0], 4
        if kind == CLOSE:
            (code,) = struct.unpack("!H", received[start : start + 2])
        received = received[start + size :]
    return code


FLOODS = {
    "pings": frame(PING, b""),
    "long pings": frame(PING, b"x" * 125),
    "pongs": frame(PONG, b"x"),
    "empty continuations": frame(CONTINUATION, b"", final=False),
    "empty messages": frame(TEXT, b""),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_frames_of_every_kind_are_counted(limited: Server, kind: str) -> None:
    code = create(limited, person(limited, "P0"), "base", 2)
    first = frame(TEXT, b"", final=False) if kind == "empty continuations" else b""
    flood = FLOODS[kind] * int(3 * LIMITS.frames.burst)
    with opened(limited, code, "127.0.1.1") as made:
        with contextlib.suppress(ConnectionError):
            made.sendall(first + flood)
        # A flood that goes on is answered by a reset, which may overtake the close frame.
        assert closed_with(made) in (1008, None)
    assert call(limited, "GET", f"/api/tables/{code}").status_code == 200


def test_a_few_pings_are_answered(limited: Server) -> None:
    code = create(limited, person(limited, "P0"), "base", 2)
    with opened(limited, code, "127.0.1.2") as made:
        made.sendall(frame(PING, b"hi") * 20)
        read_until(made, lambda received: received.count(b"\x8a\x02hi") == 20)


def test_handshakes_of_an_address_are_counted(limited: Server) -> None:
    code = create(limited, person(limited, "P0"), "base", 2)

    async def attack() -> tuple[int, Any]:
        for done in range(LIMITS.sockets_per_address + 1):
            try:
                made = await connect(limited.ws + code, local_addr=("127.0.1.3", 0))
            except InvalidStatus as refused:
                return done, refused.response
            OPEN.add(made)
        pytest.fail("every handshake was taken")

    done, response = run(attack())
    assert LIMITS.handshakes.burst <= done <= LIMITS.sockets_per_address
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) >= 1


def test_guesses_of_codes_are_counted(limited: Server) -> None:
    code, cookies = full_table(limited, "base", 2)

    async def guess(name: str, cookie: str = "") -> int:
        headers = {"cookie": f"bullpen={cookie}"}
        local = ("127.0.1.4", 0)
        made = await connect(limited.ws + name, local_addr=local, additional_headers=headers)
        OPEN.add(made)
        with contextlib.suppress(ConnectionClosed):
            await made.send('{"type":"resume","id":"1","last":0}')
            await made.recv()
            await made.recv()
        return made.close_code or 0

    async def attack() -> tuple[Counter[int], int, int]:
        found = Counter([await guess(f"Q{number:03}") for number in range(40)])
        return found, await guess(code), await guess(code, cookies[1])

    found, stranger, player = run(attack())
    assert found[4404] >= LIMITS.guesses.burst
    assert found[1013] > 0
    assert (stranger, player) == (1013, 0), "who sits there comes back all the same"


def test_far_too_many_connections_are_ended_unheard(limited: Server) -> None:
    before = gauge(limited, "turned_away")
    made = []
    try:
        for _ in range(int(LIMITS.connections.burst) + 100):
            with contextlib.suppress(ConnectionError):
                made.append(
                    socket.create_connection(("127.0.0.1", limited.port), source_address=("127.0.1.5", 0))
                )
        # The server takes them in one after another, a few at a time.
        while gauge(limited, "turned_away") - before < 50:
            time.sleep(0.02)
        assert gauge(limited, "connections") <= LIMITS.connections_per_address + 50
    finally:
        for each in made:
            each.close()


def gauge(running: Server, name: str) -> float:
    text = call(running, "GET", "/metrics").text
    line = next(line for line in text.splitlines() if line.startswith(f"bullpen_{name} "))
    return float(line.split()[1])


def test_resuming_from_far_back_again_and_again_is_slowed_down(limited: Server) -> None:
    async def attack() -> Counter[str]:
        one, other = await at_table(limited)
        for _ in range(30):
            await one.send({"type": "resume", "last": 1})
        await one.until(lambda: len(one.refusals) + len(one.acks) >= 31)
        await one.close()
        await other.close()
        return Counter(refusal["code"] for refusal in one.refusals)

    refused = run(attack())
    assert set(refused) == {"too-fast"}
    assert 15 <= refused["too-fast"] <= 30


@pytest.mark.parametrize("kind", ["say", "mix", "take_back"])
def test_what_is_no_choice_has_a_budget_of_its_own(limited: Server, kind: str) -> None:
    messages: dict[str, dict[str, Any]] = {
        "say": {"type": "say", "phrase": "moo"},
        "mix": {"type": "mix", "nonce": "ab"},
        "take_back": {"type": "take_back", "ask": 1},
    }

    async def attack() -> tuple[int, int, int]:
        one, other = await at_table(limited)
        before = one.last
        sent = 0
        while not any(refusal["code"] == "too-fast" for refusal in one.refusals):
            # Slower than the budget of the socket, which would refuse a flood anyhow.
            await one.request(messages[kind])
            sent += 1
            assert sent < 100
        reconnected = Person(limited, one.code, one.cookie, "again")
        await reconnected.ready()
        again = await reconnected.request(messages[kind])
        await other.until(lambda: other.last >= one.last)
        for somebody in (one, other, reconnected):
            await somebody.close()
        return sent, one.last - before, again["type"] == "error"

    sent, steps, again = run(attack())
    rate = LIMITS.phrases if kind == "say" else LIMITS.changes
    assert sent <= rate.burst + 10
    assert steps <= rate.burst + 10
    assert again, "a new connection does not help"


def test_records_and_descriptions_are_counted(limited: Server) -> None:
    local = httpx.HTTPTransport(local_address="127.0.1.6")
    record = played(3).dumps()
    with httpx.Client(transport=local, base_url=limited.url) as client:
        answers = [client.post("/api/records", content=record).status_code for _ in range(7)]
        began = time.monotonic()
        described = Counter(client.get("/api").status_code for _ in range(300))
        allowed = LIMITS.requests.burst + LIMITS.requests.per_second * (time.monotonic() - began)
    assert answers.count(201) == LIMITS.uploads.burst
    assert set(answers[-2:]) == {429}
    assert described[200] <= allowed + 1
    assert set(described) <= {200, 429}
    assert http().get(f"{limited.url}/api").status_code == 200, "another address does not notice"
