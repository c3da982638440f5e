"""What a card or a row is likely to cost without search, in the games that the compiled twin plays.

`risk` is `medium`'s estimate in plain Python, `compiled_risk` the same number for number in compiled code,
for playouts; `catchment` and `compiled_view` say in either world where every card would go. The other games
have their `bullpen.bots.heuristics`.
"""
