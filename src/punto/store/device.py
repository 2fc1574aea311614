"""Keys of devices as they are stored: for which table, under which name, who issued each and who revoked it.

Of a key only the SHA-256 is kept. Issuing and revoking one are acts of the house.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredDevice(msgspec.Struct, frozen=True):
    """A key with which a device says which card left the shoe of one table."""

    id: str
    table_id: str
    name: str
    digest: str  # What is kept of the key.
    issued_by: str
    issued_ms: int
    revoked_by: str | None = None
    revoked_ms: int | None = None

    @property
    def actor(self) -> str:
        """Who gives its commands: no person can have such a name, and no other key, whose readings begin anew."""
        return f"device/{self.name}/{self.id}"

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        document = msgspec.structs.asdict(self)
        del document["id"]
        return document


_COLUMNS = ", ".join(StoredDevice.__struct_fields__)


def stored_devices(reader: Reader) -> list[StoredDevice]:
    """Every key there ever was, oldest first."""
    rows = reader.rows(f"SELECT {_COLUMNS} FROM devices ORDER BY issued_ms, id")
    return [StoredDevice(*row) for row in rows]


def device_of(reader: Reader, column: str, value: str) -> StoredDevice | None:
    """A key by its id, or by what is kept of it."""
    assert column in ("id", "digest")
    rows = reader.rows(f"SELECT {_COLUMNS} FROM devices WHERE {column} = ?", (value,))
    return next((StoredDevice(*row) for row in rows), None)


def issued_at(reader: Reader, table: str) -> StoredDevice | None:
    """The key that holds at a table."""
    rows = reader.rows(f"SELECT {_COLUMNS} FROM devices WHERE table_id = ? AND revoked_ms IS NULL", (table,))
    return next((StoredDevice(*row) for row in rows), None)


def add_device(transaction: Transaction, device: StoredDevice) -> None:
    transaction.connection.insert("devices", StoredDevice.__struct_fields__, [msgspec.structs.astuple(device)])
    subject = Subject.DEVICE.of(device.id)
    transaction.note(HouseCode.DEVICE_KEY_ISSUED, subject, device.issued_by, device.issued_ms, after=device.state)


def revoke_device(transaction: Transaction, device: StoredDevice, by: str, now: int) -> StoredDevice | None:
    """Revoke a key that still holds; None where it does not."""
    changed = msgspec.structs.replace(device, revoked_by=by, revoked_ms=now)
    statement = "UPDATE devices SET revoked_by = ?, revoked_ms = ? WHERE id = ? AND revoked_ms IS NULL"
    if transaction.connection.run(statement, (by, now, device.id)) != 1:
        return None
    transaction.note(HouseCode.DEVICE_KEY_REVOKED, Subject.DEVICE.of(device.id), by, now, after=changed.state)
    return changed
