"""Where the record of a shoe is read from: a stored table, a log, or the answer of an earlier check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from punto.audit.shuffle.published import PlacedCard, ShoeRecord, folded, gathered
from punto.cards.source import SourceKind
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import Record, read_line
from punto.table import event as e
from punto.table.shuffling.pledge import Pledge, digest_of_bytes
from punto.table.state import State


class WrongRecord(Exception):
    """A file is not a record of a shoe; the sentence says why."""


class ShoesToChoose(Exception):
    """A log holds several shoes, and none was named."""

    def __init__(self, shoes: Sequence[int]) -> None:
        self.shoes = tuple(shoes)
        super().__init__()


def stored_record(reader: Reader, table: str, version: int, shoe: int) -> ShoeRecord | None:
    """The record of a shoe of a stored table; None where the table has not come to it."""
    seq, state = _before_shoe(reader, table, version, shoe)
    events = (record.event for record in reader.each_record(table, seq, version - seq))
    return gathered(table, shoe, folded(events, state))


def shoes_of(reader: Reader, table: str, version: int) -> int:
    """How many shoes a stored table has had."""
    kept = reader.snapshot(table, version)
    seq, state = (kept.seq, kept.state) if kept is not None else (0, State())
    for record in reader.each_record(table, seq, version - seq):
        state = record.event.fold(state)
    return state.shoe_number


def _before_shoe(reader: Reader, table: str, version: int, shoe: int) -> tuple[int, State]:
    """The last snapshot before a shoe was loaded: shoes are numbered in their order, so it can be halved."""
    found, low, high = (0, State()), 0, version
    while low < high:
        middle = (low + high + 1) // 2
        kept = reader.snapshot(table, middle)
        if kept is None or kept.seq <= found[0]:
            low = middle
        elif kept.state.shoe_number < shoe:
            found = kept.seq, kept.state
            low = middle
        else:
            high = kept.seq - 1
    return found


def read_record(content: bytes, shoe: int | None = None) -> ShoeRecord:
    """The record of a shoe from a file; `shoe` says which, where the file is a log of several."""
    lines = content.splitlines()
    try:
        whole = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        whole = None
    if isinstance(whole, dict) and "event" not in whole and "format" not in whole:
        record = _of_answer(content)
        if shoe is not None and shoe != record.shoe:
            raise WrongRecord(f"it is the record of shoe {record.id}, not of shoe {shoe}")
        return record
    return _of_log(list(_records(lines)), shoe)


class _Answer(msgspec.Struct):
    """What `punto audit shoe --json` prints, as far as it is needed to check the shoe again."""

    table: str
    shoe: int
    decks: int
    commitment: str
    algorithm: str
    seed: str | None
    contributions: tuple[str, ...] = ()
    source: SourceKind = SourceKind.SHUFFLED
    pledges: tuple[Pledge, ...] | None = None
    dealt: tuple[PlacedCard, ...] = ()


def _of_answer(content: bytes) -> ShoeRecord:
    try:
        found = msgspec.json.decode(content, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WrongRecord(f"it is not the record of a shoe: {error}") from None
    if not 1 <= found.decks <= _MOST_DECKS:
        raise WrongRecord(f"a shoe has from 1 to {_MOST_DECKS} decks, not {found.decks}")
    fields = {name: getattr(found, name) for name in _Answer.__struct_fields__}
    if found.pledges is None:
        # Only what was mixed in is told: whether it was pledged cannot be asked.
        told = ((value, digest_of_bytes(value)) for value in found.contributions)
        fields["pledges"] = tuple(Pledge("", digest or "", value) for value, digest in told)
    return ShoeRecord(**fields)


_MOST_DECKS = 1_000


def _records(lines: list[bytes]) -> Iterator[Record]:
    # An export begins with a line about the table; a log does not.
    begins = 1 if lines and b'"format"' in lines[0][:200] else 0
    for number, line in enumerate(lines[begins:], start=begins + 1):
        try:
            yield read_line(line)
        except (StoreError, RecursionError) as error:
            raise WrongRecord(f"line {number}: {error}") from None


def _of_log(records: list[Record], shoe: int | None) -> ShoeRecord:
    if not records or records[0].seq != 1:
        raise WrongRecord("a log must begin with record 1: punto table log ID prints it whole")
    table = records[0].table
    for seq, record in enumerate(records, start=1):
        if (record.table, record.seq) != (table, seq):
            raise WrongRecord(f"record {seq} of table {table} is missing")
    shoes = [record.event.number for record in records if isinstance(record.event, e.ShoeLoaded)]
    if shoe is None and len(shoes) > 1:
        raise ShoesToChoose(shoes)
    number = shoe if shoe is not None else next(iter(shoes), 1)
    try:
        found = gathered(table, number, folded(record.event for record in records))
    except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise WrongRecord("its records cannot have happened in this order") from None
    if found is None:
        raise WrongRecord(f"no shoe {number} was loaded in it")
    return found
