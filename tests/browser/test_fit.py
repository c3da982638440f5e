"""It always fits: every game, at ten sizes, with four numbers of players, at every kind of question.

The positions are real ones, set up instead of played to: the page gets them through a socket that stands in
for the server's. Nothing may be cut or scroll, and the hand lies in the same place whatever is asked.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from bullpen.rulesets import games
from tests.browser.conftest import SHOTS, Visit
from tests.browser.positions import Scene, counts, scenes
from tests.conftest import SOAK

SIZES = (
    (1920, 1080), (1440, 900), (1366, 650), (1024, 768), (768, 1024),
    (844, 390), (720, 450), (390, 844), (360, 640), (320, 640),
)  # fmt: skip
HERE = Path(__file__).parent
STAND = (HERE / "stand.js").read_text(encoding="utf-8")
"""Stands in for the server, so that positions are set up and not played to."""
MEASURE = """async ([scenes, lifts]) => {
  const measure = %s;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const found = [];
  await frame();
  for (const scene of scenes) {
    await stand.show(scene);
    found.push([scene.kind, measure()]);
    const card = document.querySelector(".hand [data-token]:not([aria-disabled='true'])");
    if (!lifts || !card) continue;
    card.click();
    await new Promise((done) => setTimeout(done));
    found.push([`${scene.kind}, lifted`, measure()]);
  }
  return found;
}""" % (HERE / "fit.js").read_text(encoding="utf-8").strip()  # noqa: UP031 (the script is full of braces)
UNSEEN = "document.documentElement.style.opacity = '0'"
"""What nobody looks at need not be painted; it is laid out all the same, and counts as visible."""
LIFTED = SIZES[1::3]
"""At these sizes a card is lifted at every question, too."""


def told(scene: Scene) -> dict[str, object]:
    """Return a scene as the page wants it."""
    return {
        "kind": scene.kind,
        "number": scene.number,
        "snapshot": scene.snapshot,
        "looks": scene.looks.decode(),
    }


def open_stand(page: Page, first: Scene) -> None:
    """Open a table whose server is played by the page itself."""
    page.add_init_script(STAND)
    page.goto("/t/ABCD")
    page.wait_for_function("() => stand.socket")
    page.evaluate(UNSEEN)
    page.evaluate("(scene) => stand.socket.onmessage({ data: scene.snapshot })", told(first))
    page.locator("#prompt").wait_for()


def faults_at(page: Page, game: str, players: int, size: tuple[int, int]) -> tuple[list[str], str]:
    """Show every question of a game at a size; return what is wrong, and how large the cards are."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # The largest hand comes first: its place is kept for those that follow.
    shown = [told(scene) for scene in sorted(scenes(game, players), key=lambda one: -len(one.hand))]
    where = f"{game}, {players} players, {size[0]}x{size[1]}"
    faults: list[str] = []
    places = set()
    cell = ""
    for state, found in page.evaluate(MEASURE, [shown, size in LIFTED]):
        faults += [f"{where}, {state}: {fault}" for fault in found["faults"]]
        places.add(tuple(found["place"]))
        cell = cell or f"{found['cards']}/{found['pen']}"
    if len(places) > 1:
        faults.append(f"{where}: the hand moves: {sorted(places)}")
    return faults, cell


@pytest.mark.parametrize("game", games())
def test_it_always_fits(game: str, visit: Visit) -> None:
    # Nothing is looked at here, so few pixels have to be painted.
    page = visit(likes={"preview": True, "speed": 0}, device_scale_factor=0.1)
    faults: list[str] = []
    lines = [
        f"{game}: a card in the hand / in a row, in pixels",
        " " * 12 + "".join(f"{w}x{h}".rjust(10) for w, h in SIZES),
    ]
    for players in counts(game):
        open_stand(page, scenes(game, players)[0])
        cells = []
        for size in SIZES:
            wrong, cell = faults_at(page, game, players, size)
            faults += wrong
            cells.append(cell + ("!" if wrong else " "))
        lines.append(f"{players} players".ljust(12) + "".join(cell.rjust(10) for cell in cells))
    print("\n".join(lines))
    SHOTS.mkdir(exist_ok=True)
    (SHOTS / f"fit-{game}.txt").write_text("\n".join([*lines, *faults]) + "\n", encoding="utf-8")
    assert not faults, "\n".join(faults[:40])


SMALL = tuple(size for size in SIZES if min(size) < 400)
"""Where words are short of room; the longest stand in the questions of this game."""
WORDY = ("buffalo",)


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("game", games() if SOAK else WORDY)
def test_it_fits_in_longer_words(game: str, language: str, visit: Visit) -> None:
    page = visit(likes={"preview": True, "speed": 0, "language": language}, device_scale_factor=0.1)
    players = counts(game)[-1 if SOAK else 0]
    open_stand(page, scenes(game, players)[0])
    faults = [fault for size in SMALL for fault in faults_at(page, game, players, size)[0]]
    assert not faults, "\n".join(faults[:40])
