"""A table set up for a question: one player, one bet, and cards that are entered.

It is the same table that everything else runs on, so the right answer is what a real table does.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.table import Phase, Refusal, State, Table, act, default_terms, refusal_of
from punto.table import command as c
from punto.table import event as e
from punto.table.terms import Faces, Offering

PLAYER = "a player"
DEALER = "the dealer"
BOX = 1


class CannotRehearse(Exception):
    """The book gives a step of the dealer to somebody else, and no round can be set up; says which."""


class Rehearsal:
    """A table in the middle of a round."""

    def __init__(
        self, book: Book, *, faces: Faces = Faces.UP, offering: Offering = Offering.AUTOMATIC
    ) -> None:
        self.table = Table(book)
        terms = replace(
            default_terms(book), source=SourceKind.ENTERED, burn="none", faces=faces, offering=offering
        )
        self.give(c.OpenTable(actor="the house", role=Role.PIT_SUPERVISOR, terms=terms))
        self.give(c.TakeSeat(actor=PLAYER, role=Role.PLAYER, box=BOX))
        self.give(c.LoadShoe(actor=DEALER, role=Role.DEALER))
        self.give(c.CallBets(actor=DEALER, role=Role.DEALER))

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def book(self) -> Book:
        return self.table.book

    def give(self, command: c.Command) -> tuple[e.Event, ...]:
        """Give a command that the table must accept; the events that follow."""
        step = act(self.table, command)
        if isinstance(step, Refusal):
            raise CannotRehearse(f"{command.name()} cannot be given in a drill: {step.sentence}")
        self.table = step.table
        return step.events

    def takes(self, command: c.Command) -> bool:
        """Whether the table would accept a command."""
        return refusal_of(self.table, command) is None

    def place(self, hand: Hand, amount: int) -> None:
        """Place a main bet, and leave betting open."""
        area = self.book.main_area(hand)
        self.give(c.PlaceBet(actor=PLAYER, role=Role.PLAYER, box=BOX, area=area, amount=amount))

    def bet(self, hand: Hand, amount: int) -> None:
        """Place a main bet and close betting, unless the first card closes it."""
        self.place(hand, amount)
        close = c.CloseBets(actor=DEALER, role=Role.DEALER)
        if self.takes(close):
            self.give(close)

    def deal(self, cards: Sequence[Card]) -> None:
        """Deal these cards until the round is finished."""
        for card in cards:
            if self.state.phase is Phase.FINISHED:
                return
            shown = card if self.table.terms.faces is Faces.UP else None
            self.give(c.DealCard(actor=DEALER, role=Role.DEALER, card=shown))

    def cards(self, hand: Hand) -> tuple[Card | None, ...]:
        """The cards of a hand, None for a card face down."""
        return tuple(slot.card if slot.face_up else None for slot in self.state.slots(hand))
