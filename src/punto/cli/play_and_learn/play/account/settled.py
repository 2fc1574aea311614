"""How the player's bets of a round were settled: a row for each, what it brought, and what is in hand now."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from punto.cli.play_and_learn.play.account.rounds import bet_names
from punto.cli.terminal.hands import LEAST_WIDTH
from punto.documents.columns import pad, width, wrap
from punto.money import format_money
from punto.rules.book import Book
from punto.rules.outcome import Result
from punto.table.layout import SettledBet

MIN_LABEL, MAX_LABEL = 8, 28
"""Columns for the name of a bet."""
_RESULTS = {Result.PUSH: "returned", Result.LOSE: "lost"}


def settled_lines(book: Book, bets: Sequence[SettledBet], in_hand: int, columns: int) -> list[Text]:
    """Every bet with what came of it, and the net of all."""
    net = sum(bet.net for bet in bets)
    rows = [
        (
            name,
            format_money(bet.stake),
            f"pays {bet.odds}" if bet.odds else _RESULTS[bet.result],
            format_money(bet.net, is_signed=True),
            bet.result.value,
        )
        for name, bet in zip(bet_names(book, bets), bets, strict=True)
    ]
    style = "bold win" if net > 0 else "bold lose" if net < 0 else "bold"
    rows.append(("net", "", "", format_money(net, is_signed=True), style))
    # Where there is room the columns stay in one place from round to round.
    least = (MAX_LABEL, 9, 11, 10) if columns >= LEAST_WIDTH else (0, 0, 0, 0)
    stake, how, nets = (max(least[n], *(len(row[n]) for row in rows)) for n in (1, 2, 3))
    label = max(least[0], *(width(row[0]) for row in rows))
    label = max(MIN_LABEL, min(label, columns - stake - how - nets - 5))
    lines = []
    for name, staked, came, brought, colour in rows:
        first, *more = wrap(name, label)
        line = Text(f"  {pad(first, label)}{staked:>{stake + 1}}  {came:<{how}}")
        line.append(f"{brought:>{nets}}", colour)
        told = f"   in hand {format_money(in_hand)}"
        if name == "net" and line.cell_len + len(told) <= columns:
            line.append(told)
        lines += [line, *(Text(f"  {part}") for part in more)]
    return lines
