"""The chain of hashes over what is stored, as it is computed and written: over the records and commands of
each table, over what the cashier moves, and over what the house itself did. Each hash covers its row and
every one before it, so whoever changes a row has to change all after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from punto.store.connection import Connection

if TYPE_CHECKING:
    from punto.ledger.movement import Movement

CASHIER, DESK, HOUSE = "cashier", "desk", "house"
"""The chains in the table `chains`: the cashier's movements, the commands of the desk, what the house did."""
FIRST_HASHES = {chain: sha256(f"punto/1/{chain}".encode()).digest() for chain in (CASHIER, DESK, HOUSE)}
"""What each of these chains begins with."""
_encoder = msgspec.json.Encoder()


def first_hash(table: str, digest: str) -> bytes:
    return sha256(f"punto/1/{table}/{digest}".encode()).digest()


def next_hash(previous: bytes, line: str) -> bytes:
    return sha256(previous + line.encode()).digest()


def first_command_hash(table: str) -> bytes:
    return sha256(f"punto/1/{table}/commands".encode()).digest()


def command_line(row: Sequence[Any]) -> str:
    """A command as one line of JSON: an array of its columns.

    They are id, table, version, first and last event, actor, key, body, refusal, answer and expected version.
    """
    return command_line_bytes(row).decode()


def command_line_bytes(row: Sequence[Any]) -> bytes:
    """That line as it is hashed."""
    return _encoder.encode(row)


def movement_line(number: int, row: Sequence[Any], postings: Sequence[tuple[str, int]], key: str | None = None) -> str:
    """A movement of the cashier as one line of JSON.

    `number` is its place in the chain; `row` is its id, time, kind, player, clause, reason, actor and second.
    The key that it was asked for under is named where there is one.
    """
    names = ("id", "time", "kind", "player", "clause", "reason", "actor", "second")
    keyed = {} if key is None else {"key": key}
    document = {"number": number, **dict(zip(names, row, strict=True)), "postings": postings, **keyed}
    return _encoder.encode(document).decode()


def hold_chain(connection: Connection, chain: str) -> tuple[int, bytes]:
    """Hold a chain until the transaction ends, as whoever writes to it does; its length and last hash."""
    held = "SELECT version, head FROM chains WHERE id = ? FOR UPDATE"
    if not (rows := connection.all(held, (chain,))):
        # Whoever else makes the first link at this moment makes the row too, or waits for ours.
        making = "INSERT INTO chains (id, version, head) VALUES (?, 0, ?) ON CONFLICT (id) DO NOTHING"
        connection.run(making, (chain, FIRST_HASHES[chain]))
        rows = connection.all(held, (chain,))
    [(number, head)] = rows
    return number, bytes(head)


def keep_chain(connection: Connection, chain: str, number: int, head: bytes) -> None:
    """Write down where a chain that is held ends now."""
    connection.run("UPDATE chains SET version = ?, head = ? WHERE id = ?", (number, head, chain))


def chain_cashier(
    connection: Connection, chain: tuple[int, bytes], numbered: Iterable[tuple[int, Sequence[Any], Movement]]
) -> dict[int, bytes]:
    """Carry the chain on over the movements that belong to no table; their hashes by id.

    Buy-ins, cash-outs and corrections follow from no event, so nothing else in the database says what they were. Each
    movement comes with its id and its row, from the table to the key.
    """
    hashes: dict[int, bytes] = {}
    number, head = chain
    for id_, row, movement in numbered:
        if row[0] is None:
            number += 1
            columns = (id_, row[2], row[3], *row[7:12])
            postings = [(posting.account, posting.amount) for posting in movement.postings]
            hashes[id_] = head = next_hash(head, movement_line(number, columns, postings, row[13]))
    keep_chain(connection, CASHIER, number, head)
    return hashes


class HouseCode(Enum):
    """What the house did."""

    TABLE_OPENED = "table-opened"
    TABLE_IMPORTED = "table-imported"
    ACCOUNT_OPENED = "account-opened"
    PASSWORD_SET = "password-set"
    PERSON_ERASED = "person-erased"
    ROLES_CHANGED = "roles-changed"
    APPROVAL_ASKED = "approval-asked"
    APPROVAL_DECIDED = "approval-decided"
    APPROVAL_EXPIRED = "approval-expired"
    APPROVAL_FINISHED = "approval-finished"
    SHOE_SEALED = "shoe-sealed"
    RUN_CHANGED = "run-changed"
    RULES_CHANGED = "rules-changed"
    LOG_IN_SHUT = "log-in-shut"
    LOG_IN_OPENED = "log-in-opened"
    SESSIONS_ENDED = "sessions-ended"
    INVITATION_MADE = "invitation-made"
    INVITATION_USED = "invitation-used"
    INVITATION_WITHDRAWN = "invitation-withdrawn"
    DEVICE_KEY_ISSUED = "device-key-issued"
    DEVICE_KEY_REVOKED = "device-key-revoked"
    SECOND_FACTOR_SET = "second-factor-set"
    RECOVERY_CODE_USED = "recovery-code-used"
    SECOND_FACTOR_REMOVED = "second-factor-removed"
    DAY_CLOSED = "day-closed"
    PLAY_STOPPED = "play-stopped"
    PLAY_STARTED = "play-started"
    DISPUTE_RAISED = "dispute-raised"
    DISPUTE_ANSWERED = "dispute-answered"
    ACCOUNT_MARKED = "account-marked"
    LIMITS_CHANGED = "limits-changed"
    PLAYER_EXCLUDED = "player-excluded"
    PLAYER_READMITTED = "player-readmitted"
    CHECK_CHOSEN = "reality-check-chosen"
    CHECK_ANSWERED = "reality-check-answered"
    EVENTS_BEGUN = "events-begun"  # Before it, what happened at tables was not written down here.
    PERSON_CHANGED = "person-changed"
    ACCOUNT_CORRECTED = "account-corrected"
    LOG_IN_REFUSED = "log-in-refused"
    LOCKED_OUT = "locked-out"
    SERVER_STARTED = "server-started"
    SERVER_STOPPED = "server-stopped"
    INTEGRITY_CHECKED = "integrity-checked"
    CLOCK_PUT_BACK = "clock-put-back"
    DATABASE_PUT_BACK = "database-put-back"
    DATABASE_RESTORED = "database-restored"
    DATABASE_TROUBLE = "database-trouble"
    BACKUP_MADE = "backup-made"
    RACK_SLIP = "rack-slip"
    SHIFT_OPENED = "shift-opened"
    SHIFT_CLOSED = "shift-closed"
    COUNT_DIFFERS = "count-differs"
    ALERT_ACKNOWLEDGED = "alert-acknowledged"
    RESULTS_DIFFER = "results-differ"  # Results of a table are not what its book and its cards lead to.
    BOOK_KEPT = "book-kept"
    LARGE_CASH = "large-cash"  # Follows from a movement of the cashier.

    # What follows from an event of a table, which the act names; `audit.significant_events` says how.
    TERMS_CHANGED = "terms-changed"
    TABLE_PAUSED = "table-paused"
    BETS_REOPENED = "bets-reopened"
    TABLE_RESUMED = "table-resumed"
    TABLE_CLOSED = "table-closed"
    SHOE_REPLACED = "shoe-replaced"
    CARDS_REPLACED = "cards-replaced"
    CARD_CORRECTED = "card-corrected"
    CASE_CLOSED = "case-closed"
    ERROR_FOUND_LATE = "error-found-late"
    RULED = "ruled"
    BETS_RETURNED = "bets-returned"
    ROUND_VOIDED = "round-voided"
    SETTLEMENT_REVERSED = "settlement-reversed"
    LARGE_STAKE = "large-stake"
    LARGE_WIN = "large-win"
    LARGE_DAY = "large-day"


class Subject(Enum):
    """What an act is about; its name stands after it, as in `roles/Lee`."""

    TABLE = "table"
    ACCOUNT = "account"
    PASSWORD = "password"
    ROLES = "roles"
    APPROVAL = "approval"
    SEED = "seed"
    RUN = "run"
    RULES = "rules"
    DAY = "day"
    STOP = "stop"
    PROTECTION = "protection"
    SHUT = "shut"
    SECOND_FACTOR = "second-factor"
    DISPUTE = "dispute"
    INVITATION = "invitation"
    DEVICE = "device"
    RACK = "rack"
    SHIFT = "shift"

    # What has no row of its own: the act is all there is.
    EVENT = "event"  # Of a table: its name and the number of the event.
    PERSON = "person"
    CORRECTION = "correction"
    LOG_IN = "log-in"
    SESSIONS = "sessions"
    SERVER = "server"
    CLOCK = "clock"
    DATABASE = "database"
    STREAM = "stream"
    DIFFERENCE = "difference"
    ALERT = "alert"
    CASH = "cash"
    RESULTS = "results"  # Of a table, or of several together.
    BOOK = "book"  # By its digest, which says itself whether it was changed.

    def of(self, name: str) -> str:
        return f"{self.value}/{name}"


WITHOUT_ROWS = frozenset(
    subject.value
    for subject in (
        *(Subject.EVENT, Subject.PERSON, Subject.CORRECTION, Subject.LOG_IN, Subject.SESSIONS),
        *(
            Subject.SERVER,
            Subject.CLOCK,
            Subject.DATABASE,
            Subject.STREAM,
            Subject.DIFFERENCE,
            Subject.ALERT,
            Subject.RESULTS,
            Subject.BOOK,
            Subject.CASH,
        ),
    )
)
"""Subjects that no row is compared with."""


class HouseAct(msgspec.Struct, frozen=True, kw_only=True):
    """One significant event: what the house itself did, or what it has to know of what happened at a table.

    It is written down in the same transaction as the rows it is about; verification folds the chain and compares it
    with the rows. Its hash is the SHA-256 of the hash before it, as 32 bytes, followed by its line of JSON exactly as
    it is stored. This too is for ever.
    """

    seq: int = 0  # Its place in the chain, from 1; given when it is written.
    time: int  # Milliseconds.
    code: str
    subject: str  # What it is about: a kind, a slash and a name.
    who: str | None
    second: str | None = None  # Who agreed.
    before: dict[str, Any] | None = None  # What was there; of a change only what changed.
    after: dict[str, Any] | None = None  # What is there now, as far as it changed; None where nothing is any more.
    reason: str | None = None
    table: str | None = None
    event: int | None = None  # The event of that table from which it follows.
    round: int | None = None
    stood: dict[str, int] | None = None
    """Where every table stood, where the act holds for what comes after it: a rule of the house, by its thresholds."""


def write_house_acts(connection: Connection, acts: Sequence[HouseAct]) -> None:
    """Carry the chain on; it is held until the transaction ends, so this comes last in it."""
    number, head = hold_chain(connection, HOUSE)
    rows = []
    for act in acts:
        number += 1
        body = _encoder.encode(msgspec.structs.replace(act, seq=number)).decode()
        head = next_hash(head, body)
        rows.append((number, body, head))
    connection.insert("house_events", ("seq", "body", "hash"), rows)
    keep_chain(connection, HOUSE, number, head)


def account_state(currency: str, opened_ms: int, kind: str = "player") -> dict[str, Any]:
    """What is written down of an account; whose it is only where it is not a player's."""
    return {"currency": currency, "opened_ms": opened_ms, **({} if kind == "player" else {"kind": kind})}


def log_in_state(hashed: str | None, *, is_drawn: bool) -> dict[str, Any] | None:
    """What is written down of a log-in: the digest of what is kept of its password; None without one."""
    if hashed is None:
        return None
    return {"password": sha256(hashed.encode()).hexdigest(), **({"drawn": True} if is_drawn else {})}


def seed_state(algorithm: str, sealed: bytes) -> dict[str, Any]:
    return {"algorithm": algorithm, "sealed": sha256(sealed).hexdigest()}


def roles_state(rows: Iterable[tuple[str, str, int]]) -> dict[str, Any] | None:
    """What is written down of somebody's roles, each with who gave it and when; None where there are none."""
    return {role: [by, when] for role, by, when in sorted(rows, key=str)} or None
