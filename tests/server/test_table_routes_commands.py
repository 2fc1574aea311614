"""Commands over HTTP: what the contract promises of bodies, statuses, keys and versions."""

from __future__ import annotations

from typing import Any

import pytest

from punto.client import Done, Refused
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor


def opened_round(floor: RunningFloor, book: str = "ez", **terms: Any) -> str:
    """A table where bets are open, and Lee has money and sits in box 1."""
    id = floor.new_table(book, **terms)
    dealer = floor.client("Dan")
    for step in ("load-shoe", "burn-cards", "call-bets"):
        shown = dealer.table(id)
        assert not isinstance(shown, Refused)
        assert isinstance(dealer.give(id, {"type": step}, Role.DEALER, expected=shown.version), Done)
    floor.client("Cas").buy_in("Lee", 1_000_000)
    assert isinstance(floor.client("Lee").give(id, {"type": "take-seat", "box": 1}), Done)
    return id


BET = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}


def test_a_bet_is_answered_with_its_events(floor: RunningFloor) -> None:
    id = opened_round(floor)
    lee = floor.client("Lee")
    before = lee.account()
    answer = lee.give(id, BET, key="k1")
    assert isinstance(answer, Done)
    [record] = answer.events
    assert answer.version == record.seq == lee.table(id).version  # type: ignore[union-attr]
    assert record.event["type"] == "bet-placed" and record.key == "k1"
    assert lee.account().free == before.free - 10_000  # type: ignore[union-attr]


def test_the_same_key_and_body_are_carried_out_once(floor: RunningFloor) -> None:
    id = opened_round(floor)
    lee = floor.client("Lee")
    first = lee.give(id, BET, key="once")
    assert lee.give(id, BET, key="once") == first
    other = lee.give(id, {**BET, "amount": 20_000}, key="once")
    assert isinstance(other, Refused)
    assert (other.status, other.reason) == (409, "key-reused")
    for expected in (0, floor.version(id) - 1, 10**15):
        other = lee.give(id, BET, key="once", expected=expected)
        assert isinstance(other, Refused) and (other.status, other.reason) == (409, "key-reused")
    refused = lee.give(id, {**BET, "area": "nowhere"}, key="wrong")
    assert isinstance(refused, Refused) and refused.status == 409
    assert lee.give(id, {**BET, "area": "nowhere"}, key="wrong") == refused


@pytest.mark.parametrize("expected", [-1, 10**15 + 1, 2**63, 2**64, 10**30, 1.5, "1", True])
def test_an_expected_version_is_a_number_that_a_table_can_have(floor: RunningFloor, expected: object) -> None:
    id = opened_round(floor)
    body = {"key": f"{id}-k", "role": "player", "expected": expected, "command": BET}
    answer = floor.client("Lee").call("POST", f"/tables/{id}/commands", dict, body)
    assert isinstance(answer, Refused)
    assert (answer.status, answer.reason) == (400, "malformed")


@pytest.mark.parametrize("name", ["actor", "role", "time", "key", "second", "unknown"])
@pytest.mark.gli("2.2.1")
def test_what_session_and_server_know_is_not_taken_from_a_body(floor: RunningFloor, name: str) -> None:
    id = floor.new_table("ez")
    answer = floor.client("Lee").call(
        "POST", f"/tables/{id}/commands", dict, {"key": "k", "role": "player", "command": {**BET, name: "Kim"}}
    )
    assert isinstance(answer, Refused)
    assert (answer.status, answer.reason) == (400, "malformed")


def test_a_dealer_names_the_version_that_was_looked_at(floor: RunningFloor) -> None:
    id = floor.new_table("ez")
    dealer = floor.client("Dan")
    without = dealer.give(id, {"type": "load-shoe"}, Role.DEALER)
    assert isinstance(without, Refused) and (without.status, without.reason) == (409, "version-needed")
    late = dealer.give(id, {"type": "load-shoe"}, Role.DEALER, expected=7)
    assert isinstance(late, Refused) and (late.status, late.reason) == (409, "version")


@pytest.mark.gli("2.6.5")
def test_only_a_physical_shoe_takes_a_card_from_a_client(floor: RunningFloor) -> None:
    for source, status in (("shuffled", 409), ("entered", 200)):
        from punto.cards.source import SourceKind

        id = floor.new_table("commission", source=SourceKind(source), burn="none")
        dealer = floor.client("Dan")
        for step in ("load-shoe", "call-bets", "close-bets"):
            version = dealer.table(id).version  # type: ignore[union-attr]
            assert isinstance(dealer.give(id, {"type": step}, Role.DEALER, expected=version), Done)
        version = dealer.table(id).version  # type: ignore[union-attr]
        card = {"type": "deal-card", "card": "KS"}
        answer = dealer.give(id, card, Role.DEALER, expected=version)
        assert (answer.status if isinstance(answer, Refused) else 200) == status


def test_a_role_must_be_held(floor: RunningFloor) -> None:
    id = floor.new_table("ez")
    lee = floor.client("Lee")
    claimed = lee.give(id, {"type": "load-shoe"}, Role.DEALER, expected=1)
    assert isinstance(claimed, Refused) and (claimed.status, claimed.reason) == (403, "not-your-role")
    honest = lee.give(id, {"type": "load-shoe"}, expected=1)
    assert isinstance(honest, Refused) and (honest.status, honest.reason) == (403, "not-allowed")
    nowhere = lee.give("nowhere", {"type": "load-shoe"})
    assert isinstance(nowhere, Refused) and nowhere.status == 404


def test_a_player_never_deals_where_the_dealer_draws(floor: RunningFloor) -> None:
    id, lee, dan = floor.new_table("commission"), floor.client("Lee"), floor.client("Dan")
    for step in ("load-shoe", "burn-cards", "call-bets", "close-bets", "deal-card"):
        refused = lee.give(id, {"type": "deal-card"})
        assert isinstance(refused, Refused) and (refused.status, refused.reason) == (403, "not-the-drawer")
        given = dan.give(id, {"type": step}, Role.DEALER, expected=floor.version(id))
        assert isinstance(given, Done), (step, given)
