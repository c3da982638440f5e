"""Fair deals: seeds that are promised before, mixed with the seats' nonces, and opened afterwards.

The seed of every deal follows from the table's secret. Before a deal the table publishes its promise, a
SHA-256 with the seed in it; only then, and naming that promise, may the seats give nonces; the key of the
deal is an HMAC-SHA256 under the seed of the nonces and of all that the deal is bound to; and every pile is
mixed by Fisher and Yates with numbers drawn without bias from an HMAC-SHA256 stream under that key. A seed is
opened once nothing that it mixed can still be hidden.

Tables begun by earlier versions go on with scheme 1, in which promise and key were bound to nothing.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bullpen.engine import OptionValue, Ruleset
from bullpen.engine.chance import T
from bullpen.records import FairDeal, Record

SCHEME = 2
"""How new tables deal."""


class Terms(Struct, frozen=True):
    """What a deal is bound to besides its number: change any of it, and the cards are others."""

    table: str
    game: str
    behaviour: int
    players: int
    options: Mapping[str, OptionValue]
    """Those that are not as usual."""
    names: tuple[str, ...]

    @classmethod
    def of(cls, table: str, rules: Ruleset[Any], names: Iterable[str]) -> "Terms":
        """Return the terms of a game that is about to begin."""
        chosen = {option.key: rules.options[option.key] for option in rules.offers}
        changed = {
            option.key: chosen[option.key] for option in rules.offers if chosen[option.key] != option.default
        }
        return cls(table, rules.id, rules.behaviour, rules.players, changed, tuple(names))

    @classmethod
    def written(cls, table: str, record: Record) -> "Terms":
        """Return the terms that a record claims."""
        return cls(table, record.game, record.behaviour, record.players, record.options, tuple(record.names))


def _joined(parts: Iterable[str]) -> bytes:
    """Return texts as one, each with its length before it, so that no two lists look alike.

    >>> _joined(["ab", "", "c"])
    b'2:ab,0:,1:c,'
    """
    encoded = (part.encode() for part in parts)
    return b"".join(b"%d:%b," % (len(part), part) for part in encoded)


def seed_of(secret: bytes, number: int) -> bytes:
    """Return the seed of a table's deal; one seed tells nothing about another."""
    return hmac.digest(secret, b"bullpen deal %d" % number, hashlib.sha256)


def promise(scheme: int, table: str, number: int, seed: bytes) -> str:
    """Return what is published before the deal."""
    if scheme == 1:
        return hashlib.sha256(seed).hexdigest()
    return hashlib.sha256(_joined(["bullpen promise", table, str(number), seed.hex()])).hexdigest()


def key_of(scheme: int, seed: bytes, number: int, nonces: Sequence[str], terms: Terms) -> bytes:
    """Return the key of a deal.

    >>> terms = Terms("t", "base", 1, 2, {}, ("Ann", "Ben"))
    >>> key_of(2, b"seed", 1, ["ab", ""], terms) != key_of(2, b"seed", 1, ["a", "b"], terms)
    True
    """
    if scheme == 1:
        return hmac.digest(seed, "".join(nonce + "," for nonce in nonces).encode(), hashlib.sha256)
    options = [
        part
        for key in sorted(terms.options)
        for part in (key, msgspec.json.encode(terms.options[key]).decode())
    ]
    bound = [
        "bullpen deal", terms.table, str(number), terms.game, str(terms.behaviour), str(terms.players),
        str(len(terms.options)), *options, str(len(terms.names)), *terms.names, *nonces,
    ]  # fmt: skip
    return hmac.digest(seed, _joined(bound), hashlib.sha256)


def in_order(scheme: int, cards: list[T]) -> list[T]:
    """Return the order in which a pile goes into the mixing: numbers, then special cards, each sorted.

    So the outcome follows from what is in the pile alone, and whoever knows no rule can check it too.
    """
    return cards if scheme == 1 else sorted(cards, key=lambda card: (isinstance(card, str), card))


class _Stream:
    """Numbers without bias from an HMAC-SHA256 stream."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key, self._label = key, label
        self._block, self._used = b"", 0
        self._counter = 0

    def below(self, bound: int) -> int:
        """Return a number below the bound; draws that would favour small ones are thrown away."""
        limit = 2**32 - 2**32 % bound
        while True:
            number = self._word()
            if number < limit:
                return number % bound

    def _word(self) -> int:
        if self._used == len(self._block):
            message = f"{self._label}/{self._counter}".encode()
            self._block, self._used = hmac.digest(self._key, message, hashlib.sha256), 0
            self._counter += 1
        self._used += 4
        return int.from_bytes(self._block[self._used - 4 : self._used], "big")


def mix(key: bytes, place: int, pile: str, cards: list[T]) -> list[T]:
    """Return the cards in the order that the key gives to this pile, the `place`-th of its deal.

    >>> mix(b"key", 0, "deck", [1, 2, 3, 4, 5])
    [4, 2, 1, 5, 3]
    """
    numbers = _Stream(key, f"{place}/{pile}")
    mixed = cards[:]
    for last in range(len(mixed) - 1, 0, -1):
        other = numbers.below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


class _Deal(Struct):
    """A deal that was made: which piles it mixed and of what."""

    number: int
    seed: bytes
    nonces: tuple[str, ...]
    piles: list[str]
    held: dict[str, tuple[int | str, ...]]
    """What is still tied to this deal, by pile."""


class Dealt(Struct, frozen=True, omit_defaults=True):
    """A dealer between games: the next deal, the nonces given for it, and the deals of the game before."""

    next: int
    nonces: dict[int, str] = {}
    opened: tuple[FairDeal, ...] = ()


class Dealer:
    """The chance of a table: deal after deal, each from its own seed and the nonces given for it."""

    def __init__(self, secret: bytes, terms: Terms, scheme: int = SCHEME) -> None:
        self._secret = secret
        self._terms = terms
        self._scheme = scheme
        self.next = 1
        self.nonces: dict[int, str] = {}
        self._running: _Deal | None = None
        self._key = b""
        self._game: list[_Deal] = []
        self._before: tuple[FairDeal, ...] = ()
        """The deals of a game that ended before this dealer came back into memory."""

    @property
    def commitment(self) -> str:
        """The promise for the next deal."""
        return self._promise(self.next, seed_of(self._secret, self.next))

    def _promise(self, number: int, seed: bytes) -> str:
        return promise(self._scheme, self._terms.table, number, seed)

    def new_game(self, names: Sequence[str]) -> None:
        """Begin the list of deals anew, for a game of these people."""
        self._game = []
        self._before = ()
        self._terms = msgspec.structs.replace(self._terms, names=tuple(names))

    def folded(self) -> Dealt:
        """Return what must be known of a dealer after a game."""
        return Dealt(self.next, dict(self.nonces), tuple(self.opened(True)))

    def unfold(self, known: Dealt) -> None:
        """Go on from what was known after a game."""
        self.next, self.nonces, self._before = known.next, dict(known.nonces), known.opened

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Mix a pile with the key of the running deal."""
        deal = self._running or self._begin()
        content: Counter[int | str] = Counter(cards)
        for earlier in self._game:
            # When all that an earlier deal mixed is mixed again, its order tells nothing any more.
            if pile in earlier.held and not Counter(earlier.held[pile]) - content:
                del earlier.held[pile]
        mixed = mix(self._key, len(deal.piles), pile, in_order(self._scheme, cards))
        deal.piles.append(pile)
        deal.held[pile] = tuple((Counter(deal.held.get(pile, ())) | content).elements())
        return mixed

    def _begin(self) -> _Deal:
        seed = seed_of(self._secret, self.next)
        nonces = tuple(self.nonces.get(seat, "") for seat in range(self._terms.players))
        self._running = _Deal(self.next, seed, nonces, [], {})
        self._key = key_of(self._scheme, seed, self.next, nonces, self._terms)
        return self._running

    def settle(self) -> bool:
        """Close the running deal, if there is one, so that the next one has a seed of its own."""
        if self._running is None:
            return False
        self._game.append(self._running)
        self._running = None
        self.next += 1
        self.nonces = {}
        return True

    def opened(self, over: bool) -> list[FairDeal]:
        """Return the deals of this game whose seeds betray nothing any more."""
        return [*self._before, *(self._shown(deal) for deal in self._game if over or not deal.held)]

    def _shown(self, deal: _Deal) -> FairDeal:
        return FairDeal(
            number=deal.number,
            commitment=self._promise(deal.number, deal.seed),
            seed=deal.seed.hex(),
            nonces=deal.nonces,
            piles=tuple(deal.piles),
            scheme=self._scheme,
            table="" if self._scheme == 1 else self._terms.table,
        )
