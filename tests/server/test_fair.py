"""Fair deals can be checked, and a deal that was not fair is found out."""

import json
import random
from collections import Counter

import msgspec
import pytest

from bullpen.bots import LEVELS
from bullpen.engine import OptionValue, RecordError
from bullpen.game import Game
from bullpen.records import Deal, FairDeal, Record
from bullpen.rulesets import games, make
from bullpen.server.errors import Refused
from bullpen.server.protocol import ClientMessage, Mix, Settings, Sit, Start
from bullpen.server.tables.fair import SCHEME, Dealer, Terms, in_order, key_of, mix, promise, seed_of
from bullpen.server.tables.proof import Kept, verify
from bullpen.server.tables.requests import Caller, steps_for
from bullpen.server.tables.steps import Created
from bullpen.server.tables.table import Table
from tests.server.fair_vectors import FILE, vectors
from tests.server.test_play import two_or_more

TERMS = Terms("table", "base", 1, 2, {}, ("Ann", "Ben"))


def dealt(
    game: str,
    nonces: dict[int, str] | None = None,
    scheme: int = SCHEME,
    options: dict[str, OptionValue] | None = None,
) -> tuple[Record, Dealer]:
    """A whole random game from a dealer of its own."""
    rules = make(game, two_or_more(game), options)
    names = [f"P{seat}" for seat in range(rules.players)]
    dealer, dice = Dealer(b"secret", Terms.of("table", rules, ()), scheme), random.Random(game)
    dealer.new_game(names)
    dealer.nonces = dict(nonces or {})
    played = Game(rules, dealer, names)
    dealer.settle()
    while not played.over:
        ask = dice.choice(played.asks)
        played.choose(dice.choice(ask.seats), dice.choice(ask.options))
        dealer.settle()
    record = played.record
    record.fair = dealer.opened(True)
    return Record.loads(record.dumps()), dealer


@pytest.mark.parametrize("scheme", [1, SCHEME])
@pytest.mark.parametrize("game", games())
def test_every_deal_of_every_game_can_be_verified(game: str, scheme: int) -> None:
    record, _ = dealt(game, scheme=scheme)
    if record.deals:
        assert verify(record).piles == len(record.deals)
        assert verify(record).scheme == scheme


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
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), number=9)), "was promised"),
        (lambda record: record.fair.insert(1, change(record.fair.pop(1), number=9)), "does not follow"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), table="other")), "was promised"),
        (lambda record: record.fair.insert(0, change(record.fair.pop(0), scheme=3)), "scheme 3"),
        (lambda record: setattr(record, "names", ("P0", "Eve")), "seed"),
        (lambda record: setattr(record, "names", ("P1", "P0")), "seed"),
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
    dealer = Dealer(b"secret", TERMS)
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
    dealer = Dealer(b"secret", TERMS)
    promised = dealer.commitment
    mixed = dealer.shuffle("deck", list(range(10)))
    dealer.settle()
    (deal,) = dealer.opened(True)
    assert deal.commitment == promised == promise(SCHEME, "table", 1, seed_of(b"secret", 1))
    key = key_of(SCHEME, bytes.fromhex(deal.seed), 1, deal.nonces, TERMS)
    assert mixed == mix(key, 0, "deck", list(range(10)))


def test_a_pile_is_mixed_in_the_same_way_however_it_lay() -> None:
    assert in_order(SCHEME, [10, 9, 100]) == [9, 10, 100]
    assert in_order(SCHEME, ["stop", "beat"]) == ["beat", "stop"]
    assert in_order(1, [3, 1]) == [3, 1]


def test_options_are_part_of_what_is_bound() -> None:
    record, _ = dealt("base", options={"end.kind": "rounds", "end.value": 2})
    verify(record)
    record.options = {**record.options, "end.value": 3}
    with pytest.raises(RecordError):
        verify(record)


def test_what_the_player_kept_is_compared() -> None:
    nonce = "c0ffee" * 4
    record, _ = dealt("base", {1: nonce})
    first, second = record.fair[:2]
    kept = [Kept(1, first.commitment), Kept(None, second.commitment)]
    proof = verify(record, kept, [Kept.read(f"1:{nonce.upper()}")])
    assert (proof.promised, proof.mixed) == ((1, 2), (1,))
    said = " ".join(proof.says())
    assert "held in deals 1, 2" in said
    assert said.startswith(f"All {proof.piles} piles follow from")
    assert msgspec.structs.replace(proof, piles=1).says()[0].startswith("The only pile follows from")
    assert "fixed before deals 3" in said or "fixed before deal 3" in said
    assert "Your nonce is mixed into deal 1." in said


def forged(record: Record) -> Record:
    """What a server might show that has chosen another seed afterwards: sound in itself."""
    other = Dealer(b"other", Terms.written("table", record), SCHEME)
    other.new_game(record.names)
    dice, played = random.Random("forged"), Game(make("base", 2), other, record.names)
    other.settle()
    while not played.over:
        ask = dice.choice(played.asks)
        played.choose(ask.seats[0], dice.choice(ask.options))
        other.settle()
    false = played.record
    false.fair = other.opened(True)
    return false


@pytest.mark.parametrize(
    ("commitments", "nonces", "says"),
    [
        (["1:{promised}"], [], "deal 1 was promised as another than"),
        (["{promised}"], [], "no deal was promised as another than"),
        ([], ["1:c0ffeec0ffeec0ff"], "deal 1 does not hold c0ffeec0ffeec0ff"),
        ([], ["900:c0ffeec0ffeec0ff"], "no deal 900"),
    ],
)
def test_a_record_that_is_sound_but_not_the_promised_one_is_found(
    commitments: list[str], nonces: list[str], says: str
) -> None:
    record, _ = dealt("base")
    false = forged(record)
    verify(false)
    promised = record.fair[0].commitment
    with pytest.raises(RecordError, match=says):
        verify(
            false,
            [Kept.read(text.format(promised=promised)) for text in commitments],
            [Kept.read(text) for text in nonces],
        )


@pytest.mark.parametrize("text", ["", "x", "1:", "one:ab", ":ab", "1:2:ab", "-1:ab", "²:ab"])
def test_what_was_kept_must_be_written_properly(text: str) -> None:
    with pytest.raises(RecordError, match="should be hexadecimal"):
        Kept.read(text)


def test_a_record_of_the_first_scheme_says_what_it_does_not_prove() -> None:
    record, _ = dealt("base", scheme=1)
    record.names = ("Somebody", "Else")
    assert "Not proven: names and deals' numbers" in " ".join(verify(record).says())


def test_a_nonce_counts_once_and_only_after_its_promise() -> None:
    created = Created(
        at=1, code="ABCD", game="base", players=2, options={}, settings=Settings(), secret="ab" * 32, fair=2
    )
    table = Table("t", created)
    callers = [Caller(f"who{seat}", 1, lambda: range(2), LEVELS) for seat in range(2)]

    def do(seat: int, message: ClientMessage) -> None:
        for step in steps_for(message, table, callers[seat]):
            table.apply(step)

    for seat in range(2):
        do(seat, Sit(id="sit", name=f"P{seat}"))
    promised = table.dealer.commitment
    with pytest.raises(Refused, match="promise of the next one"):
        do(0, Mix(id="early", commitment="ab" * 32, nonce="00" * 8))
    do(0, Mix(id="mix", commitment=promised, nonce="11" * 8))
    with pytest.raises(Refused, match="already"):
        do(0, Mix(id="again", commitment=promised, nonce="22" * 8))
    do(0, Start(id="start"))
    with pytest.raises(Refused, match="made already"):
        do(1, Mix(id="late", commitment=promised, nonce="33" * 8))
    do(1, Mix(id="next", commitment=table.dealer.commitment, nonce="44" * 8))
    assert table.dealer.nonces == {1: "44" * 8}
    (deal,) = table.dealer.opened(True)
    assert (deal.commitment, deal.nonces) == (promised, ("11" * 8, ""))


def test_every_order_is_equally_likely() -> None:
    orders = Counter(
        tuple(mix(number.to_bytes(4, "big"), 0, "deck", [1, 2, 3, 4])) for number in range(24_000)
    )
    assert len(orders) == 24
    chi_square = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert chi_square < 49.7, "one in a thousand, with 23 degrees of freedom"


def test_the_browser_checks_what_this_program_deals() -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    assert written == json.loads(vectors()), "write them anew: python -m tests.server.fair_vectors"
