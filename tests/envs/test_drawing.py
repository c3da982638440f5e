"""Drawings say what lies on the table, and hide what is hidden."""

import webbrowser
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
import pytest

from bullpen.envs.drawing import Box, Window, Words, as_picture, as_svg, as_text, scene
from tests.envs.tables import TABLES, started

SHADES = np.array([1 << 16, 1 << 8, 1])
"""Makes one number of a colour."""


@pytest.mark.parametrize(("game", "players"), TABLES[::3])
def test_every_table_can_be_drawn(game: str, players: int) -> None:
    episode = started(game, players)
    for seat in (None, 0):
        drawn = scene(episode.view(seat))
        picture = as_picture(drawn)
        assert picture.shape == (drawn.height, drawn.width, 3)
        assert len(np.unique(picture @ SHADES)) > 3
        assert as_svg(drawn).count("<rect") == sum(isinstance(part, Box) for part in drawn.parts)
        assert all(part.x + part.width <= drawn.width for part in drawn.parts if isinstance(part, Box))


def test_a_spectator_is_shown_no_hand_and_a_seat_its_own() -> None:
    episode = started("base", 2)
    hand = episode.position.hands[0]
    numbers = [part.text for part in scene(episode.view(None)).parts if isinstance(part, Words)]
    assert not {str(card) for card in hand} & set(numbers)
    shown = [part.text for part in scene(episode.view(0)).parts if isinstance(part, Words)]
    assert {str(card) for card in hand} <= set(shown)
    assert not {str(card) for card in episode.position.hands[1]} & set(shown)


def test_markers_are_named_where_they_lie() -> None:
    episode = started("jumping-cow", 2)
    (line,) = [line for line in as_text(episode.view(None)).splitlines() if "[the Cow]" in line]
    assert line.startswith(f"row {episode.position.cow + 1}")  # type: ignore[attr-defined]
    assert as_text(started("flippin-digits", 3).view(0)).count("[has a flip card]") == 3
    assert "[downhill row, arrow up]" in as_text(started("mountain", 2).view(0)).splitlines()[4]


def test_a_finished_game_says_why() -> None:
    episode = started("base", 2)
    while not episode.over:
        episode.step({seat: episode.legal(seat)[0] for seat in range(2)})
    assert as_text(episode.view(None)).splitlines()[0].endswith("over: 1 round was played")


def test_the_page_is_opened_once_and_its_drawing_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []
    monkeypatch.setattr(webbrowser, "open", pages.append)
    episode, window = started("base", 2), Window()
    drawings = []
    for _ in range(3):
        window.show(episode.view(0))
        (page,) = pages
        path = Path(url2pathname(urlsplit(page).path))
        assert 'src="table.svg"' in path.read_text("utf-8")
        assert sorted(part.name for part in path.parent.iterdir()) == ["table.html", "table.svg"]
        drawings.append((path.parent / "table.svg").read_text("utf-8"))
        assert drawings[-1] == as_svg(scene(episode.view(0)))
        episode.step({seat: episode.legal(seat)[0] for seat in range(2)})
    assert len(set(drawings)) == 3
    window.close()
    assert not path.exists()
    window.show(episode.view(0))
    assert len(pages) == 2
    window.close()
