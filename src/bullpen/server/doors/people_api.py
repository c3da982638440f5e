"""People over HTTP: who I am here, on which devices, and how to bring a seat along to another one."""

from typing import Any

from starlette.responses import Response

from bullpen.server import protocol
from bullpen.server.doors.http import Call, answer
from bullpen.server.errors import Refused
from bullpen.server.live.hub import Hub
from bullpen.server.live.people import BEFORE, COOKIE, YEAR, Identity, device_label
from bullpen.server.live.visits import turn_away
from bullpen.server.tables.names import clean_name

NOBODY = "You have no name here yet: POST /api/me."
BAD_LINK = "That private link is not valid, or not any more; they last for a day."


def _person(call: Call[Any]) -> Identity:
    """Return who asks, or refuse."""
    found = call.hub.people.known(call.request.cookies.get(COOKIE, ""))
    if found is None:
        raise Refused("no-identity", NOBODY)
    return found


async def me(call: Call[None]) -> Response:
    """Who the caller is, and the running tables with a seat of theirs."""
    person = _person(call)
    response = answer(await _me(call, person))
    if call.hub.people.must_renew(person):
        fresh = Identity(person.who, person.name, person.device, call.hub.people.now)
        _set(call, response, COOKIE, fresh if person.device else call.hub.people.on_new_device(person))
    return response


async def _me(call: Call[Any], person: Identity) -> protocol.Me:
    people = call.hub.people
    people.saw(person, device_label(call.request.headers.get("user-agent", "")))
    before = people.known(call.request.cookies.get(BEFORE, ""))
    return protocol.Me(
        name=person.name,
        link=people.link(person),
        tables=tuple(await call.door.index.tables_of(person.who)),
        before=None if before is None or before.who == person.who else before.name,
    )


def _set(call: Call[Any], response: Response, cookie: str, person: Identity) -> None:
    response.set_cookie(
        cookie,
        call.hub.people.cookie(person),
        max_age=YEAR,
        httponly=True,
        samesite="strict",
        secure=call.request.url.scheme == "https",
    )


async def new_me(call: Call[protocol.NewMe]) -> Response:
    """Give the caller a name, the identity of a private link, or the one from before that."""
    people, wish = call.hub.people, call.body
    known = people.known(call.request.cookies.get(COOKIE, ""))
    person = (
        _back(call) if wish.back else _linked(call, known) if wish.key is not None else _named(call, known)
    )
    if person.device == "":
        person = people.on_new_device(person)
    response = answer(await _me(call, person))
    _set(call, response, COOKIE, person)
    if known is not None and known.who != person.who:
        _set(call, response, BEFORE, known)
    return response


def _named(call: Call[protocol.NewMe], known: Identity | None) -> Identity:
    name = clean_name(call.body.name or "Guest")
    if known is None:
        return call.hub.people.new(name)
    return Identity(known.who, name, known.device, known.at)


def _linked(call: Call[protocol.NewMe], known: Identity | None) -> Identity:
    person = call.hub.people.linked(call.body.key or "")
    if person is None:
        raise Refused("forbidden", BAD_LINK)
    if known is not None and known.who == person.who:
        return known
    if known is not None and not call.body.replace:
        says = f"You are {known.name} here; say that you want to be {person.name} instead."
        raise Refused("confirm", says)
    return call.hub.people.on_new_device(person)


def _back(call: Call[protocol.NewMe]) -> Identity:
    before = call.hub.people.known(call.request.cookies.get(BEFORE, ""))
    if before is None:
        raise Refused("closed", "This browser was nobody else before.")
    return before


async def look_at_key(call: Call[protocol.KeyWish]) -> protocol.KeyInfo:
    """Whose a private link is, before anything is changed by it."""
    person = call.hub.people.linked(call.body.key)
    if person is None:
        raise Refused("forbidden", BAD_LINK)
    known = call.hub.people.known(call.request.cookies.get(COOKIE, ""))
    return protocol.KeyInfo(
        name=person.name,
        you=None if known is None else known.name,
        same=known is not None and known.who == person.who,
    )


async def devices(call: Call[None]) -> protocol.Devices:
    """The devices that can come as the caller."""
    return await _devices(call.hub, _person(call))


async def _devices(hub: Hub, person: Identity) -> protocol.Devices:
    rows = await hub.writer.call(hub.people.devices, person.who)
    return protocol.Devices(
        tuple(
            protocol.DeviceInfo(row.id, row.label, row.made, row.seen, row.id == person.device)
            for row in rows
        )
    )


async def revoke(call: Call[protocol.Revoke]) -> protocol.Devices:
    """Turn a device away, or every other one, or the private links."""
    hub, person, wish = call.hub, _person(call), call.body
    if wish.device is not None and wish.device == person.device:
        raise Refused("bad-request", "That is the device that you are on.")
    if wish.device is not None:
        turn_away(hub, await hub.writer.call(hub.people.revoke, person.who, wish.device))
    if wish.links:
        await hub.writer.call(hub.people.end_links, person.who)
    if wish.others:
        turn_away(hub, await hub.writer.call(hub.people.end_others, person.who, person.device))
    return await _devices(hub, person)
