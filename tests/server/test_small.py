"""Identities, limits and logs by themselves."""

import json
import logging

import pytest

from bullpen.server.errors import Refused
from bullpen.server.limits import Bucket, Gate, Rate
from bullpen.server.live.metrics import Gauge, Metrics
from bullpen.server.live.people import Identity, Signer
from bullpen.server.logs import Lines, no_client_traces
from bullpen.server.tables.names import clean_name


def test_a_signature_is_good_for_its_own_use_only() -> None:
    signer, ann = Signer(b"secret" * 6), Identity("a1", "Ann Ünal")
    token = signer.sign(ann, "guest")
    assert signer.read(token, "guest") == ann
    assert signer.read(token, "bot") is None
    assert signer.read(token, "link") is None
    assert Signer(b"others" * 6).read(token, "guest") is None


@pytest.mark.parametrize("token", ["", ".", "..", "a.b.c", "é", "a1.QW5u." + "0" * 40])
def test_a_forged_token_is_nobody(token: str) -> None:
    assert Signer(b"secret" * 6).read(token, "guest") is None


def test_a_name_cannot_be_changed_without_the_secret() -> None:
    signer = Signer(b"secret" * 6)
    who, name, *rest = signer.sign(Identity("a1", "Ann"), "guest").split(".")
    assert signer.read(".".join((who, name, *rest)), "guest") is not None
    assert signer.read(".".join((who, "QmVu", *rest)), "guest") is None


def test_a_bucket_says_how_long_to_wait() -> None:
    bucket = Bucket(Rate(burst=2, per_second=4), now=0.0)
    assert [bucket.take(0.0) for _ in range(3)] == [0, 0, 250]
    assert bucket.take(0.125) == 125
    assert bucket.take(0.25) == 0
    assert bucket.take(100.0) == 0
    assert not bucket.full(100.0)
    assert bucket.full(101.0)


def test_a_gate_counts_each_address_by_itself() -> None:
    gate = Gate(Rate(burst=1, per_second=1), lambda: 0.0)
    gate.enter("one")
    gate.enter("other")
    with pytest.raises(Refused) as refused:
        gate.enter("one")
    assert (refused.value.code, refused.value.retry) == ("too-fast", 1000)


def test_a_log_line_is_json_and_a_clients_nonsense_leaves_no_trace() -> None:
    try:
        b"\xff".decode()
    except UnicodeDecodeError as error:
        trace = (type(error), error, error.__traceback__)
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "Invalid UTF-8 sequence.", (), trace)
    assert "trace" in json.loads(Lines().format(record))
    assert no_client_traces(record)
    assert "trace" not in json.loads(Lines().format(record))


def test_metrics_are_cumulative() -> None:
    now = 0.0
    metrics = Metrics(lambda: now)
    for seconds in (0.0005, 0.004, 99.0):
        began, now = metrics.began(), now + seconds
        metrics.settled(began, acked=True)
        metrics.settled(began, acked=True)
    metrics.refused("illegal")
    text = metrics.text({"tables": Gauge(3, "Tables.")})
    assert 'bullpen_ack_seconds_bucket{le="0.001"} 1\n' in text
    assert 'bullpen_ack_seconds_bucket{le="0.005"} 2\n' in text
    assert 'bullpen_ack_seconds_bucket{le="+Inf"} 3\n' in text
    assert 'bullpen_refusals_total{code="illegal"} 1\n' in text
    assert "# HELP bullpen_tables Tables.\n# TYPE bullpen_tables gauge\nbullpen_tables 3\n" in text


def test_lateness_is_that_of_the_slowest_answered_or_not() -> None:
    now = 0.0
    metrics = Metrics(lambda: now)
    one, other, third = metrics.began(), metrics.began(), metrics.began()
    now = 2.0
    metrics.settled(one, acked=True)
    metrics.settled(third, acked=False)
    assert (metrics.lateness(), metrics.pending) == (2.0, 1)
    now = 5.0
    assert metrics.lateness() == 5.0
    metrics.settled(other, acked=True)
    assert (metrics.lateness(), metrics.lateness(), metrics.pending) == (5.0, 0.0, 0)


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("Ann", "Ann"),
        ("  Ann \t of\u00a0Cleves\n", "Ann of Cleves"),
        ("A\u202en\u200bn\u2066\ufeff", "Ann"),
        ("Ａｎｎ", "Ann"),
        ("Zo\u0308e", "Zöe"),
        ("a" + "\u0301\u0316\u0317\u0318\u0319" * 3, "á\u0316\u0317"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("\u0301Ann", "Ann"),
        ("Ann\u200d", "Ann"),
        ("王小明", "王小明"),
    ],
)
def test_a_name_is_what_everybody_sees(given: str, seen: str) -> None:
    assert clean_name(given) == seen
    assert clean_name(seen) == seen


@pytest.mark.parametrize(
    "name",
    ["", " ", "\x07", "\u200b", "\u3164", "\u2800", "\u115f\u1160", "\u202e\u202c", "\u0301", "\ufe0f",
     "\U000e0061", "\ue000", "\u034f", "\ud800", "\u00ad", "ﷺﷺ"],
)  # fmt: skip
def test_a_name_that_cannot_be_seen_or_fills_the_page_is_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert refused.value.code == "bad-request"
