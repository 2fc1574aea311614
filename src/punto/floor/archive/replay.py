"""Replaying an exported table: does it come to the state and the hash that the file names?

Everything is computed again from the file alone, by the book whose digest it names: an export from its
records, a session from its commands. No database is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from punto.floor.archive.export import SESSION_MARK, SessionHeader
from punto.floor.archive.export_file import WrongExport, fold_record, read_header, read_records
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.digest import SHORT, digest_of
from punto.store.chain import first_hash, next_hash
from punto.store.record import SCHEMA_VERSION, encode_event, record_line
from punto.store.snapshot import state_hash
from punto.table.notation.lines import Session, WrongLines, parse_session
from punto.table.notation.session import NoTable, play_session
from punto.table.state import State


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a file came to."""

    table: str
    digest: str
    version: int
    state: str
    """The hash of the state."""
    head: str
    """The hash of the last record in the chain."""
    differences: tuple[str, ...]
    """What the file names and did not come, a sentence each."""

    @property
    def is_same(self) -> bool:
        return not self.differences


def replay_export(lines: Iterable[bytes]) -> Replayed:
    """Replay the lines of an export; `WrongExport` where it cannot be read or cannot have happened."""
    found = iter(lines)
    header, _ = read_header(next(found, b""))
    state, version, head = State(), 0, first_hash(header.table, header.digest)
    for record, line in read_records(header, found):
        state, version = fold_record(state, record), record.seq
        head = next_hash(head, line.decode())
    said = SessionHeader(header.v, header.table, header.digest, header.version, header.hash, header.head)
    return _compared(said, version, state_hash(state), head.hex())


def replay_session(text: str, load: Callable[[str], Book]) -> Replayed:
    """Replay an exported session; `load` brings the book that it names, which must have its digest."""
    header = _session_header(text)
    try:
        session: Session = parse_session(text)
    except WrongLines as error:
        number, sentence = error.problems[0]
        raise WrongExport(f"line {number}: {sentence}") from None
    state, version, head = State(), 0, first_hash(header.table, header.digest)
    try:
        for step in play_session(session, _checked(load, header.digest)):
            if isinstance(step.outcome, Refusal):
                return _refused(header, step.number, step.outcome, version, state, head)
            for event in step.outcome:
                state, version = event.fold(state), version + 1
                key = step.command.key or None
                line = record_line(header.table, version, SCHEMA_VERSION, key, encode_event(event))
                head = next_hash(head, line)
    except NoTable as error:
        raise WrongExport(str(error)) from None
    return _compared(header, version, state_hash(state), head.hex())


def _session_header(text: str) -> SessionHeader:
    first = text.partition("\n")[0]
    try:
        if not first.startswith(SESSION_MARK):
            raise ValueError
        return msgspec.json.decode(first.removeprefix(SESSION_MARK), type=SessionHeader)
    except (msgspec.MsgspecError, ValueError):
        raise WrongExport(
            "line 1 does not say what the session has to come to; punto table export writes it, and "
            "punto run plays a session without it"
        ) from None


def _checked(load: Callable[[str], Book], digest: str) -> Callable[[str], Book]:
    def found(name: str) -> Book:
        book = load(name)
        if digest_of(book) != digest:
            raise WrongExport(
                f"it was played by a book with the digest {digest[:SHORT]}, and {name} has another: "
                f"{digest_of(book)[:SHORT]}"
            )
        return book

    return found


def _refused(
    header: SessionHeader, line: int, refusal: Refusal, version: int, state: State, head: bytes
) -> Replayed:
    came = _compared(header, version, state_hash(state), head.hex())
    told = f"line {line} was accepted then and is refused now: {refusal.sentence}"
    differences = (told, *came.differences)
    return Replayed(header.table, header.digest, version, came.state, came.head, differences)


def _compared(header: SessionHeader, version: int, state: str, head: str) -> Replayed:
    return Replayed(
        header.table, header.digest, version, state, head, tuple(_differences(header, version, state, head))
    )


def _differences(header: SessionHeader, version: int, state: str, head: str) -> Iterator[str]:
    if version != header.version:
        yield f"it ends at event {version:,}, and says {header.version:,}"
    if state != header.hash:
        yield f"it comes to the state {state[:SHORT]}…, and says {header.hash[:SHORT]}…"
    if header.head and head != header.head:
        yield f"its chain ends with {head[:SHORT]}…, and says {header.head[:SHORT]}…"
