"""Questions as lines of JSON: what an outside program reads, and how one in Python gets its view back."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from bullpen.arena.errors import ArenaError
from bullpen.engine import Ask, BullpenError, Choice, Position, Seeded, View, new_game, parse
from bullpen.engine.misread import misread
from bullpen.rulesets import make

PROTOCOL = 1
PAPERS = ("asks", "answers", "agenda", "news")
"""Fields of a position that are the engine's own: they stand apart from what a player looks at."""


class Question(Struct, frozen=True):
    """A question as a program in Python can use it: `imagine(rules, question.view, rng)` works on it."""

    view: View
    ask: Ask
    seed: str


def write_question(view: View, ask: Ask, seed: str) -> bytes:
    """Return a question as a line."""
    position = {
        field: msgspec.to_builtins(getattr(view.position, field))
        for field in view.position.__struct_fields__
        if field not in PAPERS
    }
    told = {
        "protocol": PROTOCOL,
        "seed": seed,
        "view": {
            "game": view.game,
            "behaviour": view.behaviour,
            "options": view.options,
            "seat": view.seat,
            "hand": view.hand,
            "answered": view.answered,
            "seen_piles": view.piles,
            "position": position,
            "papers": {
                "asks": [_written(each) for each in view.position.asks],
                "answers": {str(seat): choice.notation for seat, choice in view.position.answers.items()},
                "agenda": msgspec.to_builtins(view.position.agenda),
            },
        },
        "ask": {
            "kind": ask.kind,
            "prompt": ask.prompt,
            "about": ask.about,
            "options": [option.notation for option in ask.options],
        },
    }
    return msgspec.json.encode(told) + b"\n"


def _written(ask: Ask) -> dict[str, Any]:
    return {
        "seats": ask.seats,
        "kind": ask.kind,
        "options": [option.notation for option in ask.options],
        "prompt": ask.prompt,
        "secret": ask.secret,
        "about": ask.about,
        "patient": ask.patient,
    }


def read_question(line: bytes | str) -> Question:
    """Return the question that a line holds; the game must be known here."""
    try:
        told = msgspec.json.decode(line)
        seen, papers = told["view"], told["view"]["papers"]
        data = {**seen["position"], "agenda": papers["agenda"]}
        position = msgspec.convert(data, _kind_of_position(seen["game"], data["players"]))
        position.asks = tuple(_read_ask(each) for each in papers["asks"])
        position.answers = {int(seat): parse(text) for seat, text in papers["answers"].items()}
        piles = tuple(tuple(pile) for pile in seen["seen_piles"])
        view = View(
            seen["game"], seen["options"], seen["seat"], position, piles, tuple(seen["answered"]),
            seen["behaviour"],
        )  # fmt: skip
        ask, seed = view.ask, str(told["seed"])
    except (KeyError, TypeError, ValueError, msgspec.MsgspecError, BullpenError) as error:
        raise ArenaError(f"This is no question: {misread(error)}.") from None
    if ask is None:
        raise ArenaError("This question asks nothing of its seat.")
    return Question(view, ask, seed)


def _read_ask(told: dict[str, Any]) -> Ask:
    options: tuple[Choice, ...] = tuple(parse(text) for text in told["options"])
    return Ask(
        tuple(told["seats"]), told["kind"], options, told["prompt"], told["secret"], tuple(told["about"]),
        told["patient"],
    )  # fmt: skip


@cache
def _kind_of_position(game: str, players: int) -> type[Position]:
    """Return the type that a game's own fields live in."""
    position, _ = new_game(make(game, players), Seeded(0))
    return type(position)
