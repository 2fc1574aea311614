"""A second reading of conditions: plain values of a book file, asked of the cards themselves.

Nothing of the compiler is used: no facts in numbers, no tables, no classes of hands. It is as slow as it is
simple, and settles one deal at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from punto.cards.card import Card

Values = dict[str, Any]
FACES = {"J", "Q", "K"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def rank(card: Card) -> str:
    return str(card)[:-1]


def suit(card: Card) -> str:
    return SUITS[str(card)[-1]]


def colour(card: Card) -> str:
    return "red" if str(card)[-1] in "HD" else "black"


def height(card: Card) -> int:
    """Ace 1 to king 13."""
    return ["A", *map(str, range(2, 11)), "J", "Q", "K"].index(rank(card)) + 1


def value(card: Card) -> int:
    return min(height(card), 10) % 10


def points(hand: Sequence[Card]) -> int:
    return sum(map(value, hand)) % 10


def is_number(number: int, said: Any) -> bool:
    """Whether a number is among those that a condition says."""
    if isinstance(said, list):
        return any(is_number(number, one) for one in said)
    if said in ("odd", "even"):
        return bool((number % 2 == 1) == (said == "odd"))
    if isinstance(said, str):
        low, high = map(int, re.split("-", said))
        return low <= number <= high
    return bool(number == said)


def among(text: str, said: Any) -> bool:
    return text in said if isinstance(said, list) else bool(text == said)


def card_meets(card: Card, test: Values) -> bool:
    asked: dict[str, Callable[[Any], bool]] = {
        "rank": lambda said: among(rank(card), said),
        "points": lambda said: is_number(value(card), said),
        "face": lambda said: (rank(card) in FACES) == said,
        "suit": lambda said: among(suit(card), said),
        "colour": lambda said: among(colour(card), said),
        "card": lambda said: among(str(card), said),
    }
    return all(asked[name](said) for name, said in test.items())


def poker(cards: Sequence[Card]) -> str:
    """The best class of four cards."""
    heights = sorted(map(height, cards))
    counts = sorted(Counter(heights).values(), reverse=True)
    is_flush = len(set(map(suit, cards))) == 1
    is_high = heights == [1, 11, 12, 13]
    is_straight = is_high or heights == list(range(heights[0], heights[0] + 4))
    if is_straight and is_flush:
        return "mini-royal" if is_high else "straight-flush"
    by_counts = {(4,): "four-of-a-kind", (3, 1): "three-of-a-kind"}
    if tuple(counts) in by_counts:
        return by_counts[tuple(counts)]
    if is_flush or is_straight:
        return "flush" if is_flush else "straight"
    return {(2, 2): "two-pair", (2, 1, 1): "pair"}.get(tuple(counts), "high-card")


def group_meets(cards: Sequence[Card], test: Values | list[Values]) -> bool:
    if isinstance(test, list):
        return all(group_meets(cards, one) for one in test)
    readers: dict[str, Callable[[Card], object]] = {"rank": rank, "suit": suit, "colour": colour, "card": str}

    def agree(name: str) -> bool:
        return len(set(map(readers[name], cards))) == 1

    def every(said: Any) -> list[str]:
        return said if isinstance(said, list) else [said]

    asked: dict[str, Callable[[Any], bool]] = {
        "all": lambda said: all(card_meets(card, said) for card in cards),
        "none": lambda said: not any(card_meets(card, said) for card in cards),
        "number": lambda said: is_number(sum(card_meets(card, test["of"]) for card in cards), said),
        "of": lambda _: True,
        "same": lambda said: all(map(agree, every(said))),
        "not_same": lambda said: not any(map(agree, every(said))),
        "ranks": lambda said: sorted(map(rank, cards)) == sorted(said),
        "poker": lambda said: among(poker(cards), said),
    }
    return all(asked[name](said) for name, said in test.items())


class SecondDeal:
    """A finished deal, asked about by the words of a condition."""

    def __init__(self, player: Sequence[Card], banker: Sequence[Card], naturals: Sequence[int]) -> None:
        self.hands = {"player": list(player), "banker": list(banker)}
        mine, theirs = points(player), points(banker)
        self.winner = "tie" if mine == theirs else "player" if mine > theirs else "banker"
        if self.winner != "tie":
            loser = "banker" if self.winner == "player" else "player"
            self.hands |= {"winning": self.hands[self.winner], "losing": self.hands[loser]}
        self.naturals = naturals

    def holds(self, when: Values | list[Values], wins: Callable[[str], bool]) -> bool:
        if isinstance(when, list):
            return any(self.holds(one, wins) for one in when)
        return all(self._meets(name, said, wins) for name, said in when.items())

    def _meets(self, name: str, said: Any, wins: Callable[[str], bool]) -> bool:
        whose, _, what = name.partition("_")
        if name == "winner":
            return among(self.winner, said)
        if name == "wins":
            return any(wins(area) for area in ([said] if isinstance(said, str) else said))
        if name == "compare":
            return all(map(self._compares, said if isinstance(said, list) else [said]))
        if whose in ("either", "both"):
            found = [self._of_hand(hand, what, said) for hand in ("player", "banker")]
            return any(found) if whose == "either" else all(found)
        if whose in ("player", "banker", "winning", "losing"):
            return whose in self.hands and self._of_hand(whose, what, said)
        return self._of_both(name, said)

    def _of_hand(self, whose: str, what: str, said: Any) -> bool:
        hand = self.hands[whose]
        is_pair = rank(hand[0]) == rank(hand[1])
        asked: dict[str, Callable[[], bool]] = {
            "points": lambda: is_number(points(hand), said),
            "cards": lambda: is_number(len(hand), said),
            "natural": lambda: self._is_natural(hand) == said,
            "pair": lambda: is_pair == said,
            "pair_of": lambda: is_pair and among(rank(hand[0]), said),
            "pair_suited": lambda: (str(hand[0]) == str(hand[1])) == said,
            "two_points": lambda: is_number(points(hand[:2]), said),
            "two": lambda: group_meets(hand[:2], said),
            "hand": lambda: group_meets(hand, said),
        }
        if what in ("1", "2", "3"):
            return len(hand) >= int(what) and card_meets(hand[int(what) - 1], said)
        return asked[what]()

    def _of_both(self, name: str, said: Any) -> bool:
        player, banker = self.hands["player"], self.hands["banker"]
        two = (player[:2], banker[:2])
        pairs = [rank(a) == rank(b) for a, b in two]
        suited = [str(a) == str(b) for a, b in two]
        asked: dict[str, Callable[[], bool]] = {
            "margin": lambda: is_number(abs(points(player) - points(banker)), said),
            "points_sum": lambda: is_number(points(player) + points(banker), said),
            "cards": lambda: is_number(len(player) + len(banker), said),
            "natural": lambda: (self._is_natural(player) or self._is_natural(banker)) == said,
            "pairs": lambda: is_number(sum(pairs), said),
            "suited": lambda: is_number(sum(suited), said),
            "suited_pairs": lambda: is_number(sum(suited), said),
            "same_pair": lambda: (all(pairs) and rank(player[0]) == rank(banker[0])) == said,
            "first_four": lambda: group_meets(player[:2] + banker[:2], said),
            "round": lambda: group_meets(player + banker, said),
        }
        return asked[name]()

    def _is_natural(self, hand: Sequence[Card]) -> bool:
        return len(hand) == 2 and points(hand) in self.naturals

    def _compares(self, said: Values) -> bool:
        found = []
        for place in (said["first"], said["second"]):
            whose, number = place.split("-")
            hand = self.hands[whose]
            if len(hand) < int(number):
                return False
            card = hand[int(number) - 1]
            by = said.get("by", "rank")
            found.append(value(card) if by == "points" else height(card))
            if by == "card":
                found[-1] = 10 * height(card) + ["clubs", "diamonds", "hearts", "spades"].index(suit(card))
            if by == "rank-ace-high" and found[-1] == 1:
                found[-1] = 14
        first, second = found
        return among("higher" if first > second else "lower" if first < second else "equal", said["result"])


def second_net(bets: dict[str, Values], area: str, deal: SecondDeal) -> Fraction:
    """What one unit on a bet gains: the first row that holds, the only one where rows may not overlap."""

    def wins(other: str) -> bool:
        return second_net(bets, other, deal) > 0

    rows = bets[area]["pays"]
    holding = [row for row in rows if "when" in row and deal.holds(row["when"], wins)]
    if not bets[area].get("first_match"):
        assert len(holding) <= 1, (area, holding)
    row = holding[0] if holding else next(row for row in rows if row.get("otherwise"))
    if "odds" not in row:
        return Fraction(0 if row["result"] == "push" else -1)
    gain, how, stake = re.fullmatch(r"([\d.]+)( to |:| for )([\d.]+)", row["odds"]).groups()  # type: ignore[union-attr]
    return Fraction(gain) / Fraction(stake) - (how == " for ")
