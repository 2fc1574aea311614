"""What the pit decides, kept beside the tables: commands that wait for a second person, calls to come to a
table, and how each table is run. None of it is an event of a table; approvals and runs stand in the chain
of the house.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.connection import inserting
from punto.store.notice import NoticeKind
from punto.store.reader import Reader, rows_of_keys
from punto.store.record import PitAnswer, PitCall
from punto.store.transaction import Transaction

if TYPE_CHECKING:
    from punto.store.seal import Seal


_APPROVAL_COLUMNS = (
    *("id", "table_id", "actor", "role", "key", "body", "version", "needs", "asked_ms", "expires_ms"),
    *("decision", "decided_by", "decided_ms", "answer", "expected", "mac"),
)
_APPROVALS = f"SELECT {', '.join(_APPROVAL_COLUMNS)} FROM approvals"
NO_SEQ, ACTS_AT_ONCE = 2**63 - 1, 200  # After every act of the house, and how many of them are read at once.
AGREED = "approve"  # The decision of a second person who agrees.
_REQUEST = ("actor", "role", "key", "table", "body", "expected")  # What is asked, of all that is kept of an approval.


class StoredApproval(msgspec.Struct, frozen=True):
    """A command that was given by one person and needs another."""

    id: str
    table: str | None  # None where it is for the cashier.
    actor: str
    role: str
    key: str
    body: str  # The JSON of the command.
    version: int | None  # The version of the table that it was decided on.
    needs: str  # The rank that the second person has at least.
    asked_ms: int
    expires_ms: int
    decision: str | None = None
    decided_by: str | None = None
    decided_ms: int | None = None
    answer: str | None = None  # The JSON of what came of it.
    expected: int | None = None  # The version that the command named, if it named one.
    mac: bytes = b""  # Signed with the key of the house, from what was asked to what was decided.

    def signed_values(self) -> tuple[str | int | None, ...]:
        """Everything but what came of it."""
        fields = msgspec.structs.asdict(self)
        return ("approval", *(fields[name] for name in fields if name not in ("answer", "mac")))

    def is_same_request(self, other: StoredApproval) -> bool:
        """Whether the same person asked the same under the same key."""
        return all(getattr(self, name) == getattr(other, name) for name in _REQUEST)

    def is_genuine(self, seal: Seal) -> bool:
        """Whether it was asked, and decided, through this house: nobody wrote it into the database."""
        return seal.is_signed(self.mac, *self.signed_values())


def add_approval(transaction: Transaction, approval: StoredApproval, seal: Seal) -> None:
    """Keep what waits, signed; `NotUnique` where the key was used before."""
    signed = msgspec.structs.replace(approval, mac=seal.sign(*approval.signed_values()))
    transaction.connection.insert("approvals", _APPROVAL_COLUMNS, [msgspec.structs.astuple(signed)])
    subject, after = Subject.APPROVAL.of(approval.id), approval_state(signed)
    transaction.note(HouseCode.APPROVAL_ASKED, subject, approval.actor, approval.asked_ms, after=after)


def approval_by_id(reader: Reader, id: str) -> StoredApproval | None:
    return next(iter(_approvals(reader, "id = ?", id)), None)


def approval_of(reader: Reader, actor: str, key: str) -> StoredApproval | None:
    """What was asked under this key of this person."""
    return next(iter(_approvals(reader, "actor = ? AND key = ?", actor, key)), None)


def lock_keys(transaction: Transaction, keys: Collection[tuple[str, str]]) -> None:
    """Hold these keys, each of a person, until the end: one key, one act, whatever the call.

    A key may be sent for a command and for something that waits at the same moment, and these stand in two
    tables. Whoever asks whether a key was used holds it first, and so waits for whoever is using it.
    """
    if keys:
        transaction.connection.lock(*(f"key/{actor}/{key}" for actor, key in keys))


def approvals_under(reader: Reader, keys: Collection[tuple[str, str]]) -> dict[tuple[str, str], StoredApproval]:
    """What was asked under these keys; those under which nothing waits or waited are left out."""
    approvals = map(_stored_approval, rows_of_keys(reader, _APPROVALS, sorted(set(keys))))
    return {(approval.actor, approval.key): approval for approval in approvals}


def stored_approvals(reader: Reader) -> list[StoredApproval]:
    return _approvals(reader, "1 = 1 ORDER BY id")


def waiting_approvals(reader: Reader, now: int) -> list[StoredApproval]:
    """Everything that waits now, oldest first."""
    return _approvals(reader, "decision IS NULL AND expires_ms > ? ORDER BY asked_ms, id", now)


def unfinished_approvals(reader: Reader, decision: str) -> list[StoredApproval]:
    """Everything with this decision of which nobody knows yet what came of it, oldest first."""
    return _approvals(reader, "decision = ? AND answer IS NULL ORDER BY asked_ms, id", decision)


def overdue_approvals(reader: Reader, now: int) -> list[StoredApproval]:
    """Everything that nobody decided in time and that is not marked so, oldest first."""
    return _approvals(reader, "decision IS NULL AND expires_ms <= ? ORDER BY asked_ms, id", now)


def next_expiry(reader: Reader) -> int | None:
    [(end,)] = reader.connection.all("SELECT min(expires_ms) FROM approvals WHERE decision IS NULL")
    return None if end is None else int(end)


def take_decision(
    transaction: Transaction, id: str, decision: str, by: str | None, now: int, seal: Seal, *, is_late: bool = False
) -> bool:
    """Take the decision, unless somebody else has taken it, it is too late, or the house never asked it.

    `by` is None where nobody decided in time; `is_late`, where that is so before it expires.
    """
    lateness = "AND expires_ms > ?" if by is not None or is_late else "AND expires_ms <= ?"
    open_ones = _approvals(transaction, f"id = ? AND decision IS NULL {lateness} ORDER BY id FOR UPDATE", id, now)
    if not open_ones:
        return False
    [approval] = open_ones
    if not approval.is_genuine(seal):
        if by is None:  # so that nobody comes back to it; it stays unsigned, and verification names it
            transaction.connection.run("UPDATE approvals SET decision = ? WHERE id = ?", (decision, id))
        return False
    decided = msgspec.structs.replace(approval, decision=decision, decided_by=by, decided_ms=now)
    mac = seal.sign(*decided.signed_values())
    statement = "UPDATE approvals SET decision = ?, decided_by = ?, decided_ms = ?, mac = ? WHERE id = ?"
    transaction.connection.run(statement, (decision, by, now, mac, id))
    code = HouseCode.APPROVAL_DECIDED if by is not None else HouseCode.APPROVAL_EXPIRED
    after = {"decision": decision, "decided_by": by, "decided_ms": now, "mac": mac.hex()}
    transaction.note(code, Subject.APPROVAL.of(id), approval.actor, now, second=by, after=after)
    return True


def keep_answer(transaction: Transaction, id: str, answer: str, now: int) -> bool:
    """Keep what came of it, once; whether this was the first time."""
    statement = "UPDATE approvals SET answer = ? WHERE id = ? AND answer IS NULL"
    if transaction.connection.run(statement, (answer, id)) != 1:
        return False
    approval = approval_by_id(transaction, id)
    assert approval is not None
    code, subject, after = HouseCode.APPROVAL_FINISHED, Subject.APPROVAL.of(id), {"answer": answer}
    transaction.note(code, subject, approval.actor, now, second=approval.decided_by, after=after)
    return True


def had_role_since(reader: Reader, approval: StoredApproval) -> bool:
    """Whether the role in which it was asked was never taken from whoever asked, not even for a moment.

    The chain of the house knows the order, wherever clocks were put: it is read back to the asking.
    """
    asking, roles = Subject.APPROVAL.of(approval.id), Subject.ROLES.of(approval.actor)
    statement = "SELECT seq, body FROM house_events WHERE seq < ? ORDER BY seq DESC LIMIT ?"
    before = NO_SEQ
    while page := reader.connection.all(statement, (before, ACTS_AT_ONCE)):
        for _, body in page:
            act = msgspec.json.decode(body, type=HouseAct)
            if act.subject == asking and act.code == HouseCode.APPROVAL_ASKED.value:
                return True
            if act.subject == roles and approval.role not in (act.after or {}):
                return False
        before = page[-1][0]
    return True


def approval_state(approval: StoredApproval) -> dict[str, Any]:
    """What is written down of it in the chain of the house."""
    fields = msgspec.structs.asdict(approval)
    return {**{name: fields[name] for name in fields if name != "id"}, "mac": approval.mac.hex()}


def _approvals(reader: Reader, wanted: str, *values: str | int) -> list[StoredApproval]:
    return [_stored_approval(row) for row in reader.connection.all(f"{_APPROVALS} WHERE {wanted}", values)]


def _stored_approval(row: Sequence[Any]) -> StoredApproval:
    *fields, mac = row
    values = (*fields, bytes(mac) if isinstance(mac, bytes | memoryview) else b"")
    return StoredApproval(*values)


_PIT_CALL_COLUMNS = ("id", "table_id", "caller", "role", "reason", "called_ms", "answer", "answered_by", "answered_ms")


def add_pit_call(transaction: Transaction, call: PitCall) -> PitCall:
    """Keep a call; where one of the table is open already, it is that one which is answered.

    A table has at most one call that is open. It ends when somebody says that they are coming, or clears it.
    """
    statement = f"{inserting('pit_calls', _PIT_CALL_COLUMNS)} ON CONFLICT DO NOTHING"
    values = msgspec.to_builtins(msgspec.structs.astuple(call))  # enums as their words
    while transaction.connection.run(statement, values) == 0:
        if is_open := _pit_calls(transaction, "table_id = ? AND answer IS NULL", call.table):
            return is_open[0]
    transaction.tell(NoticeKind.CALL, call.call)
    return call


def pit_call(reader: Reader, id: str) -> PitCall | None:
    return next(iter(_pit_calls(reader, "id = ?", id)), None)


def live_pit_calls(reader: Reader, since: int) -> list[PitCall]:
    """Every call that is open, and those that somebody said after `since` to be coming to; oldest first."""
    waiting = _pit_calls(reader, "answer IS NULL")
    coming = _pit_calls(reader, "answered_ms > ? AND answer = ?", since, PitAnswer.COMING.value)
    return sorted((*waiting, *coming), key=lambda call: (call.called, call.call))


def answer_pit_call(transaction: Transaction, id: str, answer: PitAnswer, by: str, now: int) -> bool:
    statement = "UPDATE pit_calls SET answer = ?, answered_by = ?, answered_ms = ? WHERE id = ? AND answer IS NULL"
    transaction.tell(NoticeKind.CALL, id)
    return transaction.connection.run(statement, (answer.value, by, now, id)) == 1


def _pit_calls(reader: Reader, wanted: str, *values: str | int) -> list[PitCall]:
    rows = reader.connection.all(f"SELECT {', '.join(_PIT_CALL_COLUMNS)} FROM pit_calls WHERE {wanted}", values)
    return [msgspec.convert(dict(zip(PitCall.__struct_fields__, row, strict=True)), PitCall) for row in rows]


Run = dict[str, str | None]
"""How one table is run, as it stands in its row and in the chain of the house: `dealer` is `automatic` or `person`,
`pace` the JSON of its pace (None where it is that of the house), `bots` the JSON of the names of those that sit there.
"""


def stored_runs(reader: Reader, table: str | None = None) -> dict[str, Run]:
    """Every table that somebody has said this of, by id; or one of them."""
    wanted, values = ("", ()) if table is None else (" WHERE table_id = ?", (table,))
    rows = reader.connection.all(f"SELECT table_id, dealer, pace, bots FROM runs{wanted} ORDER BY table_id", values)
    return {id: {"dealer": dealer, "pace": pace, "bots": bots} for id, dealer, pace, bots in rows}


def keep_run(transaction: Transaction, table: str, run: Run, by: str, now: int) -> None:
    before = stored_runs(transaction, table).get(table)
    if run != before:
        transaction.note(HouseCode.RUN_CHANGED, Subject.RUN.of(table), by, now, before=before, after=run)
    transaction.connection.put("runs", ["table_id"], {"table_id": table, **run})
