"""What the network is told of the positions in tensors: by the functions that tell it in play (`telling`)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from bullpen.bots.network.features import EXACT, GRID, MORE, PLAY, SCENE, WILD, Inputs
from bullpen.fast.rules import Table
from bullpen.fast.trick import NO_FLIP
from training import telling
from training.tables import Tables, heads_of_cards
from training.telling import Seen

ITEM = PLAY


@dataclass
class Sight:
    """What S seats see; the seat's own cards stand in slots, 0 where there is none."""

    tables: Tables
    players: int
    hand: Tensor
    """int64 [S, H]."""
    unseen: Tensor
    """bool [S, 105]: cards that may be in other hands."""
    own_flip: Tensor
    """bool [S]."""
    other_flips: Tensor
    """int32 [S]: how many others hold a flip card."""
    later: int
    """Cards that every seat will be dealt at half-time."""
    wild: Tensor
    """[S]: the share of the others that is thought to play any card alike."""


@dataclass
class Described:
    """The network's input."""

    items: Tensor
    """[S, I, ITEM]."""
    scene: Tensor
    """[S, SCENE]."""
    valid: Tensor
    """bool [S, I]."""


@cache
def odds(device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the chances that positions are described with, on this device, made once."""
    return torch.from_numpy(EXACT).to(device), torch.from_numpy(MORE).to(device)


@cache
def heads_table(device: torch.device) -> Tensor:
    """Return the bullheads by card on this device, made once."""
    return heads_of_cards(device)


def describe(sight: Sight, cards: Tensor, values: Tensor, valid: Tensor) -> Described:
    """Describe every possible play (cards and values [S, I]) and the scene."""
    size, device = len(cards), cards.device
    items = torch.zeros((*cards.shape, ITEM), device=device)
    scene = torch.zeros((size, SCENE), device=device)
    there = _as_arrays(device)
    told = Inputs(there(items), there(scene), *map(there, odds(device)))
    options = there(cards), there(values)
    given = sight.tables.code, _table(sight.tables, there), _seen(sight, there), options
    if device.type == "cuda":
        telling.tell_on_device(*given, told, torch.cuda.current_stream().cuda_stream)
    else:
        telling.tell(*given, told)
    return Described(items * valid[:, :, None], scene, valid)


def _as_arrays(device: torch.device) -> Callable[[Tensor], Any]:
    """Return what turns tensors into arrays that compiled code reads where they lie."""
    if device.type != "cuda":
        return lambda tensor: tensor.contiguous().numpy()
    return lambda tensor: telling.on_device(tensor.contiguous())


def _table(tables: Tables, there: Callable[[Tensor], Any]) -> Table:
    """Return tables as the twin's rules read them; of the cards of a row only the first is looked at."""
    nothing = there(tables.counts[:0])
    ends, counts, heads, mark = map(there, (tables.ends, tables.counts, tables.heads, tables.mark))
    rows = there(tables.firsts[:, :, None])
    return Table(rows, ends, counts, heads, mark, nothing, nothing, nothing, nothing)


def _seen(sight: Sight, there: Callable[[Tensor], Any]) -> Seen:
    """Return what seats see as compiled code reads it; their flips have been listed by whoever asks."""
    return Seen(
        hand=there(sight.hand),
        unseen=there(sight.unseen),
        flip=there(sight.own_flip),
        others_flips=there(sight.other_flips),
        wild=there(sight.wild),
        players=sight.players,
        later=sight.later,
        digits=NO_FLIP,
    )


__all__ = ["GRID", "ITEM", "SCENE", "WILD", "Described", "Sight", "describe", "heads_table", "odds"]
