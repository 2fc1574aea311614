"""A second reading of the five documents, written apart from the program it checks.

It shares nothing with punto: cards are plain text, the charts are copied as the documents print them, and
each pay table is a chain of plain questions. Slow and simple on purpose. Where this and the engine agree over
every state of the table of play and over thousands of deals, a mistake would have had to be made twice, in
two ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from tests.agreement.oracle_deal import Deal, numbers
from tests.agreement.oracle_insurance import insurance_odds, insurance_refused

# ── Pay tables ──────────────────────────────────────────────────────────────────────────────────────────

LOSE, PUSH, EVEN, HALF = Fraction(-1), Fraction(0), Fraction(1), Fraction(1, 2)
"""Nets of one unit staked."""

AREAS = {
    "commission": "player banker tie player-pair banker-pair",
    "easy-six": "player banker tie player-pair banker-pair easy-six",
    "ez": "player banker tie dragon-7 panda-8",
    "insurance": "player banker tie super-six-plus player-pair banker-pair "
    "insurance-player-4 insurance-banker-4 insurance-player-5 insurance-banker-5",
    "knockout": "player banker tie player-pair banker-pair "
    "winning-total-1-4 winning-total-5-6 winning-total-7 winning-total-8 winning-total-9 "
    "ante-player ante-banker wager-player wager-banker",
}


def net_of_unit(book: str, area: str, deal: Deal, slip: Mapping[str, int]) -> Fraction:
    """What one unit on an area gains; `slip` is everything the same bettor bet."""
    if area.startswith("insurance-"):
        return _insurance(area, deal)
    if area in ("player", "banker"):
        return _main(book, area, deal)
    if area == "tie":
        if deal.winner != "tie":
            return LOSE
        return Fraction(10) if book == "easy-six" and deal.p == 6 else Fraction(8)
    if area.endswith("-pair"):
        first, second = (deal.player if area == "player-pair" else deal.banker)[:2]
        if first[:-1] != second[:-1]:
            return LOSE
        return Fraction(13) if book == "easy-six" and first[:-1] == "6" else Fraction(11)
    if area.startswith(("ante-", "wager-")):
        return _ante_or_wager(area, deal, slip)
    if area.startswith("winning-total-"):
        return _winning_total(area.removeprefix("winning-total-"), deal)
    return _one_hand_bet(area, deal)


def _main(book: str, area: str, deal: Deal) -> Fraction:
    if deal.winner == "tie":
        return PUSH
    if deal.winner != area:
        return LOSE
    if area == "player":
        return Fraction("1.05") if book == "easy-six" and deal.p == 6 else EVEN
    if book == "commission":
        return Fraction("0.95")
    if book == "ez":
        return PUSH if deal.b == 7 and len(deal.banker) == 3 else EVEN
    return HALF if deal.b == 6 else EVEN


def _one_hand_bet(area: str, deal: Deal) -> Fraction:
    if area == "easy-six":
        return Fraction(6) if max(deal.p, deal.b) == 6 else LOSE
    if area == "dragon-7":
        return Fraction(40) if deal.b == 7 and len(deal.banker) == 3 and deal.p < 7 else LOSE
    if area == "panda-8":
        return Fraction(25) if deal.p == 8 and len(deal.player) == 3 and deal.b < 8 else LOSE
    assert area == "super-six-plus"
    if deal.b != 6 or deal.p >= 6:
        return LOSE
    return Fraction(12 if len(deal.banker) == 2 else 20)


def _winning_total(which: str, deal: Deal) -> Fraction:
    if deal.winner == "tie":
        return PUSH
    points = max(deal.p, deal.b)
    for totals, pays in (("1-4", 7), ("5-6", 3), ("7-7", 4), ("8-8", 3), ("9-9", 2)):
        low, high = numbers(totals)
        if low <= points <= high:
            return Fraction(pays) if totals.startswith(which) else LOSE
    raise AssertionError("nobody wins with no points")


def _ante_or_wager(area: str, deal: Deal, slip: Mapping[str, int]) -> Fraction:
    kind, hand = area.split("-")
    if kind == "ante" and f"wager-{hand}" not in slip:
        return LOSE
    if deal.winner == "tie":
        return PUSH
    if deal.winner != hand:
        return LOSE
    if kind == "ante":
        return EVEN
    loser = min(deal.p, deal.b)
    if loser <= 3:
        return HALF
    return EVEN if loser <= 5 else Fraction(2)


def _insurance(area: str, deal: Deal) -> Fraction:
    odds = insurance_odds(area, deal)
    assert odds is not None
    hand = area.split("-")[1]
    if deal.winner == "tie":
        had_nine = area == "insurance-player-5" and deal.p == 9
        return odds if had_nine else PUSH
    return LOSE if deal.winner == hand else odds


# ── What may be bet ─────────────────────────────────────────────────────────────────────────────────────


def refused(book: str, deal: Deal, slip: Mapping[str, int]) -> set[str]:
    """Every reason for which one bettor may not have these bets on this deal; empty when all is well."""
    reasons = set()
    if not set(slip) <= set(AREAS[book].split()):
        reasons.add("unknown-area")
    for hand in ("player", "banker"):
        ante, wager = slip.get(f"ante-{hand}"), slip.get(f"wager-{hand}")
        if wager is not None and ante is None:
            reasons.add("no-ante-open")
        if wager is not None and ante is not None and wager != ante + ante:
            reasons.add("wager-not-multiple")
    if any(area.startswith("winning-total") for area in slip) and not {"player", "banker"} & set(slip):
        reasons.add("needs-bet")
    if book == "insurance":
        reasons |= insurance_refused(deal, slip)
    return reasons


def rounded(amount: Fraction) -> int:
    """Half up, on whole minor units."""
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP)) if amount > 0 else int(exact)
