"""Self-play: rounds by a population, and what each choice of the learning seats would have cost."""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.features import WILD, Described, Sight, describe, heads_table, odds
from training.network import Network
from training.policies import (
    CHANCE,
    GUESSER,
    HABIT_HEAT,
    MEDIUM,
    SELF,
    cheapest,
    draw,
    risk,
    risk_weights,
    softened,
)
from training.tables import GAMES, Tables, play_trick, swapped

KEEP = 0.7
"""How much of the return is what really happened, against what the value network says (lambda)."""
CLUELESS, USUAL = 0.3, 0.15
"""How many tables do not know who plays any card alike, and how many seats of the population do."""


@dataclass
class Setting:
    """One kind of round: the game, the players, the cards, how freely the learner plays."""

    game: str
    players: int
    deck: int
    heat: float
    stray: float
    uniform: bool = False
    """Everybody plays any card alike: what a flat Monte Carlo search believes in."""

    @property
    def deals(self) -> tuple[int, ...]:
        """The cards a seat gets in each deal of the round."""
        if self.game != "two-halves":
            return (10,)
        each = 100 // self.players
        return each // 2, each - each // 2


@dataclass
class Samples:
    """What was learned from rounds: positions with the value to learn, and the value of each play."""

    items: Tensor
    scene: Tensor
    valid: Tensor
    value: Tensor
    plays: Tensor


@dataclass
class Table:
    """The state of B rounds."""

    tables: Tables
    hands: Tensor
    """int64 [B, n, H]: a hand has as many places as it has cards."""
    shown: Tensor
    """bool [B, 105]."""
    flips: Tensor
    """bool [B, n]."""
    later: int
    wild: Tensor
    """[B, n]: the share of the others that each seat thinks to play any card alike."""


class SelfPlay:
    """Plays B rounds at a time on a device."""

    def __init__(self, device: torch.device, *, habits: bool = False) -> None:
        self.device = device
        self.habits = habits
        """Whether who guesses has learned how the levels play (`training.habits`), and plays like them."""
        self.odds = odds(device)
        self.worth = heads_table(device)
        self.thumbs = {
            (game, n): torch.tensor(risk_weights(game, n), device=device)
            for game in GAMES
            for n in range(2, 11)
        }
        self.trial: Tensor | None = None
        """Weights of the risk estimate [B * n, 12] while they are being tuned."""
        self.flipping = False

    # Seeing and describing.

    def _options(self, hand: Tensor, flip: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the plays of hands [S, H]: cards, values, which of them exist."""
        there = hand > 0
        if not self.flipping:
            return hand, hand, there
        turned = swapped(hand)
        useful = there & flip[:, None] & (hand < 100) & (turned != hand)
        return torch.cat([hand, hand], 1), torch.cat([hand, turned], 1), torch.cat([there, useful], 1)

    def _describe(
        self,
        tables: Tables,
        players: int,
        hand: Tensor,
        unseen: Tensor,
        flips: tuple[Tensor, Tensor],
        later: int,
        wild: Tensor,
    ) -> tuple[Described, Tensor, Tensor]:
        sight = Sight(tables, players, hand, unseen, flips[0], flips[1], later, wild)
        cards, values, valid = self._options(hand, flips[0])
        return describe(sight, cards, values, valid), cards, values

    def _see(self, x: Table, seats: range) -> tuple[Described, Tensor, Tensor]:
        """Describe what some seats see, game by game."""
        k, n = len(seats), x.hands.shape[1]
        hand = x.hands[:, seats.start : seats.stop].reshape(-1, x.hands.shape[2])
        unseen = self._unseen(x.shown.repeat_interleave(k, 0), hand)
        own = x.flips[:, seats.start : seats.stop].reshape(-1)
        others = x.flips.sum(1).repeat_interleave(k) - own.int()
        wild = x.wild[:, seats.start : seats.stop].reshape(-1)
        return self._describe(x.tables.repeat(k), n, hand, unseen, (own, others), x.later, wild)

    def _unseen(self, shown: Tensor, hand: Tensor) -> Tensor:
        unseen = (~shown).scatter(1, hand, False)
        unseen[:, 0] = False
        return unseen

    # A round.

    def deal(self, setting: Setting, size: int, wild: Tensor) -> tuple[Table, Tensor]:
        """Deal B rounds; the cards left over are returned in random order."""
        n, first = setting.players, setting.deals[0]
        deck = torch.rand((size, setting.deck), device=self.device).argsort(1) + 1
        shown = torch.zeros((size, 105), dtype=torch.bool, device=self.device)
        shown[:, setting.deck + 1 :] = True
        start = deck[:, :4]
        shown.scatter_(1, start, True)
        hands = deck[:, 4 : 4 + n * first].reshape(size, n, first)
        flips = torch.full((size, n), setting.game == "flippin-digits", device=self.device)
        self.flipping = setting.game == "flippin-digits"
        tables = Tables.start(GAMES[setting.game], start, self.worth)
        later = setting.deals[1] if len(setting.deals) > 1 else 0
        return Table(tables, hands, shown, flips, later, wild), deck[:, 4 + n * first :]

    @torch.no_grad()
    def rounds(
        self,
        setting: Setting,
        size: int,
        learners: int,
        nets: tuple[Network, Network, Network | None],
        kinds: Tensor,
    ) -> tuple[list[Samples], Tensor]:
        """Play rounds; the first `learners` seats learn. `nets`: who plays, who values, who guesses.

        `kinds` [B, n] says who sits where. Returns samples, one part per trick, and the points.
        """
        x, rest = self.deal(setting, size, _wildness(setting, kinds))
        points = torch.zeros((size, setting.players), dtype=torch.int32, device=self.device)
        trail: list[tuple[Samples, Tensor | None, Tensor]] = []
        for number, cards in enumerate(setting.deals):
            if number:
                x.hands = rest[:, : setting.players * cards].reshape(size, setting.players, cards)
                x.later = 0
            for _ in range(cards):
                samples, expected, cost = self._trick(setting, x, learners, nets, kinds)
                points += cost
                trail.append((samples, expected, cost[:, :learners].reshape(-1)))
        self._look_back(trail)
        return [samples for samples, _, _ in trail], points

    def _look_back(self, trail: list[tuple[Samples, Tensor | None, Tensor]]) -> None:
        """Turn costs and expectations into the values to learn, from the last trick to the first."""
        after: Tensor | float = 0.0
        for samples, expected, cost in reversed(trail):
            real = cost + after
            # Before half-time the last card is forced and new hands follow: only what happened is known.
            samples.value = real if expected is None else (1 - KEEP) * expected + KEEP * real
            if expected is None:
                samples.plays = samples.value[:, None].expand_as(samples.plays)
            after = samples.value

    def _trick(
        self,
        setting: Setting,
        x: Table,
        learners: int,
        nets: tuple[Network, Network, Network | None],
        kinds: Tensor,
    ) -> tuple[Samples, Tensor | None, Tensor]:
        """Play a trick; return the samples, what the learners could expect of it, and what it cost all."""
        size, n, left = x.hands.shape
        seen, cards, values = self._see(x, range(n))
        picked, chances = self._choose(setting, seen, (cards, values), nets, kinds, left)
        picked = picked.reshape(size, n)
        cards, values = cards.reshape(size, n, -1), values.reshape(size, n, -1)
        card = cards.gather(2, picked[:, :, None])[:, :, 0]
        value = values.gather(2, picked[:, :, None])[:, :, 0]
        options = cards.shape[2]
        plays = self._what_if(x, learners, (cards, values), (card, value), nets[1])

        def part(tensor: Tensor) -> Tensor:
            return tensor.reshape(size, n, *tensor.shape[1:])[:, :learners].reshape(-1, *tensor.shape[1:])

        valid = part(seen.valid)
        samples = Samples(part(seen.items), part(seen.scene), valid, plays[:, 0], plays.reshape(-1, options))
        forced = left == 1 and x.later > 0
        expected = None if forced else (part(chances) * samples.plays * valid).sum(1)
        cost = play_trick(x.tables, card, value, self.worth)
        x.shown.scatter_(1, card, True)
        x.flips = x.flips & (card == value)
        x.hands = _without(x.hands, picked % left)
        return samples, expected, cost

    def _choose(
        self,
        setting: Setting,
        seen: Described,
        options: tuple[Tensor, Tensor],
        nets: tuple[Network, Network, Network | None],
        kinds: Tensor,
        left: int,
    ) -> tuple[Tensor, Tensor]:
        """Return what every seat plays, and with which chances a seat of the learner's kind does."""
        anything = seen.valid / seen.valid.sum(1, keepdim=True)
        if setting.uniform:
            return draw(anything), anything
        kind = kinds.reshape(-1)
        cards, values = options
        costs = nets[0](seen)[1]
        chances = softened(costs, seen.valid, setting.heat, setting.stray)
        picked = draw(chances)
        thumb = self.thumbs[setting.game, setting.players] if self.trial is None else self.trial
        by_risk = cheapest(risk(seen, setting.players, cards, values, self.odds[0], thumb), seen.valid, 0.0)
        picked = torch.where(kind == MEDIUM, by_risk, picked)
        if nets[2] is not None:
            guess = self._guess(nets[2], seen, left)
            picked = torch.where(kind == GUESSER, guess, picked)
        return torch.where(kind == CHANCE, draw(anything), picked), chances

    def _guess(self, guesser: Network, seen: Described, left: int) -> Tensor:
        """Return what whoever guesses plays: what Monte Carlo would, or what the levels are used to."""
        if self.habits:
            return draw(softened(guesser(_told(seen, 0.0))[1], seen.valid, HABIT_HEAT, 0.0))
        return cheapest(guesser(_told(seen, 1.0))[1], seen.valid, 0.06 * left)

    def _what_if(
        self,
        x: Table,
        learners: int,
        options: tuple[Tensor, Tensor],
        played: tuple[Tensor, Tensor],
        judge: Network,
    ) -> Tensor:
        """Return [B * learners, I]: what each play would cost, the others playing as they do."""
        cards, values = options
        size, n, count = cards.shape
        left = x.hands.shape[2]
        parts = [torch.zeros((size, 0, count), device=self.device)]
        for seat in range(learners):
            card = played[0][:, None].repeat(1, count, 1)
            value = played[1][:, None].repeat(1, count, 1)
            card[:, :, seat], value[:, :, seat] = cards[:, seat], values[:, seat]
            flat_card, flat_value = card.reshape(-1, n), value.reshape(-1, n)
            tables = x.tables.repeat(count)
            cost = play_trick(tables, flat_card, flat_value, self.worth)[:, seat].float()
            if left > 1:
                hand = x.hands[:, seat, None].repeat(1, count, 1)
                hand[hand == cards[:, seat, :, None]] = 0
                hand = hand.reshape(-1, left)
                shown = x.shown.repeat_interleave(count, 0).scatter(1, flat_card, True)
                flips = x.flips.repeat_interleave(count, 0) & (flat_card == flat_value)
                own = flips[:, seat]
                others = flips.sum(1) - own.int()
                wild = x.wild[:, seat].repeat_interleave(count)
                seen, _, _ = self._describe(
                    tables, n, hand, self._unseen(shown, hand), (own, others), x.later, wild
                )
                cost = cost + judge.worth(seen)
            parts.append(cost.reshape(size, 1, count))
        return torch.cat(parts, 1).reshape(-1, count)


def _wildness(setting: Setting, kinds: Tensor) -> Tensor:
    """Return [B, n]: which share of the others plays any card alike, as far as a seat knows.

    Three tables of ten know nothing: they are told the share of the whole population.
    """
    if setting.uniform:
        return torch.ones_like(kinds, dtype=torch.float32)
    wild = (kinds == CHANCE).float()
    share = (wild.sum(1, keepdim=True) - wild) / (setting.players - 1)
    clueless = torch.rand((len(kinds), 1), device=kinds.device) < CLUELESS
    return torch.where(clueless, USUAL, share)


def _told(seen: Described, wild: float) -> Described:
    """Return the same to somebody who thinks that this share of the others plays any card alike."""
    scene = seen.scene.clone()
    scene[:, WILD] = wild
    return Described(seen.items, scene, seen.valid)


def _without(hands: Tensor, gone: Tensor) -> Tensor:
    """Close the gap that a played card leaves."""
    size, n, left = hands.shape
    places = torch.arange(left - 1, device=hands.device).expand(size, n, left - 1)
    return hands.gather(2, places + (places >= gone[:, :, None]))


def population(size: int, players: int, device: torch.device, careful: float = 0.25) -> Tensor:
    """Draw who sits where, the learner first: a table of one kind, mostly, or a mixed one.

    `careful` is the share of the tables of `medium`; half of all tables are theirs or of those who guess.
    """
    table = torch.rand((size, 1), device=device)
    single = torch.where(table < careful, MEDIUM, torch.where(table < 0.5, GUESSER, CHANCE))
    mixed = torch.randint(0, 4, (size, players), device=device)
    kinds = torch.where(table < 0.62, single, torch.where(table < 0.75, mixed, SELF)).expand(size, players)
    kinds = kinds.clone()
    kinds[:, 0] = SELF
    return kinds
