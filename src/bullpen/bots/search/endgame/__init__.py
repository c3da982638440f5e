"""Exact endgames of two players who know all cards, by the placing rules of the base game.

Both choose a card at the same time, so every position is a matrix game whose entries are the positions that
follow; whoever plays a card that fits no row names a row, knowing both cards. The *worth* of a position
is by how many bullheads seat 0 comes out ahead of seat 1 from here to the end of the round.

Few entries of a matrix matter. We begin with one card each and let either seat add a card as long as it does
better against the other's mix (double oracle), and most entries need not be known but only to be no better
than something (alpha and beta, as in chess).

`solver` has the kernel, which goes down and up between choices and tricks: `mixing` lets both seats choose,
`tricks` plays their cards, `last_tricks` ends the round, `met_before` keeps what has been found out. All work
on the arrays of `state`, and lay cards by `position`.
"""
