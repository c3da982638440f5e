"""What a socket is sent in one turn of the loop leaves together, and never onto a closed connection."""

import asyncio

import pytest

from bullpen.server.doors.transport import Gathering, framed
from tests.simulation.universe import Loop, Universe


class FakeTransport:
    """A connection that remembers what was written, and refuses once it is closed."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        if self.closed:
            raise RuntimeError("the handler is closed")
        self.written.append(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> str:
        return f"a {name}"


def test_what_is_written_in_one_turn_leaves_together() -> None:
    async def story() -> None:
        below = FakeTransport()
        above = Gathering(below, asyncio.get_running_loop())
        above.write(b"update")
        above.write(b"ack")
        assert below.written == []
        await asyncio.sleep(0)
        assert below.written == [b"updateack"]
        above.write(b"next")
        await asyncio.sleep(0)
        assert below.written == [b"updateack", b"next"]
        above.write(b"goodbye")
        above.close()
        assert below.written[-1] == b"goodbye"
        assert below.closed
        assert above.get_extra_info("peername") == "a peername"

    asyncio.run(story())


def test_what_is_written_in_several_turns_leaves_together_where_it_may_wait() -> None:
    universe = Universe()
    loop, below = Loop(universe), FakeTransport()
    above = Gathering(below, loop, 0.002)
    for at, text in ((0.0, b"one"), (0.001, b"two"), (0.003, b"three")):
        loop.call_at(at, above.write, text)
    universe.run(0.0025)
    assert below.written == [b"onetwo"]
    universe.run(0.1)
    assert below.written == [b"onetwo", b"three"]
    loop.close()


@pytest.mark.parametrize("end", ["the other side", "we"])
def test_nothing_is_written_to_a_closed_connection(end: str) -> None:
    async def story() -> None:
        below = FakeTransport()
        above = Gathering(below, asyncio.get_running_loop())
        above.write(b"update")
        below.closed = end == "the other side"
        above.close()
        above.write(b"late")
        await asyncio.sleep(0)
        assert below.written == ([] if end == "the other side" else [b"update"])

    asyncio.run(story())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_is_framed_once_for_all(size: int) -> None:
    text = "x" * size
    frame = framed(text)
    assert frame.endswith(text.encode())
    assert frame[0] == 0x81
    assert frame[1] == (size if size < 126 else 126 if size < 65_536 else 127)
    assert framed(text) is frame
