"""A session on a terminal: the number of each line at the left, what came of it beside it."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cli.ink import columns, ink
from punto.cli.output import one_line
from punto.documents.page import Grid, Style
from punto.documents.text import INDENT, grid_lines, pad, shorten, width, wrap
from punto.money import format_money
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book, label_of
from punto.rules.outcome import Result, shown_odds
from punto.table.acting import evolve
from punto.table.event import tell
from punto.table.notation import Played
from punto.table.settlement import RoundSettled
from punto.table.words import Theme

GUTTER = 6  # Columns for the number of the line and two blanks.

_STYLES = {
    Theme.ROUND: Style.HEADING,
    Theme.CALL: Style.TITLE,
    Theme.RESULT: Style.TITLE,
    Theme.OFFER: Style.GOOD,
    Theme.CASE: Style.BAD,
}
_RESULTS = {Result.WIN: Style.GOOD, Result.LOSE: Style.BAD}


class SessionPage:
    """The lines of a session, step by step; a line of the file that causes several is numbered once."""

    def __init__(self) -> None:
        self._number = 0

    def lines(self, step: Played) -> Iterator[str]:
        for text, style in _texts(step):
            if style is _STYLES[Theme.ROUND]:
                yield ""
            for part in wrap(text, columns() - GUTTER, "", "  "):
                number = "" if step.number == self._number else str(step.number)
                self._number = step.number
                yield f"{ink(pad(number, GUTTER - 2, is_right=True), Style.QUIET)}  {ink(part, style)}"
        if not isinstance(step.outcome, Refusal):
            for event in step.outcome:
                if isinstance(event, RoundSettled) and event.bets:
                    yield from _settlement(step.before.book, event)


def _texts(step: Played) -> Iterator[tuple[str, Style]]:
    if isinstance(step.outcome, Refusal):
        actor, role = step.command.actor, step.command.role
        who = actor if role is Role.PLAYER else f"{actor} as {role.value}"
        yield f"refused, {who}: {one_line(step.outcome.sentence)}", Style.BAD
        return
    state = step.before.state
    for event in step.outcome:
        state = evolve(state, event)
        for sentence in tell(step.before.book, state, event):
            text = one_line(sentence.text)
            if sentence.about is Theme.ROUND:
                text = f"── {text} ".ljust(columns() - GUTTER, "─")
            elif sentence.about is Theme.CALL:
                text = f"“{text}”"
            yield text, _STYLES.get(sentence.about, Style.PLAIN)


def _settlement(book: Book, event: RoundSettled) -> Iterator[str]:
    """Every bet of a round as it was settled, in the order in which it is paid."""
    rows: list[tuple[str, ...]] = []
    for bet in event.bets:
        spot = str(bet.box), shorten(one_line(bet.player), 14), label_of(book, bet.area)
        net = format_money(bet.net, is_signed=True)
        due = " due" if bet.is_due else ""
        kept = f"commission {format_money(bet.commission)}{due}" if bet.commission else ""
        result = bet.result.value, shown_odds(bet.odds) if bet.odds else ""
        rows.append((*spot, format_money(bet.stake), *result, net, bet.clause, kept))
    head: tuple[str, ...] = ("box", "player", "bet", "stake", "", "odds", "net", "clause", "")
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    marks = {i: _RESULTS[bet.result] for i, bet in enumerate(event.bets) if bet.result in _RESULTS}
    grid = Grid(head, tuple(rows), right=(0, 3, 5, 6), grows=2, marks=marks)
    # Under the words where there is room for it, otherwise as wide as the terminal.
    has_room = max(map(width, grid_lines(grid, columns()))) <= columns() - GUTTER + INDENT
    margin = " " * (GUTTER - INDENT) if has_room else ""
    yield from (margin + line for line in grid_lines(grid, columns(), ink))
