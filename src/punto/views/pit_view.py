"""The wall of the pit: every table in a line, with the figures of its gaming day, and the alerts of the house.

Figures are folded from the log as it grows, so whoever looks again pays for new rounds only. What is handle and win is
what the reports of the house say: players alone are counted, neither bots nor test accounts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from threading import Lock

import msgspec

from punto.audit.house_figures import place_at
from punto.dealer.bot import BOTS
from punto.floor.alert import Alert, TableStanding
from punto.floor.answers import Approval, FeedView, Stop, TableStop
from punto.floor.loaded_table import LoadedTable
from punto.ledger.results import TableTally
from punto.rules.authority import Role
from punto.rules.book_text import LimitKind
from punto.store.house_settings import GamingDay
from punto.store.reader import Reader, records_of
from punto.store.record import AccountOwner, Dispute, PitCall, StoredTable
from punto.table.betting import difference_in_box
from punto.table.event import Event
from punto.table.irregularity_events import CaseOpened
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import Phase, SettledBet, Table
from punto.table.terms import boxes_of
from punto.views import deal_view
from punto.views.history_view import DEALERS_ACTS, DealingFold, DealingView
from punto.views.layout_view import area_label, title_label
from punto.views.legal_view import ClockView
from punto.words import LabelView

LOOKED_BACK = 4_000  # Events within which dealers are looked for: many hours of a table.
JUST_BEFORE = 500  # Events before the gaming day that are read too: a round of theirs may be settled again.
_READ = (*DEALERS_ACTS, SettlementReversed.name(), CaseOpened.name())


class LargestBet(msgspec.Struct, frozen=True):
    """The largest stake on one area of a box."""

    player: str
    box: int
    label: LabelView
    stake: int


class DifferentialUse(msgspec.Struct, frozen=True):
    """How much of the differential is used, in the box that uses most of it."""

    box: int
    used: int
    whole: int
    percent: int  # How much of it that is, rounded down.


class DayFigures(msgspec.Struct, frozen=True):
    """What a table has done in a gaming day so far. Amounts are minor units; of players alone."""

    rounds: int
    handle: int
    win: int
    largest: int  # The largest bet that was settled.


class WallTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the pit sees it from afar."""

    table: str
    version: int
    book: str
    title: LabelView
    phase: Phase
    round: int
    void: bool
    paused: bool
    imported: bool
    insurance: bool  # A window of insurance is open.
    shoe_due: bool  # A shoe is to be loaded or burned first.
    case: int | None  # The number of the case that is open.
    case_decider: Role | None  # The least rank whose word it waits for; player where players choose.
    stopped: TableStop | None
    since: int  # When the round last moved on.
    clock: ClockView | None
    automatic: bool
    problem: str | None  # Why the automatic dealer cannot go on, in English.
    feed: FeedView | None
    dealing: DealingView
    currency: str
    minimum: int
    maximum: int | None
    boxes: int
    seated: int
    players: tuple[str, ...]  # Who sits there or has a bet there, without bots.
    bots: int
    staked: int  # What lies on the layout.
    largest: LargestBet | None  # On the layout now.
    differential: DifferentialUse | None
    day: DayFigures


class WallAnswer(msgspec.Struct, frozen=True):
    """The whole floor for the pit: tables, alerts, and what waits for somebody."""

    now: int
    day: str  # The gaming day that the figures are of.
    tables: tuple[WallTable, ...]
    alerts: tuple[Alert, ...]  # Those that nobody has acknowledged first.
    calls: tuple[PitCall, ...]
    approvals: tuple[Approval, ...]  # What the caller may decide, or has asked for.
    disputes: tuple[Dispute, ...]


class StoppableBook(msgspec.Struct, frozen=True):
    """A book by which tables are open: its tables can be stopped apart from the others."""

    book: str
    title: LabelView
    tables: int


class StopsAnswer(msgspec.Struct, frozen=True):
    """What is stopped, what could be, and where a round that was in play is not over yet."""

    stops: tuple[Stop, ...]
    books: tuple[StoppableBook, ...]
    finishing: tuple[str, ...]  # Tables that are stopped, and whose round is still being finished.
    yours: bool  # Whether you may stop play, and start it again.


def stops_answer(stops: tuple[Stop, ...], tables: Iterable[tuple[LoadedTable, bool]], *, yours: bool) -> StopsAnswer:
    """What is stopped, as the staff see it, from every table and whether a stop holds there."""
    open_tables = [(loaded, held) for loaded, held in tables if _is_open(loaded)]
    titles = {loaded.table.book.name: title_label(loaded.table.book) for loaded, _ in open_tables}
    counted = Counter(loaded.table.book.name for loaded, _ in open_tables)
    books = tuple(StoppableBook(name, titles[name], counted[name]) for name in sorted(counted))
    finishing = tuple(sorted(loaded.id for loaded, held in open_tables if held and loaded.table.state.is_in_round))
    return StopsAnswer(stops, books, finishing, yours)


def _is_open(loaded: LoadedTable) -> bool:
    return loaded.table.state.phase not in (Phase.NEW, Phase.CLOSED) and not loaded.imported


class TableDay:
    """The fold of one table: its gaming day, who deals, and since when a case is open."""

    def __init__(self, day: str, day_start: int) -> None:
        self.day, self._start = day, day_start
        self.version = 0
        self.dealing = DealingFold()
        self.case_since = 0
        self._tally, self._rounds, self._largest = TableTally(), 0, 0
        self._lines: tuple[SettledBet, ...] = ()

    def begin(self, day: str, day_start: int) -> None:
        """Another gaming day has begun."""
        self.day, self._start = day, day_start
        self._tally, self._rounds, self._largest = TableTally(), 0, 0

    @property
    def figures(self) -> DayFigures:
        return DayFigures(self._rounds, self._tally.handle, self._tally.win, self._largest)

    def take(self, event: Event, others: Mapping[str, AccountOwner]) -> None:
        if isinstance(event, CaseOpened):
            self.case_since = event.time
        elif isinstance(event, SettlementReversed):
            self._settle(event.time, -1, others)
        else:
            self.dealing.take(event)
            if isinstance(event, RoundSettled):
                self._lines = event.bets
                self._settle(event.time, 1, others)

    def _settle(self, time: int, sign: int, others: Mapping[str, AccountOwner]) -> None:
        if time < self._start:
            return
        self._rounds += sign
        for line in self._lines:
            if line.player not in others:
                self._tally.settle(line.player, sign * line.stake, sign * line.net)
                self._largest = max(self._largest, line.stake)


class Wall:
    """The folds of all tables. It is a cache, for any thread: the store has everything."""

    def __init__(self) -> None:
        self._days: dict[str, TableDay] = {}
        self._lock = Lock()

    def look(self, reader: Reader, gaming_day: GamingDay, now: int) -> dict[str, TableDay]:
        """Every table as far as the store goes."""
        today = gaming_day.day_of(now)
        day, start = today.isoformat(), gaming_day.day_start(today)
        with self._lock:
            stored = {table.id: table for table in reader.tables()}
            others: dict[str, AccountOwner] | None = None
            for table in stored.values():
                fold = self._days.get(table.id)
                if fold is None:
                    fold = self._days[table.id] = TableDay(day, start)
                    fold.version = _beginning(reader, table, start)
                if fold.day != day:
                    fold.begin(day, start)
                if fold.version < table.version:
                    others = _not_players(reader) if others is None else others
                    for record in records_of(reader, table.id, _READ, fold.version, table.version):
                        fold.take(record.event, others)
                    fold.version = table.version
            return {id: self._days[id] for id in stored}


def _beginning(reader: Reader, table: StoredTable, day_start: int) -> int:
    """From where a table is read: its gaming day, and what says who deals."""
    before_day = place_at(reader, table, day_start) - JUST_BEFORE
    return max(0, min(before_day, table.version - LOOKED_BACK))


def _not_players(reader: Reader) -> dict[str, AccountOwner]:
    player = AccountOwner.PLAYER.value
    return {one.handle: AccountOwner(one.kind) for one in reader.accounts() if one.kind != player}


def wall_table(
    loaded: LoadedTable,
    fold: TableDay,
    now: int,
    *,
    clock: ClockView | None,
    automatic: bool,
    problem: str | None,
    stopped: TableStop | None,
    feed: FeedView | None,
) -> WallTable:
    """A table in a line, from the table itself and the fold of its log."""
    table, state, terms = loaded.table, loaded.table.state, loaded.table.state.terms
    players = [player for player in state.seats.values() if player not in BOTS]
    betting = [bet.player for bet in state.bets if bet.player not in BOTS] if state.is_in_round else []
    return WallTable(
        table=loaded.id,
        version=loaded.version,
        book=table.book.name,
        title=title_label(table.book),
        phase=state.phase,
        round=state.round,
        void=deal_view.is_void(state),
        paused=state.is_paused,
        imported=loaded.imported,
        insurance=state.window is not None,
        shoe_due=_is_shoe_due(table),
        case=state.case.number if state.case is not None else None,
        case_decider=state.case.found.decider if state.case is not None and state.case.found is not None else None,
        stopped=stopped,
        since=state.since,
        clock=clock,
        automatic=automatic,
        problem=problem,
        feed=feed,
        dealing=fold.dealing.view(now),
        currency=terms.currency if terms is not None else "",
        minimum=terms.minimum if terms is not None else 0,
        maximum=terms.maximum if terms is not None else None,
        boxes=boxes_of(table.book, terms) if terms is not None else 0,
        seated=len(set(players)),
        players=tuple(dict.fromkeys((*players, *betting))),
        bots=len(state.seats) - len(players),
        staked=sum(stake.amount for stake in state.stakes) if state.is_in_round else 0,
        largest=_largest_bet(table),
        differential=_differential_use(table),
        day=fold.figures,
    )


def _is_shoe_due(table: Table) -> bool:
    shoe = deal_view.shoe_view(table.state)
    is_idle = table.state.phase is Phase.IDLE and not deal_view.is_void(table.state)
    return is_idle and (shoe is None or shoe.finished or shoe.burn_due)


def _largest_bet(table: Table) -> LargestBet | None:
    if not table.state.is_in_round:
        return None
    bet = max(table.state.bets, key=lambda bet: bet.stake, default=None)
    return LargestBet(bet.player, bet.box, area_label(table.book, bet.area), bet.stake) if bet is not None else None


def _differential_use(table: Table) -> DifferentialUse | None:
    """None where the book measures by single bets, and between rounds."""
    state = table.state
    whole = table.terms.differential if state.terms is not None else None
    if table.book.limits.kind is not LimitKind.DIFFERENTIAL or whole is None or not state.is_in_round:
        return None
    used, box = max(
        ((difference_in_box(table, box)[1], -box) for box in range(1, boxes_of(table.book, table.terms) + 1)),
        default=(0, -1),
    )
    return DifferentialUse(-box, used, whole, used * 100 // whole)


def standing_of_table(
    loaded: LoadedTable, seen: WallTable, fold: TableDay, lost: int | None, opened: int
) -> TableStanding:
    """A table as alerts are derived from it."""
    case, use = loaded.table.state.case, seen.differential
    return TableStanding(
        table=seen.table,
        round=seen.round,
        is_open=_is_open(loaded),
        is_paused=seen.paused,
        players=seen.seated,
        case=seen.case,
        case_since=fold.case_since,
        finding=case.found.finding.value if case is not None and case.found is not None else None,
        differential=(use.box, use.used, use.whole) if use is not None else None,
        moved=seen.since,
        is_automatic=seen.automatic,
        dealt=fold.dealing.last,
        opened=opened,
        problem=seen.problem,
        stop=seen.stopped,
        device=seen.feed.device if seen.feed is not None else None,
        lost=lost,
    )
