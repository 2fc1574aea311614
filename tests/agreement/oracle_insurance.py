"""The second reading, insurance: every offer with its odds, and what may be insured.

See `oracle.py` for what it is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tests.agreement.oracle_deal import Deal, numbers, total

# insurance 4.1.2, part by part, the two point columns in the order in which that part prints them.
INSURANCE_TABLE = """
4 banker  banker player
  5    0-4   2:1
  6    0-5   3:1
  7    0-5   4:1
4 player  player banker
  5    4-4   2:1
  6    0-5   3:1
  7    0-5   4:1
5 banker  player banker
  1    1-1   6:1
  1    2-6   7:1
  2    3-6   4:1
  3    4-4   1.5:1
5 player  banker player
  0-4  5     2:1
  0-5  6     3:1
  0-6  7     4:1
  0-6  8     7:1
  0-6  9     8:1
"""


def insurance_table() -> dict[tuple[str, int, int], Fraction]:
    """Odds at (betting area, Player's points, Banker's points)."""
    table: dict[tuple[str, int, int], Fraction] = {}
    area, columns = "", ["", ""]
    for line in INSURANCE_TABLE.strip().splitlines():
        if not line.startswith(" "):
            cards, hand, *columns = line.split()
            area = f"insurance-{hand}-{cards}"
            continue
        *ranges, odds = line.split()
        points = {}
        for column, text in zip(columns, ranges, strict=True):
            low, high = numbers(text)[0], numbers(text)[-1]
            points[column] = range(low, high + 1)
        for p in points["player"]:
            for b in points["banker"]:
                assert (area, p, b) not in table, "the document would contradict itself"
                table[area, p, b] = Fraction(odds.removesuffix(":1"))
    return table


INSURANCE = insurance_table()


def insurance_odds(area: str, deal: Deal) -> Fraction | None:
    """Odds of insurance that was on offer in this deal, else None."""
    p, b = total(deal.player[:2]), total(deal.banker[:2])
    if area.endswith("-4"):
        a_card_came = len(deal.player) + len(deal.banker) > 4
        return INSURANCE.get((area, p, b)) if a_card_came else None
    if len(deal.player) < 3 or len(deal.banker) < 3:
        return None
    return INSURANCE.get((area, deal.p, b))


def insurance_refused(deal: Deal, slip: Mapping[str, int]) -> set[str]:
    reasons = set()
    for hand in ("player", "banker"):
        at_four, at_five = f"insurance-{hand}-4", f"insurance-{hand}-5"
        winnings = Fraction(0)
        for area in (at_four, at_five):
            if area not in slip:
                continue
            odds = insurance_odds(area, deal)
            if odds is None and area == at_five and len(deal.player) == 2:
                reasons.add("no-third-card")
            elif odds is None:
                reasons.add("not-on-offer")
            else:
                winnings += odds * slip[area]
            if hand not in slip:
                reasons.add("no-offer-to")
        if hand in slip and winnings > slip[hand]:
            reasons.add("over-cap")
    could = [hand for hand in ("player", "banker") if hand in slip and insurance_odds(f"insurance-{hand}-4", deal)]
    did = [hand for hand in could if f"insurance-{hand}-4" in slip]
    later = [area for area in slip if area.startswith("insurance-") and area.endswith("-5")]
    if could and not did and later:
        reasons.add("forgone")
    return reasons
