"""A second reading of the five documents, written apart from the program it checks.

It shares nothing with punto: cards are plain text, the charts are copied as the documents print them, and
each pay table is a chain of plain questions. Slow and simple on purpose. Where this and the engine agree over
every state of the table of play and over thousands of deals, a mistake would have had to be made twice, in
two ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

# ── The table of play ───────────────────────────────────────────────────────────────────────────────────

# ez 3: Banker's score, then what it does beside Player's third card of 0 to 9 ("H" hits, "S" stands).
EZ_CHART = """
7  S S S S S S S S S S
6  S S S S S S H H S S
5  S S S S H H H H S S
4  S S H H H H H H S S
3  H H H H H H H H S H
2  H H H H H H H H H H
1  H H H H H H H H H H
0  H H H H H H H H H H
"""

# commission 3.6, easy-six 3.6, insurance 3.15, knockout 3.7: Banker's points, then the third cards of Player
# on which it draws and those on which it does not; the rows without such columns are spelled out.
FOUR_BOOKS_CHART = """
3      0-1-2-3-4-5-6-7-9    8
4      2-3-4-5-6-7          0-1-8-9
5      4-5-6-7              0-1-2-3-8-9
6      6-7                  0-1-2-3-4-5-8-9
7      none                 0-1-2-3-4-5-6-7-8-9
0-1-2  0-1-2-3-4-5-6-7-8-9  none
"""


def numbers(text: str) -> list[int]:
    return [] if text == "none" else [int(number) for number in text.split("-")]


def ez_chart() -> dict[tuple[int, int], bool]:
    """Whether Banker draws, at (its points, points of Player's third card), as ez prints it."""
    rows = [line.split() for line in EZ_CHART.strip().splitlines()]
    return {(int(row[0]), third): row[1 + third] == "H" for row in rows for third in range(10)}


def four_books_chart() -> dict[tuple[int, int], bool]:
    """The same, as the other four documents print it."""
    chart: dict[tuple[int, int], bool] = {}
    for line in FOUR_BOOKS_CHART.strip().splitlines():
        scores, draws, stands = line.split()
        for score in numbers(scores):
            chart |= {(score, third): True for third in numbers(draws)}
            chart |= {(score, third): False for third in numbers(stands)}
    return chart


CHART = ez_chart()


def worth(card: str) -> int:
    """What a card counts: ace one, two to nine their number, tens and court cards nothing."""
    rank = card[:-1]
    if rank == "A":
        return 1
    return int(rank) if rank in list("23456789") else 0


def total(cards: Sequence[str]) -> int:
    return int(str(sum(worth(card) for card in cards))[-1])


@dataclass
class Deal:
    """Two hands, as text."""

    player: list[str]
    banker: list[str]

    @property
    def p(self) -> int:
        return total(self.player)

    @property
    def b(self) -> int:
        return total(self.banker)

    @property
    def winner(self) -> str:
        if self.p > self.b:
            return "player"
        return "banker" if self.b > self.p else "tie"

    @property
    def natural(self) -> bool:
        return total(self.player[:2]) in (8, 9) or total(self.banker[:2]) in (8, 9)


def play_out(cards: Sequence[str]) -> Deal:
    """The deal that these cards make; there are always enough of them."""
    shoe: Iterator[str] = iter(cards)
    deal = Deal([], [])
    for hand in (deal.player, deal.banker, deal.player, deal.banker):
        hand.append(next(shoe))
    if deal.natural:
        return deal
    if deal.p <= 5:
        banker = deal.b
        deal.player.append(next(shoe))
        if CHART[banker, worth(deal.player[2])]:
            deal.banker.append(next(shoe))
    elif deal.b <= 5:
        deal.banker.append(next(shoe))
    return deal


def called(book: str, deal: Deal) -> set[str]:
    """What is called out at the end of the deal."""
    names = set()
    if deal.natural:
        names.add("natural")
    if deal.winner == "tie":
        names.add("tie")
    if book == "ez" and deal.b == 7 and len(deal.banker) == 3 and deal.p < 7:
        names.add("dragon-7")
    if book == "ez" and deal.p == 8 and len(deal.player) == 3 and deal.b < 8:
        names.add("panda-8")
    return names


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


# ── Insurance ───────────────────────────────────────────────────────────────────────────────────────────

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
        reasons |= _insurance_refused(deal, slip)
    return reasons


def _insurance_refused(deal: Deal, slip: Mapping[str, int]) -> set[str]:
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
    could = [
        hand for hand in ("player", "banker") if hand in slip and insurance_odds(f"insurance-{hand}-4", deal)
    ]
    did = [hand for hand in could if f"insurance-{hand}-4" in slip]
    later = [area for area in slip if area.startswith("insurance-") and area.endswith("-5")]
    if could and not did and later:
        reasons.add("forgone")
    return reasons


def rounded(amount: Fraction) -> int:
    """Half up, on whole minor units."""
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP)) if amount > 0 else int(exact)
