"""The figures of a table over a span of its log: a fold over events that keeps sums, never the events.

Reports of the house are made of these. A span is a part of the log from one place to another, so figures of parts add
up to figures of the whole. Drop is counted by gaming day: what a table has returned to a player earlier on the same
day is not fresh, also where the span begins later. The dealer of a round is whoever called it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from punto.ledger.results import TableTally
from punto.odds.theoretical_win import BetTheory, bet_theory
from punto.rules.book import Book
from punto.rules.outcome import insurance_area
from punto.store.reader import Reader
from punto.store.record import AccountOwner, StoredTable, decode_event
from punto.table.antes import WagerPlaced
from punto.table.betting import BetPlaced, BetReturned, BetsCalled
from punto.table.event import Event
from punto.table.house import SeatLeft, SeatTaken, TableClosed, TableOpened, TablePaused, TableResumed, TermsChanged
from punto.table.insurance import InsuranceTaken
from punto.table.irregularity_events import BetsReturned, CaseClosed, ErrorFoundLate, OptionChosen, RoundVoided, Ruled
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import Phase, SettledBet, Stake, State

HOUR = 3_600_000  # Milliseconds.
DISMISSED = "dismissed"  # The kind of an irregularity that was none.


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the log of a table."""

    begins: int  # The place after which the log is read: what was returned since then is not fresh.
    after: int  # The place after which everything is counted.
    last: int  # The last place that is counted.
    start: int | None  # When it starts, in milliseconds; None for the first event.
    end: int  # When it ends, or now where that is earlier.


BetKey = tuple[int, str, tuple[int, int] | None]
"""Decks, betting area, and of insurance the totals on which it was taken."""


@dataclass(slots=True)
class BetFigures:
    """What was settled on one kind of bet. Amounts are minor units."""

    bets: int = 0
    handle: int = 0
    win: int = 0
    commission: int = 0

    def add(self, other: BetFigures) -> None:
        self.bets += other.bets
        self.handle += other.handle
        self.win += other.win
        self.commission += other.commission


@dataclass(slots=True)
class PlayerFigures:
    """What one player did at one table."""

    rounds: int = 0  # Settled rounds with a bet of theirs.
    drop: int = 0
    time: int = 0  # Milliseconds with a seat or a bet at the table.
    bets: dict[BetKey, BetFigures] = field(default_factory=dict)

    @property
    def total(self) -> BetFigures:
        return total_of(self.bets.values())


@dataclass(slots=True)
class Stretch:
    """A dealer at a table, without anybody else in between."""

    dealer: str
    role: str
    start: int
    end: int
    rounds: int = 0
    voids: int = 0
    irregularities: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class SpanFigures:
    """What a table did over a span. Amounts are minor units, times milliseconds."""

    table: str
    currency: str = ""
    rounds: int = 0  # Settled, less those whose settlement was reversed.
    voids: int = 0
    reversals: int = 0
    open: int = 0  # How long it was open and not paused.
    round: int = 0  # The last round that was called, up to the end of the span.
    results: dict[AccountOwner, TableTally] = field(default_factory=dict)
    players: dict[str, PlayerFigures] = field(default_factory=dict)
    stretches: list[Stretch] = field(default_factory=list)
    found_late: Counter[str] = field(default_factory=Counter)  # By the dealer of the round in which the error was.
    variance: int = 0  # Of the win from players, in millionths squared; see `win_bounds`.
    reach: int = 0
    furthest: int = 0


def total_of(figures: Iterable[BetFigures]) -> BetFigures:
    total = BetFigures()
    for each in figures:
        total.add(each)
    return total


class Theory:
    """What a book says of the bets of a table, found once for each kind of bet."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._known: dict[BetKey, BetTheory | None] = {}

    def of(self, key: BetKey) -> BetTheory | None:
        if key not in self._known:
            decks, area, totals = key
            self._known[key] = bet_theory(self.book, decks, area, totals)
        return self._known[key]

    def win(self, bets: Mapping[BetKey, BetFigures]) -> tuple[Fraction, int]:
        """What the house wins of these bets on average, and what was staked on bets without an exact edge."""
        win, unweighed = Fraction(0), 0
        for key, figures in bets.items():
            theory = self.of(key)
            if theory is None:
                unweighed += figures.handle
            else:
                win += theory.edge * figures.handle
        return win, unweighed


@dataclass(slots=True)
class _CountedBet:
    figures: BetFigures
    deviation: int
    reach: int


@dataclass(slots=True)
class _Account:
    """Where what one player does is counted."""

    tally: TableTally
    is_player: bool  # And neither a bot nor a test account.
    bets: dict[BetKey, _CountedBet] = field(default_factory=dict)


class TableFold:
    """The fold of one table: where it stands in a round, and the figures so far."""

    def __init__(
        self,
        table: str,
        span: Span,
        state: State,
        theory: Theory,
        classes: Mapping[str, AccountOwner],
        day_end: Callable[[int], int],
        dealer_of: Callable[[int], tuple[str, str]],
    ) -> None:
        """`state` is the table before the span, `day_end` says when the gaming day of a moment ends, and `dealer_of`
        who called a round, in which role."""
        self.figures = SpanFigures(table, state.terms.currency if state.terms else "", round=state.round)
        self._span, self._theory, self._classes = span, theory, classes
        self._day_end, self._dealer_of = day_end, dealer_of
        self._dealer = dealer_of(state.round) if state.round else ("", "")
        self._results = {kind: TableTally() for kind in AccountOwner}
        self._accounts: dict[str, _Account] = {}
        self._new_day_at: int | None = None
        self._terms_decks = state.terms.decks if state.terms else 0
        self._decks = state.terms_at_call.decks if state.terms_at_call else self._terms_decks
        self._lines: tuple[SettledBet, ...] = state.settled or ()
        self._insured = {(one.box, one.player, one.area): one.totals for one in state.insured}
        self._is_open = state.phase not in (Phase.NEW, Phase.CLOSED)
        self._is_paused = state.is_paused
        self._seats = dict(state.seats)
        self._betting = set(state.bettors) if state.settled is None else set[str]()
        self._present: dict[str, int] = {}
        self._is_in_round = state.is_in_round
        self._is_counted = False
        self._now = self._running_since = span.start or 0
        self._acts: dict[type[Event], Callable[[Any], None]] = {
            TableOpened: self._opened,
            TermsChanged: self._changed_terms,
            TablePaused: self._paused,
            TableResumed: self._resumed,
            TableClosed: self._closed,
            SeatTaken: self._seated,
            SeatLeft: self._left,
            BetsCalled: self._called,
            BetPlaced: self._staked,
            WagerPlaced: self._staked,
            InsuranceTaken: self._insure,
            BetReturned: self._bet_back,
            BetsReturned: self._bets_back,
            OptionChosen: self._stakes_back,
            Ruled: self._stakes_back,
            RoundVoided: self._voided,
            RoundSettled: self._settled,
            SettlementReversed: self._reversed,
            CaseClosed: self._case_closed,
            ErrorFoundLate: self._found_late,
        }

    def take(self, seq: int, event: Event) -> None:
        if not self._is_counted and seq > self._span.after:
            self._start_counting(event.time)
        if self._new_day_at is None or event.time >= self._new_day_at:
            for results in self._results.values():
                results.start_anew()
            self._new_day_at = self._day_end(event.time)
        if self._now < event.time <= self._span.end:
            self._now = event.time
        act = self._acts.get(type(event))
        if act is not None:
            act(event)

    def finish(self) -> SpanFigures:
        """The figures, when every event of the span was taken in."""
        if not self._is_counted:
            self._start_counting(self._span.end)
        self._now = max(self._now, self._span.end)
        self._stop_running()
        for player in list(self._present):
            self._gone(player)
        if self._is_in_round:
            self._stretch()
        self.figures.results = self._results
        return self.figures

    def _start_counting(self, now: int) -> None:
        """What went before was read only to know where the table stands, and what it had returned on the same day."""
        self._is_counted = True
        start = self._span.start if self._span.start is not None else now
        self._now = self._running_since = min(start, self._span.end)
        for results in self._results.values():
            results.start_span()
        self._present = dict.fromkeys({*self._seats.values(), *self._betting}, self._now)
        if self._is_in_round:
            self._stretch()

    # Where the table stands.

    def _opened(self, event: TableOpened) -> None:
        self._changed_terms(event)
        self.figures.currency = event.terms.currency
        self._is_open, self._running_since = True, self._now

    def _changed_terms(self, event: TableOpened | TermsChanged) -> None:
        self._terms_decks = event.terms.decks

    def _paused(self, _: TablePaused) -> None:
        self._stop_running()
        self._is_paused = True

    def _resumed(self, _: TableResumed) -> None:
        self._is_paused, self._running_since = False, self._now

    def _closed(self, _: TableClosed) -> None:
        self._stop_running()
        self._is_open = False
        self._seats = {}
        for player in list(self._present):
            self._gone(player)

    def _stop_running(self) -> None:
        if self._is_counted and self._is_open and not self._is_paused:
            self.figures.open += self._now - self._running_since
        self._running_since = self._now

    def _seated(self, event: SeatTaken) -> None:
        self._seats[event.box] = event.player
        self._come(event.player)

    def _left(self, event: SeatLeft) -> None:
        self._seats.pop(event.box, None)
        self._leave(event.player)

    def _come(self, player: str) -> None:
        if self._is_counted:
            self._present.setdefault(player, self._now)

    def _leave(self, player: str) -> None:
        if player not in self._betting and player not in self._seats.values():
            self._gone(player)

    def _gone(self, player: str) -> None:
        since = self._present.pop(player, None)
        if since is not None:
            self._player(player).time += self._now - since

    # What is staked and comes back.

    def _staked(self, event: BetPlaced | WagerPlaced | InsuranceTaken) -> None:
        player = event.player
        fresh = self._tally(player).stake(player, event.amount)
        if fresh and self._is_counted:
            self._player(player).drop += fresh
        if player not in self._betting:
            self._betting.add(player)
            self._come(player)

    def _insure(self, event: InsuranceTaken) -> None:
        self._insured[event.box, event.player, insurance_area(event.hand, event.window)] = event.totals
        self._staked(event)

    def _bet_back(self, event: BetReturned) -> None:
        self._tally(event.player).give_back(event.player, event.amount)

    def _bets_back(self, event: BetsReturned) -> None:
        self._give_back(event.bets)
        for one in event.insured or ():
            self._insured[one.box, one.player, one.area] = one.totals

    def _stakes_back(self, event: OptionChosen | Ruled) -> None:
        self._give_back(event.returned)

    def _give_back(self, stakes: Iterable[Stake]) -> None:
        for stake in stakes:
            self._tally(stake.player).give_back(stake.player, stake.amount)

    # Rounds.

    def _called(self, event: BetsCalled) -> None:
        self._dealer, self._decks, self._lines = (event.by, event.role.value), self._terms_decks, ()
        self._insured = {}
        self.figures.round = event.round
        self._end_round()
        self._is_in_round = True
        if self._is_counted:
            self._stretch()

    def _settled(self, event: RoundSettled) -> None:
        self._lines = event.bets
        self._settle(event.bets, 1)
        self._end_round()

    def _reversed(self, _: SettlementReversed) -> None:
        self._settle(self._lines, -1)
        if self._is_counted:
            self.figures.reversals += 1
        self._is_in_round = True
        for line in self._lines:
            self._betting.add(line.player)
            self._come(line.player)

    def _voided(self, event: RoundVoided) -> None:
        self._give_back(event.returned)
        self._end_round()
        if self._is_counted:
            self.figures.voids += 1
            self._stretch().voids += 1

    def _end_round(self) -> None:
        betting, self._betting, self._is_in_round = self._betting, set(), False
        for player in betting:
            self._leave(player)

    def _settle(self, lines: Iterable[SettledBet], sign: int) -> None:
        """Count a settlement, or take one out of the count again. This is where a report spends its time."""
        decks, insured, is_counted, accounts = self._decks, self._insured, self._is_counted, self._accounts
        players = set()
        deviation = reach = 0
        for line in lines:
            name, area, stake, net, commission = line.player, line.area, line.stake, line.net, line.commission
            account = accounts.get(name) or self._account(name)
            account.tally.settle(name, sign * stake, sign * net, sign * commission)
            if not is_counted:
                continue
            players.add(name)
            key = (decks, area, insured.get((line.box, name, area)) if insured else None)
            bet = account.bets.get(key) or self._bet(account, name, key)
            figures = bet.figures
            figures.bets += sign
            figures.handle += sign * stake
            figures.win -= sign * net
            figures.commission += sign * commission
            deviation += stake * bet.deviation
            reach += stake * bet.reach
        if is_counted:
            own = self.figures
            for name in players:
                own.players[name].rounds += sign
            own.rounds += sign
            own.variance += sign * deviation * deviation
            own.reach = max(own.reach, reach)
            own.furthest += sign * reach
            self._stretch().rounds += sign

    def _bet(self, account: _Account, name: str, key: BetKey) -> _CountedBet:
        """What is counted of one kind of bet of a player, from the first on."""
        theory = self._theory.of(key) if account.is_player else None
        figures = self._player(name).bets.setdefault(key, BetFigures())
        spread = (theory.deviation, theory.reach) if theory is not None else (0, 0)
        bet = account.bets[key] = _CountedBet(figures, *spread)
        return bet

    def _account(self, name: str) -> _Account:
        kind = self._classes.get(name, AccountOwner.PLAYER)
        account = self._accounts[name] = _Account(self._results[kind], kind is AccountOwner.PLAYER)
        return account

    # Who dealt, and what went wrong.

    def _stretch(self) -> Stretch:
        """The stretch of whoever deals, up to this moment."""
        stretches = self.figures.stretches
        if not stretches or (stretches[-1].dealer, stretches[-1].role) != self._dealer:
            stretches.append(Stretch(*self._dealer, self._now, self._now))
        stretches[-1].end = self._now
        return stretches[-1]

    def _case_closed(self, event: CaseClosed) -> None:
        if self._is_counted:
            kind = DISMISSED if event.resolution.takes_back else event.finding.value
            self._stretch().irregularities[kind] += 1

    def _found_late(self, event: ErrorFoundLate) -> None:
        if self._is_counted:
            self.figures.found_late[self._dealer_of(event.round)[0]] += 1

    def _tally(self, player: str) -> TableTally:
        return (self._accounts.get(player) or self._account(player)).tally

    def _player(self, player: str) -> PlayerFigures:
        figures = self.figures.players.get(player)
        if figures is None:
            figures = self.figures.players[player] = PlayerFigures()
        return figures


_KINDS = (
    *(TableOpened, TermsChanged, TablePaused, TableResumed, TableClosed, SeatTaken, SeatLeft),
    *(BetsCalled, BetPlaced, WagerPlaced, InsuranceTaken, BetReturned, BetsReturned, OptionChosen, Ruled),
    *(RoundVoided, RoundSettled, SettlementReversed, CaseClosed, ErrorFoundLate),
)
_BEGINNING = 9  # Letters after the type of an event by which the database tells those that count from the others.
_NAMES = ", ".join(sorted({"'" + (kind.name() + '","by":')[:_BEGINNING] + "'" for kind in _KINDS}))
_STATEMENT = (
    f"SELECT seq, v, body FROM events WHERE table_id = ? AND seq <= ? AND substr(body, 10, {_BEGINNING}) IN ({_NAMES}) "
    "AND seq > ? ORDER BY seq LIMIT ?"
)


def fold_table(
    reader: Reader,
    stored: StoredTable,
    span: Span,
    theory: Theory,
    classes: Mapping[str, AccountOwner],
    day_end: Callable[[int], int],
) -> SpanFigures:
    """The figures of a stored table over a span. Cards that were dealt and the like are not even read."""

    def dealer_of(round: int) -> tuple[str, str]:
        from punto.audit.round_history import place_of

        place = place_of(reader, stored, round)
        if place is None:
            return "", ""
        event = reader.records(stored.id, place.first - 1, 1)[0].event
        return event.by, event.role.value

    state = reader.state_at(stored.id, span.begins)
    fold = TableFold(stored.id, span, state, theory, classes, day_end, dealer_of)
    for seq, v, body in reader.each_row(_STATEMENT, (stored.id, span.last), after=span.begins):
        fold.take(seq, decode_event(body, v))
    return fold.finish()


def place_at(reader: Reader, stored: StoredTable, moment: int | None) -> int:
    """The last place of a table before a moment; 0 where there is none. It is found by halving.

    Times rise with the log unless a clock was put back. Even then a later moment never has an earlier place, so what
    is counted up to a moment is never counted again after it.
    """
    if moment is None:
        return 0
    # From a power of two on the same places are looked at, however long the log has become.
    low, high = 0, 1 << stored.version.bit_length()
    while high - low > 1:
        middle = (low + high) // 2
        rows = reader.rows("SELECT v, body FROM events WHERE table_id = ? AND seq = ?", (stored.id, middle))
        if rows and decode_event(rows[0][1], rows[0][0]).time < moment:
            low = middle
        else:
            high = middle
    return low
