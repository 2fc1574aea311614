"""What questions to a dealer are made of: chance, forms of answers, the question itself, and a table to
rehearse on.

A question has no chance of its own: it takes random 32-bit numbers from its caller, so that the same
numbers always make the same questions. Reading an answer gives one exact form, and what cannot be read is
neither right nor wrong. A rehearsal is the same table that everything else runs on, so the right answer is
what a real table does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from msgspec.structs import replace

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.money import format_amount, format_money, parse_amount
from punto.rules.authority import Role
from punto.rules.book import Book, label_of
from punto.rules.outcome import Hand, format_odds, parse_odds
from punto.table import Phase, Refusal, State, Table, act, default_terms, refusal_of
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.terms import Faces, Offering

T = TypeVar("T")
Cards = tuple[Card, ...]

CHANCE_BITS = 32  # Bits of each random number; every value must be equally likely.
MOST_TRIES = 3000  # Random deals that are tried before one that fits less well will do.


class Chance:
    """Random choices. Each takes the next of the numbers given, as many as it needs."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers

    def between(self, least: int, most: int) -> int:
        """A whole number from least to most, both included."""
        return least + self._below(most - least + 1)

    def one_of(self, values: Sequence[T]) -> T:
        return values[self._below(len(values))]

    def some_of(self, values: Sequence[T], number: int) -> list[T]:
        """This many of the values, each at most once."""
        left, taken = list(values), []
        for last in range(len(left) - 1, len(left) - 1 - number, -1):
            place = self._below(last + 1)
            taken.append(left[place])
            left[place] = left[last]
        return taken

    def shuffled(self, values: Sequence[T]) -> list[T]:
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            place = self._below(last + 1)
            order[last], order[place] = order[place], order[last]
        return order

    def happens(self, probability: float) -> bool:
        return self._fraction() < probability

    def cards(self) -> Cards:
        """Six cards, as many as a round may take, each from a full deck."""
        return tuple(DECK[int(self._fraction() * len(DECK))] for _ in range(6))

    def find_cards(self, *fits: Callable[[Cards], bool]) -> Cards:
        """Cards that fit every condition; if none are found, the last conditions are left out one by one."""
        for number in range(len(fits), 0, -1):
            for _ in range(MOST_TRIES):
                cards = self.cards()
                if all(fit(cards) for fit in fits[:number]):
                    return cards
        raise AssertionError("every subject has cards that fit it")

    def _below(self, n: int) -> int:
        """A number below n: the high bits of the first random number whose high bits are below n."""
        unused = CHANCE_BITS - n.bit_length()
        while (number := next(self._numbers) >> unused) >= n:
            pass
        return number

    def _fraction(self) -> float:
        """A number from 0 up to 1, of 53 bits."""
        high, low = next(self._numbers) >> 5, next(self._numbers) >> 6
        return ((high << 26) + low) / (1 << 53)


_ODDS = re.compile(r"(\d+(?:\.\d+)?)\s*(?::|-|to)\s*(\d+(?:\.\d+)?)", re.ASCII)
_BACK_WORDS = ("push", "returned", "return", "back", "nothing")
_LOST_WORDS = ("lost", "lose", "loses", "l", "taken")
NO_OFFER = "none"
_NO_OFFER_WORDS = (NO_OFFER, "no", "n", "nothing", "0")
LONGEST_ANSWER = 40  # Characters of an answer that are read; none needs more.


class UnreadableAnswer(ValueError):
    """What `read` of an answer's form raises; the sentence says how to write one."""


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """One of several words; each may stand for a longer phrase."""

    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()

    @property
    def hint(self) -> str:
        *others, last = self.words
        return f"1 to {len(self.words)}" if self.phrases else f"{', '.join(others)} or {last}"

    def read(self, text: str) -> str:
        """The word that is meant: by itself, by its first letters, or by its number."""
        typed = text.strip().lower().replace(" ", "-")
        if typed.isascii() and typed.isdecimal() and len(typed) < 3 and 1 <= int(typed) <= len(self.words):
            return self.words[int(typed) - 1]
        exact = [word for word in self.words if word == typed]
        words = exact or [word for word in self.words if typed and word.startswith(typed)]
        if len(words) != 1:
            raise UnreadableAnswer(f"answer with {self.hint}")
        return words[0]

    def show(self, answer: str) -> str:
        return self.phrases[self.words.index(answer)] if self.phrases else answer


@dataclass(frozen=True, slots=True)
class WinningsAnswer:
    """What a bet of this stake wins: an amount, 0 if it is returned, or that it is lost."""

    stake: int
    hint: ClassVar[str] = "the winnings, 0 if the stake is returned, or lost"

    def read(self, text: str) -> str:
        typed = text.strip().lower().replace(",", "").removeprefix("+")
        if typed in _LOST_WORDS:
            return format_amount(-self.stake)
        if typed in _BACK_WORDS:
            return format_amount(0)
        try:
            return format_amount(parse_amount(typed[:LONGEST_ANSWER], allow_zero=True, allow_negative=True))
        except ValueError:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        won = parse_amount(answer, allow_zero=True, allow_negative=True)
        return "lost" if won == -self.stake else format_money(won) if won else "0, the stake is returned"


@dataclass(frozen=True, slots=True)
class OfferAnswer:
    """Odds and the greatest stake of insurance, or that none is offered."""

    hint: ClassVar[str] = "odds and greatest stake, such as 3:1 50, or none"

    def read(self, text: str) -> str:
        typed = text.strip().lower()[:LONGEST_ANSWER]
        if typed in _NO_OFFER_WORDS:
            return NO_OFFER
        try:
            if (match := _ODDS.match(typed)) is None:
                raise ValueError
            most = parse_amount(typed[match.end() :].strip(" ,;").replace(",", ""))
            return offer_form(format_odds(parse_odds(f"{match[1]}:{match[2]}")), most)
        except ValueError:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        if answer == NO_OFFER:
            return "nothing"
        odds, most = answer.split()
        return f"{odds} {format_money(parse_amount(most))}"


class AnswerForm(Protocol):
    """How the answer to a question is written, read into one exact form, and shown to people."""

    @property
    def hint(self) -> str: ...
    def read(self, text: str) -> str: ...
    def show(self, answer: str) -> str: ...


def offer_form(odds: str, most: int) -> str:
    return f"{odds} {format_amount(most)}"


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
        return self.subject.replace("-", " ")


@dataclass(frozen=True, slots=True)
class Question:
    """One question. The answer comes from the book, through the engine that rules a table by it."""

    topic: Topic
    text: str
    form: AnswerForm
    answer: str  # In the exact form that `form` reads.
    why: str
    clause: str | None
    player: tuple[Card | None, ...] = ()  # Cards on the table, None for a card face down.
    banker: tuple[Card | None, ...] = ()
    stakes: tuple[tuple[str, int], ...] = ()  # Bets on the table, by area.

    def is_right(self, text: str) -> bool:
        """Mark an answer; raises `UnreadableAnswer` if it cannot be read."""
        return self.form.read(text) == self.answer

    @property
    def right(self) -> str:
        return self.form.show(self.answer)


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """One kind of question: its subjects in a book, and how to ask about one of them."""

    name: str
    what: str  # What is asked, in a few words.
    subjects: Callable[[Book], tuple[str, ...]]
    ask: Callable[[Book, str, Chance], Question]


def sense_of(book: Book, clause: str | None) -> str:
    text = book.clause(clause) if clause else None
    return text.sense if text is not None else ""


def bet_name(book: Book, area: str) -> str:
    """A betting area as the layout names it, insurance with its window, which decides what it pays."""
    if area not in book.insurance_areas:
        return label_of(book, area)
    _, cards = book.insurance_areas[area]
    window = next(window for window in book.offers.windows if window.cards == cards)
    return f"{label_of(book, area)} ({window.label[:1].lower()}{window.label[1:]})"


PLAYER = "a player"
DEALER = "the dealer"
BOX = 1


class CannotRehearse(Exception):
    """The book gives a step of the dealer to somebody else, and no round can be set up; says which."""


class Rehearsal:
    """A table in the middle of a round."""

    def __init__(self, book: Book, *, faces: Faces = Faces.UP, offering: Offering = Offering.AUTOMATIC) -> None:
        self.table = Table(book)
        terms = replace(default_terms(book), source=SourceKind.ENTERED, burn="none", faces=faces, offering=offering)
        self.give(OpenTable(actor="the house", role=Role.PIT_SUPERVISOR, terms=terms))
        self.give(TakeSeat(actor=PLAYER, role=Role.PLAYER, box=BOX))
        self.give(LoadShoe(actor=DEALER, role=Role.DEALER))
        self.give(CallBets(actor=DEALER, role=Role.DEALER))

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def book(self) -> Book:
        return self.table.book

    def give(self, command: Command) -> tuple[Event, ...]:
        """Give a command that the table must accept; the events that follow."""
        step = act(self.table, command)
        if isinstance(step, Refusal):
            raise CannotRehearse(f"{command.name()} cannot be given in a drill: {step.sentence}")
        self.table = step.table
        return step.events

    def takes(self, command: Command) -> bool:
        return refusal_of(self.table, command) is None

    def place(self, hand: Hand, amount: int) -> None:
        area = self.book.main_area(hand)
        self.give(PlaceBet(actor=PLAYER, role=Role.PLAYER, box=BOX, area=area, amount=amount))

    def bet(self, hand: Hand, amount: int) -> None:
        self.place(hand, amount)
        self.close()

    def close(self) -> None:
        """Close betting, unless the first card closes it."""
        close = CloseBets(actor=DEALER, role=Role.DEALER)
        if self.takes(close):
            self.give(close)

    def deal(self, cards: Sequence[Card]) -> None:
        """Deal these cards until the round is finished."""
        for card in cards:
            if self.state.phase is Phase.FINISHED:
                return
            face = card if self.table.terms.faces is Faces.UP else None
            self.give(DealCard(actor=DEALER, role=Role.DEALER, card=face))

    def cards(self, hand: Hand) -> tuple[Card | None, ...]:
        """The cards of a hand, None for a card face down."""
        return tuple(slot.card if slot.face_up else None for slot in self.state.slots(hand))

    @property
    def hands(self) -> tuple[tuple[Card | None, ...], tuple[Card | None, ...]]:
        return self.cards(Hand.PLAYER), self.cards(Hand.BANKER)
