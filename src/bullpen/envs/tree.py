"""The game tree: every node of a game, with one card dealt at a time and answers in action numbers."""

from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias

from bullpen.engine import NUMBERS, OptionValue, Position, Ruleset, Seat, apply, go_on, shuffle, view
from bullpen.envs.actions import SPECIAL, Alphabet
from bullpen.envs.asking import Asking
from bullpen.envs.dealing import ByHand, Dealing, Drawn, NeedsDeal, begin
from bullpen.envs.hearing import numbers_of, room_for
from bullpen.envs.observing import Observer
from bullpen.envs.rewards import by_rank, standing, win_shares
from bullpen.envs.small import Size, sized
from bullpen.envs.terms import BadTerms, Terms
from bullpen.rulesets import find

PARAMETERS: dict[str, Any] = {
    "game": "base", "players": 4, "options": "", "episode": "round", "reward": "margin", "forced": "skip",
    "deck": 0, "hand": 0, "rows": 0, "limit": 0, "start": "",
}  # fmt: skip
REWARDS = ("margin", "bullheads", "rank", "win")

Parameters: TypeAlias = tuple[tuple[str, Any], ...]
"""The parameters of a game, sorted, by which its rules are found again."""


class Tools:
    """What all states of a game share."""

    def __init__(self, parameters: Parameters) -> None:
        given = dict(parameters)
        self.parameters: Final = parameters
        self.reward: Final = _reward(given)
        self.start: Final = _numbers(given["start"])
        size = Size(given["deck"], given["hand"], given["rows"], given["limit"], self.start)
        terms = Terms(
            game=given["game"], players=given["players"], options=_options(given["game"], given["options"]),
            episode=given["episode"], forced=given["forced"],
        )  # fmt: skip
        self.rules: Final[Ruleset[Any]] = sized(terms, size)
        self.alphabet: Final = Alphabet(self.rules)
        self.observer: Final = Observer(self.rules)
        self.room: Final = room_for(self.rules) if given["episode"] == "round" else 0
        """How many numbers tell a player's whole information state; 0 where nothing bounds them."""
        self.specials: Final = [card.name for card in self.rules.furniture.specials]
        self.remembers: Final = not size.usual
        """Whether nodes keep those that follow them: exact algorithms come by again and again."""

    def number_of(self, drawn: Drawn) -> int:
        """Return the chance outcome that stands for a card."""
        return drawn if isinstance(drawn, int) else SPECIAL + self.specials.index(drawn)

    def name_of(self, outcome: int, dealing: Dealing) -> Drawn:
        """Return the card that a chance outcome stands for."""
        return outcome if isinstance(dealing.left[0], int) else self.specials[outcome - SPECIAL]

    @cached_property
    def root(self) -> "Node":
        """The node before the first card is dealt."""
        return Node(self)

    @property
    def most(self) -> float:
        """No result is further from 0 than this."""
        if self.reward in ("rank", "win"):
            return 1.0
        one_deal = self.rules.options.get("end.kind") == "deal"
        target = 0 if one_deal else int(self.rules.options.get("end.value", 0))
        all_heads = sum(self.rules.heads[card] for card in self.rules.universe(NUMBERS))
        return float(target + 2 * all_heads * self.rules.players)


def _reward(given: dict[str, Any]) -> str:
    if given["reward"] not in REWARDS:
        raise BadTerms(f"reward is one of {', '.join(REWARDS)}, not {str(given['reward'])[:40]!r}.")
    reward: str = given["reward"]
    return reward


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part for part in text.split(";") if part]
    if not all(part.isdecimal() for part in parts):
        raise BadTerms(f"start is numbers divided by semicolons, not {text[:40]!r}.")
    return tuple(map(int, parts))


def _options(game: str, text: str) -> dict[str, OptionValue]:
    """Read options that are written as `end.value:30;pro.tie:left`."""
    offered = {option.key: option for option in find(game).offers}
    read: dict[str, OptionValue] = {}
    for part in filter(None, text.split(";")):
        key, _, value = part.partition(":")
        read[key] = offered[key].read(value) if key in offered else value
    return read


@lru_cache(maxsize=64)
def tools_for(parameters: Parameters) -> Tools:
    """Return the tools for a game with these parameters."""
    return Tools(parameters)


class Node:
    """A node of the game tree: a position, what is being dealt and answered, what each player was told.

    A node never changes; what is done there leads to another one.
    """

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        rules = tools.rules
        self.position: Position = rules.position_type(rules.players)
        self.dealing: Dealing | None = None
        self.asking: Asking | None = None
        self.told = [""] * rules.players
        self.heard: list[tuple[int, ...]] = [()] * rules.players
        """The same as numbers, where there is room for them."""
        self._next: dict[Any, Node] = {}
        rules.start(self.position)
        self._go_on(ByHand())

    def _go_on(self, chance: ByHand) -> None:
        """Play on to the next question or the next pile that has to be dealt."""
        try:
            go_on(self.tools.rules, self.position, chance)
        except NeedsDeal as need:
            self._deal(need)
        self._tell()
        self._look()

    def _deal(self, need: NeedsDeal) -> None:
        """Begin to deal; the shuffle is done once the order is known."""
        self.position.agenda.append(shuffle(need.pile))
        self.dealing = begin(self.tools.rules, need, self.tools.start)

    def _tell(self) -> None:
        """Write down what happened as each player may know it."""
        for event in self.position.news:
            for seat in range(self.position.players):
                seen = event.seen_by(seat)
                if seen is not None:
                    self.told[seat] += f"{seen}\n"
                    if self.tools.room:
                        self.heard[seat] += numbers_of(seen)
        self.position.news = []

    def _look(self) -> None:
        """Open the next questions."""
        idle = self.dealing is not None or self.position.result is not None
        self.asking = None if idle else Asking(self.tools.alphabet, self.position)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The players who have to say something."""
        return () if self.asking is None else self.asking.waiting

    def drawn(self, outcome: int) -> "Node":
        """Return the node after a card was dealt."""
        return self._following(outcome, lambda node: node._draw(outcome))

    def said(self, *numbers: tuple[Seat, int]) -> "Node":
        """Return the node after players have said numbers."""
        return self._following(numbers, lambda node: node._say(numbers))

    def _following(self, key: Any, go: Callable[["Node"], None]) -> "Node":
        node = self._next.get(key)
        if node is None:
            node = self._copy()
            go(node)
            if self.tools.remembers:
                self._next[key] = node
        return node

    def _copy(self) -> "Node":
        twin = copy(self)
        twin.position = self.position.copy()
        twin.asking = self.asking.copy() if self.asking is not None else None
        twin.told, twin.heard = self.told[:], self.heard[:]
        twin._next = {}
        return twin

    def _draw(self, outcome: int) -> None:
        """Deal a card; the last one lets the game go on."""
        assert self.dealing is not None
        self.dealing = self.dealing.draw(self.tools.name_of(outcome, self.dealing))
        order = self.dealing.order
        if order is not None:
            self.dealing = None
            self._go_on(ByHand(order))

    def _say(self, numbers: Iterable[tuple[Seat, int]]) -> None:
        """Note what was said; when all have finished, go on."""
        asking = self.asking
        assert asking is not None
        for seat, number in numbers:
            asking.say(seat, number)
        if not asking.done:
            return
        try:
            for seat, choice in asking.choices.items():
                apply(self.tools.rules, self.position, asking.asks[seat], seat, choice, ByHand())
                self._tell()
        except NeedsDeal as need:
            self._deal(need)
            self._tell()
        self._look()

    def results(self) -> list[float]:
        """Return the result of each player, 0 before the end."""
        rules, result, reward = self.tools.rules, self.position.result, self.tools.reward
        if result is None:
            return [0.0] * rules.players
        if reward in ("rank", "win"):
            return by_rank(result) if reward == "rank" else win_shares(result)
        totals = standing(rules, view(rules, self.position, None))
        if reward == "bullheads" or rules.cooperative:
            return [float(total) for total in totals]
        others = max(1, rules.players - 1)
        return [total - (sum(totals) - total) / others for total in totals]

    def __deepcopy__(self, memo: dict[int, Any]) -> "Node":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "tools": self.tools.parameters, "_next": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.tools = tools_for(state["tools"])
