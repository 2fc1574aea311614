"""What happens to the table, its shoe and its people."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.table.header import EventHeader
from punto.table.shuffling.pledge import Committed
from punto.table.state import Phase, State
from punto.table.terms import Terms


class TableOpened(EventHeader, frozen=True):
    terms: Terms
    digest: str = ""
    """Of the book that the table is played by: a name can come to mean another book, a digest cannot."""

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, phase=Phase.IDLE)


class TermsChanged(EventHeader, frozen=True):
    terms: Terms
    needs_shoe: bool = False
    """The cards in play no longer fit the terms."""

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, shoe=None if self.needs_shoe else state.shoe)


class TablePaused(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, is_paused=True)


class TableResumed(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, is_paused=False, since=self.time)


class TableClosed(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.CLOSED)


class ShoeLoaded(EventHeader, frozen=True):
    number: int
    decks: int
    behind_cut: int
    burn_due: bool
    commitment: str = ""
    """A digest that binds table, shoe, decks, algorithm and seed."""
    algorithm: str = ""
    instead: str = ""
    """Why the shoe before it was taken out of play, where it was not finished."""

    def fold(self, state: State) -> State:
        shoe = Committed(self.number, self.decks, self.algorithm, self.commitment)
        return replace(
            state,
            committed=(*state.committed, shoe) if self.commitment else state.committed,
            pledges=(),
            pledges_closed=False,
            shoe=Shoe(self.decks, self.behind_cut),
            shoe_number=self.number,
            burn_due=self.burn_due,
            last_round=None,
            carried=(),
            replaced_by=None,
        )


class CardsBurned(EventHeader, frozen=True):
    shown: Card | None
    count: int
    """All that were burned, the shown one included."""

    def fold(self, state: State) -> State:
        assert state.shoe is not None
        shoe, unseen = state.shoe, self.count
        if self.shown is not None:
            shoe, unseen = shoe.drawn((self.shown,)), unseen - 1
        return replace(state, shoe=shoe.burned(unseen), burn_due=False)


class CutCardCameOut(EventHeader, frozen=True):
    last_round: int
    """The last round that this shoe is played for."""

    def fold(self, state: State) -> State:
        return replace(state, last_round=self.last_round)


class SeatTaken(EventHeader, frozen=True):
    box: int
    player: str
    notice: str | None = None
    """The clause of a notice that the player accepts by sitting down."""

    def fold(self, state: State) -> State:
        return replace(state, seats=state.seats | {self.box: self.player})


class SeatLeft(EventHeader, frozen=True):
    box: int
    player: str

    def fold(self, state: State) -> State:
        return replace(state, seats={box: name for box, name in state.seats.items() if box != self.box})


class WalkedAway(EventHeader, frozen=True):
    player: str

    def fold(self, state: State) -> State:
        off = {self.player} if state.is_in_round and self.player in state.bettors else set()
        return replace(state, away=state.away | {self.player}, walked_off=state.walked_off | off)


class CameBack(EventHeader, frozen=True):
    player: str

    def fold(self, state: State) -> State:
        return replace(state, away=state.away - {self.player})


HouseEvent = (
    TableOpened
    | TermsChanged
    | TablePaused
    | TableResumed
    | TableClosed
    | ShoeLoaded
    | CardsBurned
    | CutCardCameOut
    | SeatTaken
    | SeatLeft
    | WalkedAway
    | CameBack
)
