"""Questions: a program gets all that a seat may know, and nothing that tells the deal."""

import random
import sys
from pathlib import Path

import pytest

from bullpen.arena import ArenaError, Match, play, read_question
from bullpen.arena.play import seed_of
from bullpen.arena.question import write_question
from bullpen.engine import Ask, Choice, Seeded, View, apply, imagine, new_game, view
from bullpen.rulesets import games, make
from tests.arena.tables import ONE_ROUND

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("game", list(games()))
def test_a_view_comes_back_from_its_question(game: str) -> None:
    rules, chance, rng = make(game, min(3, games()[game].player_range[-1])), Seeded(2), random.Random(2)
    position, _ = new_game(rules, chance)
    for _ in range(60):
        if position.result is not None:
            break
        ask = position.open_asks[0]
        seen = view(rules, position, ask.seats[0])
        question = read_question(write_question(seen, ask, "seed"))
        assert question.view == seen
        assert question.ask == ask
        assert imagine(rules, question.view, random.Random(1)) == imagine(rules, seen, random.Random(1))
        apply(rules, position, ask, ask.seats[0], rng.choice(ask.options), chance)


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"view": 3}', '{"view": {"papers": {}, "position": {}}}'])
def test_what_is_no_question_gets_one_sentence(line: str) -> None:
    with pytest.raises(ArenaError, match="This is no question"):
        read_question(line)


def test_a_program_that_imagines_plays_without_a_fault() -> None:
    command = f"cmd:{sys.executable} {EXAMPLES / 'bot_imagining.py'}"
    match = Match(game="base", players=2, bots=(command, "random"), deals=1, options=dict(ONE_ROUND))
    (jobs,) = match.jobs()
    outcome = play(jobs[0])
    assert outcome.faults == {}


class Spy:
    """The attack: deal as the arena would from every seed that the bot's own could give away."""

    found = 0

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def choose(self, seen: View, ask: Ask) -> Choice:
        assert seen.seat is not None
        rules = make(seen.game, seen.players, seen.options)
        parts = self.seed.split("/")
        for guess in (self.seed, *("/".join(parts[:keep]) for keep in range(1, len(parts)))):
            position, _ = new_game(rules, Seeded(guess))
            Spy.found += position.hands[seen.seat] == seen.hand
        return ask.options[0]


def test_the_seed_of_a_bot_does_not_tell_the_deal() -> None:
    Spy.found = 0
    name = f"py:{__name__}:Spy"
    assert sys.modules[__name__].Spy is Spy
    match = Match(game="base", players=2, bots=(name, "random"), deals=3, options=dict(ONE_ROUND), seed="7")
    for jobs in match.jobs():
        for job in jobs:
            assert play(job).faults == {}
    assert Spy.found == 0
    # What the attack would have found in a seed that is made of the deal's own.
    spy = Spy("7/0/0")
    rules = make("base", 2, ONE_ROUND)
    position, _ = new_game(rules, Seeded("7/0"))
    seen = view(rules, position, 0)
    assert seen.ask is not None
    spy.choose(seen, seen.ask)
    assert Spy.found == 1


def test_every_chair_and_deal_has_a_seed_of_its_own_that_stays_the_same() -> None:
    match = Match(game="base", players=3, bots=("random", "easy"), deals=4)
    seeds = [seed_of(jobs[0], seat) for jobs in match.jobs() for seat in range(3)]
    assert len(set(seeds)) == 12
    assert seeds == [seed_of(jobs[1], seat) for jobs in match.jobs() for seat in range(3)]
    assert not any(
        job.seed in seed for jobs in match.jobs() for job in jobs for seed in seeds if job.seed != "1"
    )
