"""The statement: what the player staked on each bet, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from punto.cli.play_and_learn.play.purse import balance, gain, money
from punto.cli.terminal.ink import lines_of
from punto.documents.page import Grid
from punto.table import event as e
from punto.table.layout import SettledBet


@dataclass(frozen=True, slots=True)
class Row:
    """All bets on one area."""

    bets: int = 0
    won: int = 0
    staked: int = 0
    net: int = 0

    def plus(self, bet: SettledBet) -> Row:
        return Row(self.bets + 1, self.won + (bet.net > 0), self.staked + bet.stake, self.net + bet.net)


@dataclass(frozen=True, slots=True)
class Statement:
    """The account of a whole session."""

    bankroll: int
    in_hand: int
    on_layout: int
    rounds: int
    shoes: int
    rows: dict[str, Row]

    @property
    def net(self) -> int:
        return sum(row.net for row in self.rows.values())


def statement_of(bankroll: int, events: Iterable[e.Event]) -> Statement:
    """Add up what happened."""
    told = tuple(events)
    rows: dict[str, Row] = {}
    rounds = 0
    for event in told:
        if isinstance(event, e.RoundSettled):
            rounds += 1
            for bet in event.bets:
                rows[bet.area] = rows.get(bet.area, Row()).plus(bet)
    in_hand = balance(bankroll, told)
    net = sum(row.net for row in rows.values())
    shoes = sum(isinstance(event, e.ShoeLoaded) for event in told)
    return Statement(bankroll, in_hand, bankroll + net - in_hand, rounds, shoes, rows)


def statement_lines(statement: Statement, label: Callable[[str], str]) -> Iterator[str]:
    """The statement for people."""
    rounds = f"{statement.rounds} round{'' if statement.rounds == 1 else 's'}"
    shoes = f"{statement.shoes} shoe{'' if statement.shoes == 1 else 's'}"
    yield f"{rounds} from {shoes}."
    if statement.rows:
        rows = tuple(
            (label(area), str(row.bets), str(row.won), money(row.staked), gain(row.net))
            for area, row in statement.rows.items()
        )
        staked = money(sum(row.staked for row in statement.rows.values()))
        bets = str(sum(row.bets for row in statement.rows.values()))
        won = str(sum(row.won for row in statement.rows.values()))
        total = ("in all", bets, won, staked, gain(statement.net))
        yield from lines_of(Grid(("bet", "bets", "won", "staked", "net"), (*rows, total), right=(1, 2, 3, 4)))
    lying = f", {money(statement.on_layout)} on the layout" if statement.on_layout else ""
    yield f"Bought {money(statement.bankroll)}, in hand {money(statement.in_hand)}{lying}."
