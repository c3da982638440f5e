"""Fair deals: seeds that are promised before, mixed with the seats' nonces, and opened afterwards.

The seed of every deal follows from the table's secret. Before a deal the table publishes SHA-256 of its
seed; the seats may then give nonces; the key of the deal is HMAC-SHA256 of the nonces under the seed, and
every pile is mixed by Fisher and Yates with numbers drawn without bias from an HMAC-SHA256 stream under
that key. A seed is opened once nothing that it mixed can still be hidden.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from bullpen.engine import BullpenError, RecordError, new_game, parse, submit
from bullpen.engine.chance import T
from bullpen.records import FairDeal, Record, check, rules_of


def seed_of(secret: bytes, number: int) -> bytes:
    """Return the seed of a table's deal; one seed tells nothing about another."""
    return hmac.digest(secret, b"bullpen deal %d" % number, hashlib.sha256)


def commitment(seed: bytes) -> str:
    """Return what is published before the deal."""
    return hashlib.sha256(seed).hexdigest()


def key_of(seed: bytes, nonces: Sequence[str]) -> bytes:
    """Return the key of a deal; a comma ends each nonce, so no two lists of nonces look alike.

    >>> key_of(b"seed", ["ab", ""]) != key_of(b"seed", ["a", "b"])
    True
    """
    return hmac.digest(seed, "".join(nonce + "," for nonce in nonces).encode(), hashlib.sha256)


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
    held: dict[str, "Counter[int | str]"]
    """What is still tied to this deal, by pile."""


class Dealt(Struct, frozen=True, omit_defaults=True):
    """A dealer between games: the next deal, the nonces given for it, and the deals of the game before."""

    next: int
    nonces: dict[int, str] = {}
    opened: tuple[FairDeal, ...] = ()


class Dealer:
    """The chance of a table: deal after deal, each from its own seed and the nonces given for it."""

    def __init__(self, secret: bytes, players: int) -> None:
        self._secret = secret
        self._players = players
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
        return commitment(seed_of(self._secret, self.next))

    def new_game(self) -> None:
        """Begin the list of deals anew."""
        self._game = []
        self._before = ()

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
            if pile in earlier.held and not earlier.held[pile] - content:
                del earlier.held[pile]
        mixed = mix(self._key, len(deal.piles), pile, cards)
        deal.piles.append(pile)
        deal.held[pile] = deal.held.get(pile, Counter()) | content
        return mixed

    def _begin(self) -> _Deal:
        seed = seed_of(self._secret, self.next)
        nonces = tuple(self.nonces.get(seat, "") for seat in range(self._players))
        self._running = _Deal(self.next, seed, nonces, [], {})
        self._key = key_of(seed, nonces)
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
        return [*self._before, *self._opened(over)]

    def _opened(self, over: bool) -> list[FairDeal]:
        return [
            FairDeal(deal.number, commitment(deal.seed), deal.seed.hex(), deal.nonces, tuple(deal.piles))
            for deal in self._game
            if over or not deal.held
        ]


class _Checking:
    """Chance that mixes as the opened seeds say."""

    def __init__(self, deals: Sequence[FairDeal]) -> None:
        self._piles = [(deal, place) for deal in deals for place in range(len(deal.piles))]
        self.used = 0
        self.given: list[tuple[int | str, ...]] = []

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Mix as promised."""
        if self.used == len(self._piles):
            raise RecordError(f"pile {self.used + 1} ({pile}) has no opened seed.")
        deal, place = self._piles[self.used]
        self.used += 1
        if deal.piles[place] != pile:
            raise RecordError(
                f"deal {deal.number} names {deal.piles[place][:20]!r}, but the game mixes {pile!r}."
            )
        mixed = mix(key_of(bytes.fromhex(deal.seed), deal.nonces), place, pile, cards)
        self.given.append(tuple(mixed))
        return mixed


def verify(record: Record) -> int:
    """Return how many piles of a record follow from its opened seeds, or raise what does not fit."""
    if not record.fair:
        raise RecordError("this record holds no opened seeds, so there is nothing to verify.")
    _check_promises(record)
    rules, chance = rules_of(record), _Checking(record.fair)
    try:
        position, _ = new_game(rules, chance)
        for entry in record.choices:
            position, _ = submit(rules, position, entry.seat, parse(entry.notation), chance)
    except RecordError:
        raise
    except BullpenError as error:
        raise RecordError(f"the choices do not fit the deals of the opened seeds: {error}") from None
    for number, (deal, given) in enumerate(zip(record.deals, chance.given, strict=False), start=1):
        if deal.cards != given:
            raise RecordError(f"deal {number} ({deal.pile}) is not the one that its seed gives.")
    if len(record.deals) != len(chance.given):
        raise RecordError(f"the record holds {len(record.deals)} deals, its seeds give {len(chance.given)}.")
    check(record)
    return len(chance.given)


def _check_promises(record: Record) -> None:
    """Every opened seed is the one whose SHA-256 was published, and has a nonce a seat."""
    for deal in record.fair:
        try:
            seed = bytes.fromhex(deal.seed)
        except ValueError:
            raise RecordError(f"the seed of deal {deal.number} is not hexadecimal.") from None
        if commitment(seed) != deal.commitment:
            raise RecordError(f"the seed of deal {deal.number} is not the one that was promised.")
        if len(deal.nonces) != record.players:
            raise RecordError(
                f"deal {deal.number} has {len(deal.nonces)} nonces for {record.players} players."
            )
