"""What becomes of antes."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.header import EventHeader
from punto.table.layout import AnteState, LaidBet, Stake
from punto.table.state import Phase, State


class AntesAsked(EventHeader, frozen=True):
    """The card is shown: every ante is to be decided."""

    antes: tuple[Stake, ...]

    def fold(self, state: State) -> State:
        spots = tuple((ante.box, ante.player, ante.area) for ante in self.antes)
        return replace(state, antes_open=spots, phase=Phase.ANTES, since=self.time)


class WagerPlaced(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    amount: int
    ante: str

    def fold(self, state: State) -> State:
        ante = state.bet(self.box, self.player, self.ante)
        assert ante is not None
        wager = LaidBet(self.box, self.player, self.area, self.amount, ante.is_seated)
        state = replace(state, bets=(*state.bets, wager))
        return _decided(state.with_bet(replace(ante, ante=AnteState.WAGERED)), ante)


class AnteGivenUp(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    clause: str

    def fold(self, state: State) -> State:
        ante = state.bet(self.box, self.player, self.area)
        assert ante is not None
        return _decided(state.with_bet(replace(ante, ante=AnteState.GIVEN_UP)), ante)


def _decided(state: State, ante: LaidBet) -> State:
    return state.with_antes_open(tuple(spot for spot in state.antes_open if spot != ante.spot))


AnteEvent = AntesAsked | WagerPlaced | AnteGivenUp
