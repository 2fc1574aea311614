"""What a report shows to readers, and in which order: its columns, its totals and its charts, each with its form.

The same layout makes the page of the command line, the files, and the page in a browser; heads and titles stand in
`words/*/reports.json` under the names of the fields, so a column is named once for all of them.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.audit.house_report import ReportKind


class FigureForm(Enum):
    """How a value is written."""

    TEXT = "text"
    NAME = "name"  # Of somebody or something: no language translates it.
    COUNT = "count"
    MONEY = "money"
    SHARE = "share"  # In per cent.
    RATE = "rate"  # With one decimal.
    HOURS = "hours"  # A length of time, from milliseconds.
    TIME = "time"
    KIND = "kind"  # A code that has words of its own.
    KINDS = "kinds"  # Such codes with how often each was seen.
    ROLE = "role"
    STATE = "state"  # What something was, as JSON.


NUMBERS = (FigureForm.COUNT, FigureForm.MONEY, FigureForm.SHARE, FigureForm.RATE, FigureForm.HOURS)

LEAST_ROUNDS = 3  # Of fewer, readers see no rounds an hour: nobody can say how fast somebody deals.


class ReportColumn(msgspec.Struct, frozen=True):
    """One field of the rows of a report."""

    field: str  # As the report has it in JSON.
    form: FigureForm


class ReportChart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture of rows: a bar for each, with what was expected beside it where that is known."""

    name: str  # Of its title.
    by: str  # The field that names a bar.
    value: str
    form: FigureForm
    mark: str | None = None  # A field to mark beside the bar: what was expected.
    least: str | None = None  # The fields of a span in which the value lies by chance.
    greatest: str | None = None
    apart: str | None = None  # A second field that names a bar, such as the table of a bet.
    of_totals: bool = False  # Not of rows: `value` is a field of the totals that counts kinds.


class ReportLayout(msgspec.Struct, frozen=True):
    """What a report shows."""

    kind: ReportKind
    columns: tuple[ReportColumn, ...]
    totals: tuple[ReportColumn, ...]
    charts: tuple[ReportChart, ...] = ()
    irregularities: tuple[ReportColumn, ...] = ()
    large: tuple[ReportColumn, ...] = ()  # Of large cash.
    apart: tuple[ReportColumn, ...] = ()  # Of bots and test accounts, which are in no total.


def _columns(written: str) -> tuple[ReportColumn, ...]:
    """Columns as `field:form`; without a form it is money."""
    parts = (word.partition(":") for word in written.split())
    return tuple(ReportColumn(field, FigureForm(form or "money")) for field, _, form in parts)


_PLAY_TOTALS = _columns(
    "rounds:count rounds_an_hour:rate bets:count handle drop win hold:share commission theoretical_win least_win "
    "greatest_win unweighed voids:count reversals:count irregularities:count free held in_play liability"
)
_WRONG = _columns("table:name dealer:name kind:kind count:count")
_PLAY_APART = _columns("table:name accounts:kind currency:name rounds:count bets:count handle win theoretical_win")
_CASHIER = _columns(
    "cashier:name currency:name buy_ins buy_in_count:count cash_outs cash_out_count:count corrections "
    "correction_count:count drawer_change"
)
_PLAYER = _columns(
    "player:name currency:name rounds:count average_bet time_ms:hours handle net theoretical_loss buy_ins "
    "cash_outs free held in_play"
)
_ACCOUNTS = _columns("accounts:kind")

LAYOUTS: dict[ReportKind, ReportLayout] = {
    each.kind: each
    for each in (
        ReportLayout(
            ReportKind.FLOOR,
            _columns(
                "table:name book:name currency:name rounds:count rounds_an_hour:rate handle drop win hold:share "
                "commission theoretical_win least_win greatest_win voids:count irregularities:count in_play"
            ),
            _PLAY_TOTALS,
            (
                ReportChart("win", "table", "win", FigureForm.MONEY, "theoretical_win", "least_win", "greatest_win"),
                ReportChart("handle", "table", "handle", FigureForm.MONEY),
            ),
            _WRONG,
            apart=_PLAY_APART,
        ),
        ReportLayout(
            ReportKind.TABLE,
            _columns(
                "table:name area:name decks:count bets:count handle win commission theoretical_win edge:share "
                "hold_by_handle:share"
            ),
            _PLAY_TOTALS,
            (
                ReportChart("bets", "area", "win", FigureForm.MONEY, "theoretical_win", apart="table"),
                ReportChart("hold", "area", "hold_by_handle", FigureForm.SHARE, "edge", apart="table"),
            ),
            _WRONG,
            apart=_PLAY_APART,
        ),
        ReportLayout(
            ReportKind.CASHIER,
            _CASHIER,
            _columns("currency:name buy_ins cash_outs corrections drawer_before drawer_after"),
            (
                ReportChart("buy_ins", "cashier", "buy_ins", FigureForm.MONEY, apart="currency"),
                ReportChart("cash_outs", "cashier", "cash_outs", FigureForm.MONEY, apart="currency"),
            ),
            large=_columns("time:time player:name act:kind currency:name amount day:name total why:kind cashier:name"),
            apart=(*_CASHIER, *_ACCOUNTS),
        ),
        ReportLayout(
            ReportKind.PLAYER,
            _PLAYER,
            _columns("currency:name players:count handle net theoretical_loss liability"),
            (ReportChart("net", "player", "net", FigureForm.MONEY, apart="currency"),),
            apart=(*_PLAYER, *_ACCOUNTS),
        ),
        ReportLayout(
            ReportKind.STAFF,
            _columns(
                "dealer:name role:role table:name from:time to:time rounds:count rounds_an_hour:rate voids:count "
                "irregularities:kinds"
            ),
            _columns("dealers:count rounds:count voids:count irregularities:kinds"),
            (ReportChart("rounds_an_hour", "dealer", "rounds_an_hour", FigureForm.RATE, apart="table"),),
        ),
        ReportLayout(
            ReportKind.ALTERATIONS,
            _columns("time:time what:kind subject:name who:name second:name reason:name before:state after:state"),
            _columns("alterations:count by_kind:kinds"),
            (ReportChart("by_kind", "kind", "by_kind", FigureForm.COUNT, of_totals=True),),
        ),
    )
}
