"""Search: a decision tried again and again on imagined cards.

`any_game` needs the rules and a heuristic only. The others are compiled: `decision` turns a view into
arrays, `trial` plays tricks on a copy, `playouts` (of `hard`) and `regret` (of `expert`) search with them;
`course` goes by the networks of Open and Hand, `double` plays Double out, `boards` the board games,
`draft` imagines the rest of a draft, `exact` plays by `endgame` where two players know all cards.
"""
