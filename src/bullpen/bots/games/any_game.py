"""What can be played by the rules alone: the levels of games that nobody has told us anything about."""

from bullpen.bots.registry import Mind, offer
from bullpen.bots.search.by_rules import worths
from bullpen.engine import Ask, Choice, View

EASY, MEDIUM = (4, 0.05), (48, 0.2)
"""How many worlds are imagined, and after how many seconds no new one is begun."""
OVERLOOKED = 0.5
"""The share of its options that a beginner does not think of."""


@offer("random")
def choose_any(_view: View, ask: Ask, mind: Mind) -> Choice:
    """Choose uniformly among all options."""
    return mind.rng.choice(ask.options)


@offer("easy")
def choose_hastily(view: View, ask: Ask, mind: Mind) -> Choice:
    """Overlook half of the options, and imagine little about the rest."""
    seen = [option for option in ask.options if mind.rng.random() >= OVERLOOKED]
    return _best(view, ask, seen or [mind.rng.choice(ask.options)], mind, EASY)


@offer("medium")
def choose_by_rules(view: View, ask: Ask, mind: Mind) -> Choice:
    """Take what does best if everybody plays at random from here on."""
    return _best(view, ask, list(ask.options), mind, MEDIUM)


def _best(view: View, ask: Ask, options: list[Choice], mind: Mind, effort: tuple[int, float]) -> Choice:
    found = worths(view, ask, options, mind, effort)
    return options[found.index(max(found))]
