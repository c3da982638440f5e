"""Outside bots: they play, and whatever they do wrong costs them a decision, never the match."""

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bullpen import new_game
from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Match
from bullpen.arena.outcome import Outcome
from bullpen.arena.outside import Outside
from bullpen.arena.play import play
from bullpen.arena.program import AHEAD, LONGEST, Late, Program
from bullpen.engine import Ask, Choice, View
from tests.arena.tables import ONE_ROUND

EXAMPLES = Path(__file__).parents[2] / "examples"
ANSWER = "import json,sys\nfor line in sys.stdin: q = json.loads(line); print({}, flush=True)"


class Seedless:
    """A bot that does not take the seed."""

    def __init__(self) -> None:
        pass

    def choose(self, view: View, ask: Ask) -> Choice:
        return ask.options[0]


class Talkative(Seedless):
    """A bot whose complaint has two lines."""

    def __init__(self, seed: str) -> None:
        raise RuntimeError(f"no weights\nfor {seed}")


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
    assert outcome.faults["0"].first == "crashed: ended with exit code 0"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import no_such_bot", "ended with exit code 1: ModuleNotFoundError: No module named 'no_such_bot'"),
        (
            "import sys; print('x' * 9000, 'no\\ncards', file=sys.stderr); sys.exit(3)",
            "ended with exit code 3: cards",
        ),
        ("import os; os.kill(os.getpid(), 9)", "ended by signal 9"),
    ],
)
def test_a_program_that_ends_is_reported_with_its_last_words(code: str, says: str, tmp_path: Path) -> None:
    outcome = against_chance(python(code, tmp_path))
    assert outcome.faults["0"].first == f"crashed: {says}"


def test_a_late_answer_loses_the_decision(tmp_path: Path) -> None:
    outcome = against_chance(python("import time; time.sleep(60)", tmp_path), limit=0.05)
    assert outcome.faults["0"].late == outcome.decisions[0]


def test_a_bot_of_ours_that_breaks_is_counted_too() -> None:
    from bullpen.arena.contenders import Inside
    from bullpen.arena.match import Job
    from bullpen.arena.play import play_with
    from bullpen.engine import TakeRow
    from tests.arena.tables import uniform

    class Broken:
        def choose(self, view: View, ask: Ask) -> Choice:
            if ask.kind == "commit":
                raise RuntimeError
            return TakeRow(9)

    job = Job("base", 2, tuple(sorted(ONE_ROUND.items())), "1", 0, ("broken", "random"), 1.0)
    outcome = play_with(job, [Inside(Broken(), "1"), uniform("1")])
    assert outcome.faults["0"].total == outcome.decisions[0]


CHILD = """
import os, subprocess, sys, time
from pathlib import Path
input()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
Path({note!r}).open("a").write(f"{{child.pid}}\\n")
time.sleep(300)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "children"
    outcome = against_chance(python(CHILD.format(note=str(note)), tmp_path), limit=0.6)
    assert outcome.faults["0"].late == outcome.decisions[0]
    children = [int(line) for line in note.read_text().split()]
    assert children
    # A signal that was sent is not yet a process that has ended.
    soon(lambda: not any(is_running(child) for child in children))


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended and not been collected does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_floods_its_output_is_held_up_and_costs_itself_only(tmp_path: Path) -> None:
    code = "import sys\nline = b'x' * 65535 + b'\\n'\nwhile True: sys.stdout.buffer.write(line)"
    program = Program([sys.executable, "-c", code])
    try:
        assert len(program.exchange(b"question\n", 20.0)) <= LONGEST
        soon(program.has_more)
        # Held up: some lines wait, one is being passed on, and a pipe is full.
        assert program._lines.qsize() <= AHEAD
    finally:
        program.end()
    outcome = against_chance(python(code, tmp_path))
    assert outcome.faults["0"].nonsense == outcome.decisions[0]


def test_an_endless_line_is_cut(tmp_path: Path) -> None:
    code = "import sys\nwhile True: sys.stdout.buffer.write(b'x' * 65536)"
    program = Program([sys.executable, "-c", code])
    try:
        assert len(program.exchange(b"question\n", 20.0)) == LONGEST
    finally:
        program.end()


def test_a_question_that_is_never_read_is_late_however_long_it_is() -> None:
    program = Program([sys.executable, "-c", "import time; time.sleep(300)"])
    try:
        with pytest.raises(Late):
            program.exchange(b"x" * 5_000_000 + b"\n", 0.3)
        with pytest.raises(Late):
            program.exchange(b"another\n", 0.1)
    finally:
        program.end()


THRICE = """
import json, sys
for line in sys.stdin:
    option = json.loads(line)["ask"]["options"][0]
    print(option, option, option, sep="\\n", flush=True)
"""


def test_a_program_that_talks_unasked_is_not_listened_to(tmp_path: Path) -> None:
    seen = new_game("base", players=2, seed=1).view(0)
    assert seen.ask is not None
    bot = Outside(python(THRICE, tmp_path), "seed", 20.0)
    try:
        assert bot.choose(seen, seen.ask) == seen.ask.options[0]
        assert bot._program is not None
        soon(bot._program.has_more)
        bot.choose(seen, seen.ask)
        assert bot.faults.first == "nonsense: more lines than questions"
        # It has been started anew, and is listened to again.
        assert bot.choose(seen, seen.ask) == seen.ask.options[0]
        assert bot.faults.total == 1
    finally:
        bot.leave()


def soon(happens: Callable[[], bool]) -> None:
    """Wait for something that another thread or process is about to do."""
    for _ in range(2000):
        if happens():
            return
        time.sleep(0.01)
    raise AssertionError(f"{happens} did not come true")


def test_the_first_bad_answer_is_kept(tmp_path: Path) -> None:
    outcome = against_chance(python(ANSWER.format("'banana'"), tmp_path))
    assert outcome.faults["0"].first.startswith(r"nonsense: answered b'banana\n' to commit: ")


def test_a_class_that_can_be_imported_plays_and_its_exception_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class First:\n"
        "    def __init__(self, seed): self.seed = seed\n"
        "    def choose(self, view, ask): return ask.options[0]\n"
        "class Broken(First):\n"
        "    def choose(self, view, ask): return {}['nothing']\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    match = Match(
        game="base", players=2, bots=("good=py:my_bots:First", "py:my_bots:Broken"), deals=1,
        options=dict(ONE_ROUND),
    )  # fmt: skip
    match.check()
    (jobs,) = match.jobs()
    outcome = play(jobs[0])
    assert "0" not in outcome.faults
    assert outcome.faults["1"].first == "crashed: KeyError: 'nothing' (my_bots.py, line 5)"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("py:my_bots", "should be py:MODULE:CLASS"),
        ("py:no_such_module_anywhere:Bot", "cannot be imported: ModuleNotFoundError"),
        ("py:json:loads", "has no method choose"),
        (f"py:{__name__}:Seedless", r"cannot be made with a seed, as in Seedless\('1'\): TypeError"),
        (f"py:{__name__}:Talkative", "RuntimeError: no weights for 1$"),
        ("mcs", "There is no bot 'mcs' for hand; there are random, easy, medium, hard, expert"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_before_the_match(name: str, says: str) -> None:
    with pytest.raises(ArenaError, match=says):
        Match(game="hand", players=2, bots=(name, "random")).check()
