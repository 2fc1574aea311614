"""The scene of a transcript: the table as an event left it, and its things by the names that people use."""

from __future__ import annotations

from typing import Any

from punto.cards.card import Card
from punto.coup.coup import points
from punto.money import format_amount
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.table.event import Stake
from punto.table.state import Slot, State, shown_cards


class Scene:
    """The table after an event."""

    def __init__(self, book: Book, state: State) -> None:
        self.book, self.state = book, state

    def area(self, area: str) -> str:
        return area_name(self.book, area)

    def bet(self, bet: Any) -> str:
        """`Lee, Banker, box 3`, of anything that has player, area and box."""
        return f"{bet.player}, {self.area(bet.area)}, box {bet.box}"

    def stake(self, stake: Stake) -> str:
        return f"{self.bet(stake)}: {format_amount(stake.amount)}"


def area_name(book: Book, area: str) -> str:
    """A betting area as the layout calls it, in English."""
    bet = book.bet(area)
    if bet is not None:
        return bet.labels.en
    insured = book.insurance_areas.get(area)
    return f"Insurance on {hand_name(insured[0])}" if insured else area


def hand_name(hand: Hand) -> str:
    """A hand as it is called out."""
    return hand.value.title()


def by_clause(clause: str | None) -> str:
    """A clause in brackets, after what rests on it."""
    return f" ({clause})" if clause else ""


def faces(cards: tuple[Card, ...]) -> str:
    """Cards with suit symbols."""
    return " ".join(card.symbol for card in cards)


def slots_face(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as everybody sees them, with their points once all lie open."""
    seen = " ".join(slot.card.symbol if slot.face_up and slot.card else "▯" for slot in slots)
    cards = shown_cards(slots)
    return f"{seen}  {points(cards)}" if cards else seen
