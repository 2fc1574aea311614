"""A slip: all bets of one bettor on one finished deal, checked and settled by the book.

What a table checks as a round goes on is checked here at once, looking back: which insurance was on offer
after which card, whether it stayed under its cap, and whether an earlier offer had been passed up. Table
limits do not apply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from punto.cards.card import Card
from punto.coup.coup import Coup, points
from punto.coup.deal import WrongNumberOfCards, deal_exactly
from punto.money import Rounding, format_amount, format_exact
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.offers import InsuranceOffer
from punto.rules.outcome import Outcome
from punto.rules.text.bet import Area
from punto.rules.text.insurance import Insurance
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
    for check in (_check_areas, _check_antes, _check_needs, _check_insurance):
        refusal = check(book, coup, slip)
        if refusal is not None:
            return refusal
    return [
        settle_bet(area, stake, _outcome(book, coup, slip, area), rounding) for area, stake in slip.items()
    ]


def offers_of(book: Book, coup: Coup) -> dict[str, InsuranceOffer]:
    """Every insurance that was on offer during a deal, by betting area."""
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    offers = list(book.open_offers(4, player, banker))
    if len(coup.player) == 3:
        offers += book.open_offers(5, coup.player_points, banker, coup.player[2].points)
    return {offer.area: offer for offer in offers}


def _outcome(book: Book, coup: Coup, slip: Slip, area: str) -> Outcome:
    if area in book.insurance_areas:
        return offers_of(book, coup)[area].outcome(coup.winner)
    bet = book.bet(area)
    assert bet is not None, "the areas have been checked"
    if bet.kind is Area.ANTE and _wager_of(book, area) not in slip:
        return given_up(book)
    return book.pay_tables[area].outcome(coup.facts)


def _check_areas(book: Book, _: Coup, slip: Slip) -> Refusal | None:
    for area in slip:
        if area not in book.areas:
            params: dict[str, str | int] = {"area": area, "areas": ", ".join(book.areas)}
            return Refusal(Reason.UNKNOWN_AREA, book.betting.areas_clause, params)
    return None


def _check_antes(book: Book, _: Coup, slip: Slip) -> Refusal | None:
    ante = book.ante
    for pair in ante.pairs if ante else ():
        if pair.wager not in slip:
            continue
        assert ante is not None
        params: dict[str, str | int] = {"wager": pair.wager, "ante": pair.ante, "multiple": ante.multiple}
        if pair.ante not in slip:
            return Refusal(Reason.WAGER_WITHOUT_ANTE, ante.wager_clause, params)
        due = ante.multiple * slip[pair.ante]
        if slip[pair.wager] != due:
            params["amount"] = format_amount(due)
            return Refusal(Reason.WAGER_NOT_MULTIPLE, ante.wager_clause, params)
    return None


def _check_needs(book: Book, _: Coup, slip: Slip) -> Refusal | None:
    for bet in book.bets:
        if bet.area in slip and bet.needs and not any(area in slip for area in bet.needs):
            params: dict[str, str | int] = {"area": bet.area, "needs": " or ".join(bet.needs)}
            return Refusal(Reason.NEEDS_BET, bet.needs_clause, params)
    return None


def _check_insurance(book: Book, coup: Coup, slip: Slip) -> Refusal | None:
    insurance = book.insurance
    if insurance is None:
        return None
    offers = offers_of(book, coup)
    for area, (hand, cards) in book.insurance_areas.items():
        if area not in slip:
            continue
        main = book.main_area(hand)
        if area not in offers:
            return _not_on_offer(book, insurance, coup, area)
        if main not in slip:
            return Refusal(Reason.NOTHING_TO_INSURE, insurance.holder_clause, {"area": area, "main": main})
        passed = _passed_up(book, offers, slip, cards)
        if passed is not None:
            return Refusal(
                Reason.INSURANCE_FORGONE, insurance.forgone_clause, {"area": area, "passed": passed}
            )
    for hand in Hand:
        main = book.main_area(hand)
        taken = [(offer, slip[area]) for area, offer in offers.items() if offer.hand is hand and area in slip]
        payout = sum((offer.odds * stake for offer, stake in taken), Fraction(0))
        if main in slip and payout > slip[main]:
            amounts = {"payout": format_exact(payout), "bet": format_amount(slip[main])}
            return Refusal(Reason.BEYOND_CAP, insurance.cap_clause, {"main": main, **amounts})
    return None


def _not_on_offer(book: Book, insurance: Insurance, coup: Coup, area: str) -> Refusal:
    """The window never came, the pay table has no row for its points, or no card was to come after it."""
    hand, cards = book.insurance_areas[area]
    if cards == 5 and len(coup.player) == 2:
        return Refusal(Reason.NO_THIRD_CARD, insurance.draw_clause, {"area": area})
    player, banker = points(coup.player[: cards - 2]), points(coup.banker[:2])
    in_table = any(offer.hand is hand for offer in book.offers.cells.get((cards, player, banker), ()))
    clause = insurance.draw_clause if in_table else insurance.table_clause
    return Refusal(
        Reason.NOT_ON_OFFER, clause, {"area": area, "player_points": player, "banker_points": banker}
    )


def _passed_up(book: Book, offers: dict[str, InsuranceOffer], slip: Slip, cards: int) -> str | None:
    """An earlier offer that this bettor held the bet for and did not take, if none was taken there."""
    earlier = [o for o in offers.values() if o.window.cards < cards and book.main_area(o.hand) in slip]
    if any(offer.area in slip for offer in earlier):
        return None
    return earlier[0].area if earlier else None


def _wager_of(book: Book, ante: str) -> str | None:
    pairs = book.ante.pairs if book.ante else ()
    return next((pair.wager for pair in pairs if pair.ante == ante), None)
