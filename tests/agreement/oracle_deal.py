"""The second reading, a deal: the charts of the table of play, who draws, and what is called.

See `oracle.py` for what it is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
