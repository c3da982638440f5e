"""Reviews: luck and skill add up, running games are refused, and everything is told."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bullpen
from bullpen import analysis
from bullpen.analysis import AnalysisError, Review, effort, review
from bullpen.analysis.luck import Stage, shares_of
from bullpen.analysis.measure import result_of
from bullpen.analysis.page import page
from bullpen.analysis.reviewing import BY_LUCK
from tests.analysis.games import finished


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adding up does not hang on how well the figures are known."""
    monkeypatch.setitem(effort.WORK, "quick", 10.0)


@pytest.mark.parametrize("game", bullpen.games())
def test_luck_and_skill_add_up_to_the_result_in_every_game(game: str) -> None:
    played = finished(game, max(2, bullpen.games()[game].player_range[0]))
    found = review(played.record, "quick")
    for each in found.players:
        result = result_of(played.rules, played.position, each.seat)
        assert each.result == result
        assert each.par + each.deal + each.others + each.own == 1000 * result
        own = [share for share in found.shares if share.seat == each.seat]
        assert (each.deal, each.others, each.own) == tuple(
            sum(getattr(share, part) for share in own) for part in ("deal", "others", "own")
        )
    assert len(found.decisions) == len(played.record.choices)


amounts = st.integers(-100_000, 100_000)


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 10), amounts, amounts)),
    st.lists(st.integers(-200, 200), min_size=3, max_size=3),
    amounts,
)
def test_shares_add_up_whatever_was_promised(
    promised: list[tuple[int, int, int, int]], results: list[int], par: int
) -> None:
    stages = [Stage(number, trick, 0, best, chosen) for number, trick, best, chosen in sorted(promised)]
    shares = shares_of(stages, 0, results, par)
    total = sum(share.deal + share.others + share.own for share in shares)
    assert 3 * par + total == 1000 * sum(results)


def test_a_review_survives_json_and_is_drawn_on_one_page() -> None:
    found = review(finished("base", 3).record, "quick")
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found
    drawn = page(found)
    assert drawn.count("<polyline") == 3
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_names_on_the_page_are_no_markup() -> None:
    played = bullpen.new_game("base", 2, 1, {"end.kind": "rounds", "end.value": 1}, ["<b>", "Ben"])
    while not played.over:
        played.choose(played.asks[0].seats[0], played.asks[0].options[0])
    drawn = page(review(played.record, "quick"))
    assert "<b>" not in drawn.replace('<b class="', "").replace("</b>", "").replace("&lt;b&gt;", "")
    assert "&lt;b&gt;" in drawn


def test_a_running_game_is_refused() -> None:
    game = bullpen.new_game("base", players=2, seed=1)
    with pytest.raises(AnalysisError, match="still running"):
        review(game.record)


def test_a_review_can_be_cancelled_and_tells_how_far_it_is() -> None:
    record = finished("base").record
    told: list[float] = []
    with pytest.raises(AnalysisError, match="cancelled"):
        review(record, "quick", progress=told.append, cancelled=lambda: len(told) == 3)
    assert told == sorted(told)
    assert len(told) == 3


def test_the_best_choice_costs_nothing_and_words_follow_the_cost() -> None:
    found = review(finished("base", 4, seed=3).record, "quick")
    for made in found.decisions:
        assert (made.choice == made.best) <= (made.cost == 0)
        if made.word == "best":
            assert made.cost <= 0.2
        if made.word == "blunder":
            assert made.cost > 1


def test_what_chance_could_bring_is_not_charged() -> None:
    found = review(finished("base", 4, seed=3).record, "quick")
    spared = 0
    for made in found.decisions:
        if made.options:
            said = next(option for option in made.options if option.choice == made.choice)
            assert made.cost <= said.cost
            assert (said.cost <= BY_LUCK * said.cost_error) <= (made.cost == 0)
            spared += made.cost < said.cost
    assert spared


def test_all_names_are_exported() -> None:
    assert all(hasattr(analysis, name) for name in analysis.__all__)
