"""The correction as it is shipped: it may move figures, but never turn them round."""

from itertools import pairwise

import bullpen
from bullpen.analysis.correction import Correction, _fitted, correction_for

ALL = {
    f"{game}-{players}-{table}-{part}": correction
    for game, counts in _fitted().items()
    for players, tables in counts.items()
    for table, parts in tables.items()
    for part, correction in parts.items()
}


def test_what_is_said_to_be_likelier_stays_likelier() -> None:
    for name, correction in ALL.items():
        assert len(correction.said) == len(correction.came), name
        assert all(one < other for one, other in pairwise(correction.said)), name
        assert all(one <= other for one, other in pairwise(correction.came)), name
        assert 0 <= correction.came[0] <= correction.came[-1] <= 1, name


def test_the_better_option_stays_the_better_one() -> None:
    for name, correction in ALL.items():
        assert correction.mean(3.0) < correction.mean(3.5), name
        assert 0.5 < correction.level < 1, name


def test_tables_without_a_correction_of_their_own_take_the_nearest() -> None:
    fitted = _fitted()["base"]
    view = bullpen.new_game("base", players=5, seed=1).view(0)
    assert correction_for(view, ("hard",) * 5) == fitted["4"]["mixed"]["early"]
    assert correction_for(view, ("medium",) * 5) == fitted["4"]["medium"]["early"]
    boards = bullpen.new_game("board-basic", players=2, seed=1).view(0)
    assert correction_for(boards, ("medium",) * 2) == Correction()
