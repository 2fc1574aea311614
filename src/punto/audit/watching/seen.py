"""What could be seen at a table: every shoe with its cards in the order they showed, and every settled round.

A fold over the events of the table. Rounds that were voided have no result, and rounds in which something
went wrong may have been dealt otherwise than by the table of play; neither is compared with odds. Their
cards left the shoe all the same and count as seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.coup.deal import deal_hands
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.facts import Facts
from punto.table import event as e
from punto.table.acting import act
from punto.table.command import SettleRound
from punto.table.layout import SettledBet
from punto.table.state import State, Table, shown_cards

CONTINUOUS_ROUNDS = 80
"""Rounds of a continuous shuffler that are looked at together, as it has no shoes."""


@dataclass(frozen=True, slots=True)
class Mispaid:
    """A line that was settled otherwise than the book says."""

    round: int
    paid: SettledBet | None
    due: SettledBet | None


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A settled round with the cards that had not been seen before it."""

    number: int
    unseen: tuple[int, ...]
    """Counts of the 52 cards when bets were called."""
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    facts: Facts
    bets: tuple[SettledBet, ...] = ()
    is_after_cut: bool = False
    """The cut card was out when bets were called."""


@dataclass(frozen=True, slots=True)
class CutCard:
    """Where the cut card of a shoe lay, and where it came out."""

    promised: int
    """Cards that lay before it."""
    due_in: int | None = None
    """The round of the shoe in which these cards were out."""
    after: int | None = None
    """Cards that had left the shoe when it was called out; None as long as it was not."""
    called_in: int | None = None
    """The round of the shoe in which it was called out."""

    def is_wrong(self, called: int) -> bool:
        """Whether it was called out early, in a later round than it was due, or not at all although one
        more round was called.
        """
        if self.after is not None:
            return self.after < self.promised or self.called_in != self.due_in
        return self.due_in is not None and called > self.due_in


@dataclass(slots=True)
class SeenShoe:
    """A shoe, or part of the life of a continuous shuffler."""

    number: int
    decks: int
    is_continuous: bool = False
    cards: tuple[Card, ...] = ()
    """In the order in which they showed, the shown burn card first; none of a continuous shuffler."""
    rounds: list[SeenRound] = field(default_factory=list)
    burned: Card | None = None
    """The burn card that was shown."""
    cut: CutCard | None = None
    called: int = 0
    """Rounds that were called, voided ones too."""
    time: int = 0
    """When it was loaded."""


class Sight:
    """A table as it is watched, event by event."""

    def __init__(self, book: Book) -> None:
        self.table = Table(book)
        self.shoes: list[SeenShoe] = []
        self.mispaid: list[Mispaid] = []
        self.left_out = 0
        """Settled rounds in which something had gone wrong."""
        self._unseen: tuple[int, ...] = ()
        self._is_after_cut = False
        self._taken: list[bool] = []
        """Of the rounds settled, whether each was compared; a reversal takes the last one back."""

    def add(self, event: e.Event) -> None:
        """See one more event."""
        before = self.table.state
        after = event.fold(before)
        match event:
            case e.ShoeLoaded():
                continuous = after.terms is not None and after.terms.source is SourceKind.CONTINUOUS
                cut = CutCard(event.decks * 52 - event.behind_cut) if event.behind_cut else None
                self.shoes.append(SeenShoe(event.number, event.decks, continuous, cut=cut, time=event.time))
            case e.CardsBurned() if self.shoes and not self.shoes[-1].is_continuous:
                self.shoes[-1].burned = event.shown
            case e.CutCardCameOut() if self.shoes and self.shoes[-1].cut and before.shoe is not None:
                shoe, out = self.shoes[-1], before.shoe.size - before.shoe.cards_left
                shoe.cut = replace(self.shoes[-1].cut, after=out, called_in=shoe.called)
            case e.BetsCalled():
                self._unseen = after.shoe.composition.counts if after.shoe is not None else ()
                self._is_after_cut = before.last_round is not None
                if self.shoes:
                    self.shoes[-1].called += 1
            case e.RoundSettled():
                self._settled(before, event)
            case e.SettlementReversed() if self._taken:
                if self._taken.pop():
                    self.shoes[-1].rounds.pop()
                else:
                    self.left_out -= 1
            case _:
                pass
        self.table = Table(self.table.book, after)
        if self.shoes and after.shoe is not None and not self.shoes[-1].is_continuous:
            self.shoes[-1].cards = after.shoe.out
            self._follow_cut(self.shoes[-1], is_due=after.shoe.is_cut_card_out)

    def _follow_cut(self, shoe: SeenShoe, *, is_due: bool) -> None:
        """Note the round in which the cut card is due; evidence that is taken back can undo it."""
        cut = shoe.cut
        if cut is not None and cut.after is None and is_due != (cut.due_in is not None):
            shoe.cut = replace(cut, due_in=shoe.called if is_due else None)

    def _settled(self, before: State, event: e.RoundSettled) -> None:
        self.mispaid += self._wrong_lines(event)
        player, banker = shown_cards(before.player), shown_cards(before.banker)
        in_order = before.last_finding is None and before.are_cards_in_play and player and banker
        self._taken.append(bool(in_order))
        if not in_order or player is None or banker is None:
            self.left_out += 1
            return
        shoe = self.shoes[-1]
        if shoe.is_continuous and len(shoe.rounds) == CONTINUOUS_ROUNDS:
            shoe = SeenShoe(shoe.number, shoe.decks, is_continuous=True, time=event.time)
            self.shoes.append(shoe)
        facts = deal_hands(self.table.book.play, player, banker).facts
        shoe.rounds.append(
            SeenRound(event.round, self._unseen, player, banker, facts, event.bets, self._is_after_cut)
        )

    def _wrong_lines(self, event: e.RoundSettled) -> list[Mispaid]:
        """Lines that the table itself would have settled otherwise."""
        step = act(self.table, SettleRound(actor=event.by, role=event.role, time=event.time))
        due = () if isinstance(step, Refusal) else _lines(step.events)
        if due == event.bets:
            return []
        length = max(len(due), len(event.bets))
        pairs = zip(_padded(event.bets, length), _padded(due, length), strict=True)
        return [Mispaid(event.round, paid, right) for paid, right in pairs if paid != right]


def see(book: Book, events: Iterable[e.Event]) -> Sight:
    """Everything that could be seen at a table."""
    sight = Sight(book)
    for event in events:
        sight.add(event)
    return sight


def _lines(events: Iterable[e.Event]) -> tuple[SettledBet, ...]:
    return next((event.bets for event in events if isinstance(event, e.RoundSettled)), ())


def _padded(lines: tuple[SettledBet, ...], length: int) -> list[SettledBet | None]:
    return [*lines, *[None] * (length - len(lines))]
