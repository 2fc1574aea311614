"""Devices that read the cards of a shoe: an intelligent shoe, a scanner under the felt, a camera.

A device has a key of its own for one table, issued by an administrator or a shift manager, told once and kept as a
digest. It holds until it is revoked; a new key for a table ends the one before. With it a device may say which card
left the shoe, and nothing else: the table judges the card as it would a dealer's, and the dealer may put it right by
the book. Each reading has a key, so that one that is sent twice is dealt once.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable

from punto.cards.card import Card
from punto.floor.answers import Device, NewDevice
from punto.floor.people import Author, People
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.device import StoredDevice, add_device, device_of, issued_at, revoke_device, stored_devices
from punto.store.reader import Reader
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.table.dealing import DealCard

ISSUERS = (Role.ADMINISTRATOR, Role.SHIFT_MANAGER)
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
PREFIX = "punto-device-"  # How keys begin, so that one that was left lying about is known for what it is.


def digest_of_device_key(key: str) -> str:
    return hashlib.sha256(f"device/{key}".encode("utf-8", "surrogatepass")).hexdigest()


class Devices:
    """Issues, lists and revokes the keys of devices, and knows whose a key is."""

    def __init__(self, store: Store, people: People, clock: Callable[[], int]) -> None:
        self._store, self._people, self._clock = store, people, clock

    def issue(self, table: str, name: str, by: Author) -> NewDevice | Refusal:
        """A key for a table, told only here. The one that held there before is revoked: there is one reader."""
        if not NAME.fullmatch(name):
            return Refusal(Reason.WRONG_DEVICE_NAME, None, {"name": name})
        key, now = PREFIX + secrets.token_urlsafe(32), self._clock()
        made = StoredDevice(secrets.token_hex(6), table, name, digest_of_device_key(key), by.name, now)

        def act(transaction: Transaction) -> NewDevice | Refusal:
            if all(stored.id != table for stored in transaction.tables()):
                return Refusal(Reason.NO_TABLE, None, {"table": table})
            if (before := issued_at(transaction, table)) is not None:
                revoke_device(transaction, before, by.name, now)
            add_device(transaction, made)
            return NewDevice(made.id, table, name, made.issued_by, now, key=key)

        return self._people.change(by, act, ISSUERS)

    def revoke(self, id: str, by: Author) -> Device | Refusal:
        def act(transaction: Transaction) -> Device | Refusal:
            found = device_of(transaction, "id", id)
            changed = revoke_device(transaction, found, by.name, self._clock()) if found is not None else None
            return _shown(changed) if changed is not None else Refusal(Reason.NO_DEVICE, None)

        return self._people.change(by, act, ISSUERS)

    def listed(self, reader: Reader) -> tuple[Device, ...]:
        return tuple(map(_shown, stored_devices(reader)))

    def find(self, key: str) -> StoredDevice | None:
        """Whose key this is; None where there is none that holds."""
        with self._store.read() as reader:
            found = device_of(reader, "digest", digest_of_device_key(key))
        return found if found is not None and found.revoked_ms is None else None


def reading(device: StoredDevice, key: str, card: Card, now: int) -> DealCard:
    """What a device says: this card left the shoe."""
    return DealCard(actor=device.actor, role=Role.DEVICE, key=key, time=now, card=card)


def _shown(stored: StoredDevice) -> Device:
    named = stored.id, stored.table_id, stored.name, stored.issued_by, stored.issued_ms
    return Device(*named, stored.revoked_by, stored.revoked_ms)
