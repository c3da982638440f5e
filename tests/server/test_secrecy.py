"""Secrecy on the wire: two worlds that differ only in what a seat cannot see send it the same bytes."""

import itertools
from collections.abc import Iterator

import pytest

from bullpen.rulesets import games
from tests.conftest import SOAK
from tests.server.client import Person, full_table, post, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server
from tests.server.test_play import two_or_more

FEW = [(0, 0), (-1, 5), (1, 23)]
MANY = itertools.product((0, 1, -1), (0, 1, 2, 3, 5, 8, 12, 20, 33))
WHO_AND_WHEN = list(MANY) if SOAK else FEW
"""The viewer (-1: a spectator), and after how many choices the worlds part."""


@pytest.fixture(scope="module", params=USUAL)
def worlds(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    folder = tmp_path_factory.mktemp("worlds")
    with (
        server(Place(request.param, folder, "one"), "--seed", "same") as one,
        server(Place(request.param, folder, "other"), "--seed", "same") as other,
    ):
        yield one, other


async def settle(people: list[Person], number: int) -> None:
    """Let everybody hear of everything up to a step."""
    for somebody in people:
        await somebody.until_number(number)


async def seated(running: Server, game: str, players: int) -> list[Person]:
    """A started table: its people, and a spectator at the end."""
    code, cookies = full_table(running, game, players, settings={"take_back": True})
    people = [Person(running, code, cookie, seed) for seed, cookie in enumerate([*cookies, ""])]
    for somebody in people:
        await somebody.ready()
    answer = await people[0].request({"type": "start"})
    await settle(people, answer["number"])
    return people


async def advance(people: list[Person], choices: int) -> None:
    """Make that many choices, one after another, the same in every world."""
    for _ in range(choices):
        asked = [somebody for somebody in people if somebody.open_ask]
        if not asked:
            return
        answer = await asked[0].choose()
        await settle(people, answer["number"])


async def until_reveal(people: list[Person], viewer: Person) -> None:
    """Let the viewer, then everybody else, answer until the viewer is shown something new."""
    shown = len(viewer.updates)
    while not any("view" in update for update in viewer.updates[shown:]):
        asked = sorted((who for who in people if who.open_ask), key=lambda who: who is not viewer)
        if not asked:
            return
        who = asked[0]
        ask = who.open_ask
        assert ask is not None
        # Others hold other cards in the other world; what the viewer says is the same in both.
        options = [option["notation"] for option in ask["options"]]
        answer = await who.choose(options[0] if who is viewer else options[-1])
        await settle(people, answer["number"])


async def heard(
    running: Server, game: str, seat: int, moment: int, seed: int | None
) -> tuple[list[str], bool]:
    """Return all that a seat (the last: a spectator) is sent up to the reveal after the worlds part."""
    people = await seated(running, game, two_or_more(game))
    await advance(people, moment)
    viewer, changed = people[seat], False
    if seed is not None and viewer.phase == "playing":
        body = {"table": viewer.code, "seat": viewer.seat, "seed": seed}
        answer = post(running, "/test/swap", "", body)
        changed = answer.json()["changed"]
    for other in people:
        if other is not viewer:
            other.last = 0
            await other.request({"type": "resume", "last": 0})
    again = Person(running, viewer.code, viewer.cookie)
    await again.ready()
    await again.close()
    start = len(viewer.raw)
    await until_reveal(people, viewer)
    for somebody in people:
        await somebody.close()
    # Who connects when is no secret, and not numbered.
    hidden = [text for text in viewer.raw[start:] if '"view":' not in text]
    sent = [*viewer.raw[:start], again.raw[0], *hidden]
    return [text for text in sent if '"type":"presence"' not in text], changed


@pytest.mark.parametrize("game", games())
def test_a_seat_hears_the_same_in_both_worlds(worlds: tuple[Server, Server], game: str) -> None:
    async def compare() -> None:
        for seat, moment in WHO_AND_WHEN:
            one, _ = await heard(worlds[0], game, seat, moment, None)
            other, _ = await heard(worlds[1], game, seat, moment, 1000 + moment)
            assert one == other

    run(compare())


def test_the_worlds_differ(worlds: tuple[Server, Server]) -> None:
    """The comparison above compares something: the hook does change the hidden cards."""

    async def changed() -> list[bool]:
        found = []
        for running in worlds:
            _, differs = await heard(running, "base", 0, 5, 1)
            found.append(differs)
        return found

    assert run(changed()) == [True, True]
