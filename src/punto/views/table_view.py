"""A table as one viewer sees it: everything that a page about it draws, and nothing it must not show."""

from __future__ import annotations

import msgspec

from punto.cards.source import SourceKind
from punto.dealer.dealer import Pace
from punto.floor.answers import MANUAL, NO_MONEY, Balance, FeedView, TableStop
from punto.floor.loaded_table import LoadedTable
from punto.floor.orders import NO_ORDERS, HouseOrders, refuse_advice
from punto.rules.book import Book, digest_of
from punto.rules.book_text import LimitKind, Signal
from punto.table.legality import Legal
from punto.table.state import Phase, State, Table
from punto.table.terms import Collecting, Drawing, Faces, Noticing, Offering, boxes_of
from punto.views import deal_view
from punto.views.layout_view import AreaView, SeatView, area_views, seat_views, title_label
from punto.views.legal_view import ClockView, NextView, clock_view, commands_of, next_view
from punto.views.viewer import Viewer, taken_from
from punto.words import LabelView


class BookView(msgspec.Struct, frozen=True):
    """The rule book of a table."""

    name: str
    title: LabelView
    digest: str
    closes_by: Signal  # What closes the bets: a call, or the first card.
    limits: LimitKind  # Whether each bet is limited alone, or a box by its differential.
    insurance: bool
    antes: bool
    squeeze: bool


class TermsView(msgspec.Struct, frozen=True):
    """What the house decided, as far as players need it. Amounts are minor units."""

    layout: str
    boxes: int
    boxes_each: int  # How many boxes one player may sit at.
    decks: int
    currency: str
    chip: int  # The smallest chip: every stake is a whole number of them.
    minimum: int
    maximum: int | None
    differential: int | None
    faces: Faces
    source: SourceKind
    private: bool
    insurance: bool
    offering: Offering
    noticing: Noticing
    drawing: Drawing
    commission: Collecting = Collecting.WITH_PAYOUT  # When the house collects its commission, where the book has one.


class MineView(msgspec.Struct, frozen=True):
    """What is the viewer's own at a table."""

    name: str
    balance: Balance  # Over all tables, as on every other page. Whoever has no account has nothing.
    staked: int  # What lies on the layout here, insurance included.
    boxes: tuple[int, ...]  # Where the viewer sits, in the order in which the boxes were taken.
    away: bool
    due: int = 0  # Commission that is set aside and not collected yet: no longer the viewer's to use.


class DueView(msgspec.Struct, frozen=True):
    """Commission of a player that is set aside and not collected yet, in minor units."""

    player: str
    amount: int


class TableView(msgspec.Struct, frozen=True):
    """A table as one viewer sees it."""

    table: str
    seq: int  # The last event that it includes.
    now: int  # The server's time when it was made, in milliseconds.
    since: int  # When the round last moved on: bets opened or closed, a card came, it was settled.
    book: BookView
    terms: TermsView | None  # None before the table is opened.
    phase: Phase
    round: int
    void: bool  # The round just over has no result: all bets were returned.
    paused: bool
    imported: bool  # It came from a file, and cannot go on.
    shoe: deal_view.ShoeView | None
    hands: deal_view.HandsView
    reasons: tuple[deal_view.ReasonView, ...]  # Why each hand drew or stood so far.
    call: deal_view.CallView
    areas: tuple[AreaView, ...]
    seats: tuple[SeatView, ...]
    away: tuple[str, ...]  # Everybody who walked away, with or without a seat.
    mine: MineView | None  # For players only.
    insurance: deal_view.InsuranceView | None  # None where the table has no insurance.
    antes: tuple[deal_view.AnteView, ...]
    squeezes: tuple[deal_view.SqueezeView, ...]
    squeezer: str | None  # The player who may ask for a squeeze in this round.
    result: deal_view.ResultView | None  # From the last card to the next call.
    case: deal_view.CaseView | None
    next: NextView | None  # For dealers only.
    clock: ClockView | None  # At an automatic table, while a clock runs.
    dealer: bool  # Whether the house's automatic dealer deals.
    due: tuple[DueView, ...]  # Commission to be collected: for the staff of every player, for a player the own.
    stopped: TableStop | None  # Where the house has stopped play: the round in play ends, and no other begins.
    advice: bool  # Whether the viewer may ask for live odds and advice.
    feed: FeedView | None  # Who names the cards, at a table with a physical shoe.


def view_of(
    loaded: LoadedTable,
    viewer: Viewer,
    balance: Balance | None,
    now: int,
    pace: Pace | None = None,
    commands: tuple[Legal, ...] | None = None,
    orders: HouseOrders = NO_ORDERS,
) -> TableView:
    """A table as a viewer sees it; `pace` is that of its automatic dealer, None where a person deals.

    `commands` are those of `commands_of`, where they were worked out already.
    """
    stopped = orders.stop_at(loaded)
    commands = commands_of(loaded.table, viewer, is_stopped=stopped is not None) if commands is None else commands
    table, state, is_open = loaded.table, loaded.table.state, loaded.table.state.terms is not None
    return TableView(
        table=loaded.id,
        seq=loaded.version,
        now=now,
        since=state.since,
        book=book_view(table.book),
        terms=taken_from(table.terms, TermsView, boxes=boxes_of(table.book, table.terms)) if is_open else None,
        phase=state.phase,
        round=state.round,
        void=deal_view.is_void(state),
        paused=state.is_paused,
        imported=loaded.imported,
        shoe=deal_view.shoe_view(state),
        hands=deal_view.hands_view(table, viewer),
        reasons=deal_view.reason_views(table),
        call=deal_view.call_view(table),
        areas=area_views(table, commands) if is_open else (),
        seats=seat_views(table, viewer) if is_open else (),
        away=tuple(sorted(state.away)),
        mine=_mine_view(table, viewer, balance),
        insurance=deal_view.insurance_view(table, viewer) if is_open else None,
        antes=deal_view.ante_views(table, viewer),
        squeezes=deal_view.squeeze_views(table, viewer),
        squeezer=deal_view.squeezer_of(table) if state.is_in_round else None,
        result=deal_view.result_view(table, viewer),
        case=deal_view.case_view(table, viewer),
        next=next_view(table, viewer, is_stopped=stopped is not None),
        clock=clock_view(table, pace, now),
        dealer=pace is not None,
        due=_due_views(state, viewer),
        stopped=stopped,
        advice=refuse_advice(orders, loaded, viewer.name, (viewer.role,)) is None,
        feed=feed_view(state, viewer, None),
    )


def book_view(book: Book) -> BookView:
    return BookView(
        name=book.name,
        title=title_label(book),
        digest=digest_of(book),
        closes_by=book.betting.closes.by,
        limits=book.limits.kind,
        insurance=book.insurance is not None,
        antes=book.ante is not None,
        squeeze=book.squeeze is not None,
    )


def feed_view(state: State, viewer: Viewer, feed: FeedView | None) -> FeedView | None:
    """Who names the cards, as far as the viewer may know; None where the system draws them."""
    if state.terms is None or state.terms.source is not SourceKind.ENTERED:
        return None
    return (feed if viewer.is_staff else FeedView(feed.state)) if feed is not None else MANUAL


def _due_views(state: State, viewer: Viewer) -> tuple[DueView, ...]:
    seen = ((player, amount) for player, amount in state.due.items() if viewer.is_staff or viewer.owns(player))
    return tuple(DueView(player, amount) for player, amount in seen)


def _mine_view(table: Table, viewer: Viewer, balance: Balance | None) -> MineView | None:
    name, state = viewer.name, table.state
    if name is None or not viewer.owns(name):
        return None
    staked = sum(stake.amount for stake in state.stakes if stake.player == name) if state.is_in_round else 0
    own = balance or NO_MONEY
    return MineView(name, own, staked, state.boxes_of(name), name in state.away, state.due.get(name, 0))
