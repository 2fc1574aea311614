"""A log of a table, replayed: the table before each record, and the rounds that ended in it.

Views, streams, figures and checked shuffles look back through here, so that all of them see the same table. Whoever
needs the table after each event as well folds one by one: the history of a round, watching, a game in a terminal. So
does whoever must name the record that cannot have happened: verification, and reading an export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

from punto.cards.card import Card
from punto.coup.coup import deal_hands
from punto.rules.book import Book
from punto.rules.outcome import NO_PAIR, Facts, Winner
from punto.table.default_decision import DefaultDecision
from punto.table.event import Event
from punto.table.irregularity_events import RoundVoided
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, State, open_cards, shown_cards

NEW_TABLE = State()  # Before the first record.


class Logged(Protocol):
    """An event in its envelope, as the store keeps it."""

    @property
    def event(self) -> Event: ...


R = TypeVar("R", bound=Logged)


def replayed(records: Iterable[R], state: State = NEW_TABLE) -> Iterator[tuple[State, R]]:
    """Records in a row, each with the table before it; `state` is that before the first."""
    last: R | None = None
    for record in records:
        if last is not None:  # nobody may ask what comes after the last one, and some events fold slowly
            state = last.event.fold(state)
        yield state, record
        last = record


class EndedRound(msgspec.Struct, frozen=True):
    """A round that is over."""

    round: int
    shoe: int
    seq: int  # The event that ended it.
    time: int
    winner: Winner | None  # None for a round that is void.
    player: tuple[Card, ...] = ()  # Of a round that is void: the cards that lay open.
    banker: tuple[Card, ...] = ()
    player_points: int = 0
    banker_points: int = 0
    facts: Facts | None = None
    declared: tuple[str, ...] = ()
    bets: tuple[SettledBet, ...] = ()
    clause: str | None = None  # The clause by which it is void.
    is_natural: bool = False
    is_private: bool = False  # It was played at a private table.
    decided: tuple[DefaultDecision, ...] = ()
    """What was decided for players who did not; only where the whole round was looked at."""

    @property
    def player_pair(self) -> bool:
        return self.facts is not None and self.facts.player_pair != NO_PAIR

    @property
    def banker_pair(self) -> bool:
        return self.facts is not None and self.facts.banker_pair != NO_PAIR


def rounds_after(
    rounds: tuple[EndedRound, ...], book: Book, before: State, event: Event, seq: int
) -> tuple[EndedRound, ...]:
    """The rounds that have ended once this event is there: one more, one ended anew, or one taken back."""
    match event:
        case RoundSettled() | RoundVoided():
            others = tuple(ended for ended in rounds if ended.round != event.round)
            return (*others, ended_round(book, before, event, seq))
        case SettlementReversed():
            return tuple(ended for ended in rounds if ended.round != event.round)
        case _:
            return rounds


def ended_round(book: Book, before: State, event: RoundSettled | RoundVoided, seq: int) -> EndedRound:
    """The round that an event ends, from the table before it."""
    shoe, terms = before.round_shoe, before.terms_at_call
    private = terms is not None and terms.private
    if isinstance(event, RoundVoided):
        cards, why = (open_cards(before.player), open_cards(before.banker)), event.clause
        return EndedRound(event.round, shoe, seq, event.time, None, *cards, clause=why, is_private=private)
    hands = shown_cards(before.player), shown_cards(before.banker)
    assert hands[0] is not None and hands[1] is not None, "a round is paid on cards that lie open"
    coup = deal_hands(book.play, hands[0], hands[1])
    dealt = coup.player, coup.banker, coup.player_points, coup.banker_points, coup.facts, coup.declared(book)
    return EndedRound(
        *(event.round, shoe, seq, event.time, event.winner, *dealt, event.bets),
        is_natural=coup.is_natural(book),
        is_private=private,
    )
