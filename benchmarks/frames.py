"""How evenly the table moves on a slow machine: the time between frames with the processor four times slower.

    python benchmarks/frames.py [--slower 4] [--times 2] [--beside FOLDER]

A whole trick of four (a low card, a sixth, two safe cards) and the heaviest scene (sixteen bullheads, with
the bull that crosses the table) are played on positions that were set up, on a desktop and on a phone. What
is wanted: a median of 16.7 ms and 95 % within 33.4 ms in a trick, 95 % within 50 ms in the heaviest scene.
It takes about a minute on a machine that does nothing else, and ends with 1 if anything is slower.

On a machine that is shared the figures say little by themselves. `--beside` names a folder with a page
`motion.html` whose `go("trick")` and `go("s16")` play the same two scenes: each of our runs is followed by
one of its, and what is told is how much longer our frames take.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.browser import launch
from tests.browser.house import House
from tests.browser.staged import Staged

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
MEDIAN = 16.8
WANTED = {"trick": 33.4, "heaviest": 50.1}
THEIRS = {"trick": "trick", "heaviest": "s16"}
SCENES = {
    "trick": (
        ((12, 19, 23), (41, 44), (58, 59, 65, 75, 76), (88, 89)),
        ((81, 90, 104), (24, 1, 100), (7, 2, 97), (99, 3, 98)),
    ),
    "heaviest": (
        ((12, 19, 23), (41, 44), (53, 54, 55, 65, 66), (88, 89)),
        ((68, 90, 104), (101, 1, 100)),
    ),
}
COUNT = """() => {
  const times = (window.frameTimes = []);
  let last = performance.now();
  const next = (now) => {
    times.push(now - last);
    last = now;
    window.counting = requestAnimationFrame(next);
  };
  window.counting = requestAnimationFrame(next);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--slower", type=float, default=4)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--beside", type=Path, help="a folder with another page to be measured in turn")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = launch(playwright)
        try:
            with served(arguments.beside) as theirs:
                good = [
                    report(browser, house, theirs, (size, scene), arguments)
                    for size in SIZES
                    for scene in SCENES
                ]
        finally:
            browser.close()
            house.stop()
    if not all(good):
        raise SystemExit(1)


def report(
    browser: Browser, house: House, theirs: str, what: tuple[str, str], arguments: argparse.Namespace
) -> bool:
    """Play a scene a few times, print what was measured, and say whether it is as even as wanted."""
    size, scene = what
    ours: list[list[float]] = []
    others: list[list[float]] = []
    for _ in range(arguments.times):
        ours.append(frames(browser, house, size, scene, arguments.slower))
        if theirs:
            others.append(frames_beside(browser, theirs, size, scene, arguments.slower))
    median, late = figures(ours)
    good = median <= MEDIAN and late <= WANTED[scene]
    print(
        f"{'pass' if good else 'FAIL'} {size:8} {scene:9} {arguments.slower:g}x slower:"
        f" median {median:.1f} ms (wanted 16.7), 95 % within {late:.1f} ms (wanted {WANTED[scene]:.1f}),"
        f" longest {max(max(run) for run in ours):.0f} ms, {len(ours[0])} frames"
    )
    if others:
        their_median, their_late = figures(others)
        longer = statistics.mean(chain(*ours)) / statistics.mean(chain(*others))
        print(
            f"     beside it: median {their_median:.1f} ms, 95 % within {their_late:.1f} ms;"
            f" ours take {longer:.2f} times as long"
        )
    return good


def figures(runs: list[list[float]]) -> tuple[float, float]:
    """Return the median and the 95th hundredth of a few runs: the middle one of each."""
    late = [statistics.quantiles(run, n=20)[-1] for run in runs]
    return statistics.median(statistics.median(run) for run in runs), statistics.median(late)


@contextmanager
def served(folder: Path | None) -> Iterator[str]:
    """Serve a folder to the browser, if there is one, and yield its address."""
    if folder is None:
        yield ""
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def frames_beside(browser: Browser, address: str, size: str, scene: str, slower: float) -> list[float]:
    """Return the milliseconds between the frames of the same scene on the other page."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{address}/motion.html")
    page.evaluate("() => document.fonts.ready")
    begin(page, slower)
    page.evaluate("(scene) => go(scene)", THEIRS[scene])
    return end(page)


def begin(page: Page, slower: float) -> None:
    """Slow the page down, and count its frames from now on."""
    page.wait_for_timeout(500)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.wait_for_timeout(500)
    page.evaluate(COUNT)


def end(page: Page) -> list[float]:
    """Return what was counted, and close the page."""
    found: list[float] = page.evaluate("() => (cancelAnimationFrame(window.counting), window.frameTimes)")
    page.context.close()
    return found


def frames(browser: Browser, house: House, size: str, scene: str, slower: float) -> list[float]:
    """Return the milliseconds between the frames of a scene."""
    width, height = SIZES[size]
    context = browser.new_context(base_url=house.url, viewport={"width": width, "height": height})
    kept = json.dumps(json.dumps({"name": "Ann", "language": "en", "speed": 1, "askedToCall": True}))
    context.add_init_script(f"localStorage.bullpen = {kept}")
    page = context.new_page()
    table = Staged(*SCENES[scene])
    table.open(page)
    page.locator(".hand button").nth(2).wait_for()
    for seat, hand in enumerate(SCENES[scene][1][1:], start=1):
        table.choose(seat, str(hand[0]))
    table.tell()
    begin(page, slower)
    table.choose(0, str(SCENES[scene][1][0][0]))
    for ask in table.table.game.asks if table.table.game else ():
        if ask.kind == "choose_row":
            table.choose(ask.seats[0], "r4")
    table.tell()
    page.locator(".hand button[aria-disabled=false]").first.wait_for(timeout=60_000)
    return end(page)


if __name__ == "__main__":
    main()
