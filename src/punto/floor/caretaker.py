"""The caretaker of a running server: writes down when it starts and stops, with which software and settings, has the
software compared with what was installed every 24 hours, and tells the house of trouble that could not be written down
while it lasted: a clock that was put back, a database that could not be used, backups made beside it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Lock, RLock
from typing import Any

import msgspec

from punto.floor.integrity import Integrity, check_software
from punto.store.backup import forget_waiting_backups, note_waiting_backups
from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.house_settings import stored_settings
from punto.store.lease import standing_of
from punto.store.reader import Reader
from punto.store.significant_events import EventFilter, latest_acts, note_bounded, tell_repeated
from punto.store.store import Store
from punto.store.transaction import OPENER, Transaction
from punto.store.witness import WRITTEN, set_mark

CHECK_EVERY_MS = 24 * 3_600_000
MOST_TROUBLES = 100  # Moments of trouble that are remembered until they can be written down; the rest is counted.
_STARTS = (HouseCode.SERVER_STARTED.value, HouseCode.SERVER_STOPPED.value)
_log = logging.getLogger("punto.server")


class Caretaker:
    """Looks after one running server. Any thread may tell it of trouble; one at a time has it written down."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        settings: Mapping[str, Any],
        look: Callable[[], Integrity] = check_software,
        run: str | None = None,
    ) -> None:
        self._store, self._clock, self._settings, self._look = store, clock, dict(settings), look
        self._run = run or secrets.token_hex(4)  # The name of this run of the server.
        self._lock, self._busy = Lock(), RLock()  # Of what waits to be told; of telling it.
        self._troubles: list[tuple[int, str]] = []
        self._put_back: list[tuple[int, int]] = []
        self._checked_ms = 0
        self.integrity: Integrity | None = None  # What was found of the software last.
        self.is_started = self.is_stopped = False

    def start(self) -> None:
        """Write down that the server has started, with which software, and what was different the last time."""
        with self._busy:
            if self.is_stopped:
                return
            integrity, now = self._look(), self._clock()
            with self._store.write() as transaction:
                before, is_clean = _last_run(transaction, self._run)
                after = {**self._described(transaction, integrity), "clean": is_clean}
                was = {name: value for name, value in before.items() if name in after and after[name] != value}
                was.pop("clean", None)
                changes = {"before": was or None, "after": after}
                transaction.note(HouseCode.SERVER_STARTED, Subject.SERVER.of(self._run), OPENER, now, **changes)
            self._keep(integrity, now)
            self.is_started = True

    def stop(self) -> None:
        """Write down that the server stops; it waits for whatever is being written down."""
        with self._busy:
            self.is_stopped = True
            if self.is_started:
                self._tell()
                with self._store.write() as transaction:
                    transaction.note(HouseCode.SERVER_STOPPED, Subject.SERVER.of(self._run), OPENER, self._clock())

    def check_writing(self) -> None:
        """Write to the database what means nothing, to know that it can be; a `StoreError` says why not."""
        with self._store.write() as transaction:
            set_mark(transaction, WRITTEN, f"{self._run}/{self._clock()}")

    def check(self, by: str) -> Integrity:
        """Have the software looked at now; what was found is kept for good."""
        integrity, now = self._look(), self._clock()
        with self._store.write() as transaction:
            note_integrity(transaction, integrity, by, now)
        self._keep(integrity, now)
        return integrity

    def note_trouble(self, sentence: str) -> None:
        """The database could not be used; it is told of when it can be."""
        with self._lock:
            if len(self._troubles) < MOST_TROUBLES:
                self._troubles.append((self._clock(), sentence))

    def note_clock(self, back_ms: int, now: int) -> None:
        """The clock of the machine went back by so much."""
        with self._lock:
            if len(self._put_back) < MOST_TROUBLES:
                self._put_back.append((back_ms, now))

    def tidy(self) -> None:
        """Write down what has come together, and have the software looked at where it is time."""
        with self._busy:
            if self.is_stopped:
                return
            self._tell()
            if self._clock() - self._checked_ms >= CHECK_EVERY_MS:
                self.check(OPENER)

    def _tell(self) -> None:
        now = self._clock()
        with self._lock:
            troubles, self._troubles = self._troubles, []
            put_back, self._put_back = self._put_back, []
        try:
            with self._store.write() as transaction:
                transaction.connection.lock("repeated-events")
                tell_repeated(transaction, now)
                for when, sentence in troubles:
                    trouble = (Subject.DATABASE, "trouble")
                    note_bounded(transaction, HouseCode.DATABASE_TROUBLE, trouble, when, {"problem": sentence})
                for back, when in put_back:
                    after = {"back_ms": back}
                    transaction.note(HouseCode.CLOCK_PUT_BACK, Subject.CLOCK.of(self._run), OPENER, when, after=after)
                note_waiting_backups(transaction, self._store.address)
        except BaseException:
            with self._lock:
                self._troubles, self._put_back = troubles + self._troubles, put_back + self._put_back
            raise
        forget_waiting_backups(self._store.address)

    def _keep(self, integrity: Integrity, now: int) -> None:
        self.integrity, self._checked_ms = integrity, now
        if not integrity.ok:
            differing = (*integrity.changed, *integrity.missing, *integrity.added)
            _log.error("the software is not as it was installed", extra={"problem": ", ".join(differing)})

    def _described(self, reader: Reader, integrity: Integrity) -> dict[str, Any]:
        settings = {name: value for name, value in sorted(self._settings.items()) if value is not None}
        rules = msgspec.json.encode(stored_settings(reader), order="sorted")
        return {**integrity_state(integrity), "settings": settings, "rules": sha256(rules).hexdigest()}


def integrity_state(integrity: Integrity) -> dict[str, Any]:
    """What is written down of the software."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(integrity))
    packages = msgspec.json.encode(found.pop("dependencies"), order="sorted")
    return {**found, "dependencies": sha256(packages).hexdigest()}


def note_integrity(transaction: Transaction, integrity: Integrity, by: str, now: int) -> None:
    subject = Subject.SERVER.of("software")
    transaction.note(HouseCode.INTEGRITY_CHECKED, subject, by, now, after=integrity_state(integrity))


def kept_integrity(reader: Reader, limit: int) -> list[HouseAct]:
    """What was found of the software so far, the latest first: at starts, every day, and on demand."""
    codes = (HouseCode.SERVER_STARTED.value, HouseCode.INTEGRITY_CHECKED.value)
    return latest_acts(reader, EventFilter(codes), limit)


def _last_run(reader: Reader, run: str) -> tuple[dict[str, Any], bool]:
    """What the server before this one started with, and whether the last one that has gone did so in good order."""
    there = {Subject.SERVER.of(server.name) for server in standing_of(reader).servers if server.name != run}
    gone = (act for act in latest_acts(reader, EventFilter(_STARTS), len(there) + 1) if act.subject not in there)
    last = next(gone, None)
    started = latest_acts(reader, EventFilter(_STARTS[:1]), 1)
    is_clean = last is None or last.code == HouseCode.SERVER_STOPPED.value
    return (started[0].after or {}) if started else {}, is_clean
