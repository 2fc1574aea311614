"""What was asked of a table beside what came of it: every event belongs to one command that was accepted.

Commands are not chained. That a command is there for every event, in order and under the same key, is
checked; a refused one that was removed leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from punto.audit.chain.problem import Findings
from punto.store.connection import Row
from punto.store.stored import StoredTable


class _Second(msgspec.Struct):
    name: str


class _Body(msgspec.Struct):
    second: _Second | None = None


_bodies = msgspec.json.Decoder(_Body)


class CommandTrail:
    """The commands of a table, followed along its events."""

    def __init__(self, table: StoredTable, rows: Iterator[Row], findings: Findings) -> None:
        self._table, self._rows, self._findings = table, rows, findings
        self._last = 0
        self._key: str | None = None
        self._actor: str | None = None
        self._of_others: dict[int, str] = {}
        """Events of the command that somebody else caused: the floor opens seeds of its own accord."""
        self._waiting: Row | None = None
        """A command whose first event has not come yet."""
        self.second: str | None = None
        """Who stood beside the actor of the event that was looked at last."""

    def follow(self, seq: int, key: str | None, by: str | None) -> None:
        """Look at the next event, which these people caused under this key."""
        if seq > self._last:
            if self._table.imported:
                self._last = self._table.version
                return
            self._advance(seq)
            if by is not None and self._actor is not None and by != self._actor:
                self._add(seq, f"the event is {by}'s, and its command {self._actor}'s")
        elif by is not None and self._actor is not None and by != self._actor:
            self._of_others[seq] = by
        if key != self._key and not self._table.imported:
            self._add(seq, "the event has another key than the command that it belongs to")

    def end(self) -> None:
        """After the last event: no command is left, but those that came after that version."""
        for row in self._rows if self._waiting is None else chain((self._waiting,), self._rows):
            if self._table.imported:
                if not (row[6] and row[2] is None and row[3] is None):  # everything is refused there
                    self._add(0, "an imported table accepts no commands, and here is one")
            elif self._is_later(row):
                break
            elif self._take(row):
                self._add_missing(row[2], row[3])
        self._check_others()

    def _check_others(self) -> None:
        for seq, by in self._of_others.items():
            self._add(seq, f"the event is {by}'s, and belongs to no command of theirs")
        self._of_others.clear()

    def _is_later(self, row: Row) -> bool:
        return isinstance(row[1], int) and row[1] > self._table.version

    def _advance(self, seq: int) -> None:
        """Go on to the command that this event belongs to, past those whose events are all missing."""
        rows = self._rows if self._waiting is None else chain((self._waiting,), self._rows)
        self._waiting = None
        for row in rows:
            if not self._take(row):
                continue
            first, last = row[2], row[3]
            if last < seq:
                self._add_missing(first, last)
                continue
            if first > seq:
                self._waiting = row
                self._without_command(seq, seq)
            elif first < seq:
                self._add(seq, "no accepted command begins with this event")
            return
        self._without_command(seq, 2**63)

    def _without_command(self, seq: int, last: int) -> None:
        """Say that this event, and those after it up to the last one, are of no command."""
        self._add(seq, "the event belongs to no command that was accepted")
        self._last, self._key, self._actor, self.second = last, None, None, None

    def _add_missing(self, first: int, last: int) -> None:
        self._add(last, f"a command brought the events from {first} to this one, which are not there")

    def _take(self, row: Row) -> bool:
        """Look at a command; whether it brings events that no command before it had."""
        _, version, first, last, actor, key, is_refused, body = row
        if is_refused or (first is None and last is None):
            if not (first is None and last is None and version == self._last):
                self._add(self._last, f"a command without events is at version {version}, not {self._last}")
            return False
        if not (isinstance(first, int) and isinstance(last, int) and first <= last == version):
            self._add(self._last, f"a command names events {first} to {last} for version {version}")
            return False
        if first <= self._last:
            if not (first == last and self._of_others.pop(first, None) == actor):
                self._add(self._last, f"a command names events {first} to {last}, which belong to another")
            return False
        self._check_others()
        self._last, self._key, self._actor = last, key, actor
        self.second = _second(body) if body is not None else None
        return True

    def _add(self, seq: int, sentence: str) -> None:
        self._findings.add(self._table.id, seq, sentence)


def _second(body: Any) -> str | None:
    try:
        found = _bodies.decode(body)
    except (msgspec.MsgspecError, TypeError):
        return None
    return found.second.name if found.second is not None else None
