"""Problems that verification finds: what kinds there are, each told in every language, and many of them in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import groupby

import msgspec

from punto.audit.event_export import code_words
from punto.words import LabelView, Language, in_every_language, said

MOST_PROBLEMS = 50  # Problems that are listed for one table; the rest are counted.


class ProblemKind(Enum):
    """What can be wrong, each with its sentence in `problems.toml` of every language; two differ in their fields."""

    RECORD_OTHER = "record-other"
    RECORD_MISSING = "record-missing"
    RECORDS_MISSING = "records-missing"
    RECORD_NUMBER = "record-number"
    RECORD_HASH = "record-hash"
    RECORD_LAST = "record-last"
    RECORD_HEAD = "record-head"
    RECORDS_CUT = "records-cut"
    RECORDS_REWRITTEN = "records-rewritten"
    IMPORT_CHANGED = "import-changed"
    RECORD_IMPOSSIBLE = "record-impossible"
    NOT_OPENED = "not-opened"
    OTHER_BOOK = "other-book"
    OTHER_OPENING = "other-opening"
    SNAPSHOT_WRONG = "snapshot-wrong"
    ROWS_BEYOND = "rows-beyond"
    ROWS_STRAY = "rows-stray"
    TABLE_REMOVED = "table-removed"
    COMMAND_HASH = "command-hash"
    COMMANDS_END = "commands-end"
    COMMANDS_CUT = "commands-cut"
    COMMANDS_REWRITTEN = "commands-rewritten"
    COMMAND_OF_TABLE = "command-of-table"
    COMMAND_ADDED = "command-added"
    OTHER_ACTOR = "other-actor"
    NO_COMMAND_OF_THEIRS = "no-command-of-theirs"
    OTHER_KEY = "other-key"
    COMMAND_AT_IMPORT = "command-at-import"
    COMMAND_BEGINS_EARLIER = "command-begins-earlier"
    NO_COMMAND = "no-command"
    EVENTS_MISSING = "events-missing"
    COMMAND_VERSION = "command-version"
    COMMAND_EVENTS = "command-events"
    COMMAND_OVERLAPS = "command-overlaps"
    MOVEMENT_POSTINGS = "movement-postings"
    MOVEMENT_ALONE = "movement-alone"
    MOVEMENT_CHAINED = "movement-chained"
    MOVED_FOR_NOTHING = "moved-for-nothing"
    MOVED_IN_OTHER_ORDER = "moved-in-other-order"
    MOVEMENTS_NUMBER = "movements-number"
    POSTINGS_WRONG = "postings-wrong"
    MOVEMENT_WRONG = "movement-wrong"
    POSTINGS_ALONE = "postings-alone"
    BALANCE_WRONG = "balance-wrong"
    NO_ACCOUNT = "no-account"
    PLAY_WRONG = "play-wrong"
    CASHIER_END = "cashier-end"
    CASHIER_CUT = "cashier-cut"
    CASHIER_REWRITTEN = "cashier-rewritten"
    CASHIER_HASH = "cashier-hash"
    CASHIER_SUM = "cashier-sum"
    CASHIER_CURRENCY = "cashier-currency"
    BOOK_CHANGED = "book-changed"
    BOOK_MISSING = "book-missing"
    ACT_MISSING = "act-missing"
    ACT_HASH = "act-hash"
    ACTS_END = "acts-end"
    ACTS_CUT = "acts-cut"
    ACTS_REWRITTEN = "acts-rewritten"
    CHAIN_UNKNOWN = "chain-unknown"
    ROW_ADDED = "row-added"
    ROW_CHANGED = "row-changed"
    ROW_MISSING = "row-missing"
    EVENT_UNTOLD = "event-untold"
    ACT_UNFOUNDED = "act-unfounded"
    CORRECTION_UNTOLD = "correction-untold"
    CORRECTION_UNFOUNDED = "correction-unfounded"
    CASH_UNTOLD = "cash-untold"
    CASH_UNFOUNDED = "cash-unfounded"
    DAY_WRONG = "day-wrong"
    DAY_UNTOLD = "day-untold"
    UNREADABLE = "unreadable"
    MORE = "more"


class AuditProblem(msgspec.Struct, frozen=True):
    """One thing that is not as it was written."""

    table: str | None  # The table it belongs to; None for the cashier, balances and books.
    seq: int | None  # The event it belongs to, if it belongs to one.
    problem: str  # For people, in English: the sentence of its kind with these fields.
    kind: ProblemKind
    params: dict[str, str | int]
    words: LabelView  # The same in every language.

    @classmethod
    def of(cls, table: str | None, seq: int | None, kind: ProblemKind, fields: dict[str, object]) -> AuditProblem:
        # SQLite keeps anything in any column, so a field can be of any type.
        params = {name: value if isinstance(value, str | int) else str(value) for name, value in fields.items()}

        def words_in(language: Language) -> str:
            values = params | ({"code": code_words(str(params["code"]), language)} if "code" in params else {})
            return said(language, "problems.toml", kind.value, values)

        words = in_every_language(words_in)
        return cls(table, seq, words.en, kind, params, words)


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
