"""The rules of each game in our own words: a page for players in their language, and one with every ruling.

A game from another package has its pages beside its module: `pages/GAME.md`, `pages/play/LANGUAGE/GAME.md`.
"""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from bullpen.engine import Ruleset
from bullpen.rulesets import find

LANGUAGES = ("en", "de", "fr")
"""The languages that pages for players are looked for in; the first is the one that others fall back to."""


class PlayPage(NamedTuple):
    """The rules for players: the language that was found, and Markdown with drawings in fenced blocks."""

    language: str
    text: str


BOARD = "board"
"""The page about our boards, which belongs to four games."""


def rules_page(game: str) -> str:
    """Return the page of a game (by id or alias) with every ruling, option and notation, as Markdown text."""
    if game == BOARD:
        return _read(find("board-basic"), f"{BOARD}.md") or ""
    kind = find(game)
    text = _read(kind, f"{kind.id}.md")
    return text if text is not None else f"# {kind.name}\n\n{kind.summary}\n"


def play_page(game: str, language: str = LANGUAGES[0]) -> PlayPage:
    """Return the page of a game for players, in English where there is none in that language.

    >>> play_page("base").text.splitlines()[0]
    '# Base game'
    """
    kind = find(game)
    for one in dict.fromkeys((language, LANGUAGES[0])):
        text = _read(kind, f"play/{one}/{kind.id}.md") if one in LANGUAGES else None
        if text is not None:
            return PlayPage(one, text)
    return PlayPage(LANGUAGES[0], rules_page(game))


def _read(kind: type[Ruleset[Any]], name: str) -> str | None:
    for folder in _folders(kind):
        page = folder.joinpath(*name.split("/"))
        if page.is_file():
            return page.read_text(encoding="utf-8")
    return None


def _folders(kind: type[Ruleset[Any]]) -> list[Traversable]:
    """Return where the pages of a game may lie: with its package, or in a checkout of ours."""
    package = kind.__module__.rpartition(".")[0]
    found = [resources.files("bullpen.rulesets").joinpath("pages")]
    if package:
        found.insert(0, resources.files(package).joinpath("pages"))
    # In a checkout the pages live where the documentation is built from.
    return [*found, Path(__file__).parents[3] / "docs" / "rules"]
