"""The arena: bots against bots on the same deals, and what can be concluded from it.

A `Match` says who plays what; its `Job`s are single games, each of which can be played again from its
own line in a results file; `summarise` turns lines into means, shares, intervals and ratings.
"""

from bullpen.arena.contenders import Contender, contender
from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Job, Match
from bullpen.arena.outcome import Faults, Outcome
from bullpen.arena.play import play
from bullpen.arena.question import Question, read_question
from bullpen.arena.results import Results
from bullpen.arena.summary import Comparison, Standing, Summary, summarise

__all__ = [
    "ArenaError",
    "Comparison",
    "Contender",
    "Faults",
    "Job",
    "Match",
    "Outcome",
    "Question",
    "Results",
    "Standing",
    "Summary",
    "contender",
    "play",
    "read_question",
    "summarise",
]
