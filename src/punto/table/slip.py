"""A slip: what one bet comes to, and all bets of one bettor on a finished deal, settled without a table around them.

What a table checks as a round goes on is checked here at once, looking back: which insurance was on offer after
which card, whether it stayed under its cap, and whether an earlier offer had been passed up. Table limits do not
apply. Settling a slip needs none of the commands and events, so this module loads none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from punto.cards.card import Card
from punto.coup.coup import Coup, DealtHand, FinishedDeal, WrongNumberOfCards, deal_exactly, points
from punto.money import Rounding, format_amount, format_money
from punto.refusal import Reason, Refusal
from punto.rules import holdings
from punto.rules.book import Book, digest_of
from punto.rules.outcome import Hand, Outcome, Result, Winner, format_odds, shown_odds
from punto.rules.pay_table import InsuranceOffer

if TYPE_CHECKING:
    from punto.documents.page import Grid


class SettlementLine(msgspec.Struct, frozen=True, gc=False):
    """One bet, settled. Amounts are minor units."""

    area: str
    stake: int
    outcome: Outcome
    net: int  # What the player gains, the stake not counted; a loss is negative.
    commission: int = 0  # What the house keeps of the win; the net is without it.

    @property
    def exact_net(self) -> Fraction:
        """The net before it was rounded."""
        return self.stake * self.outcome.net

    @property
    def is_rounded(self) -> bool:
        """Whether the exact net is not a whole number of minor units."""
        return bool(self.stake * self.outcome.net_numerator % self.outcome.net_denominator)

    @property
    def rounded_by(self) -> Fraction:
        """How much rounding added to the pay-out, or took from it."""
        return self.net - self.exact_net


class SettledBets(tuple[SettlementLine, ...]):
    """The bets of one bettor on one deal, settled, in their order."""

    __slots__ = ()

    def __repr__(self) -> str:
        nets = (f"{line.area} {format_money(line.net, is_signed=True)}" for line in self)
        return f"<SettledBets {', '.join(nets) or 'none'}; net {format_money(self.net, is_signed=True)}>"

    @property
    def net(self) -> int:
        """What the bettor gains by all of them."""
        return sum(line.net for line in self)

    @property
    def commission(self) -> int:
        return sum(line.commission for line in self)

    @property
    def table(self) -> Grid:
        from punto.documents.page import Grid, Style

        rows = [_shown_line(line) for line in self]
        styles = {Result.WIN: Style.GOOD, Result.LOSE: Style.BAD}
        marks = {i: styles[line.outcome.result] for i, line in enumerate(self) if line.outcome.result in styles}
        kept, net = self.commission, format_money(self.net, is_signed=True)
        rows.append(("net", "", "", "", format_money(kept) if kept else "", net, ""))
        heads = ("bet", "stake", "result", "odds", "commission", "net", "clause")
        if not kept:
            rows = [(*row[:4], *row[5:]) for row in rows]
            return Grid((*heads[:4], *heads[5:]), tuple(rows), right=(1, 3, 4), marks=marks)
        return Grid(heads, tuple(rows), right=(1, 3, 4, 5), marks=marks)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _shown_line(line: SettlementLine) -> tuple[str, ...]:
    outcome, net = line.outcome, format_money(line.net, is_signed=True)
    odds = shown_odds(outcome.odds) if outcome.odds is not None else ""
    commission = format_money(line.commission) if line.commission else ""
    stake = format_money(line.stake)
    return line.area, stake, outcome.result.value, odds, commission, net, outcome.clause or ""


class SlipLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One bet of a slip as programs are told it."""

    bet: str
    stake: str
    result: Result
    odds: str | None
    net: str
    clause: str | None
    commission: str = ""  # Left out where the house keeps none.


class SettledSlip(msgspec.Struct, frozen=True):
    """A settled slip as programs are told it."""

    book: str
    digest: str
    player: DealtHand
    banker: DealtHand
    winner: Winner
    natural: bool
    declared: tuple[str, ...]
    lines: tuple[SlipLine, ...]
    net: str

    @classmethod
    def of(cls, book: Book, coup: Coup, lines: Sequence[SettlementLine]) -> SettledSlip:
        deal = FinishedDeal.of(book, coup)
        dealt = deal.player, deal.banker, deal.winner, deal.natural, deal.declared
        net = format_amount(sum(line.net for line in lines))
        return cls(book.name, digest_of(book), *dealt, tuple(map(_slip_line, lines)), net)


def _slip_line(line: SettlementLine) -> SlipLine:
    outcome, stake, net = line.outcome, format_amount(line.stake), format_amount(line.net)
    odds = format_odds(outcome.odds) if outcome.odds is not None else None
    commission = format_amount(line.commission) if line.commission else ""
    return SlipLine(line.area, stake, outcome.result, odds, net, outcome.clause, commission)


def settle_bet(area: str, stake: int, outcome: Outcome, rounding: Rounding = Rounding.HALF_UP) -> SettlementLine:
    """One bet by its outcome: what is not a whole number of minor units is rounded once, here."""
    net = stake * outcome.net_numerator
    if outcome.net_denominator != 1:  # only a win, so nothing below zero is rounded
        net = rounding.apply(net, outcome.net_denominator)
    if outcome.commission is None:
        return SettlementLine(area, stake, outcome, net)
    # What is won before the commission is rounded in the same way, so what is kept is never less than nothing.
    won = stake * outcome.commission.gross_numerator
    if outcome.commission.gross_denominator != 1:
        won = rounding.apply(won, outcome.commission.gross_denominator)
    return SettlementLine(area, stake, outcome, net, won - net)


def given_up(book: Book) -> Outcome:
    """What becomes of an ante that was given up: lost, whatever the deal brings."""
    ante = book.ante
    assert ante is not None, "only a book with antes lets one be given up"
    return Outcome(Result.LOSE, None, ante.give_up_clause)


Slip = Mapping[str, int]  # Stakes in minor units by betting area, in the order in which they were given.


def finished_coup(book: Book, cards: Sequence[Card], most_decks: int) -> Coup | Refusal:
    """The coup of cards given in dealing order, unless the book or the number of decks forbids it."""
    card, count = Counter(cards).most_common(1)[0] if cards else (None, 0)
    if count > most_decks:
        clause = book.decks.clause
        return Refusal(Reason.IMPOSSIBLE_CARDS, clause, {"card": str(card), "count": count, "decks": most_decks})
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
    return [settle_bet(area, stake, _outcome(book, coup, slip, area), rounding) for area, stake in slip.items()]


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
    return book.pay_tables[area].outcome_of_deal(coup.facts, coup.player, coup.banker)


def _refuse_bets(book: Book, slip: Slip) -> Refusal | None:
    """Areas first, then wagers, then what needs another bet."""
    for area in slip:
        if refusal := holdings.refuse_area(book, area, with_insurance=True):
            return refusal
    for area, stake in slip.items():
        ante = book.ante_of(area)
        if ante is not None and (refusal := holdings.refuse_wager(book, area, stake, slip.get(ante))):
            return refusal
    for area in slip:
        if refusal := holdings.refuse_alone(book, area, slip):
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
        if refusal := (
            holdings.refuse_offer(book, hand, *_shown(coup, cards))
            or holdings.refuse_unheld(book, hand, bet)
            or holdings.refuse_forgone(book, is_forgone=_is_passed_up(book, offers, slip, cards))
        ):
            return refusal
        assert bet is not None
        greatest = holdings.greatest_insurance(offers[area], bet, promised[hand])
        if refusal := holdings.refuse_over_cap(book, slip[area], greatest):
            return refusal
        promised[hand] += holdings.promised_by(offers[area].odds, slip[area])
    return None


def _is_passed_up(book: Book, offers: dict[str, InsuranceOffer], slip: Slip, cards: int) -> bool:
    """Whether this bettor had earlier offers, by holding the bet, and took none."""
    earlier = [o.area for o in offers.values() if o.window.cards < cards and book.main_area(o.hand) in slip]
    return bool(earlier) and not any(area in slip for area in earlier)
