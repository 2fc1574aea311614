"""What one player may hold together on a round: the one place that says so.

A table asks before each bet, looking forward; a slip asks for all bets of a finished deal, looking back.
Both get the same answer: None, or the refusal with its clause. What depends on a table alone (boxes, limits,
chips, whose turn it is) is not asked here.
"""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction
from math import ceil

from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.outcome import Hand, insurance_area
from punto.rules.pay_table import InsuranceOffer


def refuse_area(book: Book, area: str, *, with_insurance: bool = False) -> Refusal | None:
    """A betting area has to be one of the book's; the table takes insurance by another command."""
    areas = book.areas if with_insurance else tuple(book.pay_tables)
    if area in areas:
        return None
    return Refusal(Reason.UNKNOWN_AREA, book.betting.areas_clause, {"area": area, "areas": ", ".join(areas)})


def refuse_alone(book: Book, area: str, held: Container[str]) -> Refusal | None:
    """A bet that needs another is held only beside one that the same player holds."""
    bet = book.bet(area)
    if bet is None or not bet.needs or any(needed in held for needed in bet.needs):
        return None
    return Refusal(Reason.NEEDS_BET, bet.needs_clause, {"area": area, "needs": " or ".join(bet.needs)})


def refuse_ante(book: Book, area: str, stake: int | None) -> Refusal | None:
    """An ante is followed or given up only where one is open; `stake` is None where there is none."""
    clause = book.ante.clause if book.ante else None
    return Refusal(Reason.NO_ANTE_OPEN, clause, {"area": area}) if stake is None else None


def refuse_wager(book: Book, area: str, amount: int, ante_stake: int | None) -> Refusal | None:
    """A wager follows an open ante, and is exactly the multiple of its stake that the book names."""
    ante, rules = book.ante_of(area), book.ante
    assert ante is not None and rules is not None, "only a wager is asked about"
    if ante_stake is None:
        return refuse_ante(book, ante, ante_stake)
    due = rules.multiple * ante_stake
    if amount == due:
        return None
    due_words: dict[str, str | int] = {"multiple": rules.multiple, "amount": format_amount(due)}
    return Refusal(Reason.WAGER_NOT_MULTIPLE, rules.wager_clause, {"wager": area, "ante": ante, **due_words})


def refuse_offer(
    book: Book, hand: Hand, cards: int, player_points: int, banker_points: int, third: int | None = None
) -> Refusal | None:
    """Insurance on a hand is open where the pay table has a row and a card is still to come.

    `cards` are on the table, or were at that window; `third` is the points of Player's third card.
    """
    insurance, area = book.insurance, insurance_area(hand, cards)
    if insurance is None:
        return Refusal(Reason.NO_INSURANCE_HERE, None)
    if cards == 5 and third is None:
        return Refusal(Reason.NO_THIRD_CARD, insurance.draw_clause, {"area": area})
    if any(each.hand is hand for each in book.open_offers(cards, player_points, banker_points, third)):
        return None
    rows = book.offers.cells.get((cards, player_points, banker_points), ())
    clause = insurance.draw_clause if any(row.hand is hand for row in rows) else insurance.table_clause
    points = {"player_points": player_points, "banker_points": banker_points}
    return Refusal(Reason.NOT_ON_OFFER, clause, {"area": area, **points})


def refuse_unheld(book: Book, hand: Hand, bet: int | None) -> Refusal | None:
    """Insurance is only on one's own main bet; `bet` is None where there is none."""
    clause = book.insurance.holder_clause if book.insurance else None
    return Refusal(Reason.NO_OFFER_TO, clause, {"main": book.main_area(hand)}) if bet is None else None


def refuse_forgone(book: Book, *, is_forgone: bool) -> Refusal | None:
    """Whoever passed up an earlier offer has forgone insurance for the round."""
    clause = book.insurance.forgone_clause if book.insurance else None
    return Refusal(Reason.FORGONE, clause) if is_forgone else None


def refuse_over_cap(book: Book, amount: int, greatest: int) -> Refusal | None:
    """All pay-outs promised on a bet never exceed the bet: see `greatest_insurance`."""
    clause = book.insurance.cap_clause if book.insurance else None
    return Refusal(Reason.OVER_CAP, clause, {"most": format_amount(greatest)}) if amount > greatest else None


def promised_by(odds: Fraction, amount: int) -> int:
    """What insurance promises to pay, rounded up: each is paid on its own line, and no rounding pays more."""
    return ceil(odds * amount)


def greatest_insurance(offer: InsuranceOffer, bet: int, promised: int, chip: int = 1) -> int:
    """What may still be staked on an offer: what is left of the bet after pay-outs promised on it, by the
    odds, cut to whole chips.

    `promised` is the sum of what each insurance taken before promises (`promised_by`), so that what is paid
    in the end is never more than the bet, whatever the table's rounding and however many there are.
    """
    most = int((bet - promised) / offer.odds)
    return max(0, most - most % chip)
