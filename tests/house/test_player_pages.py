"""The rules for players say the same in every language."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bullpen.game import new_game
from bullpen.rulesets import find
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


PRINTED = {
    "anniversary": ("5th Row", "7 nimmt!", "Insert", "Replace", "Shift", "Stop", "Negative = Positive"),
    "buffalo": ("Take 7!", "Stop", "Replace", "Insert", "Push", "First Card", "Last Card", "Sort"),
    "board-basic-luck": ("5 positive points", "Positive ox"),
    "board-expert": (
        "Stop", "Tile exchange", "Skip", "Place at the start", "Place in ascending order",
        "Play another tile",
    ),
    "even-odd": ("Even/Odd",), "mountain": ("Mountain Climbing",), "jumping-cow": ("The Jumping Cow",),
    "flippin-digits": ("Flippin' Digits",), "logic": ("Pro",),
}  # fmt: skip
"""What stands on the cards and in the books, for those who have the box beside them."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PRINTED)
def test_whoever_has_the_box_finds_the_printed_names(game: str, language: str) -> None:
    text = page(language, game)
    body = text.partition("\n")[2] if language != "en" else text
    names = [name for name in PRINTED[game] if not re.search(rf"\b{re.escape(name)}", body, re.IGNORECASE)]
    assert names == []
    specials = {special.name for special in find(game).furniture.specials if not special.loose}
    assert game == "flippin-digits" or not specials or len(PRINTED[game]) == len(specials)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_say_how_many_can_play(language: str) -> None:
    for game in GAMES:
        least, most = min(find(game).player_range), max(find(game).player_range)
        words = {"en": "For {} to {} players", "de": "Für {} bis {} Spieler", "fr": "De {} à {} joueurs"}
        assert words[language].format(least, most) in page(language, game), game


def test_pages_say_what_the_books_print() -> None:
    said = {
        "board-expert": ("can be played from then on", "equal scores share", "played ones are shuffled"),
        "board-basic": ("In an empty row it means nothing", "equal scores share"),
        "board-expert-luck": ("one luck card for every clover", "Each clover that you pass"),
        "board-basic-luck": ("each clover that you reach", "you take the other"),
        "base": ("agree on another number",),
        "buffalo": (
            "that with the highest last card", "however many stand there now", "as many as you like",
            "Two First cards in one trick",
        ),
        "anniversary": (
            "The pen taken next, whichever it is, disappears", "no other can be started",
            "however many stand there now", "the used ones are shuffled", "everybody gets two, or one",
        ),
        "double": ("among the four start cards", "total at the start of the round"),
        "open": ("The oldest begins",), "hand": ("The youngest begins",), "logic": ("picks first",),
        "tournament": ("picks first",), "even-odd": ("advises against combining",),
    }  # fmt: skip
    for game, sentences in said.items():
        text = page("en", game)
        assert [sentence for sentence in sentences if sentence not in text] == [], game
