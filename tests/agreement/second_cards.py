"""A second reading of conditions on cards: plain questions to two hands of plain text, as the guide has them.

A condition is the table that a book file has, a hand is a list of cards such as `9D`. Nothing is compiled and
nothing shared with the program: every question goes through the cards again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}


def points(cards: list[str]) -> int:
    return sum(card_points(card) for card in cards) % 10


def card_points(card: str) -> int:
    place = RANKS.index(card[:-1]) + 1
    return place if place < 10 else 0


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def is_number(number: int | None, value: Any) -> bool:
    """Whether a number is what a book file allows: a number, a range, odd or even, or a list of these."""
    if number is None:
        return False
    for one in listed(value):
        if one == "odd" or one == "even":
            if (number % 2 == 1) == (one == "odd"):
                return True
        elif isinstance(one, str):
            low, high = one.split("-")
            if int(low) <= number <= int(high):
                return True
        elif number == one:
            return True
    return False


def meets(card: str | None, test: dict[str, Any]) -> bool:
    if card is None:
        return False
    rank, suit = card[:-1], card[-1]
    asked: dict[str, Callable[[Any], bool]] = {
        "rank": lambda v: rank in listed(v),
        "points": lambda v: is_number(card_points(card), v),
        "face": lambda v: (rank in ("J", "Q", "K")) is v,
        "suit": lambda v: suit in [SUITS[name] for name in listed(v)],
        "colour": lambda v: ("red" if suit in "HD" else "black") == v,
        "card": lambda v: card in listed(v),
    }
    return all(asked[key](value) for key, value in test.items())


def agree(cards: list[str], what: str) -> bool:
    parts: dict[str, Callable[[str], Any]] = {
        "rank": lambda card: card[:-1],
        "suit": lambda card: card[-1],
        "colour": lambda card: card[-1] in "HD",
        "card": lambda card: card,
    }
    return len({parts[what](card) for card in cards}) == 1


def poker(cards: list[str]) -> str:
    ranks = sorted(RANKS.index(card[:-1]) for card in cards)
    counts = sorted(Counter(ranks).values())
    is_flush = agree(cards, "suit")
    is_straight = counts == [1, 1, 1, 1] and (ranks[3] - ranks[0] == 3 or ranks == [0, 10, 11, 12])
    if is_flush and ranks == [0, 10, 11, 12]:
        return "mini-royal"
    if is_flush and is_straight:
        return "straight-flush"
    if counts == [4]:
        return "four-of-a-kind"
    if counts == [1, 3]:
        return "three-of-a-kind"
    if is_flush:
        return "flush"
    if is_straight:
        return "straight"
    if counts == [2, 2]:
        return "two-pair"
    return "pair" if counts == [1, 1, 2] else "high-card"


def group_holds(cards: list[str], test: dict[str, Any]) -> bool:
    asked: dict[str, Callable[[Any], bool]] = {
        "all": lambda v: all(meets(card, v) for card in cards),
        "none": lambda v: not any(meets(card, v) for card in cards),
        "number": lambda v: is_number(sum(meets(card, test["of"]) for card in cards), v),
        "of": lambda _: True,
        "same": lambda v: all(agree(cards, what) for what in listed(v)),
        "not_same": lambda v: not any(agree(cards, what) for what in listed(v)),
        "ranks": lambda v: sorted(card[:-1] for card in cards) == sorted(v),
        "poker": lambda v: poker(cards) in listed(v),
    }
    return all(asked[key](value) for key, value in test.items())


def compared(hands: dict[str, list[str]], test: dict[str, Any]) -> bool:
    def key(place: str) -> int | None:
        hand, number = place.split("-")
        if len(hands[hand]) < int(number):
            return None
        card = hands[hand][int(number) - 1]
        by = test.get("by", "rank")
        if by == "points":
            return card_points(card)
        rank = RANKS.index(card[:-1])
        if by == "card":
            return 4 * rank + "CDHS".index(card[-1])
        return 13 if by == "rank-ace-high" and rank == 0 else rank

    one, other = key(test["first"]), key(test["second"])
    if one is None or other is None:
        return False
    return ("higher" if one > other else "lower" if one < other else "equal") in listed(test["result"])


def holds(
    condition: dict[str, Any], player: list[str], banker: list[str], wins: Callable[[str], bool] = lambda _: False
) -> bool:
    """Whether a finished deal meets a condition; `wins` tells of other bets."""
    p, b = points(player), points(banker)
    winner = "player" if p > b else "banker" if b > p else "tie"
    hands = {"player": player, "banker": banker}
    won, lost = (player, banker) if p > b else (banker, player)
    is_tie = winner == "tie"

    def natural(hand: list[str]) -> bool:
        return len(hand) == 2 and points(hand) >= 8

    def pair(hand: list[str]) -> str | None:
        return hand[0][:-1] if hand[0][:-1] == hand[1][:-1] else None

    numbers: dict[str, Any] = {
        "player_points": p,
        "banker_points": b,
        "winning_points": None if is_tie else points(won),
        "losing_points": None if is_tie else points(lost),
        "margin": abs(p - b),
        "points_sum": p + b,
        "player_cards": len(player),
        "banker_cards": len(banker),
        "winning_cards": None if is_tie else len(won),
        "losing_cards": None if is_tie else len(lost),
        "cards": len(player) + len(banker),
        "pairs": sum(pair(hand) is not None for hand in hands.values()),
        "suited_pairs": sum(hand[0] == hand[1] for hand in hands.values()),
        "player_two_points": points(player[:2]),
        "banker_two_points": points(banker[:2]),
    }
    truths: dict[str, Any] = {
        "natural": natural(player) or natural(banker),
        "player_natural": natural(player),
        "banker_natural": natural(banker),
        "winning_natural": None if is_tie else natural(won),
        "losing_natural": None if is_tie else natural(lost),
        "player_pair": pair(player) is not None,
        "banker_pair": pair(banker) is not None,
        "player_pair_suited": player[0] == player[1],
        "banker_pair_suited": banker[0] == banker[1],
        "same_pair": pair(player) is not None and pair(player) == pair(banker),
    }
    groups = {
        "player_two": player[:2],
        "banker_two": banker[:2],
        "player_hand": player,
        "banker_hand": banker,
        "first_four": player[:2] + banker[:2],
        "round": player + banker,
    }
    for name, value in condition.items():
        if name == "winner":
            met = winner in listed(value)
        elif name in numbers:
            met = is_number(numbers[name], value)
        elif name in ("either_points", "both_points", "either_cards", "both_cards"):
            both = (p, b) if name.endswith("points") else (len(player), len(banker))
            told = [is_number(one, value) for one in both]
            met = any(told) if name.startswith("either") else all(told)
        elif name in truths:
            met = truths[name] is value
        elif name in ("player_pair_of", "banker_pair_of"):
            met = pair(hands[name[:6]]) in listed(value)
        elif name in groups:
            met = all(group_holds(groups[name], test) for test in listed(value))
        elif name == "compare":
            met = all(compared(hands, test) for test in listed(value))
        elif name == "wins":
            met = any(wins(area) for area in listed(value))
        else:
            hand, place = name.split("_")
            met = meets(hands[hand][int(place) - 1] if len(hands[hand]) >= int(place) else None, value)
        if not met:
            return False
    return True
