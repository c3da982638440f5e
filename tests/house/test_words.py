"""The browser has words in every language for whatever a game declares, and for nothing else."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from bullpen.bots import LEVELS
from bullpen.engine import Furniture, Ruleset
from bullpen.rulesets import find
from bullpen.rulesets.pages import LANGUAGES
from bullpen.server.protocol import ErrorCode, Phrase
from tests.house.repository import ROOT
from tests.strategies import GAMES


def words(language: str) -> dict[str, Any]:
    path = ROOT / "web" / "src" / "i18n" / f"{language}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def declared(kind: type[Ruleset[Any]]) -> Iterator[str]:
    """Name every text of a game by the key that the browser looks for."""
    yield from (f"game.{kind.id}.{part}" for part in ("name", "what", "length"))
    for name, question in kind.questions.items():
        yield f"ask.{name}"
        if question.passing:
            yield f"do.pass.{name}"
    for option in kind.offers:
        yield f"option.{option.key}"
        if option.type == "choice":
            yield from (f"option.{option.key}.{value}" for value in option.allowed if isinstance(value, str))
    yield from furnished(kind.furniture)


def furnished(furniture: Furniture) -> Iterator[str]:
    specials = {special.name for special in furniture.specials}
    for special in furniture.specials:
        yield from (f"special.{special.name}", f"special.{special.name}.does")
        if any(aim.says for aim in special.aims):
            yield f"word.{special.name}"
    for marker in furniture.markers:
        sides = [f".{side}" for side in marker.sides] or [""]
        if marker.name not in specials or marker.at == "seat":
            # By its side where that is known, by its name alone elsewhere.
            yield from (f"marker.{marker.name}{side}" for side in {*sides, ""})
        if marker.at == "row":
            yield from (f"log.marker.{marker.name}{side}" for side in sides)
        if marker.says:
            yield f"marker.{marker.name}.says"
    for space in furniture.board.kinds if furniture.board else ():
        yield from (f"space.{space.name}", f"space.{space.name}.does")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_a_game_declares_is_there(language: str) -> None:
    known = words(language)
    missing = {key for game in GAMES for key in declared(find(game)) if key not in known}
    assert not missing


def test_there_are_no_words_for_what_no_game_declares() -> None:
    wanted = {key for game in GAMES for key in declared(find(game))}
    families = r"game|ask|special|marker|space|option|word|do\.pass|log\.marker"
    # Shorter, narrower and drawn forms of what is declared.
    forms = r"\.(short|n|PlayPair|cards|acts)$"
    drawn = {"special.cards", "special.back", "space.any", "space.clover", "game.players", "game.length"}
    plain = {"log.marker", "do.pass"}
    found = {
        re.sub(forms, "", key.removeprefix("onBoard."))
        for key in words("en")
        if re.match(rf"(onBoard\.)?({families})(\.|$)", key)
        and key.removeprefix("onBoard.") not in drawn | plain
    }
    assert found - wanted == set()


def test_phrases_levels_and_refusals_are_what_the_server_says() -> None:
    keys = words("en").keys()
    for family, names in (("phrase", get_args(Phrase)), ("level", LEVELS)):
        assert {key for key in keys if key.startswith(f"{family}.")} == {f"{family}.{name}" for name in names}
    refusals = {key.removeprefix("error.") for key in keys if key.startswith("error.")}
    assert refusals == {*get_args(ErrorCode), "offline"}


def test_every_reason_that_ends_a_game_is_translated() -> None:
    records = (ROOT / "tests" / "golden" / "games").rglob("*")
    texts = [path.read_text(encoding="utf-8") for path in records if path.is_file()]
    reasons = {reason for text in texts for reason in re.findall(r'"reason": ?"([^"]+)"', text)}
    assert len(reasons) >= 8
    keys = words("en").keys()
    assert {f"reason.{re.sub(r'[0-9]+', '#', reason, count=1)}" for reason in reasons} - keys == set()
