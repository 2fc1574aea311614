"""`punto settle`: one bettor's bets on a finished deal, settled by the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.coup.coup import Coup
    from punto.documents.page import Grid
    from punto.refusal import Refusal
    from punto.rules.book import Book
    from punto.table.settlement.line import SettlementLine


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
    slip = read_slip(rule_book, bet)
    lines = settle_slip(rule_book, coup, slip)
    if isinstance(lines, Refusal):
        refuse(_with_meant(rule_book, lines))
    if json:
        answer_json(_record(rule_book, coup, lines))
    else:
        _draw(rule_book, coup, lines)


def read_slip(book: Book, bets: list[str]) -> dict[str, int]:
    """Stakes in minor units by betting area, in the order given."""
    from punto.refusal import Reason, Refusal

    slip: dict[str, int] = {}
    for text in bets:
        area, equals, amount = text.partition("=")
        if not (area and equals):
            refuse(f"{text!r} is not a bet; write a betting area, an equals sign and an amount: player=100")
        area = book.area_named(area)
        if area in slip:
            refuse(Refusal(Reason.AREA_TWICE, None, {"area": area}).sentence)
        slip[area] = _read_amount(area, amount.strip())
    return slip


def _with_meant(book: Book, refusal: Refusal) -> str:
    """The sentence of a refusal, with the betting area that was most likely meant by an unknown one."""
    from punto.refusal import Reason
    from punto.suggestion import did_you_mean

    if refusal.reason is not Reason.UNKNOWN_AREA:
        return refusal.sentence
    area = str(refusal.params["area"])
    return refusal.sentence.replace(f"{area};", f"{area}{did_you_mean(area, book.areas)};", 1)


def _read_amount(area: str, text: str) -> int:
    from punto.money import parse_amount

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
    from punto.rules.digest import digest_of
    from punto.rules.outcome import format_odds

    return {
        "book": book.name,
        "digest": digest_of(book),
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
    from punto.cli.terminal.ink import ink, show, tell
    from punto.documents.columns import pad
    from punto.documents.page import Style

    tell(book.title, Style.TITLE)
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
    show(settlement_grid(lines))


def settlement_grid(lines: list[SettlementLine]) -> Grid:
    """Every bet as it was settled, and the net of all."""
    from punto.documents.page import Grid, Style
    from punto.money import format_money
    from punto.rules.outcome import Result, format_odds

    rows = [
        (
            line.area,
            format_money(line.stake),
            line.outcome.result.value,
            format_odds(line.outcome.odds) if line.outcome.odds is not None else "",
            format_money(line.net, is_signed=True),
            line.outcome.clause,
        )
        for line in lines
    ]
    total = ("net", "", "", "", format_money(sum(line.net for line in lines), is_signed=True), "")
    styles = {Result.WIN: Style.GOOD, Result.LOSE: Style.BAD}
    marks = {i: styles[line.outcome.result] for i, line in enumerate(lines) if line.outcome.result in styles}
    heads = ("bet", "stake", "result", "odds", "net", "clause")
    return Grid(heads, (*rows, total), right=(1, 3, 4), marks=marks)
