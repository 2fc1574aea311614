"""The clause: what the book says about a finding, what it waits for, and on whose word.

Where a book is silent, a ruling of the shift manager decides; where it names nobody who decides, the house
does, and that is told as a house term.
"""

from __future__ import annotations

from punto.rules.book import Book
from punto.rules.role import Role
from punto.rules.text.irregularity import Finding, Irregularity, Remedy
from punto.table.irregularities.case import Awaits, Case, Found
from punto.table.irregularities.established import is_established
from punto.table.irregularities.finding import OF_THE_SET, findings, is_to_be_put_right
from punto.table.irregularities.hands import (
    due_by_order,
    in_true_places,
    is_order_known,
    is_short,
    possible_hands,
)
from punto.table.state import Table

_AWAITS = {
    Remedy.VOID: Awaits.VOID,
    Remedy.VOID_UNLESS_RECONSTRUCTED: Awaits.JUDGEMENT,
    Remedy.RECONSTRUCT: Awaits.JUDGEMENT,
    Remedy.PLAY_ON: Awaits.OPTIONS,
    Remedy.ORDER_CARDS: Awaits.ORDER,
    Remedy.COMPLETE_OR_VOID: Awaits.NOTHING,
    Remedy.NO_EFFECT: Awaits.NOTHING,
    Remedy.RETURN_BETS: Awaits.RETURN_BETS,
    Remedy.RULING: Awaits.RULING,
}
"""What a case waits for first, by the remedy of its clause."""


_RECORD_SLIP = Irregularity(
    Finding.RECORD_SLIP,
    "A card on record never left the shoe: the record is corrected",
    Remedy.RECONSTRUCT,
    Role.PIT_SUPERVISOR,
)
"""No misdeal, so no document speaks of it: in every book a Pit Supervisor confirms it (house term)."""


def entry_on(book: Book, finding: Finding) -> Irregularity | None:
    """The remedy that there is for a finding: the book's, or ours for a slip of the record."""
    entry = book.irregularity(finding)
    return _RECORD_SLIP if entry is None and finding is Finding.RECORD_SLIP else entry


def rule_on(book: Book, finding: Finding) -> Irregularity:
    """What the book says about a finding; where it is silent, a ruling of the shift manager decides."""
    entry = entry_on(book, finding)
    if entry is not None:
        return entry
    other = book.irregularity(Finding.UNCOVERED)
    orders = other.orders if other else Role.SHIFT_MANAGER
    clause = other.clause if other else None
    return Irregularity(finding, "", Remedy.RULING, orders, clause, clause)


def find(table: Table, case: Case) -> Found:
    """The first clause that fits: the evidence, the table before the case and the House's word decide it."""
    before = Table(table.book, case.state_before)
    found = findings(before, case.evidence, is_possible=case.is_possible)
    spoken = [f for f in found if entry_on(table.book, f) is not None and f is not Finding.UNCOVERED]
    finding = (*spoken, *found, Finding.DEALING_ERROR)[0]  # what fits nothing else is a dealing error
    rule = rule_on(table.book, finding)
    awaits = _awaits(before, case, rule)
    if awaits is Awaits.JUDGEMENT and case.is_possible is not None:
        awaits = Awaits.OPTIONS  # the House has spoken
    if awaits not in _HOUSE_DECIDES:
        decider = Role.PLAYER if awaits is Awaits.OPTIONS else None
        return Found(finding, _clause_now(table, rule), awaits, decider)
    is_ours = awaits is Awaits.JUDGEMENT or rule.orders_clause is None
    return Found(finding, rule.clause, awaits, rule.orders, is_ours)


_HOUSE_DECIDES = frozenset(Awaits) - {Awaits.OPTIONS, Awaits.NOTHING}


def _clause_now(table: Table, rule: Irregularity) -> str | None:
    """An interruption without an outcome has a clause of its own: the round is void."""
    if rule.remedy is Remedy.COMPLETE_OR_VOID and not is_certain(table):
        return rule.void_clause or rule.clause
    return rule.clause


def is_certain(table: Table) -> bool:
    """Whether an outcome is established on whichever hands will be played: put right, or as they lie."""
    case = table.state.case
    assert case is not None
    evidence = in_true_places(Table(table.book, case.state_before), case.evidence)
    lying, *put_right = possible_hands(table.state.round_terms, table.book.play, evidence)
    hands = {None: [lying, *put_right], True: put_right, False: [lying]}[case.is_possible]
    return all(is_established(table.book, *each) for each in hands)


def _awaits(before: Table, case: Case, rule: Irregularity) -> Awaits:
    first = _AWAITS[rule.remedy]
    if rule.remedy is Remedy.VOID_UNLESS_RECONSTRUCTED and case.is_possible is False:
        return Awaits.VOID
    if rule.kind in OF_THE_SET and not before.state.is_in_round:
        return Awaits.NOTHING
    if first is Awaits.ORDER and is_order_known(before.state.round_terms, before.book.play, case.evidence):
        is_known = before.state.are_cards_in_play and due_by_order(before, case.evidence) is not None
        return Awaits.OPTIONS if is_known and not case.evidence.slips else Awaits.JUDGEMENT
    if rule.remedy is Remedy.PLAY_ON and is_to_be_put_right(before.book, case.evidence):
        return Awaits.JUDGEMENT  # something beside it is to be put right
    lacks = before.state.is_reopened and is_short(before.book.play, case.evidence.left)
    if rule.remedy is Remedy.RECONSTRUCT and not lacks and not is_to_be_put_right(before.book, case.evidence):
        return Awaits.OPTIONS
    return first
