"""`punto audit rounds`: the rounds of all tables, the latest first, and a search among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.completion import complete_table
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.options.moment import TIME_HELP, read_time
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.audit.history.search import RoundSummary

MOST = 50
"""Rounds that are listed unless another number is asked for."""


def rounds(
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="ID",
            help="Only of this table; can be repeated.",
            show_default=False,
            autocompletion=complete_table,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="NAME", help="Only where this player bet.", show_default=False),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="TIME", help=f"Called from this time on, {TIME_HELP}", show_default=False
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--to", metavar="TIME", help="Called before this time.", show_default=False),
    ] = None,
    irregularity: Annotated[
        str | None,
        typer.Option(
            "--irregularity",
            metavar="WHAT",
            help="Only where something went wrong: any, void, reversed, a finding such as wrong-number, or "
            "a clause.",
            show_default=False,
        ),
    ] = None,
    amount: Annotated[
        str | None,
        typer.Option(
            "--amount-over",
            metavar="AMOUNT",
            help="Only where a player staked or won more than this in the round.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="At most this many; the latest first.")
    ] = MOST,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List rounds, and search for them.

    The latest come first. Conditions that are given together must all hold.
    """
    from punto.audit.history.search import RoundSearch, find_rounds, summary_record

    begin, end = read_time("--from", since), read_time("--to", until)
    over = _amount(amount)
    _check_irregularity(irregularity)
    with reading(database) as reader:
        for id in table or ():
            found_table(reader, id)
        search = RoundSearch(tuple(table or ()), player, begin, end, irregularity, over)
        found = find_rounds(reader, search, limit + 1)
    listed = found[:limit]
    if json:
        answer_json([summary_record(one) for one in listed])
    elif listed:
        _draw(listed, is_more=len(found) > limit)
    else:
        print("there are no rounds yet" if search == RoundSearch() else "no round is like this")


def _amount(text: str | None) -> int | None:
    from punto.money import parse_amount

    if text is None:
        return None
    try:
        amount = parse_amount(text)
    except ValueError as error:
        refuse(f"--amount-over: {error}")
    if amount < 0:
        refuse("--amount-over must not be negative")
    return amount


def _check_irregularity(text: str | None) -> None:
    from punto.rules.text.irregularity import Finding
    from punto.suggestion import did_you_mean

    known = ["any", "void", "reversed", *(finding.value for finding in Finding)]
    if text is not None and text not in known and not text[:1].isdecimal():
        refuse(
            f"{text!r} is not an irregularity{did_you_mean(text, known)}; write {', '.join(known)}, or the "
            "number of a clause"
        )


def _draw(found: list[RoundSummary], *, is_more: bool) -> None:
    from punto.audit.history.moment import moment
    from punto.audit.history.search import result_words
    from punto.cli.terminal.ink import show
    from punto.cli.terminal.say import one_line
    from punto.documents.page import Grid, Style
    from punto.money import format_money

    rows: tuple[tuple[str, ...], ...] = tuple(
        (
            f"{one.table}/{one.round}",
            moment(one.time).partition(".")[0],
            result_words(one),
            one_line(", ".join(one.staked)),
            format_money(sum(one.staked.values())),
            format_money(-sum(one.net.values()), is_signed=True) if one.status == "settled" else "",
            ", ".join(one.findings),
        )
        for one in found
    )
    heads: tuple[str, ...] = (
        "round",
        "called (UTC)",
        "result",
        "players",
        "staked",
        "house",
        "what went wrong",
    )
    if not any(one.findings for one in found):
        heads, rows = heads[:-1], tuple(row[:-1] for row in rows)
    marks = {place: Style.NOTICE for place, one in enumerate(found) if one.is_irregular}
    show(Grid(heads, rows, right=(4, 5), grows=3, marks=marks))
    if is_more:
        print("there are more; --limit N lists more of them, and conditions narrow the list")
