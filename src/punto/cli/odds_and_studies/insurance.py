"""`punto insurance`: what insurance is worth at every pair of totals, and the best use of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.odds_and_studies.count import CutOption, SeedOption, say, say_progress
from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import CompositionOption, DecksOption, SeenOption, UnseenCards, open_shoe
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.odds.insurance import InsuranceOdds
    from punto.studies.insured import InsuranceLevels

ShoesOption = Annotated[
    int,
    typer.Option(
        "--shoes", metavar="N", min=0, help="Shoes to play for a bettor who counts cards; 0 for none."
    ),
]


def insurance(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    shoes: ShoesOption = 400,
    cut: CutOption = 14,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Insurance: how often each offer is made, who has its edge, the best policy, and what knowledge adds."""
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
    levels = _levels(shoe, found, shoes, cut, seed)
    if json:
        answer_json(_record(shoe, found, levels))
        return
    from punto.cli.terminal.ink import show, tell
    from punto.documents.page import Style

    tell(found.table.title, Style.TITLE)
    show(*found.table.by_first_column())
    print()
    show(found.summary, *found.warning)
    print()
    show(levels.table, levels.remark)


def _levels(shoe: UnseenCards, found: InsuranceOdds, number: int, cut: int, seed: int) -> InsuranceLevels:
    """All four levels for a full shoe; with other cards, those that are exact."""
    from punto.odds.undealt import Undealt
    from punto.rules.words import counted
    from punto.studies.insured import insurance_levels
    from punto.studies.shoes import Shoes

    if not number or shoe.decks is None or shoe.undealt != Undealt.of_decks(shoe.decks):
        return insurance_levels(found, shoe.undealt)
    if cut > shoe.decks * 52 - 52:
        refuse(f"the cut card leaves {cut} cards behind it, too many for {counted(shoe.decks, 'deck')}")
    say("preparing the kernels (compiled once, some seconds, then kept)")
    dealt = Shoes(found.book.play, shoe.decks, cut)
    return insurance_levels(found, shoe.undealt, dealt, number, seed, lambda done: say_progress(done, number))


def _record(shoe: UnseenCards, found: InsuranceOdds, levels: InsuranceLevels) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.documents.number import fraction
    from punto.rules.digest import digest_of
    from punto.rules.outcome import format_odds

    return {
        "book": found.book.name,
        "digest": digest_of(found.book),
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
                "after_hold": [
                    {
                        "player_points": a.player_points,
                        "banker_points": a.banker_points,
                        "best": a.choice.value,
                    }
                    for a in row.after
                ],
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
        "levels": levels.records(),
        "shoes": levels.number,
        "cut": levels.shoes and levels.shoes.behind_cut,
        "seed": levels.seed if levels.shoes else None,
    }
