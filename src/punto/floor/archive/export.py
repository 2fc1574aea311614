"""A table as a file: JSON Lines with everything that happened, or a session as people write it.

The first line of an export names the table, its book by digest and document, its version, the hash of its
state and the head of its chain; the records follow exactly as they are stored. A session has the commands
that were accepted, with the cards that were drawn: `punto run` plays it again to the same state. Its first
line is a comment that says what it has to come to.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from punto.floor.job import decode_command
from punto.floor.loaded import LoadedTable
from punto.rules.digest import digest_of
from punto.store.reader import Reader
from punto.store.snapshot import state_hash
from punto.table.command import ChangeTerms, Command, OpenTable
from punto.table.notation.lines import format_command

FORMAT = "punto-table"
FORMAT_VERSION = 1
SESSION_MARK = "# punto-session "
"""What the first line of an exported session begins with; JSON follows."""


class ExportHeader(msgspec.Struct, frozen=True):
    """The first line of an export."""

    format: str
    v: int
    table: str
    digest: str
    version: int
    hash: str
    """Of the state after the last record."""
    book: msgspec.Raw
    """The document of the book."""
    head: str = ""
    """The hash of the last record in the chain; files of earlier versions have none."""


class SessionHeader(msgspec.Struct, frozen=True):
    """What an exported session has to come to."""

    v: int
    table: str
    digest: str
    version: int
    hash: str
    head: str = ""


def export_header(reader: Reader, loaded: LoadedTable) -> ExportHeader:
    """What a file says of the table in it."""
    digest = digest_of(loaded.table.book)
    document = reader.book(digest)
    assert document is not None, "a table's book is stored with it"
    return ExportHeader(
        FORMAT,
        FORMAT_VERSION,
        loaded.id,
        digest,
        loaded.version,
        state_hash(loaded.table.state),
        msgspec.Raw(document.encode()),
        _head(reader, loaded),
    )


def export_lines(reader: Reader, loaded: LoadedTable) -> Iterator[str]:
    """The lines of an export, without line ends."""
    yield msgspec.json.encode(export_header(reader, loaded)).decode()
    yield from reader.lines(loaded.id, 0, loaded.version)


def session_lines(reader: Reader, loaded: LoadedTable, book_file: str | None = None) -> Iterator[str]:
    """The lines of a session; `book_file` is where the book lies beside it, if it is not built in."""
    own, state = loaded.table.book, state_hash(loaded.table.state)
    header = SessionHeader(1, loaded.id, digest_of(own), loaded.version, state, _head(reader, loaded))
    yield f"{SESSION_MARK}{msgspec.json.encode(header).decode()}"
    after = 0
    while commands := reader.commands(loaded.id, after, _AT_ONCE):
        after = commands[-1].id
        for kept in commands:
            if kept.refusal is None and (kept.version or 0) <= loaded.version:
                yield format_command(_by_file(decode_command(kept.body), own.name, book_file))


_AT_ONCE = 10_000


def _head(reader: Reader, loaded: LoadedTable) -> str:
    stored = reader.table(loaded.id)
    is_here = stored is not None and stored.version == loaded.version
    return stored.head.hex() if stored is not None and is_here else ""


def _by_file(command: Command, own: str, file: str | None) -> Command:
    """A book that is not built in is named by its file."""
    if file is not None and isinstance(command, OpenTable | ChangeTerms) and command.terms.book == own:
        return msgspec.structs.replace(command, terms=msgspec.structs.replace(command.terms, book=file))
    return command
