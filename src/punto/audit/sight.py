"""What could be seen at a table: every shoe with its cards in the order they showed, every settled round,
where each cut card came out, and the same as arrays, so that thousands of rounds are compared at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.outcome import Facts
from punto.table.acting import act
from punto.table.betting import BetsCalled
from punto.table.event import Event
from punto.table.house import CardsBurned, CutCardCameOut, ShoeLoaded
from punto.table.replay import ended_round
from punto.table.settlement import RoundSettled, SettlementReversed, SettleRound
from punto.table.state import SettledBet, State, Table, shown_cards

Integers = NDArray[np.int64]
CONTINUOUS_ROUNDS = 80  # Rounds of a continuous shuffler that are looked at together, as it has no shoes.


class Mispaid(msgspec.Struct, frozen=True):
    """A line that was settled otherwise than the book says."""

    round: int
    paid: SettledBet | None
    due: SettledBet | None


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A settled round with the cards that had not been seen before it."""

    unseen: tuple[int, ...]  # Counts of the 52 cards when bets were called.
    facts: Facts
    bets: tuple[SettledBet, ...] = ()
    is_after_cut: bool = False  # The cut card was out when bets were called.


@dataclass(frozen=True, slots=True)
class CutCard:
    promised: int  # Cards that lay before it.
    due_in: int | None = None  # The round of the shoe in which these cards were out.
    after: int | None = None  # Cards that had left the shoe when it was called out; None as long as it was not.
    called_in: int | None = None  # The round of the shoe in which it was called out.

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
    burned: Card | None = None  # The burn card that was shown.
    cut: CutCard | None = None
    called: int = 0  # Rounds that were called, voided ones too.
    time: int = 0  # When it was loaded.


class Sight:
    """A table as it is watched, event by event.

    Rounds that were voided have no result, and rounds in which something went wrong may have been dealt otherwise than
    by the table of play; neither is compared with odds. Their cards left the shoe all the same and count as seen.
    """

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

    def add(self, event: Event) -> None:
        before = self.table.state
        after = event.fold(before)
        match event:
            case ShoeLoaded():
                continuous = after.terms is not None and after.terms.source is SourceKind.CONTINUOUS
                cut = CutCard(event.decks * 52 - event.behind_cut) if event.behind_cut else None
                self.shoes.append(SeenShoe(event.number, event.decks, continuous, cut=cut, time=event.time))
            case CardsBurned() if self.shoes and not self.shoes[-1].is_continuous:
                self.shoes[-1].burned = event.shown
            case CutCardCameOut() if self.shoes and self.shoes[-1].cut and before.shoe is not None:
                shoe, out = self.shoes[-1], before.shoe.size - before.shoe.cards_left
                shoe.cut = replace(self.shoes[-1].cut, after=out, called_in=shoe.called)
            case BetsCalled():
                self._unseen = after.shoe.composition.counts if after.shoe is not None else ()
                self._is_after_cut = before.last_round is not None
                if self.shoes:
                    self.shoes[-1].called += 1
            case RoundSettled():
                self._settled(before, event)
            case SettlementReversed() if self._taken:
                if self._taken.pop():
                    self.shoes[-1].rounds.pop()
                else:
                    self.left_out -= 1
        self.table = Table(self.table.book, after)
        if self.shoes and after.shoe is not None and not self.shoes[-1].is_continuous:
            shoe, is_due = self.shoes[-1], after.shoe.is_cut_card_out
            shoe.cards = after.shoe.out
            # Evidence that is taken back can undo that the cut card is due.
            if (cut := shoe.cut) is not None and cut.after is None and is_due != (cut.due_in is not None):
                shoe.cut = replace(cut, due_in=shoe.called if is_due else None)

    def _settled(self, before: State, event: RoundSettled) -> None:
        self.mispaid += self._wrong_lines(event)
        is_shown = shown_cards(before.player) and shown_cards(before.banker)
        is_in_order = bool(before.last_finding is None and before.are_cards_in_play and is_shown)
        self._taken.append(is_in_order)
        if not is_in_order:
            self.left_out += 1
            return
        shoe = self.shoes[-1]
        if shoe.is_continuous and len(shoe.rounds) == CONTINUOUS_ROUNDS:
            shoe = SeenShoe(shoe.number, shoe.decks, is_continuous=True, time=event.time)
            self.shoes.append(shoe)
        ended = ended_round(self.table.book, before, event, 0)
        assert ended.facts is not None
        shoe.rounds.append(SeenRound(self._unseen, ended.facts, ended.bets, self._is_after_cut))

    def _wrong_lines(self, event: RoundSettled) -> list[Mispaid]:
        """Lines that the table itself would have settled otherwise."""
        step = act(self.table, SettleRound(actor=event.by, role=event.role, time=event.time))
        made = () if isinstance(step, Refusal) else step.events
        due = next((settled.bets for settled in made if isinstance(settled, RoundSettled)), ())
        return [Mispaid(event.round, *lines) for lines in zip_longest(event.bets, due) if lines[0] != lines[1]]


def see_table(book: Book, events: Iterable[Event]) -> Sight:
    sight = Sight(book)
    for event in events:
        sight.add(event)
    return sight


class CutRounds(msgspec.Struct, frozen=True):
    """Rounds called up to the one in which the cut card came out; None where it never did."""

    least: int | None = None
    mean: float | None = None
    most: int | None = None


class CutSummary(msgspec.Struct, frozen=True):
    """What became of the cut cards. That is not a matter of chance: a cut card lies behind a number of cards, and shows
    in the round in which they are out.
    """

    shoes: int  # Shoes that had one.
    came: int  # Shoes in which it was called out.
    left_early: tuple[int, ...]
    """Shoes that were taken away before their cut card was due; the last shoe is not one of them."""
    wrong: tuple[int, ...]  # Shoes in which it was called out early, late or not at all.
    rounds: CutRounds


def cut_summary(shoes: Sequence[SeenShoe]) -> CutSummary:
    cuts = [(shoe, shoe.cut) for shoe in shoes if shoe.cut is not None and not shoe.is_continuous]
    called = [cut.called_in for _, cut in cuts if cut.called_in is not None]
    early = tuple(shoe.number for shoe, cut in cuts if cut.due_in is None and shoe is not shoes[-1])
    wrong = tuple(shoe.number for shoe, cut in cuts if cut.is_wrong(shoe.called))
    rounds = CutRounds(min(called), sum(called) / len(called), max(called)) if called else CutRounds()
    return CutSummary(len(cuts), len(called), early, wrong, rounds)


Slip = tuple[tuple[str, int], ...]
"""What one player had on the layout: betting areas with their stakes, in minor units."""

NO_CARD = -1


@dataclass(frozen=True, slots=True)
class SeenArrays:
    """The rounds of a table in their order, and the cards of its shoes."""

    unseen: NDArray[np.int16]
    """A row for each round: counts of the 52 cards that had not been seen when bets were called."""
    totals: Integers
    player_pair: Integers
    banker_pair: Integers
    shoe: Integers  # The place of the shoe that each round was dealt from, counted from 0.
    after_cut: NDArray[np.bool_]  # Whether the cut card was out when bets were called.
    drawn: tuple[Integers, ...]  # For each shoe its cards as they showed; none of a continuous shuffler.
    decks: tuple[int, ...]
    burned: Integers  # For each shoe the shown burn card, or `NO_CARD`.
    stakes: Mapping[str, Mapping[Slip, Integers]] = field(default_factory=dict)
    """By player, in the order of their first bets, and by slip: the rounds it was bet in."""

    @property
    def rounds(self) -> int:
        return len(self.totals)

    @property
    def shoes(self) -> int:
        return len(self.drawn)


def arrays_of(shoes: Sequence[SeenShoe]) -> SeenArrays:
    rounds = [(place, one) for place, shoe in enumerate(shoes) for one in shoe.rounds]
    stakes: dict[str, dict[Slip, list[int]]] = {}
    for number, (_, one) in enumerate(rounds):
        slips: dict[str, list[tuple[str, int]]] = {}
        for bet in one.bets:
            slips.setdefault(bet.player, []).append((bet.area, bet.stake))
        for player, slip in slips.items():
            stakes.setdefault(player, {}).setdefault(tuple(slip), []).append(number)
    return SeenArrays(
        unseen=np.array([one.unseen for _, one in rounds], np.int16).reshape(len(rounds), 52),
        totals=_integers(one.facts.totals for _, one in rounds),
        player_pair=_integers(one.facts.player_pair for _, one in rounds),
        banker_pair=_integers(one.facts.banker_pair for _, one in rounds),
        shoe=_integers(place for place, _ in rounds),
        after_cut=np.array([one.is_after_cut for _, one in rounds], np.bool_),
        drawn=tuple(_integers(card.index for card in shoe.cards) for shoe in shoes),
        decks=tuple(shoe.decks for shoe in shoes),
        burned=_integers(NO_CARD if shoe.burned is None else shoe.burned.index for shoe in shoes),
        stakes={
            player: {slip: np.array(rows, np.int64) for slip, rows in slips.items()} for player, slips in stakes.items()
        },
    )


def _integers(values: object) -> Integers:
    return np.fromiter(values, np.int64)  # type: ignore[call-overload, no-any-return]
