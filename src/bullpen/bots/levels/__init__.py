"""The levels, one module each: how it answers a question about a card, a row or a draft.

`random` needs no module. Those that search (`hard`, `expert`, `mcs`) need NumPy and Numba, and are imported
when they first think. Which level plays which game by what is told in `bullpen.bots.games`.
"""
