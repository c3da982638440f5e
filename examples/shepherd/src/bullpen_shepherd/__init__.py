"""Shepherd: an example of a game in a package of its own."""

from bullpen_shepherd.shepherd import Shepherd

__all__ = ["Shepherd"]
