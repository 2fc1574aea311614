"""What happens to insurance: offered, taken, declined, forgone, neglected, wished for."""

from __future__ import annotations

from msgspec.structs import replace

from punto.rules.facts import Hand
from punto.table.header import EventHeader
from punto.table.layout import Closing, LaidInsurance, OfferMade, Wish
from punto.table.state import State


class InsuranceOffered(EventHeader, frozen=True):
    """A window is open. With no holder it is only displayed."""

    window: int
    """Number of cards on the table."""
    odds: dict[str, str]
    """The odds that the display shows, by hand."""
    offers: tuple[OfferMade, ...]

    def fold(self, state: State) -> State:
        seen = (*state.windows_seen, self.window)
        return replace(state, window=self.window, offers=self.offers, windows_seen=seen, since=self.time)


class InsuranceTaken(EventHeader, frozen=True):
    box: int
    player: str
    hand: Hand
    window: int
    amount: int
    odds: str
    totals: tuple[int, int]
    """Points of Player and Banker that the offer was made on."""

    def fold(self, state: State) -> State:
        taken = LaidInsurance(
            self.box, self.player, self.hand, self.window, self.amount, self.odds, self.totals
        )
        return replace(state, insured=(*state.insured, taken))


class InsuranceDeclined(EventHeader, frozen=True):
    player: str
    window: int | None = None
    """The window whose offer it was; logs of earlier versions do not say."""

    def fold(self, state: State) -> State:
        declined = state.declined if self.window is None else (*state.declined, (self.window, self.player))
        return replace(state, forgone=state.forgone | {self.player}, declined=declined)


class InsuranceClosed(EventHeader, frozen=True):
    """The next card came: who had an offer and took none has forgone insurance for the round."""

    window: int
    forgone: tuple[str, ...]
    clause: str

    def fold(self, state: State) -> State:
        closing = Closing(state.cards_out + 1, self.forgone)
        forgone = state.forgone | set(self.forgone)
        return replace(state, window=None, offers=(), forgone=forgone, closings=(*state.closings, closing))


class InsuranceNeglected(EventHeader, frozen=True):
    """The next card came and the offer that was due had not been made."""

    window: int

    def fold(self, state: State) -> State:
        return replace(state, neglected=(*state.neglected, self.window))


class InsuranceWished(EventHeader, frozen=True):
    box: int
    player: str
    hand: Hand
    window: int

    def fold(self, state: State) -> State:
        wish = Wish(self.box, self.player, self.hand, self.window)
        return replace(state, wishes=(*state.wishes, wish))


InsuranceEvent = (
    InsuranceOffered
    | InsuranceTaken
    | InsuranceDeclined
    | InsuranceClosed
    | InsuranceNeglected
    | InsuranceWished
)
