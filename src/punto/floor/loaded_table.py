"""A stored table in memory: the book it is played by, its state, and the version they belong to. Books are
compiled once and kept in a cache; a change is what one commit added, as subscribers are told it; the
results are what the log of the table comes to in a span of time.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from threading import Lock

import msgspec

from punto.floor.answers import TableStop, TableSummary
from punto.ledger.postings import movements_of
from punto.ledger.results import ResultsText, TableResults, results_of
from punto.rules.book import Book, compile_book, digest_of
from punto.rules.book_text import BookText
from punto.rules.validation import BookError, validate_book
from punto.store.errors import ContentBroken
from punto.store.reader import Reader
from punto.store.record import Record, StoredTable, json_text, state_hash
from punto.table.replay import replayed
from punto.table.state import Phase, State, Table
from punto.table.terms import Terms

MOST_BOOKS = 64  # Compiled books that are kept in memory.
_log = logging.getLogger(__name__)


class BookCache:
    def __init__(self) -> None:
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._compiling = Lock()

    def book(self, reader: Reader, digest: str) -> Book:
        """The book of this digest; threads that ask for it at the same time compile it once."""
        if (book := self._books.get(digest)) is not None:
            return book
        with self._compiling:
            if (book := self._books.get(digest)) is not None:
                return book
            document = reader.book(digest)
            if document is None:
                raise ContentBroken(f"the book with the digest {digest[:12]} is missing from the database")
            book = read_document(document)
            if digest_of(book) != digest:
                raise ContentBroken(f"the book with the digest {digest[:12]} was changed in the database")
            self.put(book)
            return book

    def put(self, book: Book) -> None:
        """Keep a book at hand that is compiled already: a game in the terminal has one before it has a floor."""
        self._books[digest_of(book)] = book
        if len(self._books) > MOST_BOOKS:
            self._books.popitem(last=False)


def book_document(book: Book) -> str:
    """The document of a book: what `punto rules BOOK --json` prints, on one line."""
    return json_text(book.text)


@lru_cache(maxsize=MOST_BOOKS)
def read_document(document: str) -> Book:
    """The book that a document describes, compiled once; `ContentBroken` if it does not describe one."""
    try:
        text = msgspec.convert(json.loads(document), BookText)
        if problems := validate_book(text):
            raise BookError(text.name, problems)
        return compile_book(text)
    except BookError as error:
        raise ContentBroken(f"the document of a book is wrong: {error.lines[0]}") from None
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ContentBroken(f"the document of a book cannot be read: {error}") from None


class LoadedTable(msgspec.Struct, frozen=True):
    """A table at one version."""

    id: str
    version: int
    table: Table
    imported: bool = False
    created_ms: int = 0

    def __repr__(self) -> str:
        return f"<{self.id} at {self.version}: {self.table}>"


def summary_of(loaded: LoadedTable, stopped: TableStop | None = None) -> TableSummary:
    book, state = loaded.table.book, loaded.table.state
    return TableSummary(
        *(loaded.id, loaded.version, digest_of(book), book.name, state.phase, state.round, state.is_paused),
        *(loaded.imported, loaded.created_ms, stopped),
    )


class TableRecord(msgspec.Struct, frozen=True):
    """A whole table at one version, and what it has won up to then."""

    table: str
    version: int
    digest: str
    book: str
    imported: bool
    hash: str
    terms: Terms | None
    phase: Phase
    round: int
    state: State
    results: ResultsText | None  # None where the table was imported: it has no postings.

    @classmethod
    def of(cls, loaded: LoadedTable, results: TableResults | None) -> TableRecord:
        book, state = loaded.table.book, loaded.table.state
        return cls(
            *(loaded.id, loaded.version, digest_of(book), book.name, loaded.imported),
            *(state_hash(state), state.terms, state.phase, state.round, state),
            ResultsText.of(results) if results is not None else None,
        )


def load_table(
    reader: Reader, books: BookCache, stored: StoredTable, known: LoadedTable | None = None, at: int | None = None
) -> LoadedTable:
    """A table at its last version, or at an earlier one.

    What is known of it is taken up, if it is not beyond that; else the last snapshot, which saves reading
    the whole log. Every event after it is folded in.
    """
    last = stored.version if at is None else at
    if known is not None and known.version == last:
        return known
    if known is not None and known.version < last:
        book, state = known.table.book, reader.state_at(stored.id, last, (known.version, known.table.state))
    else:
        book, state = books.book(reader, stored.digest), reader.state_at(stored.id, last)
    return LoadedTable(stored.id, last, Table(book, state), stored.imported, stored.created_ms)


MOST_FOLLOWED = 1_000  # Events that are read one by one to catch up; beyond them there is a snapshot.


class Change(msgspec.Struct, frozen=True):
    """The records that one commit added to a table, and the table before and after them."""

    table: str
    before: LoadedTable
    after: LoadedTable
    records: tuple[Record, ...]

    def followed_by(self, after: LoadedTable, records: Sequence[Record]) -> Change:
        """This change and the next one of the same commit."""
        return Change(self.table, self.before, after, (*self.records, *records))

    def steps(self) -> Iterator[tuple[State, Record]]:
        """Each record with the state before it."""
        return replayed(self.records, self.before.table.state)


def change_since(reader: Reader, known: LoadedTable, version: int) -> Change:
    """What was added to a table after what is known of it, up to a version: another process may have written it."""
    records = tuple(reader.each_record(known.id, known.version, version - known.version))
    state = known.table.state
    for record in records:
        state = record.event.fold(state)
    assert known.version + len(records) == version, "a table has an event for every number up to its version"
    after = msgspec.structs.replace(known, version=version, table=Table(known.table.book, state))
    return Change(known.id, known, after, records)


TellChanges = Callable[[Sequence[Change]], None]


class Subscribers:
    def __init__(self) -> None:
        self._callbacks: dict[object, TellChanges] = {}
        self._lock = Lock()

    def add(self, callback: TellChanges) -> Callable[[], None]:
        """Tell this one from now on; what is returned ends it."""
        subscription = object()
        with self._lock:
            self._callbacks = {**self._callbacks, subscription: callback}

        def end() -> None:
            with self._lock:
                self._callbacks = {key: other for key, other in self._callbacks.items() if key is not subscription}

        return end

    def tell(self, changes: Mapping[str, Change]) -> None:
        """Tell everybody; one that fails takes nothing from the others, nor from what was committed."""
        if not changes:
            return
        for callback in self._callbacks.values():
            try:
                callback(tuple(changes.values()))
            except Exception:
                _log.exception("a subscriber of the floor failed")


def table_results(
    reader: Reader, id: str, version: int, since: int | None = None, until: int | None = None
) -> TableResults:
    """Drop, handle, win, hold and voids of a table up to a version, from a time on and before another.

    What each event moved is found again from the log alone. The credit of a table that closes is left out: what its
    float held is for the ledger to say.
    """
    steps = reader.replayed(id, until=version)
    entries = ((record.event, movements_of(id, before, record.event)) for before, record in steps)
    return results_of(entries, since, until)
