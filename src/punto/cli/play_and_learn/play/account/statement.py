"""The statement: what the player staked on each bet, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from punto.cli.play_and_learn.play.solo_table import PLAYER
from punto.cli.terminal.ink import lines_of
from punto.documents.page import Grid
from punto.ledger import Purse, purse_of
from punto.money import format_money
from punto.table import event as e
from punto.table.layout import SettledBet


@dataclass(frozen=True, slots=True)
class StatementRow:
    """All bets on one area."""

    bets: int = 0
    won: int = 0
    staked: int = 0
    net: int = 0

    def plus(self, bet: SettledBet) -> StatementRow:
        return StatementRow(
            self.bets + 1, self.won + (bet.net > 0), self.staked + bet.stake, self.net + bet.net
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """The account of a whole game."""

    purse: Purse
    rounds: int
    shoes: int
    rows: dict[str, StatementRow]
    """By betting area."""
    boxes: dict[int, StatementRow]
    """The same bets by box."""

    @property
    def net(self) -> int:
        return sum(row.net for row in self.rows.values())


def statement_of(bankroll: int, events: Iterable[e.Event]) -> Statement:
    """Add up what happened."""
    told = tuple(events)
    rows: dict[str, StatementRow] = {}
    boxes: dict[int, StatementRow] = {}
    rounds = 0
    for event in told:
        if isinstance(event, e.RoundSettled):
            rounds += 1
            for bet in event.bets:
                if bet.player != PLAYER:
                    continue
                rows[bet.area] = rows.get(bet.area, StatementRow()).plus(bet)
                boxes[bet.box] = boxes.get(bet.box, StatementRow()).plus(bet)
    shoes = sum(isinstance(event, e.ShoeLoaded) for event in told)
    return Statement(purse_of(PLAYER, bankroll, told), rounds, shoes, rows, boxes)


def statement_lines(statement: Statement, label: Callable[[str], str]) -> Iterator[str]:
    """The statement for people."""
    rounds = f"{statement.rounds} round{'' if statement.rounds == 1 else 's'}"
    shoes = f"{statement.shoes} shoe{'' if statement.shoes == 1 else 's'}"
    yield f"{rounds} from {shoes}."
    if statement.rows:
        named = {label(area): row for area, row in statement.rows.items()}
        if len(statement.boxes) > 1:
            named |= {f"all in box {box}": row for box, row in sorted(statement.boxes.items())}
        rows = tuple(
            (name, str(row.bets), str(row.won), format_money(row.staked), _signed(row.net))
            for name, row in named.items()
        )
        staked = format_money(sum(row.staked for row in statement.rows.values()))
        bets = str(sum(row.bets for row in statement.rows.values()))
        won = str(sum(row.won for row in statement.rows.values()))
        total = ("in all", bets, won, staked, _signed(statement.net))
        yield from lines_of(Grid(("bet", "bets", "won", "staked", "net"), (*rows, total), right=(1, 2, 3, 4)))
    purse = statement.purse
    lying = f", {format_money(purse.on_layout)} on the layout" if purse.on_layout else ""
    yield f"Bought {format_money(purse.bought)}, in hand {format_money(purse.in_hand)}{lying}."


def _signed(net: int) -> str:
    return format_money(net, is_signed=True)
