"""The twin of games with a course of their own: one module a game, beside what all of them share.

`state` is what lies on the tables, `course` how a game of any kind is moved on, and each of the other
modules one game: its deal, its questions and what an answer does, named as in its ruleset.
"""
