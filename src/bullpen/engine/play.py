"""The play loop: new_game, submit, retract. Pure outside, imperative inside."""

from typing import Any

from bullpen.engine.asks import Ask
from bullpen.engine.cards import Seat
from bullpen.engine.chance import Chance
from bullpen.engine.choices import Choice
from bullpen.engine.errors import IllegalChoice, NotAsked
from bullpen.engine.events import Chose, Committed, Event, ForcedSecretly, TookBack
from bullpen.engine.position import P
from bullpen.engine.ruleset import Ruleset

NO_ASKS: tuple[Ask, ...] = ()


def new_game(rules: Ruleset[P], chance: Chance) -> tuple[P, tuple[Event, ...]]:
    """Return the position at the first question of a new game, and what led there."""
    position: P = rules.position_type(rules.players)
    rules.start(position)
    go_on(rules, position, chance)
    return position, tuple(position.news)


def submit(
    rules: Ruleset[P], position: P, seat: Seat, choice: Choice, chance: Chance
) -> tuple[P, tuple[Event, ...]]:
    """Return the position after a seat's choice, and what happened; the given position is not changed."""
    ask = find_ask(position, seat, choice)
    after = position.copy()
    return after, apply(rules, after, ask, seat, choice, chance)


def find_ask(position: P, seat: Seat, choice: Choice) -> Ask:
    """Return the open ask that this choice legally answers, or raise a sentence that says why not."""
    # True and 1.0 equal 1, but a record could not be read back with them.
    for ask in position.asks if type(seat) is int else NO_ASKS:
        if seat in ask.seats:
            if position.answers and position.answer_to(ask) is not None:
                raise IllegalChoice("The choice is made already; take it back first.")
            if choice not in ask.options:
                raise IllegalChoice(f"{str(choice)[:40]} is no answer to this: {ask.prompt}")
            return ask
    raise NotAsked(_nothing_asked(position, seat))


def apply(
    rules: Ruleset[P], position: P, ask: Ask, seat: Seat, choice: Choice, chance: Chance
) -> tuple[Event, ...]:
    """Change the position by a choice that `find_ask` has allowed."""
    position.answers[seat] = choice
    position.news = [Committed(seat) if ask.secret else Chose(seat, ask.kind, choice.notation)]
    if len(position.answers) == len(position.asks):
        go_on(rules, position, chance)
    return tuple(position.news)


def retract(rules: Ruleset[P], position: P, seat: Seat) -> tuple[P, tuple[Event, ...]]:  # noqa: ARG001 all verbs begin alike
    """Return the position with a hidden answer taken back, possible until the last one is in (GEN-6)."""
    for ask in position.asks if type(seat) is int else NO_ASKS:
        if seat in ask.seats and ask.secret and not ask.forced and seat in position.answers:
            after = position.copy()
            del after.answers[seat]
            after.news = [TookBack(seat)]
            return after, tuple(after.news)
    raise NotAsked(f"Seat {str(seat)[:20]} has no hidden choice to take back.")


def _nothing_asked(position: Any, seat: Seat) -> str:
    if position.result is not None:
        return "The game is over."
    if type(seat) is not int or not 0 <= seat < position.players:
        return f"There is no seat {str(seat)[:20]}; the seats are 0 to {position.players - 1}."
    waiting = ", ".join(str(other) for ask in position.open_asks for other in ask.seats)
    return f"It is not seat {seat}'s turn; the game waits for seat {waiting}."


def go_on(rules: Ruleset[P], position: P, chance: Chance) -> None:
    """Do step after step, in place, until somebody has to decide or nothing is left.

    Open asks must have been answered; a position that was set up by hand has none.
    """
    agenda = position.agenda
    position.asks = NO_ASKS
    while agenda:
        name, args = agenda.pop()
        if name == "shuffle":
            (pile,) = args
            setattr(position, str(pile), chance.shuffle(str(pile), getattr(position, str(pile))))
        elif args:
            getattr(rules, name)(position, *args)
        else:
            getattr(rules, name)(position)
        if position.answers:
            # Answers serve the one step that follows them; questions it opened have none yet.
            position.answers = {}
        if position.asks:
            _answer_forced(position)
            if len(position.answers) < len(position.asks):
                return
            position.asks = NO_ASKS


def _answer_forced(position: P) -> None:
    """Answer the asks that have one option only (GEN-13)."""
    for ask in position.asks:
        if len(ask.options) == 1 and ask.forced and position.answer_to(ask) is None:
            seat, (choice,) = ask.seats[0], ask.options
            position.answers[seat] = choice
            if ask.secret:
                position.news.append(ForcedSecretly(seat, ask.kind, choice.notation))
            else:
                position.news.append(Chose(seat, ask.kind, choice.notation, forced=True))
