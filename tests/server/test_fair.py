"""Fair deals can be checked, and a deal that was not fair is found out."""

import random
from collections import Counter

import msgspec
import pytest

from bullpen.engine import RecordError
from bullpen.game import Game
from bullpen.records import Deal, FairDeal, Record
from bullpen.rulesets import games, make
from bullpen.server.tables.fair import Dealer, commitment, key_of, mix, seed_of, verify
from tests.server.test_play import two_or_more


def dealt(game: str, nonces: dict[int, str] | None = None) -> tuple[Record, Dealer]:
    """A whole random game from a dealer of its own."""
    players = two_or_more(game)
    dealer, dice = Dealer(b"secret", players), random.Random(game)
    dealer.nonces = dict(nonces or {})
    played = Game(make(game, players), dealer)
    dealer.settle()
    while not played.over:
        ask = dice.choice(played.asks)
        played.choose(dice.choice(ask.seats), dice.choice(ask.options))
        dealer.settle()
    record = played.record
    record.fair = dealer.opened(True)
    return Record.loads(record.dumps()), dealer


@pytest.mark.parametrize("game", games())
def test_every_deal_of_every_game_can_be_verified(game: str) -> None:
    record, _ = dealt(game)
    if record.deals:
        assert verify(record) == len(record.deals)


def test_nonces_change_the_deal_and_are_part_of_the_proof() -> None:
    plain, _ = dealt("base")
    mixed, _ = dealt("base", {1: "c0ffee"})
    assert plain.deals[0] != mixed.deals[0]
    assert mixed.fair[0].nonces == ("", "c0ffee")
    assert mixed.fair[1].nonces == ("", ""), "a nonce counts for one deal"
    verify(mixed)


def change(deal: FairDeal, **fields: object) -> FairDeal:
    return msgspec.structs.replace(deal, **fields)


def swap(record: Record) -> None:
    """Exchange two undealt cards, which no choice depends on."""
    deal = record.deals[-1]
    *others, one, other = deal.cards
    record.deals[-1] = Deal(deal.round, deal.pile, (*others, other, one))


@pytest.mark.parametrize(
    ("forge", "says"),
    [
        (lambda record: record.fair.clear(), "holds no opened seeds"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), seed="00" * 32)), "was promised"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), seed="xy")), "not hexadecimal"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), nonces=("ff", ""))), "seed"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), nonces=("",))), "nonces for 2"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), piles=("rows",))), "the game mixes"),
        (lambda record: record.fair.pop(), "no opened seed"),
        (swap, "is not the one that its seed gives"),
    ],
)
def test_what_does_not_fit_is_found(forge: object, says: str) -> None:
    record, _ = dealt("base")
    assert callable(forge)
    forge(record)
    with pytest.raises(RecordError, match=says):
        verify(record)


def test_a_seed_is_opened_once_all_that_it_mixed_is_mixed_again() -> None:
    dealer = Dealer(b"secret", 2)
    dealer.shuffle("deck", [1, 2, 3])
    dealer.shuffle("specials", ["a", "b"])
    dealer.settle()
    assert dealer.opened(False) == []
    dealer.shuffle("deck", [1, 2, 3])
    dealer.settle()
    assert dealer.opened(False) == [], "the special cards of the first deal may still be hidden"
    dealer.shuffle("specials", ["a"])
    dealer.settle()
    assert dealer.opened(False) == [], "one special card is still somewhere else"
    dealer.shuffle("specials", ["b", "a"])
    dealer.settle()
    assert [deal.number for deal in dealer.opened(False)] == [1, 3]
    assert [deal.number for deal in dealer.opened(True)] == [1, 2, 3, 4]


def test_the_promise_is_kept() -> None:
    dealer = Dealer(b"secret", 2)
    promised = dealer.commitment
    mixed = dealer.shuffle("deck", list(range(10)))
    dealer.settle()
    (deal,) = dealer.opened(True)
    assert deal.commitment == promised == commitment(seed_of(b"secret", 1))
    assert mixed == mix(key_of(bytes.fromhex(deal.seed), deal.nonces), 0, "deck", list(range(10)))


def test_every_order_is_equally_likely() -> None:
    orders = Counter(
        tuple(mix(number.to_bytes(4, "big"), 0, "deck", [1, 2, 3, 4])) for number in range(24_000)
    )
    assert len(orders) == 24
    chi_square = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert chi_square < 49.7, "one in a thousand, with 23 degrees of freedom"
