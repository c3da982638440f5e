"""Bots for the games that the compiled twin does not cover: every level, every table, only what is seen."""

import random
from typing import Any

import pytest

from bullpen.arena.match import Match
from bullpen.arena.play import play
from bullpen.arena.summary import summarise
from bullpen.bots import LEVELS, player
from bullpen.bots.games.heuristic_games import HEURISTICS
from bullpen.bots.heuristics.anniversary import AnniversaryHeuristic, place_without_specials
from bullpen.bots.heuristics.card_cost import Row, bits, card_cost, chance, exactly
from bullpen.bots.heuristics.lookahead import Answer, Place, end_of_trick
from bullpen.bots.heuristics.tournament import hits_exactly
from bullpen.bots.registry import Mind
from bullpen.bots.search.any_game import Effort, rules_for, search, weigh
from bullpen.engine import PASS, Ask, Choice, Position, Seeded, View, apply, new_game, view
from bullpen.rulesets import find, make
from tests.bots.test_windows import answer_in_team, place_in_team

GAMES = sorted(HEURISTICS)
WITHOUT_SPECIALS: dict[str, tuple[Answer, Place]] = {
    "buffalo": (answer_in_team, place_in_team),
    "anniversary": (AnniversaryHeuristic()._simply, place_without_specials),
}
QUICK = Effort(playouts=8, seconds=60.0, candidates=3, prior=2.0, slips=0.1, reach=1)


def questions(game: str, players: int, seed: int, most: int) -> list[tuple[View, Ask]]:
    """Real questions of a game played at random, at most so many of each kind."""
    rules, chance_, rng = make(game, players), Seeded(seed), random.Random(seed)
    position: Position
    position, _ = new_game(rules, chance_)
    found: dict[str, list[tuple[View, Ask]]] = {}
    while position.result is None and position.round < 3:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        kept = found.setdefault(ask.kind, [])
        if len(ask.options) > 1 and len(kept) < most and rng.random() < 0.3:
            kept.append((view(rules, position, seat), ask))
        apply(rules, position, ask, seat, rng.choice(ask.options), chance_)
    return [each for kept in found.values() for each in kept]


@pytest.mark.parametrize("game", GAMES)
def test_every_level_answers_every_kind_of_question(game: str) -> None:
    for seen, ask in questions(game, 3, seed=5, most=1):
        for level in LEVELS:
            assert player(level, "1").choose(seen, ask) in ask.options


@pytest.mark.parametrize("game", GAMES)
def test_heuristics_play_at_every_table(game: str) -> None:
    for players in find(game).player_range:
        for seen, ask in questions(game, players, seed=players, most=1):
            for level in ("easy", "medium", "hard"):
                assert player(level, "1").choose(seen, ask) in ask.options


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_choice(game: str) -> None:
    for seen, ask in questions(game, 2, seed=9, most=1):
        choices = {search(seen, ask, Mind("s", seen, ask), HEURISTICS[game], QUICK) for _ in range(3)}
        assert len(choices) == 1


def test_a_search_stops_when_it_is_told_to() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return True

    seen, ask = questions("open", 3, seed=2, most=1)[0]
    assert player("expert", "1", stop).choose(seen, ask) in ask.options
    assert 1 <= asked <= 2


def test_special_cards_of_a_team_are_weighed_without_a_search() -> None:
    def stop() -> bool:
        raise AssertionError("There was a search.")

    asked = [each for each in questions("buffalo", 3, seed=4, most=3) if each[1].kind == "team_window"]
    assert asked
    for seen, ask in asked:
        for level in ("hard", "expert"):
            assert player(level, "1", stop).choose(seen, ask) == player("medium", "1").choose(seen, ask)


def test_special_cards_of_anniversary_are_weighed_without_a_search_and_kept_longer() -> None:
    def stop() -> bool:
        raise AssertionError("There was a search.")

    hasty, patient = AnniversaryHeuristic(), AnniversaryHeuristic(patience=3.0)
    asked = [each for each in questions("anniversary", 3, seed=4, most=6) if each[1].kind == "use_special"]
    dearer = 0
    for seen, ask in asked:
        assert player("hard", "1", stop).choose(seen, ask) in ask.options
        now, later = (weigh(seen, ask, Mind("s", seen, ask), each) for each in (hasty, patient))
        assert later[0] == now[0], "passing costs the same"
        assert all(more >= less for more, less in zip(later, now, strict=True))
        dearer += sum(more > less for more, less in zip(later, now, strict=True))
    assert dearer > len(asked) > 1


@pytest.mark.parametrize("game", GAMES)
def test_medium_plays_better_than_chance(game: str) -> None:
    options: dict[str, Any] = {"end.kind": "rounds", "end.value": 1}
    offered = {option.key for option in find(game).offers}
    match = Match(
        game=game, players=2, bots=("medium", "random"), deals=8, seed="smoke",
        options=options if "end.kind" in offered else {},
    )  # fmt: skip
    (summary,) = summarise([play(job) for jobs in match.jobs() for job in jobs])
    (comparison,) = summary.comparisons
    assert comparison.better == "medium"
    assert comparison.points.low > 0


def test_a_search_ends_with_the_running_round() -> None:
    rules = make("open", 3)
    position, _ = new_game(rules, Seeded(1))
    seen = view(rules, position, 0)
    assert rules_for(seen).options["end.value"] == 1
    assert rules_for(seen).options["end.kind"] == "rounds"


def test_chances_add_up_and_agree() -> None:
    for others in (1, 3, 9):
        assert sum(chance(others, hits, 0.25) for hits in range(others + 1)) == pytest.approx(1)
    assert chance(3, 4, 0.5) == 0
    assert hits_exactly([0.25] * 3, 2) == pytest.approx(exactly(3)[2][16])


def test_the_sixth_card_is_feared_and_a_close_one_is_not() -> None:
    rows = [Row(10, 0, 12), Row(50, 4, 1)]
    unseen = bits(range(60, 100))
    sixth = card_cost(11, rows, unseen, 3, 0.0)
    close = card_cost(51, rows, unseen, 3, 0.0)
    assert sixth == pytest.approx(12)
    assert close == pytest.approx(0)


def test_looking_ahead_plays_the_trick_out_and_changes_nothing() -> None:
    rules, rng = make("buffalo", 4), random.Random(3)
    position, _ = new_game(rules, Seeded(3))
    while position.open_asks[0].kind != "team_window":
        ask = position.open_asks[0]
        apply(rules, position, ask, ask.seats[0], rng.choice(ask.options), Seeded(3))
    before, cards = position.copy(), len(position.table)
    asked = []

    def first(_rules: Any, _position: Any, ask: Ask) -> Choice:
        asked.append(ask.kind)
        return ask.options[0]

    after = end_of_trick(rules, position, position.asks[0], PASS, first, place_in_team)
    assert position == before
    assert cards > 1
    assert not after.table
    assert after.trick == before.trick
    assert "team_window" not in asked


def trick_by_the_rules(rules: Any, position: Any, answer: Answer) -> Any:
    """The end of a trick, every question on the way being asked."""
    after = position.copy()
    while after.table and after.trick == position.trick:
        ask = after.open_asks[0]
        apply(rules, after, ask, ask.seats[0], answer(rules, after, ask), Seeded(0))
    return after


@pytest.mark.parametrize("game", sorted(WITHOUT_SPECIALS))
def test_looking_ahead_is_what_the_rules_come_to_if_nobody_uses_special_cards(game: str) -> None:
    rules, (answer, place) = make(game, 4), WITHOUT_SPECIALS[game]
    chance_, rng = Seeded(2), random.Random(2)
    position, _ = new_game(rules, chance_)
    compared = 0
    while position.result is None and position.round < 2:
        ask = position.open_asks[0]
        if ask.kind in ("team_window", "use_special") and len(position.hands[0]) > 1:
            after = end_of_trick(rules, position, ask, PASS, answer, place)
            expected = trick_by_the_rules(rules, position, answer)
            assert (after.piles, after.rows) == (expected.piles, expected.rows)
            compared += 1
        # Special cards are soon used up if they are used at random.
        spends = ask.kind == "commit" or rng.random() < 0.1
        apply(
            rules, position, ask, ask.seats[0], rng.choice(ask.options) if spends else ask.options[0], chance_
        )
    assert compared > 10


@pytest.mark.parametrize("players", [2, 4, 7])
def test_compiled_tricks_of_double_are_those_of_the_rules(players: int) -> None:
    import numpy as np

    from bullpen.bots.search.double import new_paper, new_scene, place_trick

    rules: Any = make("double", players, {"end.kind": "rounds", "end.value": 1})
    chance_, rng = Seeded(players), random.Random(players)
    position, _ = new_game(rules, chance_)
    compared = 0
    while position.result is None:
        points, rows = position.points[:], [row[:] for row in position.rows]
        cards = []
        for ask in position.open_asks:
            # Few different cards, so that twins meet.
            option = (
                min(ask.options, key=lambda each: abs(each.card - 50))
                if rng.random() < 0.7
                else ask.options[0]
            )
            cards.append(option.card)
            hand = [hand[:] for hand in position.hands]
            apply(rules, position, ask, ask.seats[0], option, chance_)
        while position.open_asks and position.open_asks[0].kind == "choose_row":
            ask = position.open_asks[0]
            prices = [sum(rules_heads(row)) for row in position.rows]
            cheapest = min(ask.options, key=lambda each: prices[each.row])
            apply(rules, position, ask, ask.seats[0], cheapest, chance_)
        if len(cards) < players or position.result is not None:
            continue
        scene = new_scene(rows, hand[0], [], (players, 0, 10))
        paper = new_paper(scene)
        paper.rows[:] = scene.rows
        paper.plays[:] = np.array(cards)
        place_trick(scene, paper, paper.rows)
        gained = [after - before for after, before in zip(position.points, points, strict=True)]
        assert list(paper.points) == gained
        assert list(paper.rows[0]) == [row[-1] for row in position.rows]
        assert list(paper.rows[1]) == [len(set(row)) for row in position.rows]
        assert list(paper.rows[2]) == [sum(rules_heads(row)) for row in position.rows]
        compared += 1
    assert compared >= 8


def rules_heads(row: list[int]) -> list[int]:
    from bullpen.engine import HEADS

    return [HEADS[card] for card in row]
