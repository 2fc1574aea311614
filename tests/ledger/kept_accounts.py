"""Accounts kept beside a scene: every event's movements are posted, and after each of them all must add up."""

from __future__ import annotations

from collections import Counter

from punto.ledger import (
    Movement,
    Purse,
    buy_in,
    cash_account,
    float_account,
    held_account,
    may_go_below_zero,
    movements_of,
    play_account,
    player_account,
    totals,
)
from punto.refusal import Refusal
from punto.table import evolve
from punto.table.event import Event
from punto.table.state import State
from tests.table.scenes import Scene

TABLE = "t1"


class KeptAccounts(Counter[str]):
    """The balance of every account of one table, and the purses of its players."""

    def __init__(self, scene: Scene, **bought: int) -> None:
        super().__init__()
        self.scene, self.state, self.told = scene, State(), 0
        self.entries: list[tuple[Event, tuple[Movement, ...]]] = []
        self.purses = {player: Purse(player).buy(amount) for player, amount in bought.items()}
        for player, amount in bought.items():
            movement = buy_in(player, "USD", amount)
            assert not isinstance(movement, Refusal)
            self.post((movement,))

    def take_in(self) -> None:
        """Post what has happened at the table since."""
        for event in self.scene.log[self.told :]:
            self.take(event)
        self.told = len(self.scene.log)
        assert self.state == self.scene.state

    def take(self, event: Event) -> None:
        """Post one event, and hold everything that must hold."""
        balance = self[float_account(TABLE)]
        movements = movements_of(TABLE, self.state, event, float_balance=balance)
        self.post(movements)
        self.entries.append((event, movements))
        self.state = evolve(self.state, event)
        self.purses = {player: purse.after(event) for player, purse in self.purses.items()}
        self.assert_like_table()

    def post(self, movements: tuple[Movement, ...]) -> None:
        """One movement after the other; no account runs short even in between."""
        for movement in movements:
            for account, amount in totals((movement,)).items():
                self[account] += amount
                assert self[account] >= 0 or may_go_below_zero(account), f"{account}: {self[account]}"

    def assert_like_table(self) -> None:
        lying = sum(stake.amount for stake in self.state.stakes)
        in_play = {name: amount for name, amount in self.items() if name.startswith("play/") and amount}
        is_lying = lying and self.state.settled is None
        assert in_play == ({play_account(TABLE, self.state.round): lying} if is_lying else {})
        assert sum(self.values()) == 0, "what one account gets another gives"
        for player, purse in self.purses.items():
            has = self[player_account(player)] + self[held_account(TABLE, player)]
            assert has == purse.in_hand, f"{player} has another purse"
        assert -self[cash_account("USD")] == sum(purse.bought for purse in self.purses.values())
        if self.state.settled is None:
            assert not any(amount for name, amount in self.items() if name.startswith("held/"))
