"""`punto settle`: one bettor's bets on a finished deal, settled by the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.coup.coup import Coup
    from punto.rules.book import Book
    from punto.table.settlement.line import SettlementLine

LONGEST_AMOUNT = 15
"""Digits before the decimal point: more than any house holds, and far from what a machine cannot print."""


def settle(
    book: BookArgument,
    cards: Annotated[
        list[str],
        typer.Option(
            "--cards",
            metavar="CARDS",
            help="The cards in dealing order: Player, Banker, Player, Banker, then third cards.",
            show_default=False,
        ),
    ],
    bet: Annotated[
        list[str],
        typer.Option(
            "--bet", metavar="AREA=AMOUNT", help="A bet; again for each further one.", show_default=False
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Settle the bets of one bettor on a finished deal."""
    from punto.refusal import Refusal
    from punto.table.settlement.slip import finished_deal, settle_slip

    if len(cards) > 1:
        refuse("--cards is given more than once, and a slip is settled on one deal")
    rule_book = open_book(book)
    # A deal that is given by its cards names no shoe, so it may be the largest.
    coup = finished_deal(rule_book, _read_cards(cards[0]), max(rule_book.decks.allowed))
    if isinstance(coup, Refusal):
        refuse(coup.sentence)
    lines = settle_slip(rule_book, coup, read_slip(bet))
    if isinstance(lines, Refusal):
        refuse(lines.sentence)
    if json:
        answer_json(_record(rule_book, coup, lines))
    else:
        _draw(rule_book, coup, lines)


def read_slip(bets: list[str]) -> dict[str, int]:
    """Stakes in minor units by betting area, in the order given."""
    from punto.refusal import Reason, Refusal

    slip: dict[str, int] = {}
    for text in bets:
        area, equals, amount = text.partition("=")
        if not (area and equals):
            refuse(
                f"{text!r} is no bet; write a betting area, an equals sign and an amount, such as player=100"
            )
        if area in slip:
            refuse(Refusal(Reason.AREA_TWICE, None, {"area": area}).sentence)
        slip[area] = _read_amount(area, amount)
    return slip


def _read_amount(area: str, text: str) -> int:
    from punto.money import parse_amount

    if len(text.partition(".")[0]) > LONGEST_AMOUNT:
        refuse(f"the amount on {area} has more than {LONGEST_AMOUNT} digits before the decimal point")
    try:
        return parse_amount(text)
    except ValueError as error:
        refuse(f"the bet on {area} is not taken: {error}")


def _read_cards(text: str) -> tuple[Card, ...]:
    from punto.cards.card import parse_cards

    try:
        return parse_cards(text)
    except ValueError as error:
        refuse(str(error))


def _record(book: Book, coup: Coup, lines: list[SettlementLine]) -> dict[str, object]:
    """The settlement for programs; docs/reference/command-line.md describes it."""
    from punto.cli.terminal.faces import coup_record
    from punto.money import format_amount
    from punto.rules.outcome import format_odds

    return {
        "book": book.name,
        **coup_record(book, coup),
        "lines": [
            {
                "bet": line.area,
                "stake": format_amount(line.stake),
                "result": line.outcome.result.value,
                "odds": format_odds(line.outcome.odds) if line.outcome.odds is not None else None,
                "net": format_amount(line.net),
                "clause": line.outcome.clause,
            }
            for line in lines
        ],
        "net": format_amount(sum(line.net for line in lines)),
    }


def _draw(book: Book, coup: Coup, lines: list[SettlementLine]) -> None:
    from punto.cli.terminal.faces import WINNERS, called_out, hand_face
    from punto.cli.terminal.ink import Style, ink, pad
    from punto.cli.terminal.page import Table
    from punto.cli.terminal.page_text import table_lines
    from punto.money import format_amount
    from punto.rules.outcome import Result, format_odds

    print(ink(book.title, Style.TITLE))
    for name, cards, points in (
        ("Player", coup.player, coup.player_points),
        ("Banker", coup.banker, coup.banker_points),
    ):
        wins = "wins" if name == WINNERS[coup.winner] else ""
        print(f"  {name}  {pad(hand_face(cards), 11)}  {points}  {ink(wins, Style.GOOD)}".rstrip())
    calls = (("Tie",) if coup.player_points == coup.banker_points else ()) + called_out(book, coup)
    if calls:
        print(f"  {', '.join(calls)}")
    print()
    rows = [
        (
            line.area,
            format_amount(line.stake),
            line.outcome.result.value,
            format_odds(line.outcome.odds) if line.outcome.odds is not None else "",
            signed(line.net),
            line.outcome.clause,
        )
        for line in lines
    ]
    total = ("net", "", "", "", signed(sum(line.net for line in lines)), "")
    head = ("bet", "stake", "result", "odds", "net", "clause")
    styles = {Result.WIN.value: Style.GOOD, Result.LOSE.value: Style.BAD}
    table = Table(head, (*rows, total), right=(1, 3, 4))
    for text, result in zip(table_lines(table), ("", "", *(row[2] for row in rows), ""), strict=True):
        print(ink(text, styles.get(result, Style.PLAIN)))


def signed(units: int) -> str:
    """A net amount with its sign, so that a gain is told from a loss without colour."""
    from punto.money import format_amount

    return f"+{format_amount(units)}" if units > 0 else format_amount(units)
