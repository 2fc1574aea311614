"""The facts of a finished deal: everything a pay table may ask about.

Three small whole numbers say all of it. `totals` stands for the points and the number of cards of both
hands; `player_pair` and `banker_pair` say which pair, if any, the first two cards of a hand were. Because
each is a small index, a bet compiles into a flat table that settlement, exact odds and simulation all read.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.cards.card import Card, Rank

TOTALS = 10 * 10 * 2 * 2
"""Number of different `totals`, possible or not."""

PAIRS = 1 + 13 * 2
"""No pair, or a pair of one of 13 ranks, of two suits or of one."""

NO_PAIR = 0


class Hand(Enum):
    """The two hands that are dealt."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> Hand:
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


class Winner(Enum):
    """Which hand won, if one did."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Facts(msgspec.Struct, frozen=True, gc=False):
    """The facts of one finished deal."""

    totals: int
    player_pair: int
    banker_pair: int


class Totals(msgspec.Struct, frozen=True, gc=False):
    """The `totals` index spelled out."""

    player_points: int
    player_cards: int
    banker_points: int
    banker_cards: int

    @property
    def index(self) -> int:
        return totals_index(self.player_points, self.player_cards, self.banker_points, self.banker_cards)

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    def of(self, hand: Hand) -> tuple[int, int]:
        """Points and number of cards of one hand."""
        if hand is Hand.PLAYER:
            return self.player_points, self.player_cards
        return self.banker_points, self.banker_cards

    def __str__(self) -> str:
        cards = {2: "two", 3: "three"}
        return (
            f"Player {self.player_points} on {cards[self.player_cards]} cards, "
            f"Banker {self.banker_points} on {cards[self.banker_cards]}"
        )


def totals_index(player_points: int, player_cards: int, banker_points: int, banker_cards: int) -> int:
    """The index of points and numbers of cards among all `TOTALS`."""
    return player_points * 40 + banker_points * 4 + player_cards * 2 + banker_cards - 6


ALL_TOTALS: tuple[Totals, ...] = tuple(
    Totals(pp, pc, bp, bc) for pp in range(10) for bp in range(10) for pc in (2, 3) for bc in (2, 3)
)
"""Every `Totals`, each at its index."""


def pair_index(first: Card, second: Card) -> int:
    """Which pair two cards are: 0 for none; ten and king count the same but are not a pair."""
    if first.rank != second.rank:
        return NO_PAIR
    return 2 * first.rank - (0 if first.suit is second.suit else 1)


def pair_rank(pair: int) -> Rank | None:
    """The rank of a pair, None where there is no pair."""
    return Rank((pair + 1) // 2) if pair else None


def is_pair_suited(pair: int) -> bool:
    """Whether a pair is of one suit (two decks or more can make one)."""
    return pair > 0 and pair % 2 == 0


def describe_pair(pair: int) -> str:
    """A pair in words."""
    rank = pair_rank(pair)
    if rank is None:
        return "no pair"
    return f"a {'suited ' if is_pair_suited(pair) else ''}pair of {rank.notation}"
