"""How fast environments are, against the loop of an older public one, all in one run.

    python benchmarks/envs.py [--only loops|pettingzoo|device|ppo] [--beside FOLDER] [--seconds S]

The unit is a seat-step: one seat of one game has been shown what it may know and do, and has answered. Every
loop chooses at random and lets its episodes start anew when they end. Rates are the best of several short
runs that take turns, by the processor's clock, so that a busy moment hits all alike; only what runs in
several threads is measured by the clock on the wall.

While somebody is asked for a row the others wait, and an ended game waits for its next step: `answers` leaves
such seat-steps out. rl-6-nimmt takes the cheapest row for a low card by itself; so does the vector
environment in the task `as rl-6-nimmt plays`, for a comparison of the same game.

With `--beside` the older loop is that of rl-6-nimmt itself, as its users run it: sessions of four of its
random agents. The folder is a checkout of https://github.com/johannbrehmer/rl-6-nimmt; PyTorch and gym are
needed. Without it, what was written anew after its source takes its place, which is a little faster.
"""

import argparse
import importlib
import json
import logging
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import bullheads
from bullpen.envs.episode import Episode
from bullpen.envs.pettingzoo import ParallelTable, TurnTable, env, parallel_env
from bullpen.envs.vector import VectorEnv
from bullpen.fast import Batch

RESULTS = Path(__file__).parent / "results" / "envs.json"
PLAYERS, GAMES = 4, 4096
ON_DEVICE = 1 << 20
SEED = 7
AIMS = {
    "PettingZoo, in turns": 1e4,
    "vector environment": 3e6,
    "vector environment / rl-6-nimmt": 1000.0,
    "vector environment, as rl-6-nimmt plays: answers / rl-6-nimmt": 1000.0,
    "vector environment, as rl-6-nimmt plays, two threads: answers / rl-6-nimmt": 1000.0,
    "device": 500e6,
}
COMPARED = (
    "vector environment",
    "vector environment, as rl-6-nimmt plays",
    "vector environment, two threads",
    "vector environment, as rl-6-nimmt plays, two threads",
)
LOGGER = logging.getLogger(__name__)


def best_rates(tasks: dict[str, Callable[[], int]], seconds: float) -> dict[str, float]:
    """Run the tasks in turn for some seconds; return the best rate of each, in what they return a second."""
    best = dict.fromkeys(tasks, 0.0)
    for run in tasks.values():
        run()
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        for name, run in tasks.items():
            clock = time.perf_counter if "threads" in name else time.process_time
            begin = clock()
            done = run()
            best[name] = max(best[name], done / (clock() - begin))
    return best


# The loop that people have used so far.


class PlainTable:
    """The base game as the project rl-6-nimmt plays it, written anew after its source.

    Lists of cards, one game at a time; after every trick a NumPy array is put together for each player: ten
    cards of the hand, the number of players, three figures of each row and the rows. The cheapest row is
    taken for a low card, and every card is told to a logger that nobody listens to.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.hands: list[list[int]] = []
        self.rows: list[list[int]] = []

    def reset(self) -> list[NDArray[np.int64]]:
        deck = np.arange(104)
        np.random.shuffle(deck)
        cards = [int(card) for card in deck]
        self.hands = [sorted(cards[10 * seat : 10 * seat + 10]) for seat in range(self.players)]
        self.rows = [[card] for card in cards[-4:]]
        return self.states()

    def states(self) -> list[NDArray[np.int64]]:
        board = -np.ones((4, 6), np.int64)
        for row, cards in enumerate(self.rows):
            for place, card in enumerate(cards):
                board[row, place] = card
        counts = np.array([len(cards) for cards in self.rows])
        ends = np.array([cards[-1] for cards in self.rows])
        worth = np.array([self.worth(cards) for cards in self.rows])
        table = np.hstack(([self.players], counts, ends, worth, board.flatten()))
        hands = [np.array(hand + [-1] * (10 - len(hand))) for hand in self.hands]
        return [np.hstack((hand, table)) for hand in hands]

    @staticmethod
    def worth(cards: list[int]) -> int:
        return sum([bullheads(card + 1) for card in cards])

    def step(self, chosen: list[int]) -> tuple[list[NDArray[np.int64]], NDArray[np.int64], bool]:
        rewards = np.zeros(self.players, np.int64)
        for card, seat in sorted((card, seat) for seat, card in enumerate(chosen)):
            if card not in self.hands[seat]:
                raise ValueError(f"Player {seat} does not hold {card}.")
            LOGGER.debug(f"Player {seat + 1} plays card {card + 1}")
            self.hands[seat].remove(card)
            rewards[seat] -= self.place(card)
        return self.states(), rewards, not self.hands[0]

    def place(self, card: int) -> int:
        """Place a card and return what it costs."""
        ends = sorted(((cards[-1], row) for row, cards in enumerate(self.rows)), reverse=True)
        fitting = [row for end, row in ends if end < card]
        if not fitting:
            row = int(np.argmin([self.worth(cards) for cards in self.rows]))
            cost, self.rows[row] = self.worth(self.rows[row]), [card]
            return cost
        row = fitting[0]
        self.rows[row].append(card)
        if len(self.rows[row]) < 6:
            return 0
        cost, self.rows[row] = self.worth(self.rows[row][:-1]), [card]
        return cost


def by_chance(_state: Any, hand: list[int]) -> int:
    return int(np.random.choice(np.array(hand)))


def plain_rounds(table: PlainTable, agent: Any = by_chance, as_told: Any = list, rounds: int = 10) -> int:
    """Play rounds with one agent for each player, which gets the state as it wants to be told."""
    steps = 0
    for _ in range(rounds):
        states = [as_told(state) for state in table.reset()]
        over = False
        while not over:
            chosen = [agent(state, hand) for state, hand in zip(states, table.hands, strict=True)]
            told, _, over = table.step(chosen)
            states = [as_told(state) for state in told]
            steps += 1
    return steps * table.players


def session_task(table: PlainTable) -> dict[str, Callable[[], int]]:
    """Return the loop with tensors and agents of PyTorch, as that project runs it, where there is PyTorch."""
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError:
        return {}

    class Agent(torch.nn.Module):  # type: ignore[misc]
        def forward(self, state: Any, hand: list[int]) -> int:
            return by_chance(state, hand)

    agent = Agent()
    return {
        "plain loop with PyTorch": lambda: plain_rounds(
            table, agent, lambda state: torch.tensor(state).to("cpu", torch.float)
        )
    }


def session_of_theirs(folder: Path) -> dict[str, Callable[[], int]]:
    """Return the loop of rl-6-nimmt itself, from a checkout of it."""
    sys.path.insert(0, str(folder))
    for name, kind in (("int", int), ("float", float), ("bool8", np.bool_)):
        if not hasattr(np, name):
            setattr(np, name, kind)  # names that NumPy had in its time
    importlib.import_module("torch").set_num_threads(1)
    kind = importlib.import_module("rl_6_nimmt.agents.random").DrunkHamster
    session = importlib.import_module("rl_6_nimmt.play").GameSession(*(kind() for _ in range(PLAYERS)))

    def rounds(count: int = 10) -> int:
        for _ in range(count):
            session.play_game()
        return count * 10 * PLAYERS

    return {"rl-6-nimmt": rounds}


# Ours.


def vector_steps(envs: VectorEnv, steps: int = 12) -> int:
    """Step through about a round of every game; drawing the actions is part of it."""
    for _ in range(steps):
        envs.step(envs.random_actions())
    return steps * envs.num_envs * envs.players


def share_of_answers(envs: VectorEnv, steps: int = 66) -> float:
    """Return how many of the seats that a step shows something are asked for more than to wait."""
    asked = []
    for _ in range(steps):
        *_, infos = envs.step(envs.random_actions())
        asked.append((infos["action_mask"][:, :, 0] == 0).mean())
    return float(np.mean(asked))


def vector_environment(wishes: dict[str, Any]) -> VectorEnv:
    asks = wishes.pop("asks", True)
    envs = VectorEnv(**{"game": "base", "players": PLAYERS, "num_envs": GAMES, "copy": False, **wishes})
    for part in envs.parts:
        part.episodes.batch.asks = asks
    envs.reset(seed=SEED)
    return envs


def vector_environments() -> dict[str, VectorEnv]:
    kinds: dict[str, dict[str, Any]] = {
        "vector environment": {},
        "vector environment, as rl-6-nimmt plays": {"asks": False},
        "vector environment, two threads": {"threads": 2},
        "vector environment, as rl-6-nimmt plays, two threads": {"asks": False, "threads": 2},
        "vector environment, memory of its own each step": {"copy": True},
        "vector environment, same-step": {"autoreset_mode": "SameStep"},
        "vector environment, whole games": {"episode": "game"},
        "vector environment, professional": {"game": "professional"},
        "vector environment, flippin-digits": {"game": "flippin-digits"},
    }
    return {name: vector_environment(wishes) for name, wishes in kinds.items()}


def loops(given: argparse.Namespace) -> dict[str, float]:
    table = PlainTable(PLAYERS)
    plain = {"plain loop": lambda: plain_rounds(table), **session_task(table)}
    theirs = {} if given.beside is None else session_of_theirs(given.beside)
    ours = vector_environments()
    tasks: dict[str, Callable[[], int]] = {
        name: lambda envs=envs: vector_steps(envs)  # type: ignore[misc]
        for name, envs in ours.items()
    }
    rates = best_rates({**plain, **theirs, **tasks}, given.seconds)
    for name in COMPARED:
        answers = f"{name}: answers"
        rates[answers] = rates[name] * share_of_answers(ours[name])
        for other in theirs or plain:
            rates[f"{name} / {other}"] = rates[name] / rates[other]
            rates[f"{answers} / {other}"] = rates[answers] / rates[other]
    return rates


# PettingZoo over the engine: a step of the parallel kind shows every seat what it may know, one in turns one.


def parallel_steps(table: ParallelTable, rng: random.Random) -> int:
    steps, legal = 0, table.episode.legal
    table.reset(seed=rng.getrandbits(32))
    while table.agents:
        table.step({agent: rng.choice(legal(seat)) for seat, agent in enumerate(table.agents)})
        steps += 1
    return steps


def turn_steps(table: TurnTable, rng: random.Random) -> int:
    steps, legal = 0, table.episode.legal
    table.reset(seed=rng.getrandbits(32))
    for agent in table.agent_iter():
        _, _, over, late, _ = table.last()
        table.step(None if over or late else rng.choice(legal(table.possible_agents.index(agent))))
        steps += 1
    return steps


def unobserved_steps(episode: Episode, rng: random.Random) -> int:
    """Answer the same questions and look at nothing."""
    steps, seats = 0, range(episode.players)
    episode.reset(seed=rng.getrandbits(32))
    while not episode.over:
        episode.step({seat: rng.choice(episode.legal(seat)) for seat in seats})
        steps += 1
    return steps


def pettingzoo(given: argparse.Namespace) -> dict[str, float]:
    rng = random.Random(SEED)
    parallel, turns = parallel_env("base", PLAYERS), env("base", PLAYERS)
    tasks: dict[str, Callable[[], int]] = {
        "PettingZoo, all seats at once": lambda: parallel_steps(parallel, rng),
        "PettingZoo, in turns": lambda: turn_steps(turns, rng),
        "PettingZoo, nothing observed": lambda: unobserved_steps(parallel.episode, rng),
    }
    rates = best_rates(tasks, given.seconds)
    step, bare = rates["PettingZoo, all seats at once"], rates["PettingZoo, nothing observed"]
    rates["PettingZoo, four observations / a step"] = bare / step - 1
    return rates


# On a device.


def device_step(batch: Any) -> None:
    """Choose, step, start ended games anew, write what all seats see and may do: all of it on the device."""
    batch.step(batch.random_choices(), check=False)
    batch.reset(where=batch.over)
    batch.observe()
    batch.legal()


def device(_given: argparse.Namespace) -> dict[str, float]:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda still asks for it
    on_device = importlib.import_module("bullpen.fast.cuda")
    cuda, rates = on_device.cuda, {}
    for game, players in (("base", 2), ("base", PLAYERS), ("base", 10), ("professional", PLAYERS)):
        batch = on_device.DeviceBatch(Batch(game, players, ON_DEVICE, seed=SEED))
        times = []
        for run in range(8):
            begin, end = cuda.event(), cuda.event()
            begin.record()
            for _ in range(40):
                device_step(batch)
            end.record()
            end.synchronize()
            if run:
                times.append(cuda.event_elapsed_time(begin, end) * 1e-3)
        rates[f"device, {game}, {players} players"] = 40 * ON_DEVICE * players / statistics.median(times)
    rates["device"] = rates[f"device, base, {PLAYERS} players"]
    return rates


# In the example.


def ppo(given: argparse.Namespace) -> dict[str, float]:
    """Return the share of the environment's time in learning, without the games against bots."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    learner = importlib.import_module("ppo").Learner(PLAYERS, SEED)
    learner.learn(learner.play())
    course = learner.course
    course.in_environment, course.begun, before = 0.0, time.perf_counter(), learner.steps
    while time.perf_counter() - course.begun < given.seconds:
        learner.learn(learner.play())
    spent = time.perf_counter() - course.begun
    return {"ppo, choices": (learner.steps - before) / spent, "ppo, share of the environment": course.share}


PARTS: dict[str, Callable[[argparse.Namespace], dict[str, float]]] = {
    "loops": loops,
    "pettingzoo": pettingzoo,
    "device": device,
    "ppo": ppo,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--beside", type=Path, help="a checkout of rl-6-nimmt")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", type=Path, default=RESULTS)
    given = parser.parse_args()
    report: dict[str, float] = {}
    for name, part in PARTS.items():
        if given.only in (None, name):
            try:
                report |= part(given)
            except ImportError as missing:
                print(f"{name}: left out, {missing}")
    for name, rate in report.items():
        aim = f" (aim {AIMS[name]:,.0f})" if name in AIMS else ""
        print(f"{name:75} {rate:>16,.0f}{aim}" if rate > 10 else f"{name:75} {rate:>16.3f}{aim}")
    given.json.parent.mkdir(exist_ok=True)
    given.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
