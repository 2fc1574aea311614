"""`punto odds`: the exact odds of every bet of a book, for a full shoe or any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import CompositionOption, DecksOption, SeenOption, UnseenCards, open_shoe
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.odds.ante import AnteOdds
    from punto.odds.bet_odds import BetOdds
    from punto.odds.insurance import InsuranceOdds
    from punto.odds.odds import Odds


def odds(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    json: JsonOption = False,
) -> None:
    """Exact odds of every bet; with insurance and antes where the book has them."""
    from punto.odds.ante import ante_odds
    from punto.odds.insurance import insurance_odds
    from punto.odds.odds import odds_of
    from punto.odds.undealt import UndealtError

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    try:
        bets = odds_of(rule_book, shoe.undealt)
        insurance = insurance_odds(rule_book, shoe.undealt) if rule_book.insurance else None
        antes = ante_odds(rule_book, shoe.undealt) if rule_book.ante else None
    except UndealtError as error:
        refuse(str(error))
    if json:
        answer_json(_record(shoe, bets, insurance, antes))
    else:
        _draw(bets, insurance, antes)


def bet_record(bet: BetOdds) -> dict[str, object]:
    """The odds of one bet for programs."""
    from punto.documents.number import fraction

    return {
        "bet": bet.area,
        "ev": fraction(bet.ev),
        "edge": float(bet.edge),
        "sd": bet.sd,
        "win": float(bet.win),
        "push": float(bet.push),
        "lose": float(bet.lose),
    }


def _record(
    shoe: UnseenCards, odds: Odds, insurance: InsuranceOdds | None, antes: AnteOdds | None
) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.rules.digest import digest_of

    record: dict[str, object] = {
        "book": odds.book.name,
        "digest": digest_of(odds.book),
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "total": str(odds.total),
        "bets": [bet_record(bet) for bet in odds.bets],
    }
    if insurance is not None:
        record["insurance"] = _insurance_records(insurance)
    if antes is not None:
        record["ante"] = _ante_records(antes)
    return record


def _insurance_records(insurance: InsuranceOdds) -> list[dict[str, object]]:
    from punto.documents.number import fraction
    from punto.rules.outcome import format_odds

    return [
        {
            "window": row.offer.window.name,
            "hand": row.offer.hand.value,
            "player_points": row.player_points,
            "banker_points": row.banker_points,
            "odds": format_odds(row.offer.odds),
            "reach": fraction(row.reach),
            "ev": fraction(row.ev),
        }
        for row in insurance.offers
    ]


def _ante_records(antes: AnteOdds) -> list[dict[str, object]]:
    from punto.documents.number import fraction

    records = []
    for side in antes.sides:
        for decision in side.decisions:
            record: dict[str, object] = {"side": side.hand.value, "first": decision.shown[0]}
            if len(decision.shown) > 1:  # a book that shows more than one card
                record["shown"] = list(decision.shown)
            records.append({**record, "play": fraction(decision.play), "best": decision.best})
    return records


def _draw(odds: Odds, insurance: InsuranceOdds | None, antes: AnteOdds | None) -> None:
    from punto.cli.terminal.ink import show

    show(odds.table)
    if insurance is not None:
        print()
        show(insurance.summary, *insurance.warning)
    if antes is not None:
        print()
        show(antes.table)
        print()
        show(antes.summary)
