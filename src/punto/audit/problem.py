"""Problems that verification finds: what kinds there are, how each is told, and many of them in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import groupby

import msgspec

MOST_PROBLEMS = 50  # Problems that are listed for one table; the rest are counted.


_NO_LINK = "the hash does not follow from it and the one before it"
_CUT = "and here are {last:,}: the end was cut off"
_REWRITTEN = "has another hash than in the anchor: it, or one before it, was written again"


class ProblemKind(Enum):
    """What can be wrong, each with its sentence; what differs between two of a kind are its fields."""

    sentence: str

    def __new__(cls, name: str, sentence: str) -> ProblemKind:
        kind = object.__new__(cls)
        kind._value_ = name
        kind.sentence = sentence
        return kind

    RECORD_OTHER = "record-other", "the record is not of the kind that is stored: it was changed"
    RECORD_MISSING = "record-missing", "the record is missing"
    RECORDS_MISSING = "records-missing", "the records from this one to {last:,} are missing"
    RECORD_NUMBER = "record-number", "the record has a number that no record can have"
    RECORD_HASH = "record-hash", "the hash does not follow from the record and the one before it"
    RECORD_LAST = "record-last", "the last record is {last:,}, and the table is at version {version:,}"
    RECORD_HEAD = "record-head", "the hash of the last record is not the one that the table ends with"
    RECORDS_CUT = (
        "records-cut",
        "the anchor has record {anchored:,}, and the last one here is {last:,}: the end was cut off",
    )
    RECORDS_REWRITTEN = "records-rewritten", "record {anchored:,} " + _REWRITTEN
    IMPORT_CHANGED = "import-changed", "in the anchor the table was {was}"
    RECORD_IMPOSSIBLE = "record-impossible", "the record cannot be replayed: it was changed"
    NOT_OPENED = "not-opened", "the first record does not open the table"
    OTHER_BOOK = "other-book", "the table was opened by another book than its row names"
    OTHER_OPENING = "other-opening", "the table was opened at another time than its row says"
    SNAPSHOT_WRONG = "snapshot-wrong", "the snapshot is not the state that the records lead to"
    ROWS_BEYOND = "rows-beyond", "there are {what} after the last version of the table"
    ROWS_STRAY = "rows-stray", "there are {what} of the table, which is not there"
    TABLE_REMOVED = "table-removed", "the table is in the anchor and not in the database: it was removed"

    # `desk` is empty for a table, and names the desk after a blank.
    COMMAND_HASH = "command-hash", "command {id}{desk}: " + _NO_LINK
    COMMANDS_END = (
        "commands-end",
        "the commands{desk} end with number {last:,}, and should with number {due:,}, or the last was changed",
    )
    COMMANDS_CUT = "commands-cut", "the anchor has {anchored:,} commands{desk}, " + _CUT
    COMMANDS_REWRITTEN = "commands-rewritten", "command number {anchored:,}{desk} " + _REWRITTEN
    COMMAND_OF_TABLE = "command-of-table", "command {id}{desk} names events of a table"
    COMMAND_ADDED = "command-added", "command {id}{desk} is not in the chain: it was added"
    OTHER_ACTOR = "other-actor", "the event is {by}'s, and its command {actor}'s"
    NO_COMMAND_OF_THEIRS = "no-command-of-theirs", "the event is {by}'s, and belongs to no command of theirs"
    OTHER_KEY = "other-key", "the event has another key than the command that it belongs to"
    COMMAND_AT_IMPORT = "command-at-import", "an imported table accepts no commands, and here is one"
    COMMAND_BEGINS_EARLIER = "command-begins-earlier", "no accepted command begins with this event"
    NO_COMMAND = "no-command", "the event belongs to no command that was accepted"
    EVENTS_MISSING = "events-missing", "a command brought the events from {first} to this one, which are not there"
    COMMAND_VERSION = "command-version", "a command without events is at version {version}, not {due}"
    COMMAND_EVENTS = "command-events", "a command names events {first} to {last} for version {version}"
    COMMAND_OVERLAPS = "command-overlaps", "a command names events {first} to {last}, which belong to another"

    MOVEMENT_POSTINGS = "movement-postings", "movement {id} does not have the postings of a movement"
    MOVEMENT_ALONE = "movement-alone", "movement {id} belongs to no event"
    MOVEMENT_CHAINED = "movement-chained", "movement {id} has a hash or a key, which only those of the cashier have"
    MOVED_FOR_NOTHING = "moved-for-nothing", "money was moved for an event that is not there, or moves nothing"
    MOVED_IN_OTHER_ORDER = "moved-in-other-order", "the movements are not in the order of the events"
    MOVEMENTS_NUMBER = "movements-number", "the event moves money {times}; stored: {stored}"
    POSTINGS_WRONG = "postings-wrong", "the postings are not those that the event leads to"
    MOVEMENT_WRONG = "movement-wrong", "the movement is not the one that the event leads to"
    POSTINGS_ALONE = "postings-alone", "there are postings that belong to no movement"
    BALANCE_WRONG = "balance-wrong", "the balance of {account} is {stored}, and its postings sum to {summed}"
    NO_ACCOUNT = "no-account", "there is money of {handle}, who has no account"
    CASHIER_END = "cashier-end", "the cashier's chain ends at movement {last:,}, and should at {due:,}"
    CASHIER_CUT = "cashier-cut", "the anchor has {anchored:,} movements of the cashier, " + _CUT
    CASHIER_REWRITTEN = "cashier-rewritten", "the cashier's movement {anchored:,} " + _REWRITTEN
    CASHIER_HASH = "cashier-hash", "the cashier's movement {id}: " + _NO_LINK
    CASHIER_SUM = "cashier-sum", "the cashier's movement {id}: its postings do not sum to zero"
    CASHIER_CURRENCY = "cashier-currency", "the cashier's movement {id} is not in {currency}, the currency of {player}"
    BOOK_CHANGED = "book-changed", "the book with the digest {digest} was changed"
    BOOK_MISSING = "book-missing", "the book of the table is not there"
    ACT_MISSING = "act-missing", "act {act:,} of the house is missing, or has another number"
    ACT_HASH = "act-hash", "act {act:,} of the house: " + _NO_LINK
    ACTS_END = "acts-end", "the acts of the house end at {last:,}, and should at {due:,}"
    ACTS_CUT = "acts-cut", "the anchor has {anchored:,} acts of the house, " + _CUT
    ACTS_REWRITTEN = "acts-rewritten", "act {anchored:,} of the house " + _REWRITTEN
    CHAIN_UNKNOWN = "chain-unknown", "the chain {chain!r} is not one of the house's"
    ROW_ADDED = "row-added", "{subject} is in no record of what the house did: it was added"
    ROW_CHANGED = "row-changed", "{subject} is not as act {act:,} of the house left it; changed: {fields}"
    ROW_MISSING = "row-missing", "{subject} is missing: act {act:,} of the house says that it is there"
    EVENT_UNTOLD = "event-untold", "the event is significant, and no act of the house says so any more: {code}"
    ACT_UNFOUNDED = "act-unfounded", "act {act:,} of the house, {code}, does not follow from an event of the table"
    CORRECTION_UNTOLD = "correction-untold", "a correction of the account of {player} is in no act of the house"
    CORRECTION_UNFOUNDED = (
        "correction-unfounded",
        "act {act:,} of the house names a correction of {player} that is not there",
    )
    DAY_WRONG = "day-wrong", "what {player} staked and won on {day} is not what the tables lead to"
    DAY_UNTOLD = "day-untold", "{player} came to the threshold of the house on {day}, and no act of the house says so"
    UNREADABLE = "unreadable", "{what} cannot be read: {error}"
    MORE = "more", "and {count:,} more problems like these"


class AuditProblem(msgspec.Struct, frozen=True):
    """One thing that is not as it was written."""

    table: str | None  # The table it belongs to; None for the cashier, balances and books.
    seq: int | None  # The event it belongs to, if it belongs to one.
    problem: str  # For people: the sentence of its kind with these fields.
    kind: ProblemKind
    params: dict[str, str | int]

    @classmethod
    def of(cls, table: str | None, seq: int | None, kind: ProblemKind, fields: dict[str, object]) -> AuditProblem:
        # SQLite keeps anything in any column, so a field can be of any type.
        params = {name: value if isinstance(value, str | int) else str(value) for name, value in fields.items()}
        return cls(table, seq, kind.sentence.format(**fields), kind, params)


class Findings:
    """Problems as they are found; those of one table that are too many to be read are only counted."""

    def __init__(self) -> None:
        self._problems: list[AuditProblem] = []
        self._counts: Counter[str | None] = Counter()

    def add(self, table: str | None, seq: int | None, kind: ProblemKind, **fields: object) -> None:
        self._counts[table] += 1
        if self._counts[table] <= MOST_PROBLEMS:
            self._problems.append(AuditProblem.of(table, seq, kind, fields))

    def take(self, table: str | None, problems: Sequence[AuditProblem], count: int) -> None:
        """Take over what was found elsewhere about a table: some that are listed, and how many there are."""
        self._problems.extend(problems)
        self._counts[table] += count

    @property
    def listed(self) -> tuple[AuditProblem, ...]:
        return tuple(self._problems)

    def count(self, table: str | None) -> int:
        return self._counts[table]

    def all(self) -> tuple[AuditProblem, ...]:
        """Every problem; where a table has too many, one more that gives the number of those left out."""
        more = [
            AuditProblem.of(table, None, ProblemKind.MORE, {"count": count - MOST_PROBLEMS})
            for table, count in self._counts.items()
            if count > MOST_PROBLEMS
        ]
        return (*self._problems, *more)


class ProblemGroup(msgspec.Struct, frozen=True):
    first: AuditProblem
    others: tuple[AuditProblem, ...]  # Those of the same kind after it, in the order of their events.


def problem_groups(problems: Iterable[AuditProblem]) -> dict[str | None, tuple[ProblemGroup, ...]]:
    """By table, the problems of each kind together; the group with the first event stands first.

    Problems that belong to no table, such as those of balances, come last, under None.
    """
    listed = list(problems)
    tables = sorted(dict.fromkeys(problem.table for problem in listed), key=lambda table: table is None)
    by_table: dict[str | None, dict[object, list[AuditProblem]]] = {table: {} for table in tables}
    for problem in sorted(listed, key=lambda each: (each.seq is None, each.seq or 0)):
        # Of those at an event only the place is told again, so the people that they name must be the same.
        names = () if problem.seq is None else tuple(name for name in problem.params.values() if isinstance(name, str))
        by_table[problem.table].setdefault((problem.kind, names), []).append(problem)
    return {
        table: tuple(ProblemGroup(first, tuple(others)) for first, *others in kinds.values())
        for table, kinds in by_table.items()
    }


def event_ranges(events: Iterable[int]) -> list[str]:
    """Numbers of events as people write them: `31 to 33`, `40`."""
    ranges = []
    for _, run in groupby(enumerate(sorted(set(events))), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        first, last = numbers[0], numbers[-1]
        ranges.append(f"{first:,}" if first == last else f"{first:,} to {last:,}")
    return ranges
