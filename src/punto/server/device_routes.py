"""Calls about devices that read the cards of a shoe: their keys, and what they say.

A device says which card left the shoe of its table, and now and then that it is there.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from punto.cards.card import Card
from punto.floor.answers import Device, NewDevice, RefusedReading
from punto.floor.device import ISSUERS, reading
from punto.refusal import Reason, Refusal
from punto.rules.authority import PIT_ROLES, Role
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.feeds import LOST_S
from punto.server.messages import CommandKey
from punto.server.sessions import accepted
from punto.server.validation import rejected
from punto.store.device import StoredDevice


class Issue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key to be issued."""

    table: Annotated[str, msgspec.Meta(max_length=80)]
    name: Annotated[str, msgspec.Meta(max_length=40)]
    """What the device is called in the records, such as shoe-7."""


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that left the shoe."""

    key: CommandKey  # Chosen by the device; the same reading with the same key is dealt once, however often it is sent.
    card: Card
    table: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    """Where the device believes that it is; another table than that of its key is refused."""


class DevicesAnswer(msgspec.Struct, frozen=True):
    """Every key that was issued, oldest first."""

    devices: tuple[Device, ...]


class ReadAnswer(msgspec.Struct, frozen=True):
    """The card was dealt, and this is the version of the table after it."""

    version: int


class AliveAnswer(msgspec.Struct, frozen=True):
    """The device is known; it is lost if it says nothing for so long."""

    table: str
    lost_after_s: float


async def issue_key(ask: Inquiry) -> NewDevice | Refusal:
    """Issue a key for a device at a table; it is told only here, and ends the key that held there before."""
    app_state, body = ask.app_state, ask.body
    made = await asyncio.to_thread(app_state.devices.issue, body.table, body.name, ask.caller.author)
    if not isinstance(made, Refusal):
        app_state.feeds.expect(made.table, made.name)
    return made


async def list_keys(ask: Inquiry) -> DevicesAnswer:
    """Every key, and whether it was revoked."""
    return DevicesAnswer(await ask.app_state.read(ask.app_state.devices.listed))


async def revoke_key(ask: Inquiry) -> Device:
    """Revoke a key: the next word of the device is refused, and the table is in manual mode."""
    app_state = ask.app_state
    revoked = accepted(await asyncio.to_thread(app_state.devices.revoke, ask.path["device"], ask.caller.author))
    app_state.feeds.forget(revoked.table)
    return revoked


async def read_card(ask: Inquiry) -> ReadAnswer | Refusal:
    """Say which card left the shoe. It is dealt where one is due; else it is refused, and the dealer is told."""
    app_state, device, body = ask.app_state, _device(ask), ask.body
    if body.table not in (None, device.table_id):
        raise rejected(Refusal(Reason.OTHER_TABLE, None, {"table": device.table_id}), 403)
    app_state.feeds.hear(device)
    command = reading(device, body.key, body.card, app_state.now())
    answer = await app_state.queue.give(device.table_id, command)
    refused = RefusedReading(str(body.card), answer.text) if isinstance(answer, Refusal) else None
    app_state.feeds.read(device.table_id, refused)
    return answer if isinstance(answer, Refusal) else ReadAnswer(answer.version)


async def say_alive(ask: Inquiry) -> AliveAnswer:
    """Say that a device is there; every few seconds, while no card leaves the shoe."""
    device = _device(ask)
    ask.app_state.feeds.hear(device)
    return AliveAnswer(device.table_id, LOST_S)


def _device(ask: Inquiry) -> StoredDevice:
    assert isinstance(ask.caller, StoredDevice), "only devices ask this"
    return ask.caller


_keys = partial(Endpoint, roles=ISSUERS, tag="devices")
_says = partial(Endpoint, is_for_devices=True, tag="devices")
DEVICE_ENDPOINTS = (
    Endpoint("GET", "/devices", list_keys, roles=(*ISSUERS, *PIT_ROLES[:-1], Role.AUDITOR), answer=DevicesAnswer),
    _keys("POST", "/devices", issue_key, body=Issue, answer=NewDevice, status=201, is_fresh=True, refuses=(404, 409)),
    _keys("DELETE", "/devices/{device}", revoke_key, answer=Device, refuses=(404,)),
    _says("POST", "/device/readings", read_card, body=Reading, answer=ReadAnswer, refuses=(409,)),
    _says("POST", "/device/alive", say_alive, answer=AliveAnswer),
)
