"""The rules for players say the same in every language."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bullpen.game import new_game
from bullpen.rulesets.pages import LANGUAGES
from tests.house.repository import ROOT
from tests.strategies import GAMES

PAGES = ROOT / "docs" / "rules" / "play"
DRAWN = re.compile(r"```.*?```", re.DOTALL)
WORDS = re.compile(r"\b(You|Du|Toi|Buffalo|Büffel|Bison)\b")


def page(language: str, game: str) -> str:
    return (PAGES / language / f"{game}.md").read_text(encoding="utf-8")


def shape(text: str) -> list[str]:
    """Return what each line of a page is: a heading, an item, a row of a table, a paragraph."""
    kinds = []
    for line in DRAWN.sub("DRAWN", text).splitlines():
        start = re.match(r"#+ |- |\d+\. |\||DRAWN|$", line)
        kinds.append(start.group() if start else "text")
    return kinds


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_a_translation_has_the_same_drawings_numbers_and_parts(game: str, language: str) -> None:
    english, other = page("en", game), page(language, game)
    drawn = [[WORDS.sub("", block) for block in DRAWN.findall(text)] for text in (english, other)]
    assert drawn[0] == drawn[1]
    assert shape(english) == shape(other)
    numbers = [Counter(re.findall(r"\d+", text)) for text in (english, other)]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_page_has_the_name_that_the_game_has_elsewhere(language: str) -> None:
    words = json.loads(Path(ROOT / "web" / "src" / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    for game in GAMES:
        assert page(language, game).splitlines()[0] == f"# {words[f'game.{game}.name']}"


def test_no_page_speaks_of_notation_options_or_rulings() -> None:
    for path in PAGES.rglob("*.md"):
        text = DRAWN.sub("", path.read_text(encoding="utf-8"))
        assert "`" not in text, path
        assert not re.search(r"\b[A-Z]{3}-\d+\b", text), path


def test_a_page_speaks_to_a_friend_and_keeps_its_signs_on_the_line() -> None:
    for game in GAMES:
        french = DRAWN.sub("", page("fr", game))
        assert not re.search(r"\b([Vv]ous|[Vv]otre|[Vv]os)\b|\b(?!assez|chez)[a-zé]{2,}ez\b", french), game
        assert not re.search(r" [:;?!»]|« ", french), game
        assert not re.search(r"[a-zäöü,] (Sie|Ihnen|Ihr[em]?)\b", DRAWN.sub("", page("de", game))), game


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_lie_in_pens_and_tiles_in_rows(language: str) -> None:
    pen, row = {
        "en": (r"\bpens?\b", r"\brows?\b"),
        "de": (r"Pferch", r"\bReihen?\b(?! nach)"),
        "fr": (r"\benclos\b", r"\brangées?\b"),
    }[language]
    for game in GAMES:
        text = DRAWN.sub("", page(language, game))
        if game.startswith("board-"):
            assert not re.search(pen, text, re.IGNORECASE), game
        elif game == "base":
            # Here it is said once what others call a row.
            assert len(re.findall(row, text)) == 1
        else:
            assert not re.search(row, text), game


SIGNS = {
    "blank": ".", "green1": "ox", "green2": "ox2", "red1": "-ox", "red2": "-ox2", "double": "two",
    "take_ox": "take", "take_tiles": "tiles", "draw_tile": "tile", "draw_action": "action",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["board-basic", "board-expert"])
def test_the_board_that_is_drawn_is_the_one_that_is_played_on(game: str, language: str) -> None:
    rows = new_game(game, 2, seed=1).view().position.board  # type: ignore[attr-defined]
    drawn = DRAWN.findall(page(language, game))[-1].splitlines()[1:-1]
    assert drawn == [" ".join(SIGNS.get(space, space) for space in row) for row in rows]
