"""Second factors as they are stored: a sealed secret for each person who has one, the step of the last code that was
used, and what is kept of the recovery codes that are left.

One that is begun stands apart until its first code confirms it. Each that is set or removed, and each recovery code
that is used, is an act of the house; what is written down there says nothing about the secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredFactor(msgspec.Struct, frozen=True):
    """The second factor of a person."""

    handle: str
    sealed: bytes
    since_ms: int
    last_step: int  # The step of the last code that was used: only later ones hold.


def stored_factor(reader: Reader, handle: str) -> StoredFactor | None:
    rows = reader.rows("SELECT handle, sealed, since_ms, last_step FROM second_factors WHERE handle = ?", (handle,))
    return next((StoredFactor(name, bytes(sealed), *rest) for name, sealed, *rest in rows), None)


def recovery_left(reader: Reader, handle: str) -> list[str]:
    """What is kept of the recovery codes that a person has left."""
    statement = "SELECT digest FROM recovery_codes WHERE handle = ? ORDER BY digest"
    return [digest for (digest,) in reader.rows(statement, (handle,))]


def factor_states(reader: Reader) -> dict[str, dict[str, Any]]:
    """What is written down of every second factor, by person."""
    states: dict[str, dict[str, Any]] = {}
    for handle, sealed, since in reader.rows("SELECT handle, sealed, since_ms FROM second_factors ORDER BY handle"):
        content = sealed if isinstance(sealed, bytes | memoryview) else str(sealed).encode()
        states[handle] = {"sealed": sha256(bytes(content)).hexdigest(), "since_ms": since}
    codes: dict[str, list[str]] = {}
    for handle, digest in reader.rows("SELECT handle, digest FROM recovery_codes ORDER BY handle, digest"):
        codes.setdefault(handle, []).append(str(digest))
    for handle, digests in codes.items():
        states.setdefault(handle, {})["recovery"] = _of_codes(digests)
    return states


def _of_codes(digests: Iterable[str]) -> dict[str, Any]:
    """How many recovery codes are left, and a digest of what is kept of them."""
    kept = sorted(digests)
    return {"left": len(kept), "digest": sha256("/".join(kept).encode()).hexdigest()}


def _state_of(reader: Reader, handle: str) -> dict[str, Any] | None:
    factor, codes = stored_factor(reader, handle), recovery_left(reader, handle)
    if factor is None:
        return None
    state = {"sealed": sha256(factor.sealed).hexdigest(), "since_ms": factor.since_ms}
    return {**state, "recovery": _of_codes(codes)} if codes else state


def begin_factor(transaction: Transaction, handle: str, sealed: bytes, expires: int) -> None:
    """Keep a second factor until it is confirmed; one that was begun before is forgotten."""
    row = {"handle": handle, "sealed": sealed, "expires_ms": expires}
    transaction.connection.put("begun_factors", ["handle"], row)


def begun_factor(reader: Reader, handle: str, now: int) -> bytes | None:
    """The second factor that is begun, sealed; None where there is none, or it took too long."""
    rows = reader.rows("SELECT sealed FROM begun_factors WHERE handle = ? AND expires_ms > ?", (handle, now))
    return next((bytes(sealed) for (sealed,) in rows), None)


def set_factor(transaction: Transaction, factor: StoredFactor, digests: Iterable[str], by: str) -> None:
    """Keep a second factor that was confirmed, with what is kept of its recovery codes."""
    handle = factor.handle
    transaction.connection.run("DELETE FROM begun_factors WHERE handle = ?", (handle,))
    columns = StoredFactor.__struct_fields__
    transaction.connection.insert("second_factors", columns, [msgspec.structs.astuple(factor)])
    transaction.connection.insert("recovery_codes", ("handle", "digest"), [(handle, each) for each in digests])
    subject, after = Subject.SECOND_FACTOR.of(handle), _state_of(transaction, handle)
    transaction.note(HouseCode.SECOND_FACTOR_SET, subject, by, factor.since_ms, after=after)


def use_step(transaction: Transaction, handle: str, step: int) -> bool:
    """Use the code of a step; whether no code of this step or a later one was used before."""
    statement = "UPDATE second_factors SET last_step = ? WHERE handle = ? AND last_step < ?"
    return transaction.connection.run(statement, (step, handle, step)) == 1


def use_recovery_code(transaction: Transaction, handle: str, digest: str, now: int) -> bool:
    """Use a recovery code; whether it was there, and not used before."""
    before = _state_of(transaction, handle)
    statement = "DELETE FROM recovery_codes WHERE handle = ? AND digest = ?"
    if transaction.connection.run(statement, (handle, digest)) != 1:
        return False
    subject, after = Subject.SECOND_FACTOR.of(handle), _state_of(transaction, handle)
    transaction.note(HouseCode.RECOVERY_CODE_USED, subject, handle, now, before=before, after=after)
    return True


def remove_factor(
    transaction: Transaction, handle: str, by: str, now: int, reason: str | None, code: HouseCode
) -> bool:
    """Remove the second factor of somebody, also one that is only begun; whether there was one."""
    before = _state_of(transaction, handle)
    for table in ("begun_factors", "recovery_codes", "second_factors"):
        transaction.connection.run(f"DELETE FROM {table} WHERE handle = ?", (handle,))
    if before is None:
        return False
    transaction.note(code, Subject.SECOND_FACTOR.of(handle), by, now, before=before, reason=reason)
    return True
