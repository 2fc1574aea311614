"""`punto insurance`: what insurance is worth at every pair of totals, and the best use of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import CompositionOption, DecksOption, SeenOption, UnseenCards, open_shoe
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.odds.insurance import InsuranceOdds


def insurance(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    json: JsonOption = False,
) -> None:
    """Insurance, exactly: how often each offer is made, who has its edge, and the best policy."""
    from punto.odds.insurance import insurance_odds
    from punto.odds.undealt import UndealtError

    rule_book = open_book(book)
    if rule_book.insurance is None:
        refuse(f"{rule_book.name} offers no insurance")
    shoe = open_shoe(rule_book, decks, composition, seen)
    try:
        found = insurance_odds(rule_book, shoe.undealt)
    except UndealtError as error:
        refuse(str(error))
    if json:
        answer_json(_record(shoe, found))
        return
    from punto.cli.terminal.ink import show, tell
    from punto.documents.page import Style

    tell(found.table.title, Style.TITLE)
    show(*found.table.by_first_column())
    print()
    show(found.summary, *found.warning)


def _record(shoe: UnseenCards, found: InsuranceOdds) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.documents.number import fraction
    from punto.rules.outcome import format_odds

    return {
        "book": found.book.name,
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "offers": [
            {
                "window": row.offer.window.name,
                "hand": row.offer.hand.value,
                "player_points": row.player_points,
                "banker_points": row.banker_points,
                "odds": format_odds(row.offer.odds),
                "reach": fraction(row.reach),
                "ev": fraction(row.ev),
                "favours": row.favours,
                "best": row.choice.value,
            }
            for row in found.offers
        ],
        "bets": [
            {
                "bet": one.bet.area,
                "ev": fraction(one.bet.ev),
                "edge": float(one.bet.edge),
                "gain": fraction(one.gain),
                "insured_ev": fraction(one.ev),
                "insured_edge": float(one.edge),
            }
            for one in found.bets
        ],
    }
