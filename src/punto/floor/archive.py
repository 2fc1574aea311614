"""Tables as files: exported as JSON Lines with everything that happened or as a session that people write,
read again, replayed to see whether they come to the state and the hash that the file names, and imported
to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from punto.floor.integrity import software_name
from punto.floor.job import decode_command
from punto.floor.loaded_table import LoadedTable, book_document, read_document
from punto.refusal import Reason, Refusal
from punto.rules.book import SHORT_DIGEST, Book, digest_of
from punto.store.chain import first_hash, next_hash
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import SCHEMA_VERSION, Record, encode_event, json_text, record_line, record_of_line, state_hash
from punto.store.transaction import OPENER
from punto.table.command import Command
from punto.table.house import ChangeTerms, OpenTable, TableOpened
from punto.table.notation import NoTable, Session, WrongLines, format_command, parse_session, play_session
from punto.table.state import State

if TYPE_CHECKING:
    from punto.store.store import Store


# The first line of an export names the table, its book by digest and document, its version, the hash of its
# state and the head of its chain; the records follow exactly as they are stored. A session has the commands
# that were accepted, with the cards that were drawn: `punto run` plays it again to the same state. Its first
# line is a comment that says what it has to come to.


EXPORT_FORMAT = "punto-table"
EXPORT_VERSION = 1
_COMMANDS_AT_ONCE = 10_000
SESSION_MARK = "# punto-session "
"""What the first line of an exported session begins with; JSON follows."""


class SessionHeader(msgspec.Struct, frozen=True):
    """What an exported session has to come to."""

    v: int
    table: str
    digest: str
    version: int
    hash: str  # Of the state after the last record.
    head: str = ""  # The hash of the last record in the chain; empty where the table has gone on since.


class ExportHeader(msgspec.Struct, frozen=True):
    format: str
    v: int
    table: str
    digest: str
    version: int
    hash: str
    book: msgspec.Raw  # The document of the book.
    head: str = ""
    software: str = ""  # What wrote the file: version, and digest of all its files.

    @property
    def expected(self) -> SessionHeader:
        return SessionHeader(self.v, self.table, self.digest, self.version, self.hash, self.head)


def export_header(reader: Reader, loaded: LoadedTable) -> ExportHeader:
    digest = digest_of(loaded.table.book)
    document = reader.book(digest)
    assert document is not None, "a table's book is stored with it"
    return ExportHeader(
        *(EXPORT_FORMAT, EXPORT_VERSION, loaded.id, digest, loaded.version, state_hash(loaded.table.state)),
        *(msgspec.Raw(document.encode()), _head_of_chain(reader, loaded), software_name()),
    )


def export_lines(reader: Reader, loaded: LoadedTable) -> Iterator[str]:
    """The lines of an export, without line ends."""
    yield json_text(export_header(reader, loaded))
    yield from reader.lines(loaded.id, 0, loaded.version)


def session_lines(reader: Reader, loaded: LoadedTable, book_file: str | None = None) -> Iterator[str]:
    """The lines of a session; `book_file` is where the book lies beside it, if it is not built in."""
    own, state = loaded.table.book, state_hash(loaded.table.state)
    header = SessionHeader(1, loaded.id, digest_of(own), loaded.version, state, _head_of_chain(reader, loaded))
    yield f"{SESSION_MARK}{json_text(header)}"
    after = 0
    while commands := reader.commands(loaded.id, after, _COMMANDS_AT_ONCE):
        after = commands[-1].id
        for stored in commands:
            if stored.refusal is None and (stored.version or 0) <= loaded.version:
                yield format_command(_by_file(decode_command(stored.body), own.name, book_file))


def _head_of_chain(reader: Reader, loaded: LoadedTable) -> str:
    stored = reader.table(loaded.id)
    return stored.head.hex() if stored is not None and stored.version == loaded.version else ""


def _by_file(command: Command, own: str, file: str | None) -> Command:
    """A book that is not built in is named by its file."""
    if file is not None and isinstance(command, OpenTable | ChangeTerms) and command.terms.book == own:
        return msgspec.structs.replace(command, terms=msgspec.structs.replace(command.terms, book=file))
    return command


LONGEST_LINE = 4 * 1024 * 1024  # Bytes of a line: the longest is the first, with the whole book.


class WrongExport(Exception):
    """A file is not the export of a table, or does not fit together; the sentence says where."""


def read_header(line: bytes) -> tuple[ExportHeader, Book]:
    """The first line of an export, and the book in it, which must have its digest."""
    try:
        header = msgspec.json.decode(line, type=ExportHeader)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise WrongExport("line 1 is not the beginning of an exported table; punto table export writes one") from None
    if (header.format, header.v) != (EXPORT_FORMAT, EXPORT_VERSION):
        raise WrongExport(f"line 1: it is a {header.format} of version {header.v}, not a {EXPORT_FORMAT} of 1")
    try:
        book = read_document(bytes(header.book).decode())
    except StoreError as error:
        raise WrongExport(f"line 1: {error}") from None
    if digest_of(book) != header.digest:
        raise WrongExport("line 1: the book has another digest than the one named: it was changed")
    return header, book


def read_records(header: ExportHeader, lines: Iterator[bytes]) -> Iterator[tuple[Record, bytes]]:
    """The records of an export with their lines, each in its place."""
    for seq, line in enumerate(lines, start=1):
        try:
            record = record_of_line(line)
        except (StoreError, RecursionError) as error:
            raise WrongExport(f"line {seq + 1}: {error}") from None
        if (record.table, record.seq) != (header.table, seq):
            raise WrongExport(f"line {seq + 1} is not record {seq} of table {header.table}")
        opened = record.event.digest if isinstance(record.event, TableOpened) else None
        if opened != (header.digest if seq == 1 else None):
            raise WrongExport(f"line {seq + 1}: a table is opened once, first, by the book of the file")
        yield record, line


def fold_record(state: State, record: Record) -> State:
    """The state after a record of a file; what cannot have happened is not believed."""
    try:
        return record.event.fold(state)
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise WrongExport(f"line {record.seq + 1}: that cannot have happened there") from None


class Replayed(msgspec.Struct, frozen=True):
    """What a file came to, computed again from it alone by the book whose digest it names; no database is needed."""

    is_same: bool = msgspec.field(name="same")
    version: int
    head: str = msgspec.field(name="hash")  # Of the last record in the chain.
    state: str  # The hash of the state.
    table: str
    digest: str
    differences: tuple[str, ...]  # What the file names and did not come, a sentence each.


def replay_export(lines: Iterable[bytes]) -> Replayed:
    """Replay the lines of an export; `WrongExport` where it cannot be read or cannot have happened."""
    each_line = iter(lines)
    header, _ = read_header(next(each_line, b""))
    state, version, head = State(), 0, first_hash(header.table, header.digest)
    for record, line in read_records(header, each_line):
        state, version = fold_record(state, record), record.seq
        head = next_hash(head, line.decode())
    return _compared(header.expected, version, state, head)


def replay_session(
    text: str, load: Callable[[str], Book], load_earlier: Callable[[str], Book | None] = lambda _: None
) -> Replayed:
    """Replay an exported session; `load` brings the book that it names, which must have its digest.

    Where it has another, `load_earlier` is asked for the book of that digest.
    """
    header = _session_header(text)
    try:
        session: Session = parse_session(text)
    except WrongLines as error:
        number, sentence = error.problems[0]
        raise WrongExport(f"line {number}: {sentence}") from None
    state, version, head = State(), 0, first_hash(header.table, header.digest)
    try:
        for step in play_session(session, _checked(load, load_earlier, header.digest)):
            if isinstance(step.outcome, Refusal):
                refused = f"line {step.number} was accepted then and is refused now: {step.outcome.sentence}"
                return _compared(header, version, state, head, refused)
            for event in step.outcome:
                state, version = event.fold(state), version + 1
                key = step.command.key or None
                line = record_line(header.table, version, SCHEMA_VERSION, key, encode_event(event))
                head = next_hash(head, line)
    except NoTable as error:
        raise WrongExport(str(error)) from None
    return _compared(header, version, state, head)


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


def _checked(
    load: Callable[[str], Book], load_earlier: Callable[[str], Book | None], digest: str
) -> Callable[[str], Book]:
    def load_checked(name: str) -> Book:
        book = load(name)
        if digest_of(book) != digest and (earlier := load_earlier(digest)) is not None and earlier.name == name:
            return earlier
        if digest_of(book) != digest:
            raise WrongExport(
                f"it was played by a book with the digest {digest[:SHORT_DIGEST]}, and {name} has another: "
                f"{digest_of(book)[:SHORT_DIGEST]}"
            )
        return book

    return load_checked


def _compared(header: SessionHeader, version: int, state: State, head: bytes, *differences: str) -> Replayed:
    """What a file came to, with what it names and did not come after what is different already."""
    hashed, last = state_hash(state), head.hex()
    if version != header.version:
        differences += (f"it ends at event {version:,}, and says {header.version:,}",)
    if hashed != header.hash:
        came, named = hashed[:SHORT_DIGEST], header.hash[:SHORT_DIGEST]
        differences += (f"it comes to the state {came}…, and says {named}…",)
    if header.head and last != header.head:
        differences += (f"its chain ends with {last[:SHORT_DIGEST]}…, and says {header.head[:SHORT_DIGEST]}…",)
    return Replayed(not differences, version, last, hashed, header.table, header.digest, differences)


def import_table(store: Store, id: str, lines: Iterable[bytes], now: int, by: str = OPENER) -> int | Refusal:
    """Store a table from the lines of an export, to be looked at: it has no postings and cannot go on.

    Its version, or why it is refused; `WrongExport` says what is wrong with the file. Nothing is stored then.
    """
    from punto.floor.floor import SNAPSHOT_EVERY

    each_line = iter(lines)
    header, book = read_header(next(each_line, b""))
    state, version = State(), 0
    with store.write() as transaction:
        if transaction.table(id) is not None:
            return Refusal(Reason.TABLE_EXISTS, None, {"table": id})
        transaction.add_book(header.digest, book.name, book_document(book))
        transaction.add_table(id, header.digest, now, by, imported=True)
        records = (record for record, _ in read_records(header, each_line))
        for _, same in groupby(records, lambda record: (record.key, record.seq // SNAPSHOT_EVERY)):
            some = list(same)
            for record in some:
                state = fold_record(state, record)
            transaction.append(id, version, [record.event for record in some], some[0].key)
            version += len(some)
            if version % SNAPSHOT_EVERY == SNAPSHOT_EVERY - 1:
                # So that a round in the middle of a long log is found as quickly as at the table itself.
                transaction.keep_snapshot(id, version, state)
        if version != header.version:
            raise WrongExport(f"the file ends at record {version}, and should have {header.version}")
        if state_hash(state) != header.hash:
            raise WrongExport("its records lead to another state than the one it names: it was changed")
    return version
