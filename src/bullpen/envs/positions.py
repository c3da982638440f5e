"""An episode of a batch as a position of the engine, for whoever wants to look at it."""

from typing import Any

from bullpen.engine import Position, Ruleset, Seeded, View, go_on, new_game, submit, view
from bullpen.envs.episodes import Episodes
from bullpen.envs.terms import rules_for
from bullpen.fast import to_position

ANY_DEAL = 0


def spectated(episodes: Episodes, number: int) -> View:
    """Return what a spectator sees of an episode; its batch must keep the bull piles."""
    rules = rules_for(episodes.terms)
    return view(rules, position_of(episodes, number, rules), None)


def position_of(episodes: Episodes, number: int, rules: Ruleset[Any]) -> Position:
    """Return an episode as a position, with the result if it has one."""
    batch = episodes.batch
    like = _some_round(rules)
    like.round = int(episodes.rounds[number])
    over = bool(batch.over[number])
    # The engine adds the points of a round when it is over, which the batch has done by then.
    like.scores = (batch.scores[number] - batch.points[number] * over).tolist()
    position = to_position(batch, number, rules, like)
    if over:
        go_on(rules, position, Seeded(ANY_DEAL))
    return position


def _some_round(rules: Ruleset[Any]) -> Position:
    """Return a round of which all hands are dealt, or drafted, which nobody remembers."""
    chance = Seeded(ANY_DEAL)
    position: Position = new_game(rules, chance)[0]
    while position.asks[0].kind == "draft_pick":
        ask = position.asks[0]
        position, _ = submit(rules, position, ask.seats[0], ask.options[0], chance)
    position.known = [[] for _ in position.known]
    return position
