"""People over HTTP: who I am here, on which devices, and how to bring a seat along to another one."""

import contextlib
from typing import Any

import msgspec
from starlette.responses import Response

from bullpen.server import protocol
from bullpen.server.doors.callers import caller
from bullpen.server.doors.http import Call, answer
from bullpen.server.errors import Refused
from bullpen.server.live.hub import Hub
from bullpen.server.live.people import BEFORE, COOKIE, YEAR, Identity, device_label
from bullpen.server.live.visits import learn_revocations, turn_away
from bullpen.server.store.interface import StoreError
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
    # The private link is good only if it follows the latest revocation, whichever process that came to. While
    # the store cannot be read, it may be one that leads nowhere.
    with contextlib.suppress(StoreError):
        await learn_revocations(call.hub)
    person = _person(call)
    response = answer(await _me(call, person))
    if call.hub.people.must_renew(person):
        fresh = msgspec.structs.replace(person, at=call.hub.people.now)
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
    if call.body.key is not None:
        # A device that comes by a link stays, so the link must still be good in every process.
        await learn_revocations(call.hub)
    people, wish = call.hub.people, call.body
    known = people.known(call.request.cookies.get(COOKIE, ""))
    person = (
        _back(call) if wish.back else _linked(call, known) if wish.key is not None else _named(call, known)
    )
    call.hub.moderation.check(call.address, person.who)
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
        call.hub.moderation.check_sign_up()
        return call.hub.people.new(name)
    return msgspec.structs.replace(known, name=name)


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
        devices=tuple(
            protocol.DeviceInfo(row.id, row.label, row.made, row.seen, row.id == person.device)
            for row in rows
            if not row.ends
        ),
        bots=tuple(
            protocol.BotInfo(row.id, row.label, row.made, row.seen, row.ends) for row in rows if row.ends
        ),
    )


async def revoke(call: Call[protocol.Revoke]) -> protocol.Devices:
    """Turn a device or a bot away, or every other device, or the private links."""
    # A device that was turned away elsewhere a moment ago must not turn others away here.
    await learn_revocations(call.hub)
    hub, person, wish = call.hub, _person(call), call.body
    if wish.device is not None and wish.device == person.device:
        raise Refused("bad-request", "That is the device that you are on; sign out of it instead.")
    if wish.device is not None:
        turn_away(hub, await hub.writer.call(hub.people.revoke, person.who, wish.device))
    if wish.links:
        await hub.writer.call(hub.people.end_links, person.who)
    if wish.others:
        turn_away(hub, await hub.writer.call(hub.people.end_others, person.who, person.device))
    return await _devices(hub, person)


async def sign_out(call: Call[protocol.SignOut]) -> Response:
    """End the key that the caller came by, or all of them; a browser forgets whom it was before, too."""
    hub, people = call.hub, call.hub.people
    key = caller(hub, call.request)
    if key is None:
        raise Refused("no-identity", NOBODY)
    if call.body.everywhere:
        turn_away(hub, await hub.writer.call(people.sign_out_everywhere, key.who))
    else:
        turn_away(hub, await hub.writer.call(people.sign_out, key))
    before = people.known(call.request.cookies.get(BEFORE, ""))
    if before is not None:
        turn_away(hub, await hub.writer.call(people.sign_out, before))
    response = answer(await _devices(hub, key))
    for cookie in (COOKIE, BEFORE):
        response.delete_cookie(cookie, httponly=True, samesite="strict")
    return response
