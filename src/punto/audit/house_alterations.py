"""What was altered in a house: terms of tables, rules of the house, roles, how tables are run, corrections of accounts.

Each is told with who did it, who agreed, why, and what was there before and after. They come from the records that
belong to them: terms from the logs of tables, corrections from the ledger, the rest from the acts of the house.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from punto.audit.house_figures import place_at
from punto.audit.house_ledger import read_cashier
from punto.ledger.movement import MovementKind, player_account
from punto.store.chain import HouseAct, HouseCode
from punto.store.reader import AFTER_ALL, Reader, balance_before, commands_at, records_of
from punto.store.record import StoredTable
from punto.table.house import TermsChanged

TERMS_CHANGED = "terms-changed"
CORRECTED = "account-corrected"
ALTERING = (
    *(HouseCode.RULES_CHANGED, HouseCode.ROLES_CHANGED, HouseCode.RUN_CHANGED, HouseCode.DATABASE_RESTORED),
    *(HouseCode.PASSWORD_SET, HouseCode.PERSON_CHANGED, HouseCode.PERSON_ERASED, HouseCode.LOG_IN_SHUT),
    *(HouseCode.LOG_IN_OPENED, HouseCode.SECOND_FACTOR_SET, HouseCode.SECOND_FACTOR_REMOVED),
    *(HouseCode.PLAY_STOPPED, HouseCode.PLAY_STARTED),
)
"""Acts of the house that alter what was there. Terms and corrections are told by what they changed, not by an act."""
_COMMANDS_NEAR = 50  # Versions among which the command of an event is looked for: it may have led to more.
_act_decoder = msgspec.json.Decoder(HouseAct)


class AlterationRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was altered: when, what, by whom, who agreed, why, what it was before and is now."""

    time: int
    what: str
    subject: str
    who: str | None
    second: str | None = None
    reason: str | None = None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


def alteration_rows(
    reader: Reader, start: int | None, end: int, table: str | None = None, *, is_now: bool = False
) -> list[AlterationRow]:
    """What was altered from a moment on and before another, in the order of time; of one table, only its terms."""
    rows = [
        row
        for stored in reader.tables()
        if not stored.imported and table in (None, stored.id)
        for row in _terms(reader, stored, start, None if is_now else end)
    ]
    if table is None:
        until = AFTER_ALL if is_now else end
        rows += (row for row in _acts(reader) if (start is None or row.time >= start) and row.time < until)
        rows += _corrections(reader, start, end, is_now=is_now)
    return sorted(rows, key=lambda row: row.time)


def _terms(reader: Reader, stored: StoredTable, start: int | None, end: int | None) -> Iterator[AlterationRow]:
    after = place_at(reader, stored, start)
    until = stored.version if end is None else place_at(reader, stored, end)
    for record in records_of(reader, stored.id, [TermsChanged.name()], after, until):
        event = record.event
        assert isinstance(event, TermsChanged)
        was = msgspec.to_builtins(reader.state_at(stored.id, record.seq - 1).terms) or {}
        now = msgspec.to_builtins(event.terms)
        names = sorted(name for name in {*was, *now} if was.get(name) != now.get(name))
        before, changed = ({name: terms.get(name) for name in names} for terms in (was, now))
        yield AlterationRow(
            time=event.time,
            what=TERMS_CHANGED,
            subject=f"table/{stored.id}",
            who=event.by,
            second=_second(reader, stored.id, record.seq),
            before=before,
            after=changed,
        )


def _second(reader: Reader, table: str, seq: int) -> str | None:
    """Who agreed to the command that led to an event."""
    for command in commands_at(reader, table, seq, seq + _COMMANDS_NEAR):
        if command.first_seq is not None and command.first_seq <= seq <= (command.last_seq or 0):
            second = msgspec.json.decode(command.body).get("second")
            return second["name"] if second else None
    return None


def _acts(reader: Reader) -> Iterator[AlterationRow]:
    wanted = " OR ".join(["body LIKE ?"] * len(ALTERING))
    statement = f"SELECT seq, body FROM house_events WHERE ({wanted}) AND seq > ? ORDER BY seq LIMIT ?"
    codes = {code.value for code in ALTERING}
    for _, body in reader.each_row(statement, tuple(f'%"code":"{code.value}"%' for code in ALTERING)):
        act = _act_decoder.decode(body)
        if act.code in codes:
            yield AlterationRow(
                time=act.time,
                what=act.code,
                subject=act.subject,
                who=act.who,
                second=act.second,
                reason=act.reason,
                before=act.before,
                after=act.after,
            )


def _corrections(reader: Reader, start: int | None, end: int, *, is_now: bool) -> Iterator[AlterationRow]:
    for moved in read_cashier(reader, start, end, is_now=is_now):
        if moved.kind == MovementKind.CORRECTION.value:
            free = balance_before(reader, player_account(moved.player), moved.id)
            yield AlterationRow(
                time=moved.time,
                what=CORRECTED,
                subject=f"account/{moved.player}",
                who=moved.actor,
                second=moved.second,
                reason=moved.reason,
                before={"free": free},
                after={"free": free + moved.amount},
            )
