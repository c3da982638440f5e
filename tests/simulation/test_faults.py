"""Whatever raises inside a server: nothing confirmed is lost or done twice, and everybody is answered.

Every public call of the store, the registry, the rooms, the links, the clock and whatever else lives there
raises once, at its first, second, third … use, each in a day of its own.
"""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from bullpen.server.live.chores import Chores
from bullpen.server.live.road import Road
from bullpen.server.live.room import Listener, Room
from tests.conftest import SOAK
from tests.simulation.breaking import Place, Planter, break_everything
from tests.simulation.mutants import Mutant
from tests.simulation.trial import Trial
from tests.simulation.world import Broken

MOST_USES = 8 if SOAK else 2
SAMPLE = 24
"""So many places are tried in the usual run."""
PARTS = 40 if SOAK else 3


@pytest.fixture
def planter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Planter]:
    """What goes wrong on purpose is not worth a line each."""
    logging.disable(logging.CRITICAL)
    yield break_everything(monkeypatch)
    logging.disable(logging.NOTSET)


class Days:
    """A day on which all goes well, and others that must end as well as that one."""

    def __init__(self, planter: Planter) -> None:
        self._planter = planter
        self._well = Trial(planter).run()
        self.uses = dict(planter.uses)

    @property
    def places(self) -> list[Place]:
        """Every place at which something may raise."""
        return [
            Place(call, use)
            for call, uses in sorted(self.uses.items())
            for use in range(1, 1 + min(uses, MOST_USES))
        ]

    def live(self, place: Place) -> None:
        """Live through a day on which something raises."""
        held = Trial(self._planter).run(place)
        assert self._planter.raised, f"{place} was not reached"
        assert held == self._well, f"{place} leaves a gauge that is stuck"


def test_the_calls_of_all_that_live_in_a_server_are_found(planter: Planter) -> None:
    days = Days(planter)
    kinds = {call.partition(".")[0] for call in days.uses}
    assert len(days.uses) > 200
    assert kinds >= {
        "Connection", "Guest", "Host", "Hub", "Index", "Keeper", "Lane", "Link", "Owners", "Pool", "Registry",
        "Road", "Room", "Rooms", "Sources", "Store", "Stream", "Table", "Teller", "Way", "Writer",
    }  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_no_exception_breaks_a_promise(part: int, planter: Planter) -> None:
    days = Days(planter)
    places = days.places
    every = 1 if SOAK else len(places) // SAMPLE
    for place in places[::every][part::PARTS]:
        try:
            days.live(place)
        except Broken as broken:
            pytest.fail(f"{place}: {broken}")


# Faults planted in what keeps the promises must be found.


def chores_end(patch: pytest.MonkeyPatch) -> None:
    """A chore that fails once is done no more."""

    async def go_on(_: Chores, chore: object) -> None:
        assert callable(chore)
        while True:
            await chore()

    patch.setattr(Chores, "_go_on", go_on)


def nobody_comes_again(patch: pytest.MonkeyPatch) -> None:
    """Somebody who could not be told is left where they are."""

    def fail(_: Room, __: Listener) -> None: ...

    patch.setattr(Room, "fail", fail)


def nothing_is_mended(patch: pytest.MonkeyPatch) -> None:
    """What failed once is not come back to."""

    async def mend(_: Road) -> None:
        await asyncio.sleep(1.0)

    patch.setattr(Road, "mend", mend)


MUTANTS: dict[Mutant, str] = {
    chores_end: "Owners.renew",
    nobody_comes_again: "Teller.update",
    nothing_is_mended: "Room.tell",
}
"""Faults, and the call that brings each to light."""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_every_planted_fault_is_found(
    mutant: Mutant, planter: Planter, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant(monkeypatch)
    days = Days(planter)
    for use in range(1, 20):
        try:
            days.live(Place(MUTANTS[mutant], use))
        except (Broken, AssertionError):
            return
    pytest.fail("nobody has noticed")
