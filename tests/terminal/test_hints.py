"""Hints in the terminal: three answers with a reason each, from what the person sees."""

import io
import random
import sys

import pytest

import bullpen
from bullpen.analysis import effort
from bullpen.cli import main
from bullpen.terminal.hints import NOT_HERE, hints


@pytest.mark.parametrize("level", ["easy", "of another package"])
def test_the_best_answers_are_named_with_reasons(level: str) -> None:
    game = bullpen.new_game("base", players=3, seed=4)
    lines = [line.plain for line in hints(game.view(0), level)]
    assert len(lines) == 3
    ask = game.view(0).ask
    assert ask is not None
    assert {line.split()[0] for line in lines} <= {option.notation for option in ask.options}
    assert all("takes with" in line for line in lines)
    assert "behind" not in lines[0]


@pytest.mark.parametrize("game", bullpen.games())
def test_every_answer_to_every_question_has_a_reason(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(effort.WORK, "standard", 10.0)
    running = bullpen.new_game(game, players=max(2, bullpen.games()[game].player_range[0]), seed=3)
    rng, asked = random.Random(1), set[str]()
    while not running.over and running.position.round == 1:
        ask = rng.choice(running.asks)
        if ask.kind not in asked and len(ask.options) > 1:
            asked.add(ask.kind)
            for line in hints(running.view(ask.seats[0]), "easy"):
                _, _, why = line.plain.partition("%  ")
                assert why.strip(), (ask.kind, line.plain)
        running.choose(ask.seats[0], rng.choice(ask.options))
    assert asked


def test_where_nothing_is_asked_a_sentence_says_so() -> None:
    game = bullpen.new_game("base", players=3, seed=4)
    game.choose(0, game.asks[0].options[0])
    (line,) = hints(game.view(0), "easy")
    assert line.plain.endswith(".")


def test_without_the_extra_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bullpen.analysis", None)
    game = bullpen.new_game("base", players=3, seed=4)
    assert [line.plain for line in hints(game.view(0), "easy")] == [NOT_HERE]


def test_h_gives_a_hint_while_playing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("h\nquit\n"))
    assert main(["play", "base", "--players", "3", "--seed", "5"]) == 0
    assert capsys.readouterr().out.count("takes with") == 3
