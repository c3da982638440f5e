"""What can be played without knowing a rule: any option alike."""

from bullpen.bots.registry import Mind, register
from bullpen.engine import Ask, Choice, View


@register("random")
def choose_any(_view: View, ask: Ask, mind: Mind) -> Choice:
    """Choose uniformly among all options."""
    return mind.rng.choice(ask.options)
