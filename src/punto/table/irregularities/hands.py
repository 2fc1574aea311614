"""The hands of a case: where each card was due, in every order it may have left the shoe, and how they lie.

The order of the cards is dealt again by the table of play. What hangs on a face that nobody has seen is not
known, and is not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.facts import Hand
from punto.rules.play import STOOD, Play
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.sighting import Face, Place
from punto.table.state import Slot, State, Table
from punto.table.terms import Terms

HANDS = {Place.PLAYER: Hand.PLAYER, Place.BANKER: Hand.BANKER}

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
    hands = {hand: [card for card in cards if card.plays_in is hand] for hand in Hand}
    due: list[Hand | None] = []
    for card in cards:
        if card.plays_in is not None:
            due.append(card.plays_in)  # it is there whatever its order
            continue
        nexts = _next_hands(play, hands[Hand.PLAYER], hands[Hand.BANKER])
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
    for p, b in product(points_of(player[:2]), points_of(banker[:2])):
        if play.ends[p * 10 + b]:
            found.add(None)
        elif len(player) == 2 and play.player_draws[p * 10 + b]:
            found.add(Hand.PLAYER)
        else:
            thirds = points_of(player[2:3]) if len(player) > 2 else {STOOD}
            found |= {Hand.BANKER if play.banker_draws[third][b] else None for third in thirds}
    return found


def points_of(cards: Sequence[RoundCard]) -> set[int]:
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
    if not is_order_known(table.state.round_terms, evidence):
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
        cards.append(next((one for one in rest if HANDS.get(one.lies) is hand), rest[0]))
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
    """What lies face down on record is not sorted by its name: the order would tell of it."""
    name = card.card if card.nth is None or card.face is Face.UP else None
    return card.lies.value, card.face.value, str(name), card.nth or 0


def possible_orders(terms: Terms, evidence: Evidence) -> list[tuple[RoundCard, ...]]:
    """The cards that left the shoe, in every order that they may have left it in."""
    if is_order_known(terms, evidence):
        return [evidence.left]
    return [tried.left for tried in evidence.possible_orders()]


def due_by_order(table: Table, evidence: Evidence) -> Due | None:
    """Where each card was due; None where that hangs on a face that nobody saw, or on an order not known."""
    numbered = replace(evidence, cards=tuple(replace(card, nth=i) for i, card in enumerate(evidence.cards)))
    found = set()
    for cards in possible_orders(table.state.round_terms, numbered):
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
    """Whether a hand, as it lies, has more cards than the table of play gives it at that moment.

    The first four are given in turn: after two cards neither hand can have both.
    """
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if max(len(player), len(banker)) <= 2:
        due = known_hands(play, cards)
        return len(player) > due.count(Hand.PLAYER) or len(banker) > due.count(Hand.BANKER)
    if min(len(player), len(banker)) < 2 or max(len(player), len(banker)) > 3:
        return True
    if any(card.shown is None for card in (*player[:2], *banker[:2])):
        return True  # no third card is due before the first four lie open
    return not any(
        _gives(play, p, b, player, banker) for p, b in product(points_of(player[:2]), points_of(banker[:2]))
    )


def _gives(play: Play, p: int, b: int, player: Sequence[RoundCard], banker: Sequence[RoundCard]) -> bool:
    if play.ends[p * 10 + b] or play.player_draws[p * 10 + b] != (len(player) == 3):
        return False
    if len(banker) == 2:
        return True
    thirds = points_of(player[2:]) if len(player) == 3 else {STOOD}
    return all(play.banker_draws[third][b] for third in thirds)


def is_short(play: Play, cards: Sequence[RoundCard]) -> bool:
    """Whether a hand, as it lies, certainly lacks a card that the table of play gives it."""
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if min(len(player), len(banker)) < 2:
        return True
    if len(banker) == 3:
        return False
    thirds = points_of(player[2:]) if len(player) == 3 else {STOOD}
    return all(
        not play.ends[p * 10 + b]
        and (
            (play.player_draws[p * 10 + b] and len(player) == 2)
            or all(play.banker_draws[third][b] for third in thirds)
        )
        for p, b in product(points_of(player[:2]), points_of(banker[:2]))
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
