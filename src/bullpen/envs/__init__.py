"""Environments: the family for reinforcement learning and game theory. The one place for their words.

`actions` says what the action numbers mean, `layout` what an observation holds and where.
"""

from bullpen.envs.actions import Alphabet, action_count
from bullpen.envs.layout import Layout, Slice, layout

__all__ = ["Alphabet", "Layout", "Slice", "action_count", "layout"]
