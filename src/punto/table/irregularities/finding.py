"""The finding: what the evidence comes to. The cards on the table decide it, not the word of whoever reports.

The order of the cards is dealt again by the table of play, which says where each was due; where it lies,
which face shows and what the House said about reconstruction decide the rest. The findings that fit are
given in the order in which a clause is looked for: a document silent on the first may speak of the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.text.bet import Area
from punto.rules.text.betting import Signal
from punto.rules.text.irregularity import Finding
from punto.table.insurance.decisions import neglected_bets
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.hands import (
    HANDS,
    Due,
    due_hands,
    has_wrong_number,
    in_true_places,
    is_short,
    known_hands,
    possible_orders,
)
from punto.table.irregularities.sighting import Face, Place, Seen
from punto.table.layout import AnteState
from punto.table.state import Phase, State, Table
from punto.table.terms import Faces

OF_THE_SET = frozenset((Finding.FOREIGN_CARD, Finding.WRONG_SET, Finding.NOT_SHUFFLED))
"""What concerns the set of cards: found between rounds, it leaves the settled round standing."""

BESIDE_CARDS = frozenset((Finding.INTERRUPTION, Finding.INSURANCE_NEGLECTED, Finding.UNCOVERED))
"""What has nothing to do with the cards."""

_FACTS = {
    Seen.WRONG_SET: Finding.WRONG_SET,
    Seen.NOT_SHUFFLED: Finding.NOT_SHUFFLED,
    Seen.CARDS_RUN_OUT: Finding.CARDS_RUN_OUT,
}


def findings(table: Table, evidence: Evidence, *, is_possible: bool | None = None) -> tuple[Finding, ...]:
    """Everything that the evidence comes to, first the clause that goes before the others.

    `table` is the table before the case; `is_possible` is the House's word on reconstruction, None until it
    is given. Nothing is found where the table is lawful.
    """
    found = tuple(dict.fromkeys(_findings(table, in_true_places(table, evidence), is_possible)))
    if evidence.slips and BESIDE_CARDS.issuperset(found):
        return (Finding.RECORD_SLIP, *found)
    return found  # where the cards come to a clause, that decides, and the record is corrected with it


def _findings(table: Table, evidence: Evidence, is_possible: bool | None) -> Iterator[Finding]:
    if Seen.FOREIGN_CARD in evidence.seen or any(card.foreign for card in evidence.cards):
        yield Finding.FOREIGN_CARD
    for seen in evidence.seen:
        if seen in _FACTS:
            yield _FACTS[seen]
    book, cards = table.book, evidence.left
    is_wrong = all(
        has_wrong_number(book.play, order) or _is_one_short(table, evidence, order)
        for order in possible_orders(table.state.round_terms, book.play, evidence)
    )
    if is_wrong and is_possible is False:
        yield Finding.WRONG_NUMBER
    if len(evidence.group) > 1:
        yield Finding.DRAWN_TOGETHER
    places = known_hands(book.play, cards)
    if any(
        HANDS.get(card.lies) not in (None, hand) for card, hand in zip(cards, places, strict=False) if hand
    ):
        yield Finding.WRONG_SIDE
    if any(
        is_shown_early(table, card, i, hand)
        for i, (card, hand) in enumerate(zip(cards, places, strict=False))
    ):
        yield Finding.FACE_UP
    if None in places:
        yield Finding.EXCESS
    for card in cards[len(places) :]:
        yield Finding.EXPOSED if card.face is Face.UP else Finding.EXCESS
    for card in _before_antes(table, cards):
        yield Finding.EXPOSED if card.face is Face.UP else Finding.EXCESS
    if is_dealing_error(table, evidence, places):
        yield Finding.DEALING_ERROR
    if is_wrong:
        yield Finding.WRONG_NUMBER
    if Seen.INTERRUPTION in evidence.seen:
        yield Finding.INTERRUPTION
    if Seen.INSURANCE_NEGLECTED in evidence.seen and neglected_bets(table):
        yield Finding.INSURANCE_NEGLECTED
    if Seen.UNCOVERED in evidence.seen:
        yield Finding.UNCOVERED


def _before_antes(table: Table, cards: tuple[RoundCard, ...]) -> list[RoundCard]:
    """The cards that a report brought up and that left the shoe before antes were decided."""
    ante, kinds = table.book.ante, {bet.area for bet in table.book.bets if bet.kind is Area.ANTE}
    if ante is None or not any(b.area in kinds and b.ante is AnteState.OPEN for b in table.state.bets):
        return []
    return [card for card in cards[ante.shown_cards :] if card.nth is None]


def _is_one_short(table: Table, evidence: Evidence, cards: tuple[RoundCard, ...]) -> bool:
    """Whether a round was settled with fewer cards than the table of play gives.

    Where one on record never left the shoe it is still to come, and the record was wrong, not the deal.
    """
    return table.state.is_reopened and not evidence.slips and is_short(table.book.play, cards)


def is_shown_early(table: Table, card: RoundCard, place: int, due: Hand | None) -> bool:
    """Whether a card lies in its place, but face up where cards are dealt face down."""
    if due is None or HANDS.get(card.lies) is not due:
        return False
    if table.state.round_terms.faces is Faces.UP or card.face is Face.DOWN:
        return False
    if card.nth is not None:
        return not table.state.recorded[card.nth - 1][1].face_up
    if card.carried and _was_seen(table.state, card):
        return False
    return table.book.ante is None or place >= table.book.ante.shown_cards


def _was_seen(state: State, card: RoundCard) -> bool:
    """Whether everybody had seen a card when it was carried over."""
    return any(slot.card is card.card and slot.face_up for slot in state.carried)


def is_dealing_error(table: Table, evidence: Evidence, places: Due) -> bool:
    """Whether something went wrong in the deal that no clause before describes."""
    if any(_is_odd(table, card) for card in evidence.cards):
        return True
    if _is_one_short(table, evidence, evidence.left):
        return True
    is_early = table.state.phase is Phase.BETTING and table.book.betting.closes.by is Signal.CALL
    return is_early and any(card.lies is not Place.SHOE for card in evidence.brought) and bool(places)


def _is_odd(table: Table, card: RoundCard) -> bool:
    if card.foreign or card.lies is Place.SHOE:
        return False
    if card.is_recovered or card.was is not None or card.is_moved:
        return True
    if table.state.round_terms.faces is Faces.UP and card.face is Face.DOWN:
        return card.nth is None or table.state.recorded[card.nth - 1][1].face_up
    return card.together


def is_to_be_put_right(book: Book, evidence: Evidence) -> bool:
    """Whether the hands as they lie are not those that the order of the cards makes."""
    due = due_hands(book.play, evidence.left)
    if due is None or any(card.lies is Place.SHOE or (card.nth and card.foreign) for card in evidence.cards):
        return True
    return any(
        hand is None or HANDS.get(card.lies) is not hand
        for card, hand in zip(evidence.left, due, strict=True)
    )
