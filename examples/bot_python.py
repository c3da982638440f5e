"""A bot in Python for `bullpen arena match base "cmd:python examples/bot_python.py" easy`.

It reads one question a line (JSON) and answers with one line (a choice in notation). It needs nothing
from bullpen: it plays the card that lies closest above the end of a row with room, and takes the
cheapest row when it has to take one. Whatever else is asked, it takes the first option.
"""

import json
import sys


def heads(card: int) -> int:
    """Return the bullheads of a card."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


def choose(view: dict, ask: dict) -> str:
    """Return one of the options."""
    options, rows = ask["options"], view["position"]["rows"]
    if ask["kind"] == "choose_row":
        return min(options, key=lambda option: sum(map(heads, rows[int(option[1:]) - 1])))
    if ask["kind"] == "commit" and all(option.isdigit() for option in options):
        return min(options, key=lambda option: gap(int(option), rows))
    return options[0]


def gap(card: int, rows: list) -> int:
    """Return how far a card is from the row it goes to; a full row or none at all is far."""
    fitting = [row for row in rows if row and row[-1] < card]
    row = max(fitting, key=lambda row: row[-1], default=None)
    return 1000 if row is None or len(row) >= 5 else card - row[-1]


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        print(choose(question["view"], question["ask"]), flush=True)


if __name__ == "__main__":
    main()
