"""A bot that plays over the network: it makes a table against bots of the server and plays lowest card first.

    python examples/remote_bot.py http://127.0.0.1:8266

Nothing but the standard library; the whole interface is described at `/api`.
"""

import argparse
import json
from typing import Any
from urllib.request import Request, urlopen

parser = argparse.ArgumentParser()
parser.add_argument("server")
parser.add_argument("--game", default="base")
parser.add_argument("--against", default="random", help="the level of the other player")
arguments = parser.parse_args()
headers = {"content-type": "application/json"}


def ask(path: str, body: Any = None) -> Any:
    """Send a request and return the open answer."""
    content = None if body is None else json.dumps(body).encode()
    return urlopen(Request(arguments.server + path, content, headers), timeout=30)


def choose(question: dict[str, Any]) -> str:
    """Answer with the first option: of a hand that is the lowest card."""
    return str(question["options"][0]["notation"])


headers["authorization"] = f"Bearer {json.load(ask('/api/bot/token', {'name': 'Lowest'}))['token']}"
wish = {"game": arguments.game, "players": 2, "name": "Lowest", "bots": [arguments.against], "start": True}
code = json.load(ask("/api/tables", wish))["table"]["code"]
print(f"Playing at table {code}.")
for line in ask("/api/bot/stream"):
    message = json.loads(line) if line.strip() else {}
    if message.get("type") == "ask":
        answer = {"ask": message["ask"]["number"], "choice": choose(message["ask"])}
        ask(f"/api/bot/tables/{code}/choice", answer).close()
    elif message.get("type") == "over":
        print(f"Over: scores {message['result']['scores']}, ranks {message['result']['ranks']}.")
        break
