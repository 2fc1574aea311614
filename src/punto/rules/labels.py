"""What a betting area is called on the layout, insurance included: one name everywhere.

The layout of a book names its bets in three languages. It has no place for insurance, which is offered by
call; there the hand is named: "Insurance on Banker".
"""

from __future__ import annotations

from enum import Enum

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.text.entry import Labels


class Language(Enum):
    """The languages of a layout."""

    EN = "en"
    ZH_HANS = "zh_hans"
    ZH_HANT = "zh_hant"

    def of(self, labels: Labels) -> str:
        """A label in this language, or in English where it has none in this one."""
        text: str | None = getattr(labels, self.value)
        return text or labels.en


def label_of(book: Book, area: str, language: Language = Language.EN) -> str:
    """The name of a betting area."""
    bet = book.bet(area)
    if bet is not None:
        return language.of(bet.labels)
    assert book.insurance is not None and area in book.insurance_areas, f"no betting area {area}"
    hand, _ = book.insurance_areas[area]
    insurance = language.of(book.insurance.labels)
    name = hand_label(book, hand, language)
    return f"{insurance} on {name}" if language is Language.EN else f"{name}{insurance}"


def hand_label(book: Book, hand: Hand, language: Language = Language.EN) -> str:
    """The name of a hand: that of its main bet on the layout."""
    bet = book.bet(book.main_area(hand))
    return hand.value.title() if bet is None else language.of(bet.labels)
