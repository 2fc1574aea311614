"""Calls about what protects players: limits, exclusion and reality checks, by the player or by the house, and what
a session of play has come to.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from punto.floor.answers import Exclusion, Guardian, Limit, PlayerLimits, PlayerPlay, PlayMeasure, PlayPeriod
from punto.floor.people import ADMINISTRATORS, LONGEST_TEXT
from punto.floor.profile import Minutes
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.people_routes import accepted_or_404

LONGEST_DAYS = 36_525  # A hundred years; without an end is for ever.
GUARDIANS = (Role.PIT_MANAGER, Role.SHIFT_MANAGER, *ADMINISTRATORS)  # Who protects players for the house.
PROTECTION_READERS = (*GUARDIANS, Role.CASHIER, Role.AUDITOR)
Days = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_DAYS)]
Limits = Annotated[tuple[Limit, ...], msgspec.Meta(max_length=len(PlayMeasure) * len(PlayPeriod))]
GivenReason = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]


class SetLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All limits of yours: what is not here is asked to end."""

    limits: Limits


class SetHouseLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All limits of the house for a player."""

    limits: Limits
    reason: GivenReason = ""


class ExcludeMyself(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For how many days of 24 hours; an exclusion is never made shorter."""

    days: Days


class ExcludePlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why, and for how many days of 24 hours."""

    reason: GivenReason
    days: Days | None = None  # None: for ever.


class ReadmitPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why an exclusion of the house is lifted."""

    reason: GivenReason


class ChooseCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often to be told time and net."""

    minutes: Minutes | None  # None: as often as the house says.


async def my_limits(ask: Inquiry) -> PlayerLimits:
    """Your limits, and those of the house for you; the stricter holds."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.protections.limits, ask.caller.handle))


async def set_my_limits(ask: Inquiry) -> PlayerLimits:
    """Set all limits of yours: stricter ones apply at once, looser ones after 24 hours."""
    me, protections = ask.caller.handle, ask.app_state.protections
    return accepted_or_404(await asyncio.to_thread(protections.set_limits, me, ask.body.limits, me, Guardian.PLAYER))


async def exclude_myself(ask: Inquiry) -> Exclusion:
    """Exclude yourself from play, from now on; nobody can make it shorter."""
    me, protections = ask.caller.handle, ask.app_state.protections
    return accepted_or_404(await asyncio.to_thread(protections.exclude, me, ask.body.days, me, Guardian.PLAYER))


async def my_play(ask: Inquiry) -> PlayerPlay:
    """What your session of play has come to, what is used of each limit, and what else holds."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.protections.play, ask.caller.handle))


async def choose_my_check(ask: Inquiry) -> PlayerPlay:
    """Choose how often betting stops until you have seen time and net; the shorter of yours and the house's holds."""
    choose = ask.app_state.protections.choose_check
    return accepted_or_404(await asyncio.to_thread(choose, ask.caller.handle, ask.body.minutes))


async def answer_my_check(ask: Inquiry) -> PlayerPlay:
    """Say that you have seen time and net, and want to go on."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.protections.answer_check, ask.caller.handle))


async def limits_of(ask: Inquiry) -> PlayerLimits:
    """The limits of a player: the player's own, and those of the house."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.protections.limits, ask.path["handle"]))


async def set_limits_of(ask: Inquiry) -> PlayerLimits:
    """Set all limits of the house for a player: stricter ones apply at once, looser ones after 24 hours."""
    set_limits, body = ask.app_state.protections.set_limits, ask.body
    place = (ask.path["handle"], body.limits, ask.caller.handle, Guardian.HOUSE, body.reason)
    return accepted_or_404(await asyncio.to_thread(set_limits, *place))


async def exclude_player(ask: Inquiry) -> Exclusion:
    """Exclude a player from play, from now on, for some days or for ever."""
    exclude, body = ask.app_state.protections.exclude, ask.body
    place = (ask.path["handle"], body.days, ask.caller.handle, Guardian.HOUSE, body.reason)
    return accepted_or_404(await asyncio.to_thread(exclude, *place))


async def readmit_player(ask: Inquiry) -> PlayerPlay:
    """Lift an exclusion of the house; a player's own ends when it is over."""
    readmit, by = ask.app_state.protections.readmit, ask.caller.handle
    return accepted_or_404(await asyncio.to_thread(readmit, ask.path["handle"], by, ask.body.reason))


async def play_of(ask: Inquiry) -> PlayerPlay | Refusal:
    """What a player's session has come to, and what protects the player."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.protections.play, ask.path["handle"]))


_own = partial(Endpoint, refuses=(404,))
_own_change = partial(Endpoint, refuses=(404, 409))
_read = partial(Endpoint, roles=PROTECTION_READERS, tag="people")
_guard = partial(Endpoint, roles=GUARDIANS, tag="people", is_fresh=True, refuses=(409,))
PROTECTION_ENDPOINTS = (
    _own("GET", "/accounts/me/limits", my_limits, answer=PlayerLimits),
    _own_change("PUT", "/accounts/me/limits", set_my_limits, body=SetLimits, answer=PlayerLimits),
    _own_change("POST", "/accounts/me/exclusion", exclude_myself, body=ExcludeMyself, answer=Exclusion),
    _own("GET", "/accounts/me/play", my_play, answer=PlayerPlay, is_act=False),
    _own_change("PUT", "/accounts/me/reality-check", choose_my_check, body=ChooseCheck, answer=PlayerPlay),
    _own_change("POST", "/accounts/me/reality-check", answer_my_check, answer=PlayerPlay),
    _read("GET", "/people/{handle}/limits", limits_of, answer=PlayerLimits),
    _guard("PUT", "/people/{handle}/limits", set_limits_of, body=SetHouseLimits, answer=PlayerLimits),
    _guard("POST", "/people/{handle}/exclusion", exclude_player, body=ExcludePlayer, answer=Exclusion),
    _guard("POST", "/people/{handle}/readmission", readmit_player, body=ReadmitPlayer, answer=PlayerPlay),
    _read("GET", "/people/{handle}/play", play_of, answer=PlayerPlay),
)
