"""The purse of a player: what was bought, what lies on the layout, and what is in hand.

A table does not know whether a player can pay; at a real one the chips in front of the player say so. Here
they are counted from the events of the table, without those of other players. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from punto.table import event as e
from punto.table.layout import SettledBet, Stake


@dataclass(frozen=True, slots=True)
class Purse:
    """The chips of one player."""

    player: str
    bought: int = 0
    in_hand: int = 0
    on_layout: int = 0
    last_stakes: int = 0
    """What the last settlement took off the layout; it is back there if that is reversed."""
    last_net: int = 0
    """What the last settlement brought or cost."""

    def buy(self, amount: int) -> Purse:
        """The purse with more chips."""
        return replace(self, bought=self.bought + amount, in_hand=self.in_hand + amount)

    def after(self, event: e.Event) -> Purse:
        """The purse after an event at the table."""
        match event:
            case e.BetPlaced() | e.WagerPlaced() | e.InsuranceTaken():
                return self._staked(event.amount) if event.player == self.player else self
            case e.BetReturned():
                return self._staked(-event.amount) if event.player == self.player else self
            case e.RoundVoided() | e.OptionChosen() | e.Ruled():
                return self._returned(event.returned)
            case e.BetsReturned():
                return self._returned(event.bets)
            case e.RoundSettled():
                return self._settled(event.bets)
            case e.SettlementReversed():
                return self._staked(self.last_stakes, self.last_net)
            case _:
                return self

    def _staked(self, amount: int, net: int = 0) -> Purse:
        """Chips from the hand to the layout, and what had been won with them to the house."""
        return replace(self, in_hand=self.in_hand - amount - net, on_layout=self.on_layout + amount)

    def _returned(self, stakes: Iterable[Stake]) -> Purse:
        return self._staked(-sum(stake.amount for stake in stakes if stake.player == self.player))

    def _settled(self, bets: Iterable[SettledBet]) -> Purse:
        mine = [bet for bet in bets if bet.player == self.player]
        stakes, net = sum(bet.stake for bet in mine), sum(bet.net for bet in mine)
        return replace(self._staked(-stakes, -net), last_stakes=stakes, last_net=net)


def purse_of(player: str, bought: int, events: Iterable[e.Event]) -> Purse:
    """What a player has after buying chips for this amount, and after these events."""
    purse = Purse(player).buy(bought)
    for event in events:
        purse = purse.after(event)
    return purse
