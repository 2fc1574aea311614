"""The money of a round as parts of its page: every line that was paid, and balances before and after."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from punto.audit.history.moment import time_of_day
from punto.audit.history.people import who
from punto.audit.history.round_history import RoundHistory
from punto.audit.history.steps import SettlementStep
from punto.documents.page import Block, Grid, Section, Style
from punto.money import format_exact, format_money
from punto.rules.labels import label_of
from punto.rules.outcome import Result

_RESULTS = {Result.WIN: Style.GOOD, Result.LOSE: Style.BAD}


def settled_sections(history: RoundHistory) -> Iterator[Section]:
    for one, step, reversed_by in history.settlements:
        words = f"Settled by {who(one.event)} at event {one.seq:,}, {time_of_day(one.event.time)}."
        if reversed_by is not None:
            words += f" Taken back at event {reversed_by.seq:,}: all of these stakes were in play again."
        heading = "Every line paid" if reversed_by is None else "A settlement that was taken back"
        yield Section(heading, (words, *_lines(history, step)))


def _lines(history: RoundHistory, step: SettlementStep) -> tuple[Block, ...]:
    if not step.lines:
        return ("There was no bet to settle.",)
    rows = []
    for line in step.lines:
        exact = f"rounded from {format_exact(Fraction(line.exact))}" if line.exact is not None else ""
        amounts = (format_money(line.stake), line.result.value, line.odds or "")
        net = format_money(line.net, is_signed=True)
        area = label_of(history.book, line.area)
        rows.append((str(line.box), line.player, area, *amounts, net, line.clause, exact))
    marks = {i: _RESULTS[line.result] for i, line in enumerate(step.lines) if line.result in _RESULTS}
    heads = ("box", "player", "bet", "stake", "", "odds", "net", "clause", "")
    has_exact = any(row[-1] for row in rows)
    shown = rows if has_exact else [row[:-1] for row in rows]
    grid = Grid(heads if has_exact else heads[:-1], tuple(shown), right=(3, 5, 6), grows=2, marks=marks)
    house = -sum(line.net for line in step.lines)
    return grid, f"The house: {format_money(house, is_signed=True)}."


def balances_section(history: RoundHistory) -> Section:
    heading = "Balances before and after"
    if history.table.imported:
        return Section(heading, ("An imported table has no ledger.",))
    if not history.balances:
        return Section(heading, ("Nobody's money moved.",))
    is_elsewhere = any(one.elsewhere for one in history.balances)
    rows = []
    for one in history.balances:
        elsewhere = (format_money(one.elsewhere, is_signed=True),) if is_elsewhere else ()
        here = format_money(one.here, is_signed=True)
        after = (format_money(one.after), format_money(one.held))
        rows.append((one.player, format_money(one.before), here, *elsewhere, *after))
    heads = (
        "player",
        "before",
        "this round",
        *(("elsewhere",) if is_elsewhere else ()),
        "after",
        "of it held",
    )
    grid = Grid(heads, tuple(rows), right=range(1, len(heads)))
    return Section(heading, (grid, _HELD))


_HELD = (
    "A balance is what the player is free to use and what this table holds for them. What a settlement paid "
    "is held until the next call, because it can be taken back until then."
)
