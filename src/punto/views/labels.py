"""A name or a text in the three languages of a layout, as a page gets it."""

from __future__ import annotations

import msgspec

from punto.books.translation import chinese_of
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.labels import Language, hand_label, label_of
from punto.rules.pay_table import CompiledRow
from punto.rules.text.book_text import Clause, ClauseWords
from punto.rules.text.entry import Labels
from punto.rules.text.irregularity import Irregularity
from punto.rules.words import PHRASEBOOKS, row_words


class LabelView(msgspec.Struct, frozen=True):
    """A name or text in English, simplified and traditional Chinese; English where a book has no Chinese."""

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


def title_label(book: Book) -> LabelView:
    """The title of a book."""
    hans, hant = book.text.zh_hans, book.text.zh_hant
    return _text(book.title, hans.title if hans else None, hant.title if hant else None)


def sense_label(clause: Clause) -> LabelView:
    """What a clause says."""
    return _text(clause.sense, *(words.sense if words else None for words in _words(clause)))


def reading_label(clause: Clause) -> LabelView | None:
    """How a clause is read, where the text leaves room."""
    if not clause.reading:
        return None
    return _text(clause.reading, *(words.reading if words else None for words in _words(clause)))


def row_label(book: Book, row: CompiledRow) -> LabelView:
    """When a row of a pay table holds."""

    def said(language: Language) -> str:
        return row_words(row, language, lambda area: label_of(book, area, language))

    return LabelView(*map(said, Language))


def remedy_label(entry: Irregularity) -> LabelView:
    """What a book does about something that went wrong."""
    return LabelView(*(PHRASEBOOKS[language].remedies[entry.remedy] for language in Language))


def options_label(entry: Irregularity) -> LabelView | None:
    """Whether players may have their bets back; None where they never may."""
    words = [PHRASEBOOKS[language].options[entry.options] for language in Language]
    return LabelView(*words) if words[0] else None


def _words(clause: Clause) -> tuple[ClauseWords | None, ClauseWords | None]:
    return clause.zh_hans, clause.zh_hant


def _text(english: str, zh_hans: str | None, zh_hant: str | None) -> LabelView:
    """A text with the Chinese of its book, else of the built-in book that says the same, else English."""
    known = chinese_of(english) or (english, english)
    return LabelView(english, zh_hans or known[0], zh_hant or known[1])
