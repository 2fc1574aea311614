"""Calls about the whole floor: the rules of the house, and stopping play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from punto.floor import house_rules, orders
from punto.floor.answers import Stop
from punto.floor.doctor import Diagnosis
from punto.floor.house_rules import HouseRules
from punto.floor.loaded_table import LoadedTable
from punto.floor.orders import HouseOrders, stops_of
from punto.floor.people import ADMINISTRATORS
from punto.floor.rule_form import RuleForms, rule_forms
from punto.floor.rules_effect import RulesEffect, effect_of_rules
from punto.refusal import Refusal
from punto.rules.authority import PIT_ROLES, Role
from punto.server.count_room import examine_house
from punto.server.endpoint import Endpoint, Inquiry
from punto.store.errors import ContentBroken
from punto.store.reader import Reader
from punto.views.pit_view import StopsAnswer, stops_answer

STOPPERS = (Role.SHIFT_MANAGER, *ADMINISTRATORS)  # Who may stop play.
_T = TypeVar("_T")
RULE_READERS = (*PIT_ROLES, Role.CASHIER, Role.AUDITOR, *ADMINISTRATORS)


class ChangeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of the house to change, by name; null goes back to the default."""

    rules: dict[str, Any]
    reason: str = ""


class TriedRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of the house that are tried, by name; none for those that hold."""

    rules: dict[str, Any] = {}


class StopPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be stopped, and why."""

    reason: str
    book: str | None = None  # The name of a book; default: the whole floor.


class StartPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be played again."""

    book: str | None = None  # The name of a book; default: the whole floor.
    reason: str = ""


class HouseAnswer(msgspec.Struct, frozen=True):
    """What everybody may know of the house, also before they log in."""

    operator: str  # Who runs the floor; empty where nobody has said so.
    profile: str
    play_money: bool  # Nothing here is worth anything; pages say so wherever money is shown.
    watch_delay_seconds: int | None  # How late people without an account see the tables; null where they may not.


async def show_house(ask: Inquiry) -> HouseAnswer:
    """Who runs the floor, by which profile, whether it is for play money, and whether anybody may watch."""

    def read(reader: Reader) -> HouseAnswer:
        rules, is_play = house_rules.house_rules(reader), house_rules.is_play_money(reader)
        return HouseAnswer(rules.operator, rules.profile.name, is_play, rules.watch_delay_seconds)

    return await ask.app_state.read(read)


async def show_rules(ask: Inquiry) -> HouseRules:
    """What the house has decided for its whole floor."""
    return await ask.app_state.read(house_rules.house_rules)


async def show_rule_forms(_: Inquiry) -> RuleForms:
    """How every rule of the house is typed, and what it can be."""
    return rule_forms()


async def change_rules(ask: Inquiry) -> HouseRules | Refusal:
    """Change rules of the house; who did it, why, and what they were before is kept."""
    app_state, body = ask.app_state, ask.body
    by, now = ask.caller.handle, app_state.now()
    return await _ordered(ask, house_rules.change_rules, app_state.store, body.rules, by, now, body.reason)


async def show_effect(ask: Inquiry) -> RulesEffect | Refusal:
    """What these rules would change, and for whom, before they are changed."""
    app_state = ask.app_state
    await app_state.sessions.write_activity()
    return await asyncio.to_thread(effect_of_rules, app_state.floor, ask.body.rules, app_state.now())


async def _ordered(ask: Inquiry, act: Callable[..., _T | Refusal], *arguments: Any) -> _T | Refusal:
    """Order something for the whole floor; this process obeys at once, others within moments."""

    def order() -> _T | Refusal:
        answer = act(*arguments)
        ask.app_state.orders.look()
        return answer

    return await asyncio.to_thread(order)


async def show_diagnosis(ask: Inquiry) -> msgspec.Raw:
    """Whether the machine and the house are well, as `punto doctor` says it."""
    return await ask.app_state.long_counting.ask_afresh(ask.caller.handle, examine_house)


async def show_stops(ask: Inquiry) -> StopsAnswer:
    """What is stopped on this floor, by whom, and why; what could be, and where a round is still being finished."""
    return await _told(ask, await ask.app_state.read(stops_of))


async def stop_play(ask: Inquiry) -> StopsAnswer | Refusal:
    """Stop the floor, or the tables of a book: rounds in play are finished, and no other begins."""
    app_state, body, by = ask.app_state, ask.body, ask.caller.handle
    stops = await _ordered(ask, orders.stop_play, app_state.store, body.book, body.reason, by, app_state.now())
    return stops if isinstance(stops, Refusal) else await _told(ask, stops)


async def start_play(ask: Inquiry) -> StopsAnswer | Refusal:
    """Start play again on the floor, or at the tables of a book."""
    app_state, body, by = ask.app_state, ask.body, ask.caller.handle
    stops = await _ordered(ask, orders.start_play, app_state.store, body.book, by, app_state.now(), body.reason)
    return stops if isinstance(stops, Refusal) else await _told(ask, stops)


async def _told(ask: Inquiry, stops: tuple[Stop, ...]) -> StopsAnswer:
    """What is stopped, beside the tables as they are now."""
    app_state = ask.app_state
    tables, ordered = list[tuple[LoadedTable, bool]](), HouseOrders(stops=stops)
    for id in await app_state.read(lambda reader: [stored.id for stored in reader.tables()]):
        with suppress(ContentBroken):  # the alerts of the pit say so
            if (loaded := await app_state.broadcaster.table(id)) is not None:
                tables.append((loaded, ordered.stop_at(loaded) is not None))
    return stops_answer(stops, tables, yours=bool(set(STOPPERS) & set(ask.caller.roles)))


_change = partial(Endpoint, answer=HouseRules, is_fresh=True, roles=ADMINISTRATORS, refuses=(409,))
_try = partial(Endpoint, roles=ADMINISTRATORS, cost=10)
_stop = partial(Endpoint, answer=StopsAnswer, roles=STOPPERS, refuses=(409,))
HOUSE_ENDPOINTS = (
    Endpoint("GET", "/house", show_house, answer=HouseAnswer, is_open=True, is_act=False),
    Endpoint("GET", "/house/rules", show_rules, answer=HouseRules, roles=RULE_READERS),
    Endpoint("GET", "/house/rules/forms", show_rule_forms, answer=RuleForms, roles=ADMINISTRATORS),
    _change("PUT", "/house/rules", change_rules, body=ChangeRules),
    _try("POST", "/house/rules/effect", show_effect, body=TriedRules, answer=RulesEffect, refuses=(409,)),
    Endpoint("GET", "/house/doctor", show_diagnosis, cost=25, answer=Diagnosis, roles=ADMINISTRATORS),
    Endpoint("GET", "/house/stops", show_stops, is_act=False, answer=StopsAnswer, roles=RULE_READERS),
    _stop("POST", "/house/stop", stop_play, body=StopPlay),
    _stop("POST", "/house/start", start_play, body=StartPlay),
)
