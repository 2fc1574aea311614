"""What happens when a round is paid."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.source import SourceKind
from punto.rules.facts import Winner
from punto.table.header import EventHeader
from punto.table.layout import SettledBet
from punto.table.state import Phase, State


class RoundSettled(EventHeader, frozen=True):
    round: int
    winner: Winner
    bets: tuple[SettledBet, ...]

    def fold(self, state: State) -> State:
        state = replace(state, settled=self.bets, phase=Phase.IDLE, is_reopened=False, since=self.time)
        return state.shuffled_again()


class SettlementReversed(EventHeader, frozen=True):
    """An error of the round just settled was noticed in time: the round is open again."""

    round: int

    def fold(self, state: State) -> State:
        state = replace(state, settled=None, phase=Phase.FINISHED, is_reopened=True)
        assert state.terms is not None
        if state.terms.source is SourceKind.CONTINUOUS and state.are_cards_in_play and state.shoe is not None:
            dealt = [slot.card for slot in state.order if slot.card is not None]
            return replace(state, shoe=state.shoe.drawn(dealt))
        return state


SettlementEvent = RoundSettled | SettlementReversed
