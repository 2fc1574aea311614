"""Making the reports of a house from what is stored: the figures of its tables, its ledger and its acts.

What several reports of one span share is counted once. Everything is read in one view of the database, and nothing
is kept of single rounds, so a report of a year needs no more memory than that of an hour.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from punto.audit.house_alterations import alteration_rows
from punto.audit.house_figures import (
    HOUR,
    BetFigures,
    BetKey,
    Span,
    SpanFigures,
    Theory,
    fold_table,
    place_at,
    total_of,
)
from punto.audit.house_ledger import CashierTally, PlayersFunds, drawers_at, funds_at, read_cashier
from punto.audit.house_report import (
    AlterationsReport,
    AlterationTotals,
    ApartRow,
    BetRow,
    CashierReport,
    CashierRow,
    CashierTotals,
    FloorReport,
    FloorTotals,
    HouseReport,
    IrregularityRow,
    LargeCashRow,
    PlayerReport,
    PlayerTotals,
    RatedPlayer,
    ReportKind,
    StaffReport,
    StaffRow,
    StaffTotals,
    TableReport,
    TableRow,
)
from punto.audit.round_history import place_of
from punto.audit.significant_events import CashPeriod
from punto.odds.theoretical_win import win_bounds
from punto.rules.book import Book
from punto.store.chain import HouseCode
from punto.store.reader import Reader
from punto.store.record import AccountOwner, StoredTable
from punto.store.significant_events import EventFilter, significant_lines


@dataclass(frozen=True, slots=True)
class ReportSpan:
    """What a report is about: everything from one moment and before another, or some rounds of one table."""

    start: int | None  # None: from the beginning.
    end: int | None  # None: until now.
    table: str | None = None
    rounds: tuple[int, int] | None = None  # The first and the last, of that table.


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """What the house has decided that reports need, and who makes them when."""

    made: int
    version: str
    operator: str
    time_zone: str
    day_start: Callable[[int], int]  # When the gaming day of a moment begins, and when it ends.
    day_end: Callable[[int], int]
    book_of: Callable[[str], Book]  # By its digest.


class NoSuchRounds(Exception):
    """The rounds that a report is asked for are not there."""


def make_report(reader: Reader, kind: ReportKind, span: ReportSpan, frame: HouseFrame) -> HouseReport:
    """A report of everything that a reader sees."""
    return next(make_reports(reader, (kind,), span, frame))


def make_reports(
    reader: Reader, kinds: Iterable[ReportKind], span: ReportSpan, frame: HouseFrame
) -> Iterator[HouseReport]:
    """Several reports of the same span; what they share is counted once."""
    work = _Work(reader, span, frame)
    return (_MAKERS[kind](work) for kind in kinds)


def spans_of(reader: Reader, stored: StoredTable, span: ReportSpan, frame: HouseFrame) -> Span:
    """The part of the log of a table that a report is of."""
    start, end, until = span.start, frame.made, stored.version
    if span.rounds is not None:
        first, last = (place_of(reader, stored, number) for number in span.rounds)
        if first is None or last is None:
            raise NoSuchRounds
        after, until = first.first - 1, last.last
        start, end = (reader.records(stored.id, place - 1, 1)[0].event.time for place in (first.first, until))
    else:
        after = place_at(reader, stored, start)
        if span.end is not None and span.end <= frame.made:
            until, end = place_at(reader, stored, span.end), span.end
    begins = 0 if start is None else min(after, place_at(reader, stored, frame.day_start(start)))
    return Span(begins, after, until, start, end)


@dataclass(frozen=True, slots=True)
class TableWork:
    """A table with its figures over the span."""

    stored: StoredTable
    theory: Theory
    span: Span
    figures: SpanFigures


class _Work:
    """Everything that reports are made of, each part counted when it is first needed."""

    def __init__(self, reader: Reader, span: ReportSpan, frame: HouseFrame) -> None:
        self.reader, self.span, self.frame = reader, span, frame
        self.start = span.start
        self.end = frame.made if span.end is None else min(span.end, frame.made)
        self.is_now = span.rounds is None and (span.end is None or span.end > frame.made)
        if span.rounds is not None:
            stored = reader.table(span.table or "")
            assert stored is not None, "rounds are of a table"
            of_rounds = spans_of(reader, stored, span, frame)
            self.start, self.end = of_rounds.start, of_rounds.end + 1
        accounts = reader.accounts()
        self.currencies = {account.handle: account.currency for account in accounts}
        self.classes = {
            account.handle: AccountOwner(account.kind)
            for account in accounts
            if account.kind != AccountOwner.PLAYER.value
        }
        """Whose accounts are not players', by handle: they are counted apart."""

    def class_of(self, player: str) -> AccountOwner:
        return self.classes.get(player, AccountOwner.PLAYER)

    @cached_property
    def tables(self) -> tuple[TableWork, ...]:
        return tuple(self._fold_tables())

    def _fold_tables(self) -> Iterator[TableWork]:
        for stored in self.reader.tables():
            if stored.imported or self.span.table not in (None, stored.id):
                continue
            span = spans_of(self.reader, stored, self.span, self.frame)
            if span.last:
                theory = Theory(self.frame.book_of(stored.digest))
                figures = fold_table(self.reader, stored, span, theory, self.classes, self.frame.day_end)
                yield TableWork(stored, theory, span, figures)

    @cached_property
    def funds(self) -> dict[str, PlayersFunds]:
        """What everybody had when the span ended, by handle."""
        places = {work.stored.id: (work.figures.round, work.span.last) for work in self.tables}
        return funds_at(self.reader, self.end, places, is_now=self.is_now)

    def head(self, kind: ReportKind, *, is_active: bool) -> dict[str, Any]:
        span, frame = self.span, self.frame
        return {
            "from_": self.start,
            "to": self.end if span.rounds is not None else frame.made if span.end is None else span.end,
            "made": frame.made,
            "title": TITLES[kind],
            "operator": frame.operator,
            "version": frame.version,
            "time_zone": frame.time_zone,
            "is_active": is_active,
            "table": span.table,
            "rounds": span.rounds,
        }


TITLES = {
    ReportKind.FLOOR: "Report of the floor",
    ReportKind.TABLE: "Report of tables and bets",
    ReportKind.CASHIER: "Report of the cashier",
    ReportKind.PLAYER: "Report of players",
    ReportKind.STAFF: "Report of dealers",
    ReportKind.ALTERATIONS: "Report of alterations",
}


def _rounded(exact: Fraction) -> int:
    return floor(exact + Fraction(1, 2))


def _an_hour(rounds: int, time: int) -> float | None:
    return float(Fraction(rounds * HOUR, time)) if time > 0 else None


@dataclass(slots=True)
class _PlaySum:
    """Figures of play while they are added up; all of one currency."""

    rounds: int = 0
    bets: int = 0
    handle: int = 0
    drop: int = 0
    win: int = 0
    commission: int = 0
    theoretical: Fraction = Fraction(0)
    unweighed: int = 0
    variance: int = 0
    reach: int = 0
    furthest: int = 0

    def add(self, other: _PlaySum) -> None:
        for name in ("rounds", "bets", "handle", "drop", "win", "commission", "unweighed", "variance", "furthest"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.theoretical += other.theoretical
        self.reach = max(self.reach, other.reach)

    def fields(self, currency: str, *, is_bounded: bool = True) -> dict[str, Any]:
        least, greatest = win_bounds(self.theoretical, self.variance, self.reach, max(0, self.furthest))
        bounds = (least, greatest, not least <= self.win <= greatest) if is_bounded else (None, None, None)
        return {
            "currency": currency,
            **{name: getattr(self, name) for name in ("rounds", "bets", "handle", "drop", "win", "commission")},
            "hold": float(Fraction(self.win, self.drop)) if self.drop else None,
            "theoretical_win": _rounded(self.theoretical),
            "theoretical_exact": str(self.theoretical),
            "unweighed": self.unweighed,
            **dict(zip(("least_win", "greatest_win", "beyond_chance"), bounds, strict=True)),
        }


def _merged_bets(work: _Work, figures: SpanFigures, kind: AccountOwner) -> dict[BetKey, BetFigures]:
    merged: dict[BetKey, BetFigures] = defaultdict(BetFigures)
    for name, player in figures.players.items():
        if work.class_of(name) is kind:
            for key, bet in player.bets.items():
                merged[key].add(bet)
    return merged


def _play(work: _Work, one: TableWork, kind: AccountOwner) -> _PlaySum:
    """What accounts of one class did at a table."""
    bets, results = _merged_bets(work, one.figures, kind), one.figures.results[kind]
    total, (theoretical, unweighed) = total_of(bets.values()), one.theory.win(bets)
    assert (total.handle, total.win) == (results.handle, results.win), "bets add up to the results of the table"
    own = _PlaySum(one.figures.rounds, total.bets, results.handle, results.drop, results.win, total.commission)
    own.theoretical, own.unweighed = theoretical, unweighed
    if kind is AccountOwner.PLAYER:
        own.variance, own.reach, own.furthest = one.figures.variance, one.figures.reach, one.figures.furthest
    else:
        own.rounds = sum(player.rounds for name, player in one.figures.players.items() if work.class_of(name) is kind)
    return own


def _irregularities(tables: Iterable[TableWork]) -> tuple[IrregularityRow, ...]:
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    for one in tables:
        for stretch in one.figures.stretches:
            for kind, count in stretch.irregularities.items():
                counts[one.stored.id, stretch.dealer, kind] += count
            if stretch.voids:
                counts[one.stored.id, stretch.dealer, "void"] += stretch.voids
        for dealer, count in one.figures.found_late.items():
            counts[one.stored.id, dealer, "found-late"] += count
    return tuple(IrregularityRow(*key, count) for key, count in sorted(counts.items()))


def _wrong(figures: SpanFigures) -> int:
    """How many irregularities there were; a void that one led to is not another one."""
    return figures.found_late.total() + sum(stretch.irregularities.total() for stretch in figures.stretches)


def _apart(work: _Work, tables: Iterable[TableWork]) -> tuple[ApartRow, ...]:
    rows = []
    for one in tables:
        for kind in (AccountOwner.BOT, AccountOwner.TEST):
            play = _play(work, one, kind)
            if play.bets or play.drop or play.handle:
                fields = play.fields(one.figures.currency, is_bounded=False)
                rows.append(ApartRow(table=one.stored.id, accounts=kind, **fields))
    return tuple(rows)


def _floor_totals(work: _Work, tables: Sequence[TableWork]) -> tuple[FloorTotals, tuple[FloorTotals, ...]]:
    """Everything together, and by currency where there are several."""
    sums: dict[str, _PlaySum] = defaultdict(_PlaySum)
    for one in tables:
        sums[one.figures.currency].add(_play(work, one, AccountOwner.PLAYER))
    owed: dict[str, PlayersFunds] = defaultdict(PlayersFunds)
    if work.span.table is None:
        for name, funds in work.funds.items():
            if work.class_of(name) is AccountOwner.PLAYER and funds.total:
                owed[work.currencies.get(name, "")].add(funds)
    found = tuple(_of_currency(currency, sums[currency], owed[currency], tables) for currency in sorted({*sums, *owed}))
    if len(found) == 1:
        return found[0], ()
    if not found:
        return FloorTotals(), ()
    nothing: dict[str, Any] = dict.fromkeys(_AMOUNTS)
    counts = {name: sum(getattr(one, name) for one in found) for name in ("rounds", "bets", *_COUNTED)}
    an_hour = _an_hour(counts["rounds"], counts["open_ms"])
    return FloorTotals(**{**nothing, **counts, "currency": None, "rounds_an_hour": an_hour}), found


_AMOUNTS = (
    *("handle", "drop", "win", "hold", "commission", "theoretical_win", "theoretical_exact", "unweighed"),
    *("least_win", "greatest_win", "beyond_chance", "free", "held", "in_play", "liability"),
)
"""What is not said of several currencies together."""
_COUNTED = ("open_ms", "voids", "reversals", "irregularities")


def _of_currency(currency: str, play: _PlaySum, owed: PlayersFunds, tables: Iterable[TableWork]) -> FloorTotals:
    own = [one.figures for one in tables if one.figures.currency == currency]
    open_ms = sum(figures.open for figures in own)
    return FloorTotals(
        **play.fields(currency),
        open_ms=open_ms,
        rounds_an_hour=_an_hour(play.rounds, open_ms),
        voids=sum(figures.voids for figures in own),
        reversals=sum(figures.reversals for figures in own),
        irregularities=sum(map(_wrong, own)),
        free=owed.free,
        held=owed.held,
        in_play=owed.in_play,
        liability=owed.total,
    )


def _is_active(tables: Iterable[TableWork]) -> bool:
    return any(
        own.rounds
        or own.voids
        or own.reversals
        or own.stretches
        or any(results.drop for results in own.results.values())
        for own in (one.figures for one in tables)
    )


def _floor(work: _Work) -> FloorReport:
    tables, rows, lying = work.tables, [], work.funds
    for one in tables:
        own, book = one.figures, one.theory.book
        in_play = sum(
            funds.at_tables.get(one.stored.id, 0) for name, funds in lying.items() if not work.classes.get(name)
        )
        rows.append(
            TableRow(
                **_play(work, one, AccountOwner.PLAYER).fields(own.currency),
                table=one.stored.id,
                book=book.name,
                digest=one.stored.digest,
                open_ms=own.open,
                rounds_an_hour=_an_hour(own.rounds, own.open),
                voids=own.voids,
                reversals=own.reversals,
                irregularities=_wrong(own),
                in_play=in_play,
            )
        )
    totals, by_currency = _floor_totals(work, tables)
    return FloorReport(
        **work.head(ReportKind.FLOOR, is_active=_is_active(tables)),
        rows=tuple(rows),
        totals=totals,
        by_currency=by_currency,
        apart=_apart(work, tables),
        irregularities=_irregularities(tables),
    )


def _tables(work: _Work) -> TableReport:
    tables, rows = work.tables, []
    for one in tables:
        by_area: dict[tuple[str, int], dict[BetKey, BetFigures]] = defaultdict(dict)
        for key, bet in _merged_bets(work, one.figures, AccountOwner.PLAYER).items():
            decks, area, _ = key
            by_area[area, decks][key] = bet
        order = {area: place for place, area in enumerate(one.theory.book.areas)}
        for (area, decks), bets in sorted(by_area.items(), key=lambda item: (order.get(item[0][0], 0), item[0])):
            rows.append(_bet_row(one, area, decks, bets))
    totals, by_currency = _floor_totals(work, tables)
    return TableReport(
        **work.head(ReportKind.TABLE, is_active=_is_active(tables)),
        rows=tuple(rows),
        totals=totals,
        by_currency=by_currency,
        apart=_apart(work, tables),
        irregularities=_irregularities(tables),
    )


def _bet_row(one: TableWork, area: str, decks: int, bets: Mapping[BetKey, BetFigures]) -> BetRow:
    total, (theoretical, unweighed) = total_of(bets.values()), one.theory.win(bets)
    play = _PlaySum(
        one.figures.rounds, total.bets, total.handle, 0, total.win, total.commission, theoretical, unweighed
    )
    weighed = total.handle - unweighed
    edge = theoretical / weighed if weighed else None
    return BetRow(
        **{**play.fields(one.figures.currency, is_bounded=False), "drop": None, "hold": None},
        table=one.stored.id,
        area=area,
        decks=decks,
        edge=float(edge) if edge is not None else None,
        edge_exact=str(edge) if edge is not None else None,
        hold_by_handle=float(Fraction(total.win, total.handle)) if total.handle else None,
    )


def _players(work: _Work) -> PlayerReport:
    tables = work.tables
    funds = work.funds
    _, at_desk = _desk(work)
    names = {*funds, *at_desk, *(name for one in tables for name in one.figures.players)}
    sums: dict[str, Fraction] = defaultdict(Fraction)
    rows = []
    for name in sorted(names):
        row, theoretical = _player_row(
            work, name, tables, funds.get(name, PlayersFunds()), at_desk.get(name, CashierTally())
        )
        if row is not None:
            rows.append(row)
            if row.accounts is AccountOwner.PLAYER:
                sums[row.currency] += theoretical
    own = tuple(row for row in rows if row.accounts is AccountOwner.PLAYER)
    totals, by_currency = _player_totals(own, sums)
    return PlayerReport(
        **work.head(ReportKind.PLAYER, is_active=any(row.bets or row.buy_ins or row.cash_outs for row in rows)),
        rows=own,
        totals=totals,
        by_currency=by_currency,
        apart=tuple(row for row in rows if row.accounts is not AccountOwner.PLAYER),
    )


def _player_row(
    work: _Work, name: str, tables: Iterable[TableWork], funds: PlayersFunds, desk: CashierTally
) -> tuple[RatedPlayer | None, Fraction]:
    theoretical, rounds, time, drop, total = Fraction(0), 0, 0, 0, BetFigures()
    for one in tables:
        if (own := one.figures.players.get(name)) is not None:
            theoretical += one.theory.win(own.bets)[0]
            rounds, time, drop = rounds + own.rounds, time + own.time, drop + own.drop
            total.add(own.total)
    if not (total.bets or rounds or time or drop or funds.total or desk.count):
        return None, theoretical
    row = RatedPlayer(
        player=name,
        accounts=work.class_of(name),
        currency=work.currencies.get(name, ""),
        rounds=rounds,
        bets=total.bets,
        handle=total.handle,
        average_bet=_rounded(Fraction(total.handle, rounds)) if rounds > 0 else None,
        time_ms=time,
        net=-total.win,
        theoretical_loss=_rounded(theoretical),
        theoretical_exact=str(theoretical),
        drop=drop,
        buy_ins=desk.buy_ins,
        cash_outs=desk.cash_outs,
        corrections=desk.corrections,
        free=funds.free,
        held=funds.held,
        in_play=funds.in_play,
    )
    return row, theoretical


_OF_PLAYERS = ("handle", "net", "drop", "buy_ins", "cash_outs", "corrections", "free", "held", "in_play")


def _player_totals(
    rows: Sequence[RatedPlayer], theoretical: Mapping[str, Fraction]
) -> tuple[PlayerTotals, tuple[PlayerTotals, ...]]:
    found = []
    for currency in sorted({row.currency for row in rows}):
        own = [row for row in rows if row.currency == currency]
        exact = theoretical.get(currency, Fraction(0))
        sums = {name: sum(getattr(row, name) for row in own) for name in (*_OF_PLAYERS, "rounds", "bets", "time_ms")}
        found.append(
            PlayerTotals(
                **sums,
                currency=currency,
                players=len(own),
                theoretical_loss=_rounded(exact),
                theoretical_exact=str(exact),
                liability=sums["free"] + sums["held"] + sums["in_play"],
            )
        )
    if len(found) < 2:
        return (found[0] if found else PlayerTotals()), ()
    counts = {name: sum(getattr(one, name) for one in found) for name in ("players", "rounds", "bets", "time_ms")}
    nothing: dict[str, Any] = dict.fromkeys((*_OF_PLAYERS, "theoretical_loss", "theoretical_exact", "liability"))
    return PlayerTotals(**counts, **nothing), tuple(found)


def _desk(work: _Work) -> tuple[dict[tuple[str, AccountOwner, str], CashierTally], dict[str, CashierTally]]:
    """What was done at the desk, by cashier, class of account and currency; and by player."""
    by_cashier: dict[tuple[str, AccountOwner, str], CashierTally] = defaultdict(CashierTally)
    by_player: dict[str, CashierTally] = defaultdict(CashierTally)
    for moved in read_cashier(work.reader, work.start, work.end, is_now=work.is_now):
        currency = work.currencies.get(moved.player, "")
        by_cashier[moved.actor, work.class_of(moved.player), currency].add(moved)
        by_player[moved.player].add(moved)
    return by_cashier, by_player


_OF_CASHIERS = ("buy_ins", "cash_outs", "corrections", "drawer_change")
_CASHIER_COUNTS = ("buy_in_count", "cash_out_count", "correction_count")


def _cashier(work: _Work) -> CashierReport:
    by_cashier, _ = _desk(work)
    rows = [
        CashierRow(
            cashier=cashier,
            accounts=kind,
            currency=currency,
            **{name: getattr(tally, name) for name in (*_OF_CASHIERS, *_CASHIER_COUNTS)},
        )
        for (cashier, kind, currency), tally in sorted(by_cashier.items(), key=lambda item: str(item[0]))
    ]
    own = tuple(row for row in rows if row.accounts is AccountOwner.PLAYER)
    before = drawers_at(work.reader, work.start) if work.start is not None else {}
    after = drawers_at(work.reader, None if work.is_now else work.end)
    found = []
    for currency in sorted({*(row.currency for row in own), *before, *after}):
        theirs = [row for row in own if row.currency == currency]
        sums = {name: sum(getattr(row, name) for row in theirs) for name in (*_OF_CASHIERS, *_CASHIER_COUNTS)}
        drawers = {"drawer_before": before.get(currency, 0), "drawer_after": after.get(currency, 0)}
        found.append(CashierTotals(currency=currency, **sums, **drawers))
    totals = found[0] if len(found) == 1 else CashierTotals()
    if len(found) > 1:
        counts = {name: sum(getattr(one, name) for one in found) for name in _CASHIER_COUNTS}
        nothing: dict[str, Any] = dict.fromkeys((*_OF_CASHIERS, "drawer_before", "drawer_after"))
        totals = CashierTotals(**counts, **nothing)
    large = tuple(_large_cash(work))
    return CashierReport(
        **work.head(ReportKind.CASHIER, is_active=bool(rows)),
        rows=own,
        totals=totals,
        by_currency=tuple(found) if len(found) > 1 else (),
        apart=tuple(row for row in rows if row.accounts is not AccountOwner.PLAYER),
        large=large,
    )


def _large_cash(work: _Work) -> Iterator[LargeCashRow]:
    """Large cash in the span, as the acts of the house tell it: the rules may be others now."""
    wanted = EventFilter((HouseCode.LARGE_CASH.value,), work.start, None if work.is_now else work.end)
    for _, act in significant_lines(work.reader, wanted=wanted):
        player, after = act.subject.partition("/")[2], act.after or {}
        told = {name: after[name] for name in ("amount", "day", "total", "threshold")}
        yield LargeCashRow(
            **told,
            time=act.time,
            player=player,
            accounts=work.class_of(player),
            act=after["what"],
            currency=work.currencies.get(player, ""),
            why=CashPeriod(after["why"]),
            cashier=act.who or "",
        )


def _staff(work: _Work) -> StaffReport:
    tables, rows = work.tables, []
    wrong: dict[str, int] = defaultdict(int)
    for one in tables:
        for stretch in one.figures.stretches:
            rows.append(
                StaffRow(
                    dealer=stretch.dealer,
                    role=stretch.role,
                    table=one.stored.id,
                    from_=stretch.start,
                    to=stretch.end,
                    rounds=stretch.rounds,
                    rounds_an_hour=_an_hour(stretch.rounds, stretch.end - stretch.start),
                    voids=stretch.voids,
                    irregularities=dict(sorted(stretch.irregularities.items())),
                )
            )
        for row in _irregularities([one]):
            if row.kind != "void":
                wrong[row.kind] += row.count
    rows.sort(key=lambda row: (row.dealer, row.from_, row.table))
    dealers, rounds, voids = len({row.dealer for row in rows}), sum(r.rounds for r in rows), sum(r.voids for r in rows)
    totals = StaffTotals(dealers=dealers, rounds=rounds, voids=voids, irregularities=dict(sorted(wrong.items())))
    return StaffReport(**work.head(ReportKind.STAFF, is_active=bool(rows)), rows=tuple(rows), totals=totals)


def _alterations(work: _Work) -> AlterationsReport:
    rows = alteration_rows(work.reader, work.start, work.end, work.span.table, is_now=work.is_now)
    kinds: dict[str, int] = defaultdict(int)
    for row in rows:
        kinds[row.what] += 1
    totals = AlterationTotals(alterations=len(rows), by_kind=dict(sorted(kinds.items())))
    return AlterationsReport(**work.head(ReportKind.ALTERATIONS, is_active=bool(rows)), rows=tuple(rows), totals=totals)


_MAKERS: dict[ReportKind, Callable[[_Work], HouseReport]] = {
    ReportKind.FLOOR: _floor,
    ReportKind.TABLE: _tables,
    ReportKind.CASHIER: _cashier,
    ReportKind.PLAYER: _players,
    ReportKind.STAFF: _staff,
    ReportKind.ALTERATIONS: _alterations,
}
