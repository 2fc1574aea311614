"""A scene: something goes wrong on a rehearsed table, and is reported as it was seen.

A scene does not know what it comes to. It lays the cards and says what was seen; the table finds the clause,
as it does for any report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from punto.cards.card import Card
from punto.drill.chance import TRIES, Chance
from punto.drill.rehearsal import DEALER, Rehearsal
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Finding, Irregularity
from punto.table import command as c
from punto.table import event as e
from punto.table.header import Person
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.clause import rule_on
from punto.table.irregularities.evidence import Evidence
from punto.table.irregularities.hands import lying_with
from punto.table.irregularities.sighting import OrderKnown, Place, Seen, Sighting


@dataclass(frozen=True, slots=True)
class Happening:
    """A table on which something has just gone wrong, and what is seen of it."""

    table: Rehearsal
    cards: tuple[Sighting, ...] = ()
    seen: tuple[Seen, ...] = ()
    order: OrderKnown | None = None
    round: int | None = None
    """The round it happened in, where it is an earlier one."""

    @property
    def report(self) -> c.Report:
        return c.Report(
            actor=DEALER,
            role=Role.DEALER,
            cards=self.cards,
            seen=self.seen,
            order=self.order,
            round=self.round,
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing that can go wrong."""

    name: str
    """What was seen, never what it comes to: the name stands beside the question."""
    about: tuple[Finding, ...]
    """What a book can take it for: the first of these that it speaks of."""
    set_up: Callable[[Book, Chance], Happening | None]
    """None if this cannot happen with these cards, or at a table of this book."""
    is_decided: bool = True
    """Whether somebody of the house has to decide, where the book speaks of it."""

    def entry(self, book: Book) -> Irregularity | None:
        """What the book says about it; None where the document is silent."""
        entries = (book.irregularity(finding) for finding in self.about)
        return next((entry for entry in entries if entry is not None), None)


@dataclass(frozen=True, slots=True)
class Incident:
    """A scene that was reported, and what the table made of it."""

    happening: Happening
    events: tuple[e.Event, ...]

    @property
    def table(self) -> Rehearsal:
        return self.happening.table

    @property
    def book(self) -> Book:
        return self.table.book

    @property
    def evidence(self) -> Evidence:
        """Everything that is known of the cards."""
        opened = [event.evidence for event in self.events if isinstance(event, e.CaseOpened)]
        return opened[0] if opened else Evidence()

    @property
    def found(self) -> e.ClauseFound | None:
        """The clause that was found last; None for an error that was found too late."""
        found = [event for event in self.events if isinstance(event, e.ClauseFound)]
        return found[-1] if found else None

    @property
    def finding(self) -> Finding:
        return self.found.finding if self.found else Finding.FOUND_LATE

    @property
    def awaits(self) -> Awaits:
        return self.found.awaits if self.found else Awaits.NOTHING

    @property
    def rule(self) -> Irregularity:
        """What the book says about it; a ruling where it is silent."""
        return rule_on(self.book, self.finding)

    def hand(self, place: Place) -> tuple[Card | None, ...]:
        """The cards that lie with a hand, None for one whose face does not show."""
        if not self.evidence.cards:
            return self.table.cards(Hand(place.value))
        lying = lying_with(self.evidence.cards, place)
        return tuple(card.shown for card in lying)

    def judged(self, *, possible: bool) -> Incident:
        """The same after the House's word on reconstruction."""
        command = c.JudgeReconstruction(actor="the house", role=LADDER[-1], possible=possible)
        return Incident(self.happening, (*self.events, *self.table.give(command)))

    def ordered(self) -> Incident:
        """The same after the order of the cards was set, as the report names them."""
        return Incident(self.happening, (*self.events, *self.table.give(self.order(LADDER[-1]))))

    def can_be_put_right(self) -> bool:
        """Whether the table would take the House's word that the cards can be reconstructed."""
        return self.table.takes(c.JudgeReconstruction(actor="the house", role=LADDER[-1], possible=True))

    def order(self, role: Role) -> c.Command:
        """What the case is waiting for, ordered by somebody of this rank."""
        second = Person("somebody else", LADDER[-1])
        if self.awaits is Awaits.JUDGEMENT:
            return c.JudgeReconstruction(actor="somebody", role=role, second=second, possible=False)
        if self.awaits is Awaits.ORDER:
            numbered = enumerate(self.evidence.cards, start=1)
            cards = tuple(number for number, card in numbered if card in self.evidence.group)
            return c.OrderCards(actor="somebody", role=role, second=second, cards=cards)
        if self.awaits is Awaits.RETURN_BETS:
            return c.ReturnBets(actor="somebody", role=role, second=second)
        if self.awaits is Awaits.RULING:
            return c.Rule(actor="somebody", role=role, second=second, effect=c.Effect.VOID, reason="a drill")
        return c.VoidRound(actor="somebody", role=role, second=second, reason="a drill")


def play(book: Book, scene: Scene, chance: Chance) -> Incident:
    """Let it happen and be reported, with cards by which the book takes it for what it speaks of."""
    entry = scene.entry(book)
    for _ in range(TRIES):
        happening = scene.set_up(book, chance)
        if happening is None or not happening.table.takes(happening.report):
            continue
        incident = Incident(happening, happening.table.give(happening.report))
        if incident.finding in scene.about and (entry is None or incident.finding is entry.kind):
            return incident
    raise AssertionError(f"{scene.name} can happen at a table of {book.name}")
