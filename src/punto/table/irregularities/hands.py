"""The hands of a case: where each card was due, in every order it may have left the shoe, and how they lie.

The order of the cards is dealt again by the table of play. What hangs on a face that nobody has seen is not
known, and is not guessed.
"""

from __future__ import annotations

from collections import Counter
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
from punto.table.terms import Faces, Terms

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


def is_order_known(terms: Terms, play: Play, evidence: Evidence) -> bool:
    """Whether nobody has to set the order of cards drawn together (insurance 5.10): it was seen or set, or it
    can make no difference that anybody could see.
    """
    if evidence.order is not None or evidence.is_ordered or len(evidence.group) < 2:
        return True
    return _lies_as_due(terms, play, evidence)


def is_told(terms: Terms, card: RoundCard) -> bool:
    """Whether people can tell a card from others: it shows, or somebody who drew it from a physical shoe
    named it.
    """
    return card.card is not None and (terms.source is SourceKind.ENTERED or card.face is Face.UP)


def names_together(terms: Terms, evidence: Evidence) -> tuple[Card | int, ...]:
    """The cards drawn together as people call them: by name, or by number what nobody has seen."""
    return tuple(
        card.card if card.card is not None and is_told(terms, card) else number
        for number, card in enumerate(evidence.cards, start=1)
        if card in evidence.group
    )


def _lies_as_due(terms: Terms, play: Play, evidence: Evidence) -> bool:
    """Whether nobody can tell the cards drawn together apart and they lie with the hands at which cards were
    due, so that every order gives the same hands.
    """
    group, left = evidence.group, evidence.left
    due = known_hands(play, left)
    if any(is_told(terms, card) for card in group) or len(due) < len(left):
        return False
    places = _due_of_group(play, evidence)
    return None not in places and Counter(places) == Counter(HANDS.get(card.lies) for card in group)


def ordered_by_place(table: Table, evidence: Evidence) -> Evidence:
    """The evidence when cards that every order leaves where they lie came as they lie.

    Any other order is for a Pit Supervisor to set. Until then the cards stand as they were reported: the
    table puts none before another, least of all by its name.
    """
    terms, play = table.state.round_terms, table.book.play
    is_set = evidence.order is not None or evidence.is_ordered or len(evidence.group) < 2
    if is_set or not _lies_as_due(terms, play, evidence):
        return evidence
    rest = [i for i, card in enumerate(evidence.cards) if card.together and card in evidence.left]
    due = dict(zip(rest, _due_of_group(play, evidence), strict=True))
    cards = list(evidence.cards)
    for place, hand in due.items():
        came = next(i for i in rest if HANDS.get(evidence.cards[i].lies) is hand)
        cards[place] = evidence.cards[came]
        rest.remove(came)
    return replace(evidence, cards=tuple(cards))


def _due_of_group(play: Play, evidence: Evidence) -> list[Hand | None]:
    left = evidence.left
    return [hand for card, hand in zip(left, known_hands(play, left), strict=True) if card.together]


def possible_orders(terms: Terms, play: Play, evidence: Evidence) -> list[tuple[RoundCard, ...]]:
    """The cards that left the shoe, in every order that they may have left it in."""
    if is_order_known(terms, play, evidence):
        return [evidence.left]
    return [tried.left for tried in evidence.possible_orders()]


def due_by_order(table: Table, evidence: Evidence) -> Due | None:
    """Where each card was due; None where that hangs on a face that nobody saw, or on an order not known."""
    numbered = replace(evidence, cards=tuple(replace(card, nth=i) for i, card in enumerate(evidence.cards)))
    found = set()
    for cards in possible_orders(table.state.round_terms, table.book.play, numbered):
        due = due_hands(table.book.play, cards)
        if due is None:
            return None
        numbers = [card.nth or 0 for card in cards]
        over = tuple(number for number, hand in zip(numbers, due, strict=True) if hand is None)
        by_number = dict(sorted(zip(numbers, due, strict=True)))
        found.add((tuple(by_number.values()), over))
    return found.pop()[0] if len(found) == 1 else None


def in_true_places(table: Table, evidence: Evidence) -> Evidence:
    """The evidence when a card never left the shoe: those on record after it were put where they were due.

    Their places on record followed from a card that was not there. Nobody saw them lie so, and where somebody
    did see one elsewhere than on record, that is its place. `table` is the table before the case.
    """
    first = next((i for i, card in enumerate(evidence.cards) if card in evidence.slips), None)
    if first is None:
        return evidence
    due = iter(known_hands(table.book.play, evidence.left))
    cards: list[RoundCard] = []
    for number, card in enumerate(evidence.cards):
        hand = next(due, None) if card in evidence.left else None
        is_as_recorded = (
            card.nth is not None and HANDS.get(card.lies) is table.state.recorded[card.nth - 1][0]
        )
        if number > first and hand is not None and is_as_recorded:
            card = replace(card, lies=Place(hand.value))
        cards.append(card)
    return replace(evidence, cards=tuple(cards))


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
    lying, is_open = evidence.left, terms.faces is Faces.UP
    hands = [
        (
            _slots(lying_with(lying, Place.PLAYER), is_open=is_open),
            _slots(lying_with(lying, Place.BANKER), is_open=is_open),
        )
    ]
    for cards in possible_orders(terms, play, evidence):
        dealt = list(zip(cards, known_hands(play, cards), strict=False))
        hands.append(
            (
                _slots([card for card, hand in dealt if hand is Hand.PLAYER], is_open=is_open),
                _slots([card for card, hand in dealt if hand is Hand.BANKER], is_open=is_open),
            )
        )
    return hands


def _slots(cards: Sequence[RoundCard], *, is_open: bool) -> tuple[Slot, ...]:
    """Cards as they will lie in a hand; where cards lie open, one that was recovered shows if it is known."""
    return tuple(
        Slot(card.card, card.face is Face.UP or (is_open and card.is_recovered and card.card is not None))
        for card in cards
    )
