"""Tables as somebody without an account sees them, where the house lets such people watch: later than everybody else,
and only what is named here. Nobody's name and no bet is among it; nor are numbers of events, which would tell how much
happened that guests do not see. Not even what lies on a spot is: it may be the bet of one person, and where it is not,
each bet is what the sum has just grown by. The screen over a table is told no more: its key may be anywhere.

Whoever adds something to the view of a table says here what guests see of it: `guest_view` names every field.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from punto.audit.shuffle import ShoeCheck, ShoeRecord, check_shoe
from punto.cards.source import SourceKind
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.answers import MANUAL
from punto.floor.loaded_table import LoadedTable
from punto.floor.orders import HouseOrders
from punto.rules.book import Book
from punto.rules.outcome import Winner
from punto.table.replay import EndedRound
from punto.table.state import Phase, State, Table
from punto.table.terms import boxes_of
from punto.views import deal_view, history_view
from punto.views.layout_view import AreaView, SeatView, area_views
from punto.views.legal_view import clock_view
from punto.views.table_view import BookView, TableView, TermsView, book_view
from punto.views.viewer import BOARD, taken_from

SOMEBODY = ""  # Who sits in a box, to somebody who is told no name.
UNTOLD = 0  # The number of an event, to somebody who is not told how many there were.


class WatchedTable(msgspec.Struct, frozen=True):
    """A line about a table, for somebody without an account. Amounts are minor units."""

    table: str
    book: BookView
    currency: str
    minimum: int
    maximum: int | None
    decks: int
    phase: Phase
    round: int
    paused: bool
    case: bool  # Something went wrong, and the round stands still.
    void: bool  # The round just over has no result.
    insurance: bool  # Insurance is offered at this moment.
    shoe: int | None  # The number of the shoe in play; None where another comes before the next round.
    winner: Winner | None  # Of a round that is decided, until the next call for bets.
    boxes: int
    taken: int  # Boxes in which somebody sits.


def watched_table(loaded: LoadedTable) -> WatchedTable:
    table, state = loaded.table, loaded.table.state
    shoe, result = deal_view.shoe_view(state), deal_view.result_view(table, BOARD)
    is_due = shoe is None or shoe.finished or shoe.burn_due
    return taken_from(
        table.terms,
        WatchedTable,
        table=loaded.id,
        book=book_view(table.book),
        phase=state.phase,
        round=state.round,
        paused=state.is_paused,
        case=state.case is not None,
        void=deal_view.is_void(state),
        insurance=state.window is not None,
        shoe=None if is_due else state.shoe_number,
        winner=result.winner if result is not None else None,
        boxes=boxes_of(table.book, table.terms),
        taken=len(state.seats),
    )


def guest_view(loaded: LoadedTable, pace: Pace | None, moment: int) -> TableView:
    """A table as guests see it; `moment` is the time that they see it at, `pace` that of its automatic dealer then."""
    table, state, result = loaded.table, loaded.table.state, deal_view.result_view(loaded.table, BOARD)
    return TableView(
        table=loaded.id,
        seq=UNTOLD,
        now=moment,
        since=state.since,
        book=book_view(table.book),
        terms=taken_from(table.terms, TermsView, boxes=boxes_of(table.book, table.terms)),
        phase=state.phase,
        round=state.round,
        void=deal_view.is_void(state),
        paused=state.is_paused,
        imported=loaded.imported,
        shoe=_shoe(state),
        hands=deal_view.hands_view(table, BOARD),
        reasons=deal_view.reason_views(table),
        call=deal_view.call_view(table),
        areas=_areas(table),
        seats=tuple(_seat(state, box) for box in range(1, boxes_of(table.book, table.terms) + 1)),
        away=(),
        mine=None,
        insurance=_insurance(table),
        antes=(),
        squeezes=(),
        squeezer=None,
        result=None if result is None else replace(result, lines=(), queue=(), net=0),
        case=_case(table),
        next=None,
        clock=clock_view(table, pace, moment),
        dealer=pace is not None,
        due=(),
        stopped=None,  # What the house orders now is not a thing of then.
        advice=False,
        feed=MANUAL if table.terms.source is SourceKind.ENTERED else None,
    )


def board_view(loaded: LoadedTable, pace: Pace | None, moment: int, orders: HouseOrders) -> TableView:
    """A table as the screen over it has it: what a guest sees, at once and with what the house orders now."""
    return replace(guest_view(loaded, pace, moment), seq=loaded.version, stopped=orders.stop_at(loaded))


def _areas(table: Table) -> tuple[AreaView, ...]:
    return tuple(replace(area, laid=None) for area in area_views(table, ()))


def _shoe(state: State) -> deal_view.ShoeView | None:
    shoe = deal_view.shoe_view(state)
    return None if shoe is None else replace(shoe, pledges=())


def _seat(state: State, box: int) -> SeatView:
    """Whether somebody sits there, and whether that is a bot of the house."""
    player = state.seats.get(box)
    name = None if player is None else SOMEBODY
    return SeatView(box, name, player in BOTS, False, False, (), (), None, None, 0)


def _insurance(table: Table) -> deal_view.InsuranceView | None:
    shown = deal_view.insurance_view(table, BOARD)
    return None if shown is None else replace(shown, offers=(), forgone=False, wished=(), wishing=())


def _case(table: Table) -> deal_view.CaseView | None:
    case = deal_view.case_view(table, BOARD)
    return None if case is None else replace(case, undecided=(), choices=(), grounds=(), cards=(), seen=(), note="")


def guest_rounds(rounds: Iterable[EndedRound]) -> tuple[EndedRound, ...]:
    """The rounds that guests may look back at."""
    return tuple(ended for ended in rounds if not ended.is_private)


def guest_history(book: Book, rounds: Iterable[EndedRound]) -> tuple[history_view.RoundView, ...]:
    """Rounds that are over, the latest first, without anybody's bets."""
    shown = history_view.history_view(book, guest_rounds(rounds), BOARD)
    return tuple(replace(one, seq=UNTOLD, lines=(), net=0, decided=()) for one in shown)


def guest_steps(book: Book, steps: history_view.Steps) -> tuple[history_view.StepView, ...]:
    """A round that is over, step by step; the steps are numbered by themselves."""
    shown = history_view.step_views(book, steps, BOARD)
    return tuple(replace(step, seq=number, bets=(), lines=(), player=None) for number, step in enumerate(shown, 1))


def guest_shoe(record: ShoeRecord) -> ShoeCheck:
    """A shoe with the check of its order. Whoever added bytes to the shuffle has a number for a name."""
    pledges = (replace(pledge, player=str(number)) for number, pledge in enumerate(record.pledges, start=1))
    return check_shoe(replace(record, pledges=tuple(pledges)))
