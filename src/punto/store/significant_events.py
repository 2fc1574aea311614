"""The stream of significant events as it is read, and what is counted for it: stakes and wins by gaming day, and
what strangers could repeat as often as they like, such as log-ins that are refused. Of those the first of an hour is
told at once and the others as one number when the hour is over, so that nobody can fill the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.connection import placeholders
from punto.store.reader import AFTER_ALL, PAGE, Reader
from punto.store.transaction import Transaction

HOUR_MS = 3_600_000
MOST_AN_HOUR = 100  # Subjects of one code that are told apart in an hour; all others are one.
ELSEWHERE = "elsewhere"  # The subject that stands for the others.
_WRITTEN_OTHERWISE = frozenset('"\\')  # Characters of a name that JSON or a search writes in another way.
_acts = msgspec.json.Decoder(HouseAct)
_documents = msgspec.json.Decoder(dict[str, Any])


class EventFilter(msgspec.Struct, frozen=True):
    """Which significant events are wanted; whatever is left out is not asked."""

    codes: tuple[str, ...] = ()
    since: int | None = None  # From this time on, in milliseconds.
    until: int | None = None  # Before this time.
    table: str | None = None
    person: str | None = None  # Who did it or agreed to it, or whom it is about.

    def wants(self, act: HouseAct) -> bool:
        if self.codes and act.code not in self.codes:
            return False
        if self.person is not None and self.person not in _named(act):
            return False
        if self.table is not None and self.table not in (act.table, *act.subject.split("/")[1:2]):
            return False
        return (self.since is None or act.time >= self.since) and (self.until is None or act.time < self.until)


EVERYTHING = EventFilter()


def _named(act: HouseAct) -> Iterator[Any]:
    """Whoever an act names: by whom, with whom, whose it is, and whom its record has, as a large win has its player."""
    yield from (act.who, act.second, *act.subject.split("/")[1:])
    for record in (act.before, act.after):
        yield from (record or {}).values()


def significant_lines(
    reader: Reader, after: int = 0, wanted: EventFilter = EVERYTHING, limit: int | None = None
) -> Iterator[tuple[str, HouseAct]]:
    """The stream after a place in it: each event as it is stored, to the letter, and as it reads."""
    where, values = _likely(wanted)
    statement = f"SELECT seq, body FROM house_events WHERE {where}seq > ? ORDER BY seq LIMIT ?"
    left = AFTER_ALL if limit is None else limit
    for _, body in reader.each_row(statement, values, after=after):
        act = _acts.decode(body)
        if wanted.wants(act):
            if left <= 0:
                return
            left -= 1
            yield body, act


def latest_acts(reader: Reader, wanted: EventFilter, limit: int, before: int = AFTER_ALL) -> list[HouseAct]:
    """The last events of some codes before a place in the stream, the latest first."""
    where, values = _likely(wanted)
    found = list[HouseAct]()
    while len(found) < limit:
        statement = f"SELECT seq, body FROM house_events WHERE {where}seq < ? ORDER BY seq DESC LIMIT ?"
        rows = reader.rows(statement, (*values, before, min(PAGE, 4 * limit)))
        found += [act for act in (_acts.decode(body) for _, body in rows) if wanted.wants(act)]
        if len(rows) < min(PAGE, 4 * limit):
            break
        before = rows[-1][0]
    return found[:limit]


def house_began(reader: Reader) -> int | None:
    """When the first thing of the house was written down; None where nothing is."""
    first = next((act.time for _, act in significant_lines(reader, limit=1)), None)
    [(table,)] = reader.rows("SELECT min(created_ms) FROM tables")
    return min((moment for moment in (first, table) if moment is not None), default=None)


def _likely(wanted: EventFilter) -> tuple[str, tuple[str, ...]]:
    """What the text of such an event holds: rows that cannot be meant are not decoded."""
    where, values = "", tuple(f'%"code":"{code}"%' for code in wanted.codes)
    if values:
        where = f"({' OR '.join(['body LIKE ?'] * len(values))}) AND "
    if wanted.person is not None and not _WRITTEN_OTHERWISE & set(wanted.person):
        where, values = f"{where}body LIKE ? AND ", (*values, f"%{wanted.person}%")
    return where, values


class PlayerDay(msgspec.Struct, frozen=True):
    """What a player staked and won in a gaming day, and of which thresholds the house has been told."""

    handle: str
    day: str
    staked: int = 0
    won: int = 0
    staked_told: int = 0  # The threshold that was told of last; 0 for none.
    won_told: int = 0


_PLAYER_DAYS = f"SELECT {', '.join(PlayerDay.__struct_fields__)} FROM player_days"


def player_days(reader: Reader) -> list[PlayerDay]:
    return [PlayerDay(*row) for row in reader.rows(f"{_PLAYER_DAYS} ORDER BY handle, day")]


def lock_player_days(transaction: Transaction, days: Iterable[tuple[str, str]]) -> dict[tuple[str, str], PlayerDay]:
    """Hold the days of these players until the end, in one order; each as it is now."""
    wanted = sorted(set(days))
    for handle, day in wanted:
        transaction.connection.run(
            "INSERT INTO player_days (handle, day, staked, won, staked_told, won_told) VALUES (?, ?, 0, 0, 0, 0) "
            "ON CONFLICT (handle, day) DO NOTHING",
            (handle, day),
        )
    found: dict[tuple[str, str], PlayerDay] = {}
    for day in sorted({day for _, day in wanted}):
        handles = [handle for handle, each in wanted if each == day]
        statement = f"{_PLAYER_DAYS} WHERE day = ? AND handle IN ({placeholders(len(handles))})"
        for row in transaction.connection.all(f"{statement} ORDER BY handle FOR UPDATE", (day, *handles)):
            found[row[0], row[1]] = PlayerDay(*row)
    return found


def keep_player_day(transaction: Transaction, day: PlayerDay) -> None:
    transaction.connection.put("player_days", ["handle", "day"], msgspec.structs.asdict(day))


def note_bounded(
    transaction: Transaction, code: HouseCode, subject: tuple[Subject, str], now: int, details: dict[str, Any]
) -> None:
    """Write down something that strangers can repeat: the first of an hour at once, the others when it is over.

    Where there are too many subjects in an hour, those that come later are told as one.
    """
    connection = transaction.connection
    connection.lock("repeated-events")
    tell_repeated(transaction, now)
    kind, name = subject
    counted = "UPDATE repeated_events SET count = count + 1, last_ms = ? WHERE code = ? AND subject = ?"
    if connection.run(counted, (now, code.value, kind.of(name))):
        return
    [(subjects,)] = connection.all("SELECT count(*) FROM repeated_events WHERE code = ?", (code.value,))
    if subjects >= MOST_AN_HOUR:
        details, name = dict.fromkeys(details), ELSEWHERE
        if connection.run(counted, (now, code.value, kind.of(name))):
            return
    columns = ("code", "subject", "hour", "count", "last_ms", "details")
    row = (code.value, kind.of(name), now // HOUR_MS, 1, now, msgspec.json.encode(details).decode())
    connection.insert("repeated_events", columns, [row])
    transaction.note(code, kind.of(name), None, now, after={**details, "count": 1})


def tell_repeated(transaction: Transaction, now: int) -> None:
    """Write down how often what was told once in an hour that is over happened again in it."""
    rows = transaction.connection.all(
        "SELECT code, subject, count, last_ms, details FROM repeated_events WHERE hour <> ? ORDER BY code, subject",
        (now // HOUR_MS,),
    )
    if not rows:
        return
    for code, subject, count, last, details in rows:
        if count > 1:
            after = {**_documents.decode(details), "count": count - 1, "last": last}
            transaction.note(HouseCode(code), subject, None, now, after=after)
    transaction.connection.run("DELETE FROM repeated_events WHERE hour <> ?", (now // HOUR_MS,))
