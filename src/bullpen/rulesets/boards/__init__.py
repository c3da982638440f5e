"""The board games: one frame, two boards, and cards that bend what happens on them.

`game` is the frame and `basic` and `expert` are the games on its two sides, each with or without luck cards.
`spaces` says what happens on a space, `cards`, `actions` and `luck` what cards do, `position` what is where.
`data` reads the printed parts from a file and `check` holds them to the rulebook; `furniture` tells clients.
"""
