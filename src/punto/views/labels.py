"""A name in the three languages of a layout, as a page gets it."""

from __future__ import annotations

import msgspec

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.labels import Language, hand_label, label_of
from punto.rules.text.entry import Labels


class LabelView(msgspec.Struct, frozen=True):
    """A name in English, simplified and traditional Chinese; English where a book has no Chinese."""

    en: str
    zh_hans: str
    zh_hant: str


def label_view(labels: Labels) -> LabelView:
    """A name with every language filled in."""
    return LabelView(*labels.all)


def area_label(book: Book, area: str) -> LabelView:
    """The name of a betting area."""
    return LabelView(*(label_of(book, area, language) for language in Language))


def hand_labels(book: Book, hand: Hand) -> LabelView:
    """The name of a hand."""
    return LabelView(*(hand_label(book, hand, language) for language in Language))
