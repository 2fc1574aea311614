"""Calls about the whole floor: the rules of the house."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import msgspec

from punto.floor import house_rules
from punto.floor.house_rules import HouseRules
from punto.floor.people import ADMINISTRATORS
from punto.refusal import Refusal
from punto.rules.authority import PIT_ROLES, Role
from punto.server.endpoint import Endpoint, Inquiry

RULE_READERS = (*PIT_ROLES, Role.CASHIER, Role.AUDITOR, *ADMINISTRATORS)


class ChangeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of the house to change, by name; null goes back to the default."""

    rules: dict[str, Any]
    reason: str = ""


async def show_rules(ask: Inquiry) -> HouseRules:
    """What the house has decided for its whole floor."""
    return await ask.app_state.read(house_rules.house_rules)


async def change_rules(ask: Inquiry) -> HouseRules | Refusal:
    """Change rules of the house; who did it, why, and what they were before is kept."""
    app_state, body = ask.app_state, ask.body
    by, now = ask.caller.handle, app_state.now()
    return await asyncio.to_thread(house_rules.change_rules, app_state.store, body.rules, by, now, body.reason)


_change = partial(Endpoint, answer=HouseRules, is_fresh=True, roles=ADMINISTRATORS, refuses=(409,))
HOUSE_ENDPOINTS = (
    Endpoint("GET", "/house/rules", show_rules, answer=HouseRules, roles=RULE_READERS),
    _change("PUT", "/house/rules", change_rules, body=ChangeRules),
)
