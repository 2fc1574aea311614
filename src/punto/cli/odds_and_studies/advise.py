"""`punto advise`: what every bet is worth now, given the cards seen of the shoe and of the round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.odds_and_studies.odds import bet_record
from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.unseen import (
    CompositionOption,
    DecksOption,
    SeenOption,
    UnseenCards,
    open_shoe,
    read_cards,
)
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.odds.advice import Advice

RoundOption = Annotated[
    str,
    typer.Option(
        "--round", metavar="CARDS", help="Cards of this round so far, in dealing order.", show_default=False
    ),
]


def advise(
    book: BookArgument,
    decks: DecksOption = None,
    composition: CompositionOption = None,
    seen: SeenOption = "",
    round_: RoundOption = "",
    json: JsonOption = False,
) -> None:
    """What every bet is worth now: exact expectations at any moment of a round."""
    from punto.odds.advice import advise as advise_on
    from punto.odds.round_so_far import StageError
    from punto.odds.undealt import UndealtError

    rule_book = open_book(book)
    shoe = open_shoe(rule_book, decks, composition, seen)
    dealt = read_cards(round_)
    try:
        shoe = UnseenCards(shoe.decks, shoe.undealt.less(dealt))
        advice = advise_on(rule_book, shoe.undealt, dealt)
    except (StageError, UndealtError) as error:
        refuse(str(error))
    if json:
        answer_json(_record(shoe, advice))
    else:
        from punto.cli.terminal.ink import show

        show(advice.table)


def _record(shoe: UnseenCards, advice: Advice) -> dict[str, object]:
    """The answer for programs; docs/reference/odds.md describes it."""
    from punto.cards.card import format_cards
    from punto.documents.number import fraction
    from punto.rules.digest import digest_of
    from punto.rules.outcome import format_odds

    return {
        "book": advice.odds.book.name,
        "digest": digest_of(advice.odds.book),
        "decks": shoe.decks,
        "cards": shoe.undealt.size,
        "stage": advice.stage.value,
        "player": format_cards(advice.odds.dealt.player),
        "banker": format_cards(advice.odds.dealt.banker),
        "bets": [bet_record(bet) for bet in advice.odds.bets],
        "insurance": [
            {
                "window": one.offer.window.name,
                "hand": one.offer.hand.value,
                "odds": format_odds(one.offer.odds),
                "ev": fraction(one.ev),
            }
            for one in advice.offers
        ],
        "ante": [
            *(
                {"ante": side.pair.ante, "wager": side.pair.wager, "ev": fraction(side.ev)}
                for side in advice.ante_sides
            ),
            *(
                {"ante": one.ante, "wager": one.wager, "play": fraction(one.play), "best": one.best}
                for one in advice.antes
            ),
        ],
    }
