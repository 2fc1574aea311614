"""What happens to bets before the deal."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.header import EventHeader
from punto.table.layout import LaidBet
from punto.table.state import Phase, State


class BetsCalled(EventHeader, frozen=True):
    round: int

    def fold(self, state: State) -> State:
        fresh = replace(
            state.cleared(),
            settled=None,
            winner=None,
            last_finding=None,
            earlier_finding=state.last_finding,
            is_reopened=False,
            is_draw_taken=False,
            kept=0,
        )
        return replace(
            fresh,
            round=self.round,
            round_shoe=state.shoe_number,
            terms_at_call=state.terms,
            phase=Phase.BETTING,
            since=self.time,
        )


class BetPlaced(EventHeader, frozen=True):
    """A bet was placed or raised; `amount` is what was taken of it now."""

    box: int
    player: str
    area: str
    amount: int
    is_seated: bool
    rejected: int = 0
    """The part over the limit that was pushed back, by `clause`."""
    clause: str | None = None

    def fold(self, state: State) -> State:
        lying = state.bet(self.box, self.player, self.area)
        if lying is None:
            bet = LaidBet(self.box, self.player, self.area, self.amount, self.is_seated)
            return replace(state, bets=(*state.bets, bet))
        return state.with_bet(replace(lying, stake=lying.stake + self.amount))


class BetReturned(EventHeader, frozen=True):
    """Part of a bet, or all of it, went back before it was decided."""

    box: int
    player: str
    area: str
    amount: int
    why: str
    """Reason code: withdrawn, reduced, needs-bet, excess, pro-rata, option, ruling."""
    clause: str | None = None

    def fold(self, state: State) -> State:
        bet = state.bet(self.box, self.player, self.area)
        assert bet is not None and bet.stake >= self.amount, "only what was staked goes back"
        if bet.stake == self.amount:
            return replace(state, bets=tuple(other for other in state.bets if other is not bet))
        return state.with_bet(replace(bet, stake=bet.stake - self.amount))


class WithdrawalIgnored(EventHeader, frozen=True):
    """Chips were taken off after the close: the bet stays in force."""

    box: int
    player: str
    area: str
    clause: str


class MinimumAdvised(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    clause: str | None

    def fold(self, state: State) -> State:
        bet = state.bet(self.box, self.player, self.area)
        assert bet is not None
        return state.with_bet(replace(bet, is_advised=True))


class BetsClosed(EventHeader, frozen=True):
    clause: str

    def fold(self, state: State) -> State:
        case = state.case and replace(state.case, closed_bets=True)
        return replace(state, phase=Phase.DEALING, case=case, since=self.time)


BettingEvent = BetsCalled | BetPlaced | BetReturned | WithdrawalIgnored | MinimumAdvised | BetsClosed
