"""The rounds of a table as its log tells them: dealt, paid, reversed, voided.

A fold over events, one step at a time: whoever follows a table adds each event to what it knows, and whoever
starts anew folds from the beginning of a shoe. Both come to the same rounds.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.coup.deal import deal_hands
from punto.roads import RoundResult, RoundWinner
from punto.rules.book import Book
from punto.rules.facts import NO_PAIR, Winner
from punto.store.record import Record
from punto.table import event as e
from punto.table.layout import SettledBet
from punto.table.state import Slot, State, shown_cards

MOST_ROUNDS = 500
"""Rounds that are remembered of one shoe; no shoe has nearly as many, but a continuous one never ends."""


class EndedRound(msgspec.Struct, frozen=True):
    """A round that is over."""

    round: int
    shoe: int
    seq: int
    """The event that ended it."""
    time: int
    winner: Winner | None
    """None for a round that is void."""
    player: tuple[Card, ...] = ()
    """Of a round that is void: the cards that lay open."""
    banker: tuple[Card, ...] = ()
    player_points: int = 0
    banker_points: int = 0
    player_pair: bool = False
    banker_pair: bool = False
    declared: tuple[str, ...] = ()
    bets: tuple[SettledBet, ...] = ()
    clause: str | None = None
    """The clause by which it is void."""
    is_natural: bool = False

    @property
    def result(self) -> RoundResult | None:
        """The round as the roads see it; a void round makes no mark."""
        if self.winner is None:
            return None
        return RoundResult(RoundWinner(self.winner.value), self.banker_pair, self.player_pair)


class ShoeRounds(msgspec.Struct, frozen=True):
    """The rounds of the shoe in play, or of the last one."""

    shoe: int = 0
    rounds: tuple[EndedRound, ...] = ()

    def after(self, book: Book, before: State, record: Record) -> ShoeRounds:
        """The rounds after an event; `before` is the state of the table before it."""
        match record.event:
            case e.ShoeLoaded() as loaded:
                return ShoeRounds(loaded.number)
            case e.RoundSettled() | e.RoundVoided():
                over = _played(book, before, record)
                kept = [played for played in self.rounds if played.round != over.round]
                return replace(self, rounds=(*kept, over)[-MOST_ROUNDS:])
            case e.SettlementReversed() as reversed_:
                kept = [played for played in self.rounds if played.round != reversed_.round]
                return replace(self, rounds=tuple(kept))
            case _:
                return self


def rounds_of(book: Book, steps: Iterable[tuple[State, Record]]) -> tuple[EndedRound, ...]:
    """All rounds in these steps of a log, whatever shoe they are of."""
    found: dict[int, EndedRound] = {}
    for before, record in steps:
        if isinstance(record.event, e.RoundSettled | e.RoundVoided):
            over = _played(book, before, record)
            found[over.round] = over
        elif isinstance(record.event, e.SettlementReversed):
            found.pop(record.event.round, None)
    return tuple(found[number] for number in sorted(found))


def _played(book: Book, before: State, record: Record) -> EndedRound:
    event, shoe = record.event, before.round_shoe
    assert isinstance(event, e.RoundSettled | e.RoundVoided)
    if isinstance(event, e.RoundVoided):
        player, banker = map(_open_cards, (before.player, before.banker))
        return EndedRound(
            event.round, shoe, record.seq, event.time, None, player, banker, clause=event.clause
        )
    hands = shown_cards(before.player), shown_cards(before.banker)
    assert hands[0] is not None and hands[1] is not None, "a round is paid on cards that lie open"
    coup = deal_hands(book.play, hands[0], hands[1])
    return EndedRound(
        round=event.round,
        shoe=shoe,
        seq=record.seq,
        time=event.time,
        winner=event.winner,
        player=coup.player,
        banker=coup.banker,
        player_points=coup.player_points,
        banker_points=coup.banker_points,
        player_pair=coup.facts.player_pair != NO_PAIR,
        banker_pair=coup.facts.banker_pair != NO_PAIR,
        declared=coup.declared(book),
        bets=event.bets,
        is_natural=coup.is_natural(book),
    )


def _open_cards(slots: tuple[Slot, ...]) -> tuple[Card, ...]:
    return tuple(slot.card for slot in slots if slot.face_up and slot.card is not None)
