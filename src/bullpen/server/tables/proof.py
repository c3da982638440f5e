"""Proof: whether a record's deals are the promised ones, also by what a player has kept himself."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from bullpen.engine import BullpenError, RecordError, new_game, parse, submit
from bullpen.engine.chance import T
from bullpen.records import FairDeal, Record, check, rules_of
from bullpen.server.tables.fair import SCHEME, Terms, in_order, key_of, mix, promise

Held: TypeAlias = Callable[[FairDeal], Sequence[str]]


class Kept(Struct, frozen=True):
    """A commitment or a nonce as a player kept it; without a deal's number it may be any deal's."""

    deal: int | None
    value: str

    @classmethod
    def read(cls, text: str) -> "Kept":
        """Return what is written as `DEAL:HEX` or `HEX`.

        >>> Kept.read("3:C0FFEE")
        Kept(deal=3, value='c0ffee')
        """
        number, colon, value = text.rpartition(":")
        value = value.strip().lower()
        proper = value and all(digit in "0123456789abcdef" for digit in value)
        if not proper or (colon and not (number.isascii() and number.isdecimal())):
            raise RecordError(f"{text[:80]!r} should be hexadecimal, such as 3:c0ffee for deal 3.")
        return cls(int(number) if colon else None, value)


class Proof(Struct, frozen=True):
    """What was found: piles that follow from the seeds, the scheme, and the deals that hold what was kept."""

    piles: int
    scheme: int
    deals: tuple[int, ...]
    promised: tuple[int, ...]
    """The deals whose commitments the player has kept."""
    mixed: tuple[int, ...]
    """The deals that hold a nonce which the player has kept."""

    def says(self) -> list[str]:
        """Return in sentences what is proven and what is not."""
        piles = "The only pile follows" if self.piles == 1 else f"All {self.piles} piles follow"
        lines = [f"{piles} from the opened seeds and nonces."]
        if self.scheme == 1:
            lines.append("Not proven: names and deals' numbers, which the first scheme did not bind.")
        unseen = _listed(set(self.deals) - set(self.promised))
        if self.promised:
            lines.append(f"The commitments that you kept were held in {_listed(self.promised)}.")
        if unseen:
            lines.append(f"Not proven: that the seed was fixed before {unseen}; you gave no commitment.")
        if self.mixed:
            lines.append(f"Your nonce is mixed into {_listed(self.mixed)}.")
        alone = _listed(set(self.deals) - set(self.mixed))
        if alone:
            lines.append(f"Not proven: that nobody chose the cards of {alone}; you gave no nonce in it.")
        return lines


def _listed(deals: Sequence[int] | set[int]) -> str:
    return f"deal{'s' if len(deals) > 1 else ''} {', '.join(map(str, sorted(deals)))}" if deals else ""


def verify(record: Record, commitments: Sequence[Kept] = (), nonces: Sequence[Kept] = ()) -> Proof:
    """Return what a record proves, or raise what does not fit: within it, or with what a player has kept."""
    if not record.fair:
        raise RecordError("this record holds no opened seeds, so there is nothing to verify.")
    _check_promises(record)
    promised = _found(record, commitments, lambda deal: (deal.commitment,), "was promised as another than")
    mixed = _found(record, nonces, lambda deal: deal.nonces, "does not hold")
    return Proof(
        piles=_deal_again(record),
        scheme=record.fair[0].scheme,
        deals=tuple(deal.number for deal in record.fair),
        promised=promised,
        mixed=mixed,
    )


def _found(record: Record, kept: Sequence[Kept], held: Held, missing: str) -> tuple[int, ...]:
    """Return the deals that hold what was kept; each thing must stand where it belongs."""
    found = set()
    for thing in kept:
        deals = [deal for deal in record.fair if thing.deal in (None, deal.number)]
        if not deals:
            raise RecordError(f"this record has no deal {thing.deal}.")
        holding = [deal.number for deal in deals if thing.value in held(deal)]
        if not holding:
            where = "no deal" if thing.deal is None else f"deal {thing.deal}"
            raise RecordError(f"{where} {missing} {thing.value[:16]}…, which you kept.")
        found |= set(holding)
    return tuple(sorted(found))


class _Checking:
    """Chance that mixes as the opened seeds say."""

    def __init__(self, record: Record) -> None:
        self._piles = [(deal, place) for deal in record.fair for place in range(len(deal.piles))]
        self._keys = {deal.number: _key(deal, record) for deal in record.fair}
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
        mixed = mix(self._keys[deal.number], place, pile, in_order(deal.scheme, cards))
        self.given.append(tuple(mixed))
        return mixed


def _key(deal: FairDeal, record: Record) -> bytes:
    terms = Terms.written(deal.table, record)
    return key_of(deal.scheme, bytes.fromhex(deal.seed), deal.number, deal.nonces, terms)


def _deal_again(record: Record) -> int:
    """Deal the whole game again from the seeds, and return how many piles that gave."""
    rules, chance = rules_of(record), _Checking(record)
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
    """The deals follow each other at one table; every seed is the promised one, with a nonce a seat."""
    first = record.fair[0]
    if first.scheme not in (1, SCHEME):
        raise RecordError(f"scheme {first.scheme} of fair deals is not known to this program.")
    for number, deal in enumerate(record.fair, start=first.number):
        if (deal.number, deal.scheme, deal.table) != (number, first.scheme, first.table):
            raise RecordError(f"deal {deal.number} does not follow the one before it at the same table.")
        try:
            seed = bytes.fromhex(deal.seed)
        except ValueError:
            raise RecordError(f"the seed of deal {deal.number} is not hexadecimal.") from None
        if promise(deal.scheme, deal.table, deal.number, seed) != deal.commitment:
            raise RecordError(f"the seed of deal {deal.number} is not the one that was promised.")
        if len(deal.nonces) != record.players:
            raise RecordError(
                f"deal {deal.number} has {len(deal.nonces)} nonces for {record.players} players."
            )
