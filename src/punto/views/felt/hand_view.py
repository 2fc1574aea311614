"""A hand on the felt: its cards as a viewer may see them, and its points once all of them lie open."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card
from punto.coup.coup import points
from punto.rules.facts import Hand
from punto.table.state import Slot, Table, shown_cards
from punto.views.labels import LabelView, hand_labels
from punto.views.viewer import Viewer


class CardView(msgspec.Struct, frozen=True):
    """A card on the felt."""

    card: Card | None
    """None for a card that the viewer must not see, or that nobody knows."""
    up: bool
    """Whether it lies face up."""
    crosswise: bool
    """Whether it lies across: a third card does."""
    squeezable: bool
    """Whether the viewer is the one who opens it by hand."""


class HandView(msgspec.Struct, frozen=True):
    """One of the two hands."""

    label: LabelView
    cards: tuple[CardView, ...]
    points: int | None
    """None while it has no card, or one that lies face down."""
    natural: bool
    """Whether its first two cards end the deal."""
    draws: bool
    """Whether it has taken a third card."""


class HandsView(msgspec.Struct, frozen=True):
    """Both hands."""

    player: HandView
    banker: HandView


def hands_view(table: Table, viewer: Viewer) -> HandsView:
    """Both hands as a viewer sees them."""
    return HandsView(*(_hand_view(table, hand, viewer) for hand in (Hand.PLAYER, Hand.BANKER)))


def _hand_view(table: Table, hand: Hand, viewer: Viewer) -> HandView:
    slots = table.state.slots(hand)
    shown = shown_cards(slots)
    total = points(shown) if shown else None
    is_natural = len(slots) == 2 and total is not None and total in table.book.play.naturals
    cards = tuple(_card_view(table, hand, number, slot, viewer) for number, slot in enumerate(slots, start=1))
    return HandView(hand_labels(table.book, hand), cards, total, is_natural, len(slots) > 2)


def _card_view(table: Table, hand: Hand, number: int, slot: Slot, viewer: Viewer) -> CardView:
    squeezable = not slot.face_up and viewer.sees_card(table.state, hand, number)
    card = slot.card if slot.face_up or squeezable else None
    return CardView(card, slot.face_up, crosswise=number > 2, squeezable=squeezable)
