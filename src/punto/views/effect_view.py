"""What a command would do, before anybody does it: worked out by the table itself, and nothing is kept.

Whoever changes terms or decides a case sees the hands, the money that goes back and the second person whom it takes.
Only acts of the house are tried out: none of them draws a card, so nobody learns one from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from punto.floor.desk import SOMEBODY
from punto.floor.floor import TableRun, refuse_terms
from punto.floor.loaded_table import LoadedTable
from punto.floor.pit import second_of
from punto.refusal import Refusal, RefusalText
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of
from punto.rules.book_text import LimitKind
from punto.table import house
from punto.table import irregularity_events as events
from punto.table.acting import act
from punto.table.command import Command
from punto.table.event import Event
from punto.table.header import Person
from punto.table.settlement import RoundSettled
from punto.table.state import Phase, Stake, Table
from punto.table.terms import Terms
from punto.views.deal_view import CaseView, HandsView, case_view, hands_view, is_void
from punto.views.viewer import Viewer

TRIED = (
    *(house.ChangeTerms, house.PauseTable, house.ResumeTable, house.CloseTable),
    *(events.OrderCards, events.JudgeReconstruction, events.VoidRound, events.ReturnBets, events.Rule),
    *(events.DismissReport, events.WithdrawEvidence, events.CloseOptions),
)
"""What can be tried out."""


class TermChange(msgspec.Struct, frozen=True):
    """A term that would be another one."""

    term: str
    before: Any
    after: Any


class ReturnedMoney(msgspec.Struct, frozen=True):
    """What would go back to a player, in minor units."""

    player: str
    amount: int


class LayoutChoice(msgspec.Struct, frozen=True):
    """A layout that the game may be dealt on."""

    name: str
    label: str
    boxes_least: int
    boxes_most: int


class TermsChoices(msgspec.Struct, frozen=True):
    """Terms with every field, and what the book leaves to choose."""

    book: str
    digest: str
    terms: dict[str, Any]  # As the command `change-terms` takes them. Amounts are minor units.
    layouts: tuple[LayoutChoice, ...]
    decks: tuple[int, ...]
    differential: bool  # Whether the book measures a box by its differential, else each bet alone.
    insurance: bool  # Whether the book has insurance.
    commission: bool  # Whether the book has a commission.


class EffectView(msgspec.Struct, frozen=True, kw_only=True):
    """What a command would do; or why it would be refused."""

    version: int  # Of the table that it was tried on.
    refusal: RefusalText | None = None
    second: Role | None = None  # The rank of the second person whom it takes.
    phase: Phase
    hands: HandsView
    case: CaseView | None = None  # As it would stand; None where it would be closed.
    void: bool = False
    settled: bool = False  # The round would be settled.
    returned: tuple[ReturnedMoney, ...] = ()
    terms: tuple[TermChange, ...] = ()
    needs_shoe: bool = False  # The cards in play would no longer fit.


def effect_of(loaded: LoadedTable, command: Command, viewer: Viewer, run: TableRun) -> EffectView:
    """Try a command out, as if whoever has to agree did."""
    table, second = loaded.table, second_of(loaded.table, command)
    agreed = msgspec.structs.replace(command, second=Person(SOMEBODY, second)) if second is not None else command
    step = act(table, agreed)
    after, refusal = (table, step) if isinstance(step, Refusal) else (step.table, None)
    done: tuple[Event, ...] = () if isinstance(step, Refusal) else tuple(step.events)
    if refusal is None and isinstance(command, house.ChangeTerms):
        refusal = refuse_terms(after, run)
    state = after.state
    return EffectView(
        version=loaded.version,
        refusal=refusal.text if refusal is not None else None,
        second=second,
        phase=state.phase,
        hands=hands_view(after, viewer),
        case=case_view(after, viewer),
        void=is_void(state),
        settled=any(isinstance(event, RoundSettled) for event in done),
        returned=_returned(done),
        terms=_changes(table, command),
        needs_shoe=any(isinstance(event, house.TermsChanged) and event.needs_shoe for event in done),
    )


def terms_choices(book: Book, terms: Terms) -> TermsChoices:
    layouts = (
        LayoutChoice(one.name, one.label, one.boxes_least or one.boxes, one.boxes_most or one.boxes)
        for one in book.layouts
    )
    return TermsChoices(
        book=book.name,
        digest=digest_of(book),
        terms=_plain(terms),
        layouts=tuple(layouts),
        decks=tuple(book.decks.allowed),
        differential=book.limits.kind is LimitKind.DIFFERENTIAL,
        insurance=book.insurance is not None,
        commission=any(row.commission is not None for bet in book.bets for row in bet.pays),
    )


def _returned(done: Iterable[Event]) -> tuple[ReturnedMoney, ...]:
    back: Counter[str] = Counter()
    for event in done:
        stakes: tuple[Stake, ...] = ()
        if isinstance(event, events.RoundVoided | events.Ruled):
            stakes = event.returned
        elif isinstance(event, events.BetsReturned):
            stakes = event.bets
        for stake in stakes:
            back[stake.player] += stake.amount
    return tuple(ReturnedMoney(player, amount) for player, amount in back.items())


def _changes(table: Table, command: Command) -> tuple[TermChange, ...]:
    if not isinstance(command, house.ChangeTerms) or table.state.terms is None:
        return ()
    before, after = _plain(table.state.terms), _plain(command.terms)
    return tuple(TermChange(name, before[name], after[name]) for name in before if before[name] != after[name])


def _plain(terms: Terms) -> dict[str, Any]:
    return {name: msgspec.to_builtins(getattr(terms, name)) for name in terms.__struct_fields__}
