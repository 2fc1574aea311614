"""Alerts of the pit: what somebody who looks after tables should see now, and that somebody has seen it.

An alert is derived, never stored: from how a table stands, and from the significant events of the last day. That it
was acknowledged is on record, as an act of the house with who and when. What has ended by itself is an alert no more,
acknowledged or not; what happens again is another alert.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from enum import Enum
from threading import Lock

import msgspec

from punto.floor.answers import TableStop
from punto.rules.authority import Role
from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.reader import Reader
from punto.store.record import PitCall
from punto.store.significant_events import EventFilter, significant_lines
from punto.store.store import Store

DIFFERENTIAL_PERCENT = 90  # From this part of the differential of a box on, it is almost used up.
NO_DEALER_MS = 5 * 60_000  # Players sit at a table, and nobody has dealt there for so long.
REMEMBERED_MS = 24 * 3_600_000  # How long a significant event is an alert, if nobody acknowledges it.
LOOKED_BACK = 20_000  # Acts of the house in which a server that starts looks for what was acknowledged.
MOST_KEPT = 2_000  # Events and acknowledgements that are kept at hand, the latest.


class AlertKind(Enum):
    """What an alert is about."""

    PIT_CALLED = "pit-called"
    CASE_OPEN = "case-open"
    DIFFERENTIAL = "differential"  # Almost all of it is used in a box.
    NO_DEALER = "no-dealer"
    DEALER_STUCK = "dealer-stuck"  # The automatic dealer cannot go on.
    STOPPED = "stopped"
    DEVICE_LOST = "device-lost"
    DAMAGED = "damaged"  # A table whose records cannot be read.

    # Significant events, by their codes.
    LARGE_STAKE = "large-stake"
    LARGE_WIN = "large-win"
    LARGE_DAY = "large-day"
    ERROR_FOUND_LATE = "error-found-late"
    COUNT_DIFFERS = "count-differs"
    LOCKED_OUT = "locked-out"
    INTEGRITY = "integrity-checked"  # The software is not what was installed.
    CLOCK_PUT_BACK = "clock-put-back"
    DATABASE_TROUBLE = "database-trouble"
    RESULTS_DIFFER = "results-differ"  # From what the book and the cards lead to.


_OF_EVENTS = {
    kind.value: kind
    for kind in (
        *(AlertKind.LARGE_STAKE, AlertKind.LARGE_WIN, AlertKind.LARGE_DAY, AlertKind.ERROR_FOUND_LATE),
        *(AlertKind.COUNT_DIFFERS, AlertKind.LOCKED_OUT, AlertKind.INTEGRITY, AlertKind.CLOCK_PUT_BACK),
        *(AlertKind.DATABASE_TROUBLE, AlertKind.RESULTS_DIFFER),
    )
}
_WATCHED = EventFilter((*_OF_EVENTS, HouseCode.ALERT_ACKNOWLEDGED.value))


_TOLD = (
    *("player", "box", "area", "stake", "won", "amount", "threshold", "what", "clause", "difference", "count"),
    *("tables", "rounds", "questions", "mispaid", "repeated", "cut"),
    *("name", "address", "expected", "counted"),
)
"""What an alert says of its event."""


class SeenBy(msgspec.Struct, frozen=True):
    """Who has seen an alert, and when."""

    by: str
    time: int


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody in the pit should see now."""

    alert: str  # Its name, by which it is acknowledged.
    kind: AlertKind
    table: str | None = None  # None where it is about the whole house.
    since: int
    params: dict[str, str | int] = {}  # Who, how much, why: as far as it is known.
    acknowledged: SeenBy | None = None


class TableStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How a table stands, as far as alerts depend on it."""

    table: str
    round: int = 0
    is_open: bool = True  # Neither closed nor imported: somebody may play there.
    is_paused: bool = False
    players: int = 0  # Who sit there, bots left out.
    case: int | None = None  # The number of the case that is open.
    case_since: int = 0
    finding: str | None = None
    differential: tuple[int, int, int] | None = None  # The box that uses most of it: box, used, and the whole.
    moved: int = 0  # When the round last moved on.
    is_automatic: bool = False
    dealt: int | None = None  # The last act of a dealer.
    opened: int = 0
    problem: str | None = None  # Why the automatic dealer cannot go on.
    stop: TableStop | None = None
    device: str | None = None  # What reads the cards.
    lost: int | None = None  # Since when it is not heard of.


def table_alerts(at: TableStanding, calls: Iterable[PitCall], now: int) -> Iterator[Alert]:
    """What there is to see at one table. Every threshold is here or in the rules of the house."""
    for call in calls:
        if call.table == at.table and call.answer is None:
            said: dict[str, str | int] = {"who": call.caller, "reason": call.reason or ""}
            yield _alert(AlertKind.PIT_CALLED, call.table, call.call, call.called, **said)
    if not at.is_open:
        return
    if at.case is not None:
        yield _alert(AlertKind.CASE_OPEN, at.table, at.case, at.case_since, finding=at.finding or "")
    if at.stop is not None:
        yield _alert(AlertKind.STOPPED, at.table, at.stop.since, at.stop.since, book=at.stop.book or "")
    if at.problem is not None:
        yield _alert(AlertKind.DEALER_STUCK, at.table, at.moved, at.moved, problem=at.problem)
    if at.lost is not None:
        yield _alert(AlertKind.DEVICE_LOST, at.table, at.lost, at.lost, device=at.device or "")
    if at.differential is not None:
        box, used, whole = at.differential
        if used * 100 >= whole * DIFFERENTIAL_PERCENT:
            name = f"{at.round}/{box}"
            yield _alert(AlertKind.DIFFERENTIAL, at.table, name, at.moved, box=box, used=used, whole=whole)
    last = at.dealt or at.opened
    is_waiting = at.players and not at.is_paused and at.stop is None and at.case is None
    if is_waiting and not at.is_automatic and now - last >= NO_DEALER_MS:
        yield _alert(AlertKind.NO_DEALER, at.table, last, last)


def damaged_alert(table: str, now: int) -> Alert:
    """A table that cannot be shown at all."""
    return _alert(AlertKind.DAMAGED, table, "", now)


def _alert(kind: AlertKind, table: str, name: str | int, since: int, **params: str | int) -> Alert:
    return Alert(alert=f"{kind.value}/{table}/{name}", kind=kind, table=table, since=since, params=params)


def event_alert(act: HouseAct) -> Alert | None:
    """The alert of a significant event; None where it is in order."""
    kind, after = _OF_EVENTS[act.code], act.after or {}
    if kind is AlertKind.INTEGRITY and after.get("ok", True):
        return None
    params = {name: after[name] for name in _TOLD if isinstance(after.get(name), str | int)}
    if act.round is not None:
        params["round"] = act.round
    table, about = _counted_at(act) if kind is AlertKind.COUNT_DIFFERS else (act.table, {})
    return Alert(alert=f"event/{act.seq}", kind=kind, table=table, since=act.time, params=params | about)


def _counted_at(act: HouseAct) -> tuple[str | None, dict[str, str | int]]:
    """Where a count differs, and who counted: the rack of a table, or the drawer of a cashier."""
    people = " + ".join(filter(None, (act.who, act.second)))
    where, _, rest = act.subject.removeprefix(Subject.DIFFERENCE.of("")).partition("/")
    if where == Subject.RACK.value:
        return rest.rpartition("/")[0], {"counter": people}
    return None, {"drawer": people}


class AlertBook:
    """Significant events that are alerts, and what was acknowledged: the chain of the house as it was last read.

    All of it is a cache: it is read from where it was read before, so another server's acts are found too.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: int | None = None  # The last act that was read.
        self._events: OrderedDict[str, Alert] = OrderedDict()
        self._acknowledged: OrderedDict[str, SeenBy] = OrderedDict()

    def look(self, reader: Reader) -> None:
        """Read what was added since."""
        with self._lock:
            [(last,)] = reader.rows("SELECT coalesce(max(seq), 0) FROM house_events")
            after = max(0, last - LOOKED_BACK) if self._read is None else self._read
            if last <= after and self._read is not None:
                return
            for _, act in significant_lines(reader, after, _WATCHED):
                self._take(act)
                last = max(last, act.seq)
            self._read = last
            for kept in (self._events, self._acknowledged):
                while len(kept) > MOST_KEPT:
                    kept.popitem(last=False)

    def _take(self, act: HouseAct) -> None:
        if act.code == HouseCode.ALERT_ACKNOWLEDGED.value:
            name = act.subject.removeprefix(Subject.ALERT.of(""))
            self._acknowledged.setdefault(name, SeenBy(act.who or "", act.time))
        elif (alert := event_alert(act)) is not None:
            self._events[alert.alert] = alert

    def marked(self, alerts: Iterable[Alert], now: int) -> tuple[Alert, ...]:
        """These and those of the last day's events, each with who has acknowledged it; the latest first."""
        with self._lock:
            known = dict(self._acknowledged)
            recent = [one for one in self._events.values() if _lasts(one, now, one.alert in known)]
        found = (msgspec.structs.replace(one, acknowledged=known.get(one.alert)) for one in (*alerts, *recent))
        return tuple(sorted(found, key=lambda one: (one.acknowledged is not None, -one.since, one.alert)))


def _lasts(alert: Alert, now: int, is_seen: bool) -> bool:
    """Whether an event is an alert still. That results differ does not pass: it stays until somebody has seen it."""
    is_recent = now - alert.since < REMEMBERED_MS
    return is_recent or (alert.kind is AlertKind.RESULTS_DIFFER and not is_seen)


def acknowledge(store: Store, book: AlertBook, alert: Alert, by: str, role: Role, now: int) -> Alert:
    """Write down that somebody has seen an alert; the first who says so stays the one who did."""
    with store.write() as transaction:
        transaction.connection.lock("alerts")
        book.look(transaction)
        [seen] = [one for one in book.marked((alert,), now) if one.alert == alert.alert][:1]
        if seen.acknowledged is None:
            after = {"kind": alert.kind.value, "since": alert.since, "role": role.value, **alert.params}
            subject = Subject.ALERT.of(alert.alert)
            transaction.note(HouseCode.ALERT_ACKNOWLEDGED, subject, by, now, after=after, table=alert.table)
            return msgspec.structs.replace(alert, acknowledged=SeenBy(by, now))
    return seen
