"""Outside bots: they play, and whatever they do wrong costs them a decision, never the match."""

import shutil
import sys
from pathlib import Path

import pytest

from bullpen.arena.match import Match
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import play
from tests.arena.tables import ONE_ROUND

EXAMPLES = Path(__file__).parents[2] / "examples"
ANSWER = "import json,sys\nfor line in sys.stdin: q = json.loads(line); print({}, flush=True)"


def against_chance(command: str, game: str = "base", limit: float = 10.0) -> Outcome:
    options = dict(ONE_ROUND) if game == "base" else {}
    match = Match(
        game=game, players=2, bots=(f"cmd:{command}", "random"), deals=1, options=options, limit=limit
    )
    match.check()
    (jobs,) = match.jobs()
    return play(jobs[0])


def python(code: str, tmp_path: Path) -> str:
    script = tmp_path / "bot.py"
    script.write_text(code)
    return f"{sys.executable} {script}"


def test_the_example_in_python_plays_without_a_fault() -> None:
    outcome = against_chance(f"{sys.executable} {EXAMPLES / 'bot_python.py'}")
    assert outcome.decisions[0] >= 10
    assert outcome.faults == {}


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_example_in_javascript_plays_without_a_fault() -> None:
    assert against_chance(f"node {EXAMPLES / 'bot_js.mjs'}").faults == {}


@pytest.mark.parametrize("game", ["hand", "anniversary", "board-expert-luck"])
def test_a_program_can_play_games_it_does_not_know(game: str) -> None:
    outcome = against_chance(f"{sys.executable} {EXAMPLES / 'bot_python.py'}", game)
    assert outcome.faults == {}


def test_nonsense_loses_the_decision(tmp_path: Path) -> None:
    outcome = against_chance(python(ANSWER.format("'banana'"), tmp_path))
    assert outcome.faults["0"].nonsense == outcome.decisions[0]


def test_a_card_of_somebody_else_is_nonsense(tmp_path: Path) -> None:
    code = ANSWER.format("next(c for c in range(1, 105) if str(c) not in q['ask']['options'])")
    outcome = against_chance(python(code, tmp_path))
    assert outcome.faults["0"].nonsense == outcome.decisions[0]


def test_a_crash_loses_the_decision_and_the_program_is_started_again(tmp_path: Path) -> None:
    outcome = against_chance(python("input(); raise SystemExit", tmp_path))
    assert outcome.faults["0"].crashed == outcome.decisions[0]


def test_a_late_answer_loses_the_decision(tmp_path: Path) -> None:
    outcome = against_chance(python("import time; time.sleep(60)", tmp_path), limit=0.05)
    assert outcome.faults["0"].late == outcome.decisions[0]


def test_a_bot_of_ours_that_breaks_is_counted_too() -> None:
    from bullpen.arena.contenders import Inside
    from bullpen.arena.match import Job
    from bullpen.arena.play import play_with
    from bullpen.engine import Ask, Choice, TakeRow, View
    from tests.arena.tables import uniform

    class Broken:
        def choose(self, view: View, ask: Ask) -> Choice:
            if ask.kind == "commit":
                raise RuntimeError
            return TakeRow(9)

    job = Job("base", 2, tuple(sorted(ONE_ROUND.items())), "1", 0, ("broken", "random"), 1.0)
    outcome = play_with(job, [Inside(Broken(), "1"), uniform("1")])
    assert outcome.faults["0"].total == outcome.decisions[0]
