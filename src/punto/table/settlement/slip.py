"""A slip: all bets of one bettor on one finished deal, checked and settled by the book.

What a table checks as a round goes on is checked here at once, looking back: which insurance was on offer
after which card, whether it stayed under its cap, and whether an earlier offer had been passed up. Table
limits do not apply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from punto.cards.card import Card
from punto.coup.coup import Coup, points
from punto.coup.deal import WrongNumberOfCards, deal_exactly
from punto.money import Rounding
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.holdings import (
    greatest_insurance,
    promised_by,
    refuse_alone,
    refuse_area,
    refuse_forgone,
    refuse_offer,
    refuse_over_cap,
    refuse_unheld,
    refuse_wager,
)
from punto.rules.offers import InsuranceOffer
from punto.rules.outcome import Outcome
from punto.table.settlement.line import SettlementLine, given_up, settle_bet

Slip = Mapping[str, int]
"""Stakes in minor units by betting area, in the order in which they were given."""


def finished_deal(book: Book, cards: Sequence[Card], most_decks: int) -> Coup | Refusal:
    """The coup of cards given in dealing order, unless the book or the number of decks forbids it."""
    card, count = Counter(cards).most_common(1)[0] if cards else (None, 0)
    if count > most_decks:
        params: dict[str, str | int] = {"card": str(card), "count": count, "decks": most_decks}
        return Refusal(Reason.IMPOSSIBLE_CARDS, book.decks.clause, params)
    try:
        return deal_exactly(book.play, cards)
    except WrongNumberOfCards as error:
        return Refusal(Reason.WRONG_CARDS, book.play.naturals_clause, {"problem": str(error)})


def settle_slip(
    book: Book, coup: Coup, slip: Slip, rounding: Rounding = Rounding.HALF_UP
) -> list[SettlementLine] | Refusal:
    """Settle every bet of a slip in its order, or say which one the book does not allow."""
    refusal = _refuse_bets(book, slip) or _refuse_insurance(book, coup, slip)
    if refusal is not None:
        return refusal
    return [
        settle_bet(area, stake, _outcome(book, coup, slip, area), rounding) for area, stake in slip.items()
    ]


def offers_of(book: Book, coup: Coup) -> dict[str, InsuranceOffer]:
    """Every insurance that was on offer during a deal, by betting area."""
    return {offer.area: offer for cards in (4, 5) for offer in book.open_offers(*_shown(coup, cards))}


def _shown(coup: Coup, cards: int) -> tuple[int, int, int, int | None]:
    """The number of cards, the points of both hands then, and those of Player's third if it came."""
    third = coup.player[2].points if cards == 5 and len(coup.player) == 3 else None
    return cards, points(coup.player[: cards - 2]), points(coup.banker[:2]), third


def _outcome(book: Book, coup: Coup, slip: Slip, area: str) -> Outcome:
    if area in book.insurance_areas:
        return offers_of(book, coup)[area].outcome(coup.winner)
    wager = book.wager_of(area)
    if wager is not None and wager not in slip:
        return given_up(book)
    return book.pay_tables[area].settled(coup.facts, coup.player, coup.banker)


def _refuse_bets(book: Book, slip: Slip) -> Refusal | None:
    """Areas first, then wagers, then what needs another bet."""
    for area in slip:
        if refusal := refuse_area(book, area, with_insurance=True):
            return refusal
    for area, stake in slip.items():
        ante = book.ante_of(area)
        if ante is not None and (refusal := refuse_wager(book, area, stake, slip.get(ante))):
            return refusal
    for area in slip:
        if refusal := refuse_alone(book, area, slip):
            return refusal
    return None


def _refuse_insurance(book: Book, coup: Coup, slip: Slip) -> Refusal | None:
    """Window by window, as the round went."""
    offers = offers_of(book, coup)
    promised = dict.fromkeys(Hand, 0)
    for area, (hand, cards) in book.insurance_areas.items():
        if area not in slip:
            continue
        bet = slip.get(book.main_area(hand))
        refusal = (
            refuse_offer(book, hand, *_shown(coup, cards))
            or refuse_unheld(book, hand, bet)
            or refuse_forgone(book, is_forgone=_is_passed_up(book, offers, slip, cards))
        )
        if refusal is not None:
            return refusal
        assert bet is not None
        greatest = greatest_insurance(offers[area], bet, promised[hand])
        if refusal := refuse_over_cap(book, slip[area], greatest):
            return refusal
        promised[hand] += promised_by(offers[area].odds, slip[area])
    return None


def _is_passed_up(book: Book, offers: dict[str, InsuranceOffer], slip: Slip, cards: int) -> bool:
    """Whether this bettor had earlier offers, by holding the bet, and took none."""
    earlier = [o.area for o in offers.values() if o.window.cards < cards and book.main_area(o.hand) in slip]
    return bool(earlier) and not any(area in slip for area in earlier)
