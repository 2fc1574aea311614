"""What other rules would change is said before they are changed, and is what then happens."""

from __future__ import annotations

from typing import Any

import pytest

from punto.floor.floor import DealtBy, TableRun, keep_table_run
from punto.floor.house_rules import HouseRules, change_rules
from punto.floor.rules_effect import EffectKind, RulesEffect, effect_of_rules, told_rules
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.people import StoredSession, add_session, set_roles
from punto.store.record import AccountOwner, StoredPerson
from punto.table.terms import Audience
from tests.floor.house import House

MINUTE_MS = 60_000
NOW = 100 * MINUTE_MS


@pytest.fixture(autouse=True)
def people(house: House) -> None:
    """Ann and Ben play, Cat is a cashier who has done nothing for half an hour, and Dot is a bot."""
    house.buy_in("Dot", 0)
    house.desk.mark_account("Dot", AccountOwner.BOT, 1)
    with house.store.write() as transaction:
        for name, role in {"Ann": Role.PLAYER, "Ben": Role.PLAYER, "Cat": Role.CASHIER, "Dot": Role.PLAYER}.items():
            transaction.set_person(StoredPerson(name, None, None, "hash"), "house", 1)
            set_roles(transaction, name, [role], "house", 1)
        still = NOW - 30 * MINUTE_MS
        add_session(transaction, StoredSession("t", "Cat", 1, NOW * 2, still, "127.0.0.1", still))


def effect(house: House, **changes: Any) -> RulesEffect:
    found = effect_of_rules(house.floor, changes, NOW)
    assert isinstance(found, RulesEffect), found
    return found


def named(found: RulesEffect) -> dict[EffectKind, tuple[str, ...]]:
    assert all(each.count == len(each.named) for each in found.effects)
    return {each.kind: each.named for each in found.effects}


def test_a_profile_says_whom_and_which_tables_it_concerns(house: House) -> None:
    house.open("staff", advice=Audience.STAFF)
    with house.store.write() as transaction:
        keep_table_run(transaction, "staff", TableRun(DealtBy.AUTOMATIC), "Rob", 1)
    found = effect(house, profile="strict")
    assert named(found) == {
        EffectKind.MUST_ENROL: ("Cat",),
        EffectKind.LOCKED: ("Cat",),
        EffectKind.LIMITS_NEEDED: ("Ann", "Ben"),
        EffectKind.CHECKED: ("Ann", "Ben"),
        EffectKind.ADVICE_LESS: ("t1",),  # the other table says itself who has advice
        EffectKind.ROUNDS_SLOWER: ("staff", "t1"),
    }
    assert {"profile", "profile.advice", "profile.shortest_password"} <= set(found.changed)
    assert (found.before["profile.advice"], found.after["profile.advice"]) == ("everybody", "nobody")
    assert found.before.keys() == found.after.keys() == told_rules(HouseRules()).keys()
    assert named(effect(house, profile="training")) == {EffectKind.CLOCKS: ("staff",)}
    with house.store.read() as reader:
        assert effect_of_rules(house.floor, {}, NOW) == effect(house), "nothing was changed by asking"
        assert reader.rows("SELECT count(*) FROM house_settings") == [(0,)]


def test_going_back_is_told_as_well(house: House) -> None:
    change_rules(house.store, {"profile": "strict", "watch_delay_seconds": 60}, "Ada", NOW)
    assert named(effect(house, profile="open", watch_delay_seconds=None)) == {
        EffectKind.UNCHECKED: ("Ann", "Ben"),
        EffectKind.ADVICE_MORE: ("t1",),
        EffectKind.UNWATCHED: ("t1",),
    }
    assert named(effect(house)) == {} and effect(house).changed == ()


def test_a_single_rule_and_one_that_cannot_be(house: House) -> None:
    found = effect(house, watch_delay_seconds=30, large_cash=1_000_000)
    assert named(found) == {EffectKind.WATCHED: ("t1",)}
    assert found.changed == ("watch_delay_seconds", "large_cash")  # in the order of the rules
    refused = effect_of_rules(house.floor, {"profile": "strickt"}, NOW)
    assert isinstance(refused, Refusal) and refused.reason is Reason.WRONG_RULE
    assert "did you mean" in refused.sentence
