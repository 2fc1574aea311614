"""Chips, counted from events alone and by themselves: every chip placed is lying, returned or settled.

The count knows nothing of how the table decides. It is told each event and then asked whether the table's
state agrees with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from punto.money import Rounding
from punto.rules.outcome import Result
from punto.table.antes import WagerPlaced
from punto.table.betting import BetPlaced, BetReturned, BetsCalled
from punto.table.event import Event
from punto.table.insurance import InsuranceTaken
from punto.table.irregularity_events import BetsReturned, OptionChosen, RoundVoided, Ruled
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, Stake, State

Spot = tuple[int, str, str]
"""Box, player and betting area."""


class Chips:
    """What lies where, by the events so far."""

    def __init__(self) -> None:
        self.lying: Counter[Spot] = Counter()
        self.settled: Counter[Spot] | None = None
        """What a settlement took off the layout, until the next round."""
        self.rounding = Rounding.HALF_UP
        """As the terms had it when bets were called."""

    def take_in(self, event: Event, rounding: Rounding) -> None:
        """Count one event; an assertion fails when chips would come from nowhere or vanish.

        `rounding` is that of the table's terms now, which a round that has been called does not ask.
        """
        match event:
            case BetsCalled():
                assert not self.lying, "bets of the last round still lie"
                self.settled, self.rounding = None, rounding
            case BetPlaced() | WagerPlaced():
                assert event.amount > 0
                self.lying[event.box, event.player, event.area] += event.amount
            case InsuranceTaken():
                assert event.amount > 0
                area = f"insurance-{event.hand.value}-{event.window}"
                self.lying[event.box, event.player, area] += event.amount
            case BetReturned():
                self._give_back([Stake(event.box, event.player, event.area, event.amount)])
            case BetsReturned():
                assert event.bets or event.is_slip
                self._give_back(event.bets)
            case OptionChosen() | Ruled():
                self._give_back(event.returned)
            case RoundVoided():
                self._give_back(event.returned)
                assert not self.lying, "a void returns all"
            case RoundSettled():
                self._settle(event.bets, self.rounding)
            case SettlementReversed():
                assert self.settled is not None and not self.lying
                self.lying, self.settled = self.settled, None

    def _give_back(self, stakes: Iterable[Stake]) -> None:
        for stake in stakes:
            spot = (stake.box, stake.player, stake.area)
            assert 0 < stake.amount <= self.lying[spot], "the bet is only what goes back"
            self.lying[spot] -= stake.amount
            if not self.lying[spot]:
                del self.lying[spot]

    def _settle(self, bets: Iterable[SettledBet], rounding: Rounding) -> None:
        """Everything that lies is settled, once and whole, and each line adds up."""
        stakes: Counter[Spot] = Counter()
        for bet in bets:
            stakes[bet.box, bet.player, bet.area] += bet.stake
            if bet.result is Result.WIN:
                assert bet.odds is not None
                gain, unit = map(int, bet.odds.split(":"))
                assert bet.net == rounded(Fraction(bet.stake * gain, unit), rounding)
            else:
                assert bet.net == (0 if bet.result is Result.PUSH else -bet.stake)
        assert stakes == self.lying, "settled is what lies, no more and no less"
        self.lying, self.settled = Counter(), stakes

    def assert_like(self, state: State) -> None:
        """The table sees the same chips."""
        seen: Counter[Spot] = Counter()
        for stake in state.stakes:
            seen[stake.box, stake.player, stake.area] += stake.amount
        assert seen == (self.lying if self.settled is None else self.settled)


def rounded(amount: Fraction, rounding: Rounding) -> int:
    whole = amount.numerator // amount.denominator
    rest = amount - whole
    up = {Rounding.DOWN: False, Rounding.UP: rest > 0, Rounding.HALF_UP: rest >= Fraction(1, 2)}
    return whole + up[rounding]
