"""What the command says where nothing but the core is installed."""

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

ABSENT = (
    "gymnasium", "llvmlite", "numba", "numpy", "pettingzoo", "ray", "rich", "segno", "starlette", "uvicorn",
    "uvloop", "websockets",
)  # fmt: skip
CORE_ALONE = """
import contextlib, io, json, sys
absent, commands = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(absent))  # an import of these fails as if they were not installed
from bullpen.cli import main
found = []
for words in commands:
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    found.append([code, said.getvalue(), complained.getvalue()])
print(json.dumps(found))
"""
HELP = (
    "", "games", "rules", "play", "watch", "prepare", "record", "record show", "record verify", "board check",
    "arena", "arena match", "arena ladder", "arena report", "serve", "admin",
)  # fmt: skip
REFUSED = {
    "play base": "terminal",
    "watch base": "terminal",
    "arena match base random easy": "arena",
    "arena report nothing.jsonl": "arena",
    "serve --port 0": "server",
    "prepare": "bots",
}


@pytest.fixture(scope="module")
def answers() -> dict[str, Sequence[str | int]]:
    commands = [*(f"{words} --help".strip() for words in HELP), *REFUSED, "rules base"]
    told = json.dumps([ABSENT, [words.split() for words in commands]])
    done = subprocess.run(
        [sys.executable, "-c", CORE_ALONE, told], capture_output=True, text=True, check=True
    )
    return dict(zip(commands, json.loads(done.stdout), strict=True))


def test_every_command_explains_itself_with_the_core_alone(answers: dict[str, Sequence[str | int]]) -> None:
    for words in HELP:
        code, said, complained = answers[f"{words} --help".strip()]
        assert (code, complained) == (0, ""), words
        assert str(said).startswith(f"usage: bullpen {words}".rstrip()), words


def test_what_needs_more_says_what_to_install(answers: dict[str, Sequence[str | int]]) -> None:
    for words, extra in REFUSED.items():
        code, said, complained = answers[words]
        assert (code, said) == (2, ""), words
        assert f"pip install 'bullpen-games[{extra}]'" in str(complained), words
        assert str(complained).count("\n") == 1, words


def test_rules_are_printed_without_anything_to_draw_with(answers: dict[str, Sequence[str | int]]) -> None:
    code, said, complained = answers["rules base"]
    assert (code, complained) == (0, "")
    assert str(said).startswith("# Base game")
