"""What events left behind: the purse of one player, and the results of a table over a span of time.

Purses are counted from the events alone, results from events with their movements. A stake is first met
from what the table has returned to the same player in the span; the rest of it is fresh money, and the
fresh money is the drop. What a reversal takes back is taken back here too, at the time of the reversal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from types import MappingProxyType

import msgspec

from punto.ledger.movement import AccountKind, Movement, MovementKind, kind_of
from punto.ledger.postings import laid_stake, returned_stakes
from punto.money import format_amount
from punto.table.betting import BetsCalled
from punto.table.event import Event
from punto.table.house import WinningsReleased
from punto.table.irregularity_events import RoundVoided
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet


@dataclass(frozen=True, slots=True)
class Purse:
    player: str
    bought: int = 0
    in_hand: int = 0
    on_layout: int = 0
    last_stakes: int = 0  # What the last settlement took off the layout; it is back there if that is reversed.
    last_net: int = 0  # What the last settlement brought or cost.
    last_repaid: int = 0  # What of it went to the house, which had advanced it.
    freed: int = 0  # What of the last settlement stays in hand, though that is reversed.
    advanced: int = 0  # What the house has put back into play for whoever has it in hand.

    def buy(self, amount: int) -> Purse:
        return replace(self, bought=self.bought + amount, in_hand=self.in_hand + amount)

    def after(self, event: Event) -> Purse:
        match event:
            case RoundSettled():
                return self._settled(event.bets)
            case SettlementReversed():
                undone = self._staked(self.last_stakes, self.last_net)
                in_hand, advanced = undone.in_hand + self.last_repaid + self.freed, self.advanced + self.freed
                return replace(undone, in_hand=in_hand, advanced=advanced, freed=0)
            case WinningsReleased() if event.player == self.player:
                return replace(self, freed=self.freed + event.amount)
            case BetsCalled():
                return replace(self, advanced=0, freed=0) if self.advanced or self.freed else self
            case _:
                laid = laid_stake(event)
                change = laid.amount if laid is not None and laid.player == self.player else 0
                back = sum(stake.amount for stake in returned_stakes(event) if stake.player == self.player)
                repaid = min(back, self.advanced)
                after = self._staked(change - back) if change or back else self
                return (
                    replace(after, in_hand=after.in_hand - repaid, advanced=after.advanced - repaid)
                    if repaid
                    else after
                )

    def _staked(self, amount: int, net: int = 0) -> Purse:
        """Chips from the hand to the layout, and what had been won with them to the house."""
        return replace(self, in_hand=self.in_hand - amount - net, on_layout=self.on_layout + amount)

    def _settled(self, bets: Iterable[SettledBet]) -> Purse:
        mine = [bet for bet in bets if bet.player == self.player]
        stakes, net = sum(bet.stake for bet in mine), sum(bet.net for bet in mine)
        repaid, after = min(stakes + net, self.advanced), self._staked(-stakes, -net)
        after = replace(after, last_stakes=stakes, last_net=net, last_repaid=repaid)
        return replace(after, in_hand=after.in_hand - repaid, freed=0)


def purse_of(player: str, bought: int, events: Iterable[Event]) -> Purse:
    """What a player has after buying chips for this amount, and after these events."""
    return reduce(Purse.after, events, Purse(player).buy(bought))


_OF_SETTLEMENTS = (MovementKind.SETTLEMENT, MovementKind.COMMISSION, MovementKind.REVERSAL)


@dataclass(frozen=True, slots=True)
class TableResults:
    """What a table has done in a span of time. Amounts are minor units."""

    drop: int = 0  # Fresh money that players brought to the table.
    handle: int = 0  # All stakes that were settled, won, lost or pushed.
    win: int = 0  # What the house has won, less what it has lost.
    voids: int = 0  # Rounds that were voided.
    commission: int = 0  # What the house has kept of wins; it is part of what it has won.
    returned: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """What each player has got back here and not staked again."""

    @property
    def hold(self) -> Fraction | None:
        """The part of the drop that the house has won; None without a drop."""
        return Fraction(self.win, self.drop) if self.drop else None


class TableTally:
    """The results of a table while they are counted. Only here is it decided what is drop, handle and win."""

    __slots__ = ("commission", "drop", "handle", "returned", "voids", "win")

    def __init__(self) -> None:
        self.drop = self.handle = self.win = self.voids = self.commission = 0
        self.returned: dict[str, int] = {}

    def stake(self, player: str, amount: int) -> int:
        """A stake went into play; the part of it that is fresh money."""
        had = self.returned.get(player, 0)
        again = min(amount, had)
        if again:
            self.returned[player] = had - again
        self.drop += amount - again
        return amount - again

    def give_back(self, player: str, amount: int) -> None:
        """A player has this of the table again. What a reversal takes back of an earlier span leaves nothing, never
        less."""
        self.returned[player] = max(0, self.returned.get(player, 0) + amount)

    def settle(self, player: str, stake: int, net: int, commission: int = 0) -> None:
        """A bet was settled; a reversal is the same with all amounts the other way round."""
        self.handle += stake
        self.win -= net
        self.commission += commission
        self.give_back(player, stake + net)

    def start_span(self) -> None:
        """From here on is counted; what the table returned before is still not fresh."""
        self.drop = self.handle = self.win = self.voids = self.commission = 0

    def start_anew(self) -> None:
        """From here on everything that is staked is fresh, until the table returns it."""
        self.returned.clear()

    def take(self, event: Event, movements: Sequence[Movement]) -> None:
        """An event with what it moved."""
        self.voids += isinstance(event, RoundVoided)
        for movement in movements:
            self._moved(movement)

    def results(self) -> TableResults:
        returned = MappingProxyType(dict(self.returned))
        return TableResults(self.drop, self.handle, self.win, self.voids, self.commission, returned)

    def _moved(self, movement: Movement) -> None:
        player = movement.player
        if player is None:
            return
        amounts = {kind_of(posting.account): posting.amount for posting in movement.postings}
        match movement.kind:
            case MovementKind.BET:
                self.stake(player, amounts[AccountKind.PLAY])
            case MovementKind.RETURN | MovementKind.VOID:
                self.give_back(player, amounts.get(AccountKind.PLAYER, 0))
            case kind if kind in _OF_SETTLEMENTS:
                # Commission that is due is won with the settlement, whenever it is collected.
                win = amounts.get(AccountKind.FLOAT, 0) + amounts.get(AccountKind.DUE, 0)
                self.settle(player, -amounts.get(AccountKind.PLAY, 0), -win, movement.commission)


class ResultsText(msgspec.Struct, frozen=True):
    drop: str
    handle: str
    win: str
    hold: float | None
    voids: int
    commission: str = "0.00"

    @classmethod
    def of(cls, results: TableResults) -> ResultsText:
        hold = float(results.hold) if results.hold is not None else None
        drop, handle, win = map(format_amount, (results.drop, results.handle, results.win))
        return cls(drop, handle, win, hold, results.voids, format_amount(results.commission))


def results_of(
    entries: Iterable[tuple[Event, Sequence[Movement]]], since: int | None = None, until: int | None = None
) -> TableResults:
    """The results of events with their movements, from a time on and before another, in milliseconds."""
    tally = TableTally()
    for event, movements in entries:
        if (since is None or event.time >= since) and (until is None or event.time < until):
            tally.take(event, movements)
    return tally.results()
