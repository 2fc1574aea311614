"""The finding: what the evidence comes to. The cards on the table decide it, not the word of whoever reports.

The order of the cards is dealt again by the table of play, which says where each was due; where it lies,
which face shows and what the House said about reconstruction decide the rest. The findings that fit are
given in the order in which a clause is looked for: a document silent on the first may speak of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.play import STOOD, Play
from punto.rules.text.bet import Area
from punto.rules.text.betting import Signal
from punto.rules.text.irregularity import Finding
from punto.table.insurance.decisions import neglected_bets
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.sighting import Face, Place, Seen
from punto.table.layout import AnteState
from punto.table.state import Phase, Slot, State, Table
from punto.table.terms import Faces, Terms

OF_THE_SET = frozenset((Finding.FOREIGN_CARD, Finding.WRONG_SET, Finding.NOT_SHUFFLED))
"""What concerns the set of cards: found between rounds, it leaves the settled round standing."""

_FACTS = {
    Seen.WRONG_SET: Finding.WRONG_SET,
    Seen.NOT_SHUFFLED: Finding.NOT_SHUFFLED,
    Seen.CARDS_RUN_OUT: Finding.CARDS_RUN_OUT,
}
_HANDS = {Place.PLAYER: Hand.PLAYER, Place.BANKER: Hand.BANKER}

Due = tuple[Hand | None, ...]
"""Where each card was due; None for one that no hand was due."""


def record_of(state: State) -> Evidence:
    """The cards of the round as they are on record."""
    cards: list[RoundCard] = []
    for nth, (hand, slot) in enumerate(state.recorded, start=1):
        face = Face.UP if slot.face_up else Face.DOWN
        got = sum(card.lies is Place(hand.value) for card in cards)
        plays_in = hand if slot.is_laid and got < 2 else None  # a third card the table of play gives
        cards.append(RoundCard(slot.card, Place(hand.value), face, nth, plays_in))
    return Evidence(tuple(cards))


# ── Where each card was due ──────────────────────────────────────────────────────────────────────


def due_hands(play: Play, cards: Sequence[RoundCard]) -> Due | None:
    """Deal the cards again in their order. None if a draw hangs on a card whose face nobody has seen."""
    due = known_hands(play, cards)
    return due if len(due) == len(cards) else None


def known_hands(play: Play, cards: Sequence[RoundCard]) -> Due:
    """Where the cards were due, as far as that is certain: the first four by order alone."""
    hands: dict[Hand, list[RoundCard]] = {hand: [] for hand in Hand}
    due: list[Hand | None] = []
    for card in cards:
        nexts = _next_hands(play, hands[Hand.PLAYER], hands[Hand.BANKER])
        if card.plays_in is not None:
            nexts = {card.plays_in}
        if len(nexts) > 1:
            break
        due += nexts
        if due[-1] is not None:
            hands[due[-1]].append(card)
    return tuple(due)


def _next_hands(play: Play, player: Sequence[RoundCard], banker: Sequence[RoundCard]) -> set[Hand | None]:
    """The hands that may get the next card, None for no hand: more than one where a face is not known."""
    if min(len(player), len(banker)) < 2:
        return {Hand.PLAYER if len(player) <= len(banker) else Hand.BANKER}
    if len(banker) > 2:
        return {None}
    found: set[Hand | None] = set()
    for p, b in product(_points(player[:2]), _points(banker[:2])):
        if play.ends[p * 10 + b]:
            found.add(None)
        elif len(player) == 2 and play.player_draws[p * 10 + b]:
            found.add(Hand.PLAYER)
        else:
            thirds = _points(player[2:3]) if len(player) > 2 else {STOOD}
            found |= {Hand.BANKER if play.banker_draws[third][b] else None for third in thirds}
    return found


def _points(cards: Sequence[RoundCard]) -> set[int]:
    """The points that cards can make, as far as their faces show."""
    found = {0}
    for card in cards:
        shown = card.shown
        values = range(10) if shown is None else (shown.points,)
        found = {(points + value) % 10 for points in found for value in values}
    return found


def is_order_known(terms: Terms, evidence: Evidence) -> bool:
    """Whether nobody has to set the order of cards drawn together: it was seen or set, or no face was seen.

    What a physical shoe gave is known to whoever names it, even face down; what the system's own source
    gave and lies face down is not.
    """
    if evidence.order is not None or evidence.is_ordered:
        return True
    return len(told_together(terms, evidence)) < 2


def told_together(terms: Terms, evidence: Evidence) -> tuple[Card, ...]:
    """The cards drawn together that people can tell apart."""
    is_told = terms.source is SourceKind.ENTERED
    return tuple(
        card.card for card in evidence.group if card.card is not None and (is_told or card.face is Face.UP)
    )


def ordered_by_place(table: Table, evidence: Evidence) -> Evidence:
    """Cards drawn together of which nobody saw the faces are ordered by where they lie."""
    group = evidence.group
    if len(group) < 2 or evidence.order is not None or evidence.is_ordered:
        return evidence
    if not is_order_known(table.terms, evidence):
        return _in_no_order(evidence)
    rest = sorted(group, key=_by_look)
    cards: list[RoundCard] = []
    for card in evidence.cards:
        if card not in group:
            cards.append(card)
            continue
        # Whoever lies where the next card is due came next; of several any, but always the same.
        tried = replace(evidence, cards=(*cards, replace(rest[0], plays_in=None)))
        due = known_hands(table.book.play, tried.left)
        hand = due[-1] if len(due) == len(tried.left) else None
        cards.append(next((one for one in rest if _HANDS.get(one.lies) is hand), rest[0]))
        rest.remove(cards[-1])
    return replace(evidence, cards=tuple(cards))


def _in_no_order(evidence: Evidence) -> Evidence:
    """Cards whose order is still to be set stand in one order however they were written."""
    places = [i for i, card in enumerate(evidence.cards) if card in evidence.group and card.nth is None]
    cards = list(evidence.cards)
    for place, card in zip(places, sorted((cards[i] for i in places), key=_by_look), strict=True):
        cards[place] = card
    return replace(evidence, cards=tuple(cards))


def _by_look(card: RoundCard) -> tuple[str, str, str, int]:
    return card.lies.value, card.face.value, str(card.card), card.nth or 0


def possible_orders(terms: Terms, evidence: Evidence) -> list[tuple[RoundCard, ...]]:
    """The cards that left the shoe, in every order that they may have left it in."""
    if is_order_known(terms, evidence):
        return [evidence.left]
    return [tried.left for tried in evidence.possible_orders()]


def due_by_order(table: Table, evidence: Evidence) -> Due | None:
    """Where each card was due; None where that hangs on a face that nobody saw, or on an order not known."""
    numbered = replace(evidence, cards=tuple(replace(card, nth=i) for i, card in enumerate(evidence.cards)))
    found = set()
    for cards in possible_orders(table.terms, numbered):
        due = due_hands(table.book.play, cards)
        if due is None:
            return None
        numbers = [card.nth or 0 for card in cards]
        over = tuple(number for number, hand in zip(numbers, due, strict=True) if hand is None)
        by_number = dict(sorted(zip(numbers, due, strict=True)))
        found.add((tuple(by_number.values()), over))
    return found.pop()[0] if len(found) == 1 else None


# ── As they lie ──────────────────────────────────────────────────────────────────────────────────


def lying_with(cards: Sequence[RoundCard], place: Place) -> tuple[RoundCard, ...]:
    """The cards that were put to a hand, in the order in which it got them."""
    return tuple(card for card in cards if card.lies is place)


def has_wrong_number(play: Play, cards: Sequence[RoundCard]) -> bool:
    """Whether a hand, as it lies, has more cards than the table of play gives it at that moment."""
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if max(len(player), len(banker)) <= 2:
        return False
    if min(len(player), len(banker)) < 2 or max(len(player), len(banker)) > 3:
        return True
    if any(card.shown is None for card in (*player[:2], *banker[:2])):
        return True  # no third card is due before the first four lie open
    return not any(
        _gives(play, p, b, player, banker) for p, b in product(_points(player[:2]), _points(banker[:2]))
    )


def _gives(play: Play, p: int, b: int, player: Sequence[RoundCard], banker: Sequence[RoundCard]) -> bool:
    if play.ends[p * 10 + b] or play.player_draws[p * 10 + b] != (len(player) == 3):
        return False
    if len(banker) == 2:
        return True
    thirds = _points(player[2:]) if len(player) == 3 else {STOOD}
    return all(play.banker_draws[third][b] for third in thirds)


def is_short(play: Play, cards: Sequence[RoundCard]) -> bool:
    """Whether a hand, as it lies, certainly lacks a card that the table of play gives it."""
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if min(len(player), len(banker)) < 2:
        return True
    if len(banker) == 3:
        return False
    thirds = _points(player[2:]) if len(player) == 3 else {STOOD}
    return all(
        not play.ends[p * 10 + b]
        and (
            (play.player_draws[p * 10 + b] and len(player) == 2)
            or all(play.banker_draws[third][b] for third in thirds)
        )
        for p, b in product(_points(player[:2]), _points(banker[:2]))
    )


def possible_hands(
    terms: Terms, play: Play, evidence: Evidence
) -> list[tuple[tuple[Slot, ...], tuple[Slot, ...]]]:
    """The hands that may be played: as they lie, or put right in each order that the cards may have."""
    lying = evidence.left
    hands = [(_slots(lying_with(lying, Place.PLAYER)), _slots(lying_with(lying, Place.BANKER)))]
    for cards in possible_orders(terms, evidence):
        dealt = list(zip(cards, known_hands(play, cards), strict=False))
        hands.append(
            (
                _slots([card for card, hand in dealt if hand is Hand.PLAYER]),
                _slots([card for card, hand in dealt if hand is Hand.BANKER]),
            )
        )
    return hands


def _slots(cards: Sequence[RoundCard]) -> tuple[Slot, ...]:
    return tuple(Slot(card.card, face_up=card.face is Face.UP) for card in cards)


# ── What it comes to ─────────────────────────────────────────────────────────────────────────────


def findings(table: Table, evidence: Evidence, *, is_possible: bool | None = None) -> tuple[Finding, ...]:
    """Everything that the evidence comes to, first the clause that goes before the others.

    `table` is the table before the case; `is_possible` is the House's word on reconstruction, None until it
    is given. Nothing is found where the table is lawful.
    """
    return tuple(dict.fromkeys(_findings(table, evidence, is_possible)))


def _findings(table: Table, evidence: Evidence, is_possible: bool | None) -> Iterator[Finding]:
    if Seen.FOREIGN_CARD in evidence.seen or any(card.foreign for card in evidence.cards):
        yield Finding.FOREIGN_CARD
    for seen in evidence.seen:
        if seen in _FACTS:
            yield _FACTS[seen]
    book, cards = table.book, evidence.left
    is_wrong = all(_is_wrong_number(table, order) for order in possible_orders(table.terms, evidence))
    if is_wrong and is_possible is False:
        yield Finding.WRONG_NUMBER
    if len(evidence.group) > 1:
        yield Finding.DRAWN_TOGETHER
    places = known_hands(book.play, cards)
    if any(
        _HANDS.get(card.lies) not in (None, hand) for card, hand in zip(cards, places, strict=False) if hand
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


def _is_wrong_number(table: Table, cards: tuple[RoundCard, ...]) -> bool:
    """More cards than the table of play gives, or, once the round was settled, fewer."""
    play = table.book.play
    return has_wrong_number(play, cards) or (table.state.is_reopened and is_short(play, cards))


def is_shown_early(table: Table, card: RoundCard, place: int, due: Hand | None) -> bool:
    """Whether a card lies in its place, but face up where cards are dealt face down."""
    if due is None or _HANDS.get(card.lies) is not due:
        return False
    if table.terms.faces is Faces.UP or card.face is Face.DOWN:
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
    if table.state.is_reopened and is_short(table.book.play, evidence.left):
        return True
    is_early = table.state.phase is Phase.BETTING and table.book.betting.closes.by is Signal.CALL
    return is_early and any(not card.foreign for card in evidence.brought) and bool(places)


def _is_odd(table: Table, card: RoundCard) -> bool:
    if card.foreign:
        return False
    if card.lies in (Place.TABLE, Place.FLOOR, Place.SHOE) or card.was is not None or card.is_moved:
        return True
    if table.terms.faces is Faces.UP and card.face is Face.DOWN:
        return card.nth is None or table.state.recorded[card.nth - 1][1].face_up
    return card.together


def is_to_be_put_right(book: Book, evidence: Evidence) -> bool:
    """Whether the hands as they lie are not those that the order of the cards makes."""
    due = due_hands(book.play, evidence.left)
    if due is None or any(card.lies is Place.SHOE or (card.nth and card.foreign) for card in evidence.cards):
        return True
    return any(
        hand is None or _HANDS.get(card.lies) is not hand
        for card, hand in zip(evidence.left, due, strict=True)
    )
