"""What the house itself did, looked at: the chain, and the rows that it leads to.

Each act says what is there after it. Folded from the first to the last, they say what must be in the rows of
accounts, passwords, roles, approvals, sealed seeds, runs and tables now; what is missing there, was changed,
or was added is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.problem import Findings
from punto.store.access.approvals import approval_state, stored_approvals
from punto.store.chain import CASHIER, DESK, HOUSE, HOUSE_FIRST, next_hash
from punto.store.chain.house import HouseCode, HouseEvent, Subject, log_in_state, roles_state, seed_state
from punto.store.chain.rows import house_rows
from punto.store.reader import Reader
from punto.store.running.runs import run_state, stored_runs

State = dict[str, Any]

_GOES_ON = frozenset(
    code.value
    for code in (HouseCode.APPROVAL_DECIDED, HouseCode.APPROVAL_EXPIRED, HouseCode.APPROVAL_FINISHED)
)
"""Acts that say only what they add to what was there."""
_NAMES = {
    Subject.TABLE: "table {name}",
    Subject.ACCOUNT: "the account of {name}",
    Subject.PASSWORD: "the password of {name}",
    Subject.ROLES: "what roles {name} has",
    Subject.APPROVAL: "approval {name}",
    Subject.SEED: "the sealed seed of shoe {name}",
    Subject.RUN: "how table {name} is run",
}
"""What each act is about, for people."""
_OF_TABLES = frozenset(subject.value for subject in (Subject.TABLE, Subject.SEED, Subject.RUN))
_decoder = msgspec.json.Decoder(HouseEvent)


def check_house(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> int:
    """Look at everything that the house did; the number of its acts."""
    told: dict[str, tuple[int, State]] = {}
    last = 0
    for event in _linked(reader, anchored, findings):
        last = event.seq
        before = told.get(event.subject, (0, {}))[1] if event.code in _GOES_ON else {}
        if event.after is None:
            told.pop(event.subject, None)
        else:
            told[event.subject] = event.seq, {**before, **event.after}
    for subject, state in _found(reader):
        seq, wanted = told.pop(subject, (0, None))
        if wanted is None:
            _add(findings, subject, "is in no record of what the house did: it was added")
        elif wanted != state:
            names = sorted(str(name) for name in wanted.keys() | state if wanted.get(name) != state.get(name))
            told_so = f"is not as act {seq:,} of the house left it"
            _add(findings, subject, f"{told_so}: changed was {', '.join(names)}")
    for (chain,) in reader.rows("SELECT id FROM chains"):
        if chain not in (CASHIER, DESK, HOUSE):
            findings.add(None, None, f"there is a chain {chain!r}, which is none of the house")
    for subject, (seq, _) in told.items():
        _add(findings, subject, f"is missing: act {seq:,} of the house says that it is there")
    return last


def _linked(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> Iterator[HouseEvent]:
    """The acts in their order, each looked at as the next link of the chain."""
    last, head = 0, HOUSE_FIRST
    seen = HOUSE_FIRST if anchored is not None and not anchored.seq else b""
    for seq, body, stored in house_rows(reader):
        stored = bytes(stored) if isinstance(stored, bytes | memoryview) else b""
        event = _read(body)
        if seq != last + 1:
            findings.add(None, None, f"act {last + 1:,} of the house is missing, or has another number")
        elif event is None or event.seq != seq or next_hash(head, body) != stored:
            told = f"act {seq:,} of the house: the hash does not follow from it and the one before it"
            findings.add(None, None, told)
        head, last = stored, seq if type(seq) is int else last
        if anchored is not None and seq == anchored.seq:
            seen = stored
        if event is not None:
            yield event
    number, end = reader.house_head() or (0, HOUSE_FIRST)
    if (number, end) != (last, head):
        findings.add(None, None, f"the acts of the house end at {last:,}, and should at {number:,}")
    if anchored is None:
        return
    if anchored.seq > last:
        told = f"the anchor has {anchored.seq:,} acts of the house, and here are {last:,}"
        findings.add(None, None, f"{told}: the end was cut off")
    elif seen.hex() != anchored.hash:
        told = f"act {anchored.seq:,} of the house has another hash than in the anchor"
        findings.add(None, None, f"{told}: it, or one before it, was written again")


def _read(body: object) -> HouseEvent | None:
    try:
        return _decoder.decode(body) if isinstance(body, str) else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _found(reader: Reader) -> Iterator[tuple[str, State]]:
    """Every row that an act must have left, as acts say it."""
    for id, digest, created, imported in reader.rows("SELECT id, digest, created_ms, imported FROM tables"):
        after = {"digest": digest, "created_ms": created, "imported": bool(imported)}
        yield Subject.TABLE.of(id), after
    for handle, currency, opened in reader.rows("SELECT handle, currency, opened_ms FROM accounts"):
        yield Subject.ACCOUNT.of(handle), {"currency": currency, "opened_ms": opened}
    for handle, hashed, drawn in reader.rows(
        "SELECT handle, password, drawn FROM people WHERE password IS NOT NULL"
    ):
        yield Subject.PASSWORD.of(handle), log_in_state(str(hashed), is_drawn=bool(drawn)) or {}
    held: dict[str, list[tuple[str, str, int]]] = {}
    for handle, role, by, when in reader.rows("SELECT handle, role, granted_by, granted_ms FROM roles"):
        held.setdefault(handle, []).append((role, by, when))
    for handle, rows in held.items():
        yield Subject.ROLES.of(handle), roles_state(rows) or {}
    for approval in stored_approvals(reader):
        yield Subject.APPROVAL.of(approval.id), approval_state(approval)
    for table, shoe, algorithm, sealed in reader.rows("SELECT table_id, shoe, algorithm, sealed FROM seeds"):
        content = sealed if isinstance(sealed, bytes | memoryview) else str(sealed).encode()
        yield Subject.SEED.of(f"{table}/{shoe}"), seed_state(algorithm, bytes(content))
    for run in stored_runs(reader):
        yield Subject.RUN.of(run.table), run_state(run)


def _add(findings: Findings, subject: str, sentence: str) -> None:
    kind, _, name = subject.partition("/")
    known = next((noun for each, noun in _NAMES.items() if each.value == kind), "{name}")
    table = name.partition("/")[0] if kind in _OF_TABLES else None
    findings.add(table, None, f"{known.format(name=name)} {sentence}")
