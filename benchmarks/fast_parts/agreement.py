"""Whether a device plays as the processor does: rounds to the last bullhead, batches array by array."""

from typing import Any

import numpy as np
from benchmarks.fast_parts.rates import SEED
from benchmarks.fast_parts.twins import TWIN_OPTIONS

from bullpen.engine import OptionValue
from bullpen.fast import CHOICES, BadChoice, Batch, simulate
from bullpen.fast.games import CODES
from bullpen.fast.twins.state import arrays_of


def check_rounds_on_device(device: Any, game: str, players: int, options: dict[str, OptionValue]) -> None:
    """Hold whole rounds on the device against those on the CPU, to the last bullhead."""
    small = device.simulate_on_device(game, players, 20_000, seed=SEED, options=options)
    same = simulate(game, players, rounds=20_000, seed=SEED, options=options)
    assert (small.total == same.total).all(), (game, players)
    assert (small.squares == same.squares).all(), (game, players)


def check_twin_on_device(device: Any, game: str, players: int) -> None:
    """Hold a batch on the device against one on the CPU, array by array after every step of two rounds."""
    ours = Batch(game, players, 1000, seed=SEED, options=TWIN_OPTIONS.get(game))
    theirs = device.DeviceBatch(ours)
    for _ in range(2):
        while not ours.over.all():
            compare_twin_with_device(ours, theirs)
            choices = ours.random_choices()
            assert (theirs.random_choices().copy_to_host() == choices).all(), game
            ours.step(choices)
            theirs.step(device.cuda.to_device(choices))
        ours.next_round()
        theirs.next_round()
    ours.reset(np.arange(1000, dtype=np.uint64))
    theirs.reset(np.arange(1000, dtype=np.uint64))
    compare_twin_with_device(ours, theirs)
    try:
        theirs.step(np.zeros((1000, players), np.uint16))
    except BadChoice:
        compare_twin_with_device(ours, theirs)
    else:
        raise AssertionError(f"{game}: an illegal choice was taken on the device")


def compare_twin_with_device(ours: Any, theirs: Any) -> None:
    for name, here in arrays_of(ours.state).items():
        there = getattr(theirs.state, name).copy_to_host()
        assert (here[: ours.size] == there[: ours.size]).all(), (ours.game, name)
    last = ours.plan.players - 1
    seen = theirs.seen(last)
    for name, here in ours.observe(last).items():
        assert here.size == 0 or (here == seen[name].copy_to_host()).all(), (ours.game, name, "as seen")
    assert (theirs.over.copy_to_host() == ours.over).all(), ours.game


def check_device_batch(device: Any) -> None:
    """Hold a batch on the device against one on the CPU, array by array after every step."""
    for game in CODES:
        for piles in (True, False):
            ours = Batch(game, 4, 5000, seed=SEED, piles=piles)
            theirs = device.DeviceBatch(ours)
            while not ours.over.all():
                compare_with_device(ours, theirs)
                choices = ours.random_choices()
                assert (theirs.random_choices().copy_to_host() == choices).all(), game
                ours.step(choices)
                theirs.step(device.cuda.to_device(choices))
            ours.reset(None, ours.over)
            theirs.reset(None, theirs.over)
            compare_with_device(ours, theirs)
    print("  batches on the device and on the CPU agree", flush=True)


def compare_with_device(ours: Batch, theirs: Any) -> None:
    for mine, other in ((ours.table, theirs.table), (ours.seats, theirs.seats)):
        for name in mine._fields:
            here, there = getattr(mine, name), getattr(other, name).copy_to_host()
            if name == "plays":
                # In lockstep, plays are written down only where they have to wait.
                waits = ours.asked >= 0
                here, there = here[waits], there[waits]
            assert (here == there).all(), (ours.game, name)
    seats = ours.size, ours.plan.players
    seen, legal = np.zeros((*seats, ours.observation_size), np.uint8), np.zeros((*seats, CHOICES), np.uint8)
    ours.observe_into(seen)
    ours.legal_into(legal)
    assert (theirs.observe().copy_to_host() == seen).all(), ours.game
    assert (theirs.legal().copy_to_host() == legal).all(), ours.game
    assert (theirs.over.copy_to_host() == ours.over).all(), ours.game
