"""OpenSpiel: every game of the family as `python_bullpen`, which importing this module registers.

    import bullpen.envs.open_spiel
    import pyspiel

    game = pyspiel.load_game("python_bullpen", {"game": "base", "players": 4})

Hidden choices that are made at the same time are simultaneous nodes, single questions (a row to take, a
turn) are sequential ones, and every card that is dealt is a chance node. Actions are the numbers of
`bullpen.envs.actions`; at a simultaneous node a player who is not asked can only wait. An information state
is all that the player has been told (`Event.seen_by`), an observation the slices of `bullpen.envs.layout`. As
a tensor, an information state is these slices and then, as `told`, the numbers of `bullpen.envs.hearing`.

| parameter | default | |
|---|---|---|
| `game`, `players` | `base`, 4 | |
| `options` | | of the game, as `end.value:30;pro.tie:left` |
| `episode` | `round` | or `game` |
| `reward` | `margin` | the others' mean score minus one's own, so zero-sum; `bullheads`, `rank` or `win` |
| `forced` | `skip` | answers without alternative are given by the engine; `ask` makes nodes of them |
| `deck`, `hand`, `rows`, `limit` | 0 | a smaller deal: cards in all and in a hand, rows, places in a row |
| `start` | | start cards to begin with instead of dealt ones, as `3;6` |
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from bullpen.engine import view
from bullpen.envs.actions import SPECIAL
from bullpen.envs.drawing import as_text
from bullpen.envs.tree import PARAMETERS, Tools, tools_for

UTILITIES = {
    "margin": pyspiel.GameType.Utility.ZERO_SUM,
    "bullheads": pyspiel.GameType.Utility.GENERAL_SUM,
    "rank": pyspiel.GameType.Utility.ZERO_SUM,
    "win": pyspiel.GameType.Utility.CONSTANT_SUM,
}
SUMS = {"margin": 0.0, "rank": 0.0, "win": 1.0}
LONGEST = 100_000
"""More moves than any episode has: nothing but the players ends some games."""


def game_type(utility: Any, *, bounded: bool) -> Any:
    """Return what OpenSpiel wants to know about a game; whole games can last too long for tensors of all."""
    return pyspiel.GameType(
        short_name="python_bullpen",
        long_name="The bullhead family of card games",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=bounded,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def utility_of(tools: Tools) -> Any:
    """Return how the results of all players add up."""
    if tools.rules.cooperative:
        return pyspiel.GameType.Utility.IDENTICAL
    return UTILITIES[tools.reward]


class BullpenGame(pyspiel.Game):
    """A game of the family with its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = tuple(sorted({**PARAMETERS, **(params or {})}.items()))
        self.tools = tools_for(parameters)
        most, players = self.tools.most, self.tools.rules.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.tools.alphabet.size,
            max_chance_outcomes=SPECIAL + len(self.tools.specials),
            num_players=players,
            min_utility=-most,
            max_utility=most,
            utility_sum=None if self.tools.rules.cooperative else SUMS.get(self.tools.reward),
            max_game_length=LONGEST,
        )
        bounded = self.tools.room > 0
        super().__init__(game_type(utility_of(self.tools), bounded=bounded), info, dict(parameters))

    def new_initial_state(self) -> "BullpenState":
        """Return the state before the first card is dealt."""
        return BullpenState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return more than the chance nodes of any episode."""
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "BullpenObserver":
        """Return an object that observes states."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return BullpenObserver(self.tools, kind, params)


class BullpenState(pyspiel.State):
    """A node of the game tree."""

    def __init__(self, game: BullpenGame) -> None:
        super().__init__(game)
        self.node = game.tools.root

    def current_player(self) -> int:
        """Return whose node it is."""
        node = self.node
        if node.position.result is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        if node.dealing is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return node.waiting[0] if len(node.waiting) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.node.position.result is not None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that can be dealt next, with their chances."""
        node = self.node
        assert node.dealing is not None
        return sorted((node.tools.number_of(card), chance) for card, chance in node.dealing.outcomes())

    def _legal_actions(self, player: int) -> list[int]:
        asking = self.node.asking
        assert asking is not None
        return list(asking.legal(player))

    def _apply_action(self, action: int) -> None:
        if self.node.dealing is not None:
            self.node = self.node.drawn(action)
        else:
            self.node = self.node.said((self.node.waiting[0], action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.node = self.node.said(*enumerate(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action if action < SPECIAL else self.node.tools.specials[action - SPECIAL]}"
        return self.node.tools.alphabet.meaning(action)

    def returns(self) -> list[float]:
        """Return the result of each player, 0 before the end."""
        return self.node.results()

    def __str__(self) -> str:
        """Return everything, hidden cards included."""
        node = self.node
        if node.dealing is not None:
            return f"{node.dealing.pile}: {' '.join(map(str, node.dealing.drawn))}"
        said = [f"seat {seat} has said {node.asking.said(seat)}" for seat in node.waiting if node.asking]
        hands = [f"seat {seat} holds {hand}" for seat, hand in enumerate(node.position.hands)]
        seen = as_text(view(node.tools.rules, node.position, None))
        return "\n".join([seen, *hands, *said])


class BullpenObserver:
    """Observes states: information states and observations, as text and as slices."""

    def __init__(self, tools: Tools, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"There are no parameters for observers, such as {params}.")
        self._tools, self._recalls, self._public = tools, kind.perfect_recall, kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        layout = tools.observer.layout
        room = tools.room if self._recalls else 0
        whole = self._private and self._public and (room > 0 or not self._recalls)
        self.tensor = np.zeros(layout.size + room, np.float32) if whole else None
        self.dict: dict[str, Any] = {}
        if self.tensor is not None:
            self.dict = {part.name: self.tensor[part.place].reshape(part.shape) for part in layout}
            if room:
                self.dict["told"] = self.tensor[layout.size :]

    def set_from(self, state: BullpenState, player: int) -> None:
        """Write what a player sees, or was told, into the tensor; before the first deal it sees nothing."""
        if self.tensor is None:
            return
        self.tensor[:] = 0
        node, rules, size = state.node, self._tools.rules, self._tools.observer.layout.size
        if node.position.hands:
            shared = self._tools.observer.share(view(rules, node.position, None))
            said = node.asking.said(player) if node.asking else ()
            self.tensor[:size] = self._tools.observer.write(shared, view(rules, node.position, player), said)
        if self._recalls:
            heard = node.heard[player]
            if len(heard) > self._tools.room:
                raise ValueError(f"{len(heard)} numbers were told, but there is room for {self._tools.room}.")
            self.tensor[size : size + len(heard)] = heard

    def string_from(self, state: BullpenState, player: int) -> str:
        """Return all that a player was told, or what it sees now; or that part which all see, or it alone."""
        node, rules = state.node, self._tools.rules
        said = f"said {node.asking.said(player)}" if node.asking and node.asking.said(player) else ""
        if not self._private:
            return as_text(view(rules, node.position, None))
        if not self._public:
            return f"seat {player} holds {view(rules, node.position, player).hand}\n{said}"
        if self._recalls:
            return f"seat {player}\n{node.told[player]}{said}"
        return f"seat {player}\n{as_text(view(rules, node.position, player))}\n{said}"


pyspiel.register_game(game_type(UTILITIES["margin"], bounded=True), BullpenGame)
