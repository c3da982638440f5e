"""Games with fair deals for the browser's own check: `python -m tests.server.fair_vectors` writes them."""

import json
import random
from pathlib import Path

from bullpen.engine import OptionValue
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import make
from bullpen.server.tables.fair import Dealer, Terms

FILE = Path(__file__).parents[2] / "web" / "tests" / "fair.vectors.json"
GAMES: tuple[tuple[str, list[str], dict[str, OptionValue]], ...] = (
    ("base", ["Zoë", 'B"en\\'], {"end.kind": "rounds", "end.value": 2}),
    ("buffalo", ["Ann", "牛", "Cy"], {}),
)


def played(game: str, names: list[str], options: dict[str, OptionValue]) -> Record:
    """A whole random game, every deal mixed by everybody but seat 0."""
    rules = make(game, len(names), options)
    dealer, dice = Dealer(b"secret", Terms.of("vector", rules, ())), random.Random(game)

    def mixed() -> None:
        dealer.settle()
        dealer.nonces = {seat: f"{dealer.next:04x}{seat:012x}" for seat in range(1, len(names))}

    dealer.new_game(names)
    mixed()
    running = Game(rules, dealer, names)
    mixed()
    while not running.over:
        ask = dice.choice(running.asks)
        running.choose(ask.seats[0], dice.choice(ask.options))
        mixed()
    record = running.record
    record.fair = dealer.opened(True)
    return record


def vectors() -> str:
    """Return what the file must hold."""
    records = [json.loads(played(*game).dumps()) for game in GAMES]
    # The browser looks at deals only.
    for record in records:
        record["rounds"] = [{"deals": played_round["deals"]} for played_round in record["rounds"]]
        del record["result"]
    return json.dumps(records, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(vectors(), encoding="utf-8")
