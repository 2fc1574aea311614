"""A question to a dealer, with everything that marks and explains its answer, and the kinds of questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from punto.cards.card import Card
from punto.drill.answer import AnswerForm
from punto.drill.chance import Chance
from punto.rules.book import Book
from punto.rules.labels import label_of


@dataclass(frozen=True, slots=True, order=True)
class Topic:
    """What a question is about. A topic that was missed is remembered, and asked again with other cards."""

    book: str
    kind: str
    subject: str

    def __str__(self) -> str:
        return f"{self.book}/{self.kind}/{self.subject}"

    @property
    def words(self) -> str:
        """The subject for people: `two boxes`."""
        return self.subject.replace("-", " ")


@dataclass(frozen=True, slots=True)
class Question:
    """One question. The answer comes from the book, through the engine that rules a table by it."""

    topic: Topic
    text: str
    form: AnswerForm
    answer: str
    """In the exact form that `form` reads."""
    why: str
    clause: str | None
    player: tuple[Card | None, ...] = ()
    """Cards on the table, None for a card face down."""
    banker: tuple[Card | None, ...] = ()
    stakes: tuple[tuple[str, int], ...] = ()
    """Bets on the table, by area."""

    def is_right(self, text: str) -> bool:
        """Mark an answer; raises `UnreadableAnswer` if it cannot be read."""
        return self.form.read(text) == self.answer

    @property
    def right(self) -> str:
        """The right answer for people."""
        return self.form.show(self.answer)


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """One kind of question: its subjects in a book, and how to ask about one of them."""

    name: str
    what: str
    """What is asked, in a few words."""
    subjects: Callable[[Book], tuple[str, ...]]
    ask: Callable[[Book, str, Chance], Question]


def sense_of(book: Book, clause: str | None) -> str:
    """What a clause says, in our words."""
    found = book.clause(clause) if clause else None
    return found.sense if found is not None else ""


def bet_name(book: Book, area: str) -> str:
    """A betting area as the layout names it, insurance with its window, which decides what it pays."""
    if area not in book.insurance_areas:
        return label_of(book, area)
    _, cards = book.insurance_areas[area]
    window = next(window for window in book.offers.windows if window.cards == cards)
    return f"{label_of(book, area)} ({window.label[:1].lower()}{window.label[1:]})"
