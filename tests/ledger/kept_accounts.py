"""Accounts kept beside a table: every event's movements are posted, and after each of them all must add up.

Players buy in only what a bet lacks, so that they never have a chip to spare: a reversal that was not covered
by what is held would take somebody below zero at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from punto.ledger.movement import (
    Movement,
    MovementKind,
    buy_in,
    cash_account,
    float_account,
    held_account,
    may_go_below_zero,
    play_account,
    player_account,
)
from punto.ledger.postings import movements_of
from punto.ledger.results import Purse
from punto.refusal import Refusal
from punto.table import evolve
from punto.table.event import Event
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, State

TABLE = "t1"


class KeptAccounts(Counter[str]):
    """The balance of every account of one table, and the purses of its players."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.entries: list[tuple[Event, tuple[Movement, ...]]] = []
        self.purses: dict[str, Purse] = {}
        self.settled: dict[int, tuple[SettledBet, ...]] = {}
        """How each round was settled in the end."""

    def take_in(self, events: Iterable[Event]) -> None:
        """Post what has happened at the table."""
        for event in events:
            balance = self[float_account(TABLE)]
            movements = movements_of(TABLE, self.state, event, float_balance=balance)
            for movement in movements:
                if movement.kind is MovementKind.BET:
                    self.fund(movement)
                self.post(movement)
            self.entries.append((event, movements))
            self.state = evolve(self.state, event)
            self.purses = {player: purse.after(event) for player, purse in self.purses.items()}
            self._remember(event)
            self.assert_like_table()

    def fund(self, bet: Movement) -> None:
        """Buy in what a bet lacks, and no more."""
        assert bet.player is not None
        lacking = -bet.postings[0].amount - self[player_account(bet.player)]
        if lacking > 0:
            movement = buy_in(bet.player, "USD", lacking)
            assert not isinstance(movement, Refusal)
            self.post(movement)
            purse = self.purses.get(bet.player) or Purse(bet.player)
            self.purses[bet.player] = purse.buy(lacking)

    def post(self, movement: Movement) -> None:
        """Nothing runs short, not even between the movements of one event."""
        for posting in movement.postings:
            self[posting.account] += posting.amount
        for posting in movement.postings:
            balance = self[posting.account]
            assert balance >= 0 or may_go_below_zero(posting.account), f"{posting.account}: {balance}"

    def _remember(self, event: Event) -> None:
        if isinstance(event, RoundSettled):
            self.settled[event.round] = event.bets
        elif isinstance(event, SettlementReversed):
            del self.settled[event.round]

    def assert_like_table(self) -> None:
        lying = sum(stake.amount for stake in self.state.stakes) if self.state.settled is None else 0
        in_play = {name: amount for name, amount in self.items() if name.startswith("play/") and amount}
        assert in_play == ({play_account(TABLE, self.state.round): lying} if lying else {})
        assert sum(self.values()) == 0, "what one account gets another gives"
        for player, purse in self.purses.items():
            has = self[player_account(player)] + self[held_account(TABLE, player)]
            assert has == purse.in_hand, f"{player} has another purse"
        assert -self[cash_account("USD")] == sum(purse.bought for purse in self.purses.values())
        if self.state.settled is None or self.state.phase.value == "closed":
            assert not any(amount for name, amount in self.items() if name.startswith("held/"))
