"""What was asked of a table beside what came of it: every event belongs to one command that was accepted.

The commands of each table are a chain, refused ones too, and so are those of the cashier's desk. And a
command is there for every event, in order and under the same key.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import msgspec

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.problem import Findings
from punto.store.chain import DESK_FIRST, command_line, next_hash
from punto.store.chain.rows import command_rows
from punto.store.connection import Row
from punto.store.reader import Reader
from punto.store.stored import StoredTable


class _Second(msgspec.Struct):
    name: str


class _Body(msgspec.Struct):
    second: _Second | None = None


_bodies = msgspec.json.Decoder(_Body)


def linked_commands(
    rows: Iterator[Row],
    table: str | None,
    first: bytes,
    end: tuple[int, bytes],
    anchored: AnchoredChain | None,
    findings: Findings,
) -> Iterator[Row]:
    """The commands of a table, or of the desk, each looked at as the next link of their chain.

    The chain begins with the hash `first`, and should end at this number and hash; what was added after that
    is not ours to judge, because the rows may be read at a later moment.
    """
    number, head, last, is_whole = 0, first, 0, True
    seen = first if anchored is not None and not anchored.asked else b""
    for row in islice(rows, max(0, end[0])):
        number += 1
        stored = bytes(row[11]) if isinstance(row[11], bytes | memoryview) else b""
        try:
            is_linked = next_hash(head, command_line(row[:11])) == stored
        except (TypeError, ValueError):
            is_linked = False
        if not is_linked:
            is_whole = False
            place = last + 1 if table is not None else None  # it was changed, or one before it is gone
            told = f"command {row[0]}{_of_desk(table)}"
            findings.add(table, place, f"{told}: the hash does not follow from it and the one before it")
        head, last = stored, row[2] if type(row[2]) is int else last
        if anchored is not None and number == anchored.asked:
            seen = stored
        yield row
    if is_whole and (number, head) != end:
        told = f"the commands{_of_desk(table)} end with number {number:,}"
        findings.add(table, None, f"{told}, and should with number {end[0]:,}, or the last was changed")
    if anchored is None or anchored.asked_hash is None:
        return
    if anchored.asked > number:
        told = f"the anchor has {anchored.asked:,} commands{_of_desk(table)}"
        findings.add(table, None, f"{told}, and here are {number:,}: the end was cut off")
    elif seen.hex() != anchored.asked_hash:
        told = f"command number {anchored.asked:,}{_of_desk(table)} has another hash than in the anchor"
        findings.add(table, None, f"{told}: it, or one before it, was written again")


def check_desk(reader: Reader, anchored: AnchoredChain | None, findings: Findings) -> None:
    """Look at the commands that were given to the cashier's desk."""
    end = reader.desk_head() or (0, DESK_FIRST)
    rows = command_rows(reader, None)
    for row in linked_commands(rows, None, DESK_FIRST, end, anchored, findings):
        if row[2:5] != (None, None, None):
            findings.add(None, None, f"command {row[0]}{_of_desk(None)} names events of a table")
    for row in rows:
        findings.add(None, None, f"command {row[0]}{_of_desk(None)} is not in the chain: it was added")


def _of_desk(table: str | None) -> str:
    return " of the cashier's desk" if table is None else ""


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
                if not (row[8] is not None and row[3:5] == (None, None)):  # everything is refused there
                    self._add(0, "an imported table accepts no commands, and here is one")
            elif not self._is_later(row) and self._take(row):
                self._add_missing(row[3], row[4])
        self._check_others()

    def _check_others(self) -> None:
        for seq, by in self._of_others.items():
            self._add(seq, f"the event is {by}'s, and belongs to no command of theirs")
        self._of_others.clear()

    def _is_later(self, row: Row) -> bool:
        return isinstance(row[2], int) and row[2] > self._table.version

    def _advance(self, seq: int) -> None:
        """Go on to the command that this event belongs to, past those whose events are all missing."""
        rows = self._rows if self._waiting is None else chain((self._waiting,), self._rows)
        self._waiting = None
        for row in rows:
            if not self._take(row):
                continue
            first, last = row[3], row[4]
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
        _, _, version, first, last, actor, key, body, refusal, *_ = row
        if refusal is not None or (first is None and last is None):
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
        self.second = _second(body) if type(body) is str and '"second"' in body else None
        return True

    def _add(self, seq: int, sentence: str) -> None:
        self._findings.add(self._table.id, seq, sentence)


def _second(body: Any) -> str | None:
    try:
        found = _bodies.decode(body)
    except (msgspec.MsgspecError, TypeError):
        return None
    return found.second.name if found.second is not None else None
