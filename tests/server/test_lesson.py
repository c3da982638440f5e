"""The lesson is what its script says, played by the engine and told as the server tells a game."""

import json

from tools.make_lesson import FILE, LESSON, lesson

BEATS = json.loads(lesson())
EVENTS = [event for beat in BEATS if beat["beat"] == "show" for event in beat["message"].get("events", [])]


def test_the_recording_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == lesson(), "Run: python tools/make_lesson.py"


def test_every_rule_is_met() -> None:
    took = [event for event in EVENTS if event["type"] == "Took"]
    assert [event["why"] for event in took] == ["low", "full", "low", "full"]
    assert took[2]["seat"] == 0, "the learner takes a pen by choice, once"
    assert EVENTS[-1]["type"] == "GameEnded"
    assert EVENTS[-1]["result"]["ranks"][0] == 1, "a first game is won"


def test_what_the_coach_says_is_true() -> None:
    shown = {tip["tip"]: number for number, tip in enumerate(BEATS) if tip["beat"] != "show"}
    asked = [beat for beat in BEATS[: shown["try"]] if beat["beat"] == "show"][-1]
    [forbidden] = asked["looks"]["goes"]["70"]
    assert forbidden["takes"]
    assert forbidden["bullheads"] == 9
    positions = [beat["message"]["view"]["position"] for beat in BEATS if beat.get("message", {}).get("view")]
    before_the_choice = next(
        position for position in positions if position["trick"] == 5 and position["table"]
    )
    costs = [sum(map(heads, row)) for row in before_the_choice["rows"]]
    assert costs.index(min(costs)) == 1
    assert [trick.cards[0] for trick in LESSON] == [46, 21, 25, 70, 3]


def heads(card: int) -> int:
    """Bullheads, counted once more and by hand."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def test_numbers_follow_on_each_other() -> None:
    messages = [beat["message"] for beat in BEATS if beat["beat"] == "show"]
    assert [message["number"] for message in messages] == list(range(1, len(messages) + 1))
    assert all(message["since"] == message["number"] - 1 for message in messages[1:])


def test_no_clock_runs_while_somebody_learns() -> None:
    clocks = [beat["message"]["clock"] for beat in BEATS if beat.get("message", {}).get("clock")]
    assert clocks
    assert all(clock["left"] is None for clock in clocks)
