"""In how many ways the first four cards are dealt, with the pairs they make.

Points alone cannot tell a pair: ten and king count the same. So hands are taken rank by rank, and within a
rank the suits are counted out, which needs at most four cards of one rank. Where suits are not known every
pair counts as one of two suits; a pay table that reads suits may not be asked then.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import prod

from punto.cards.card import Card, Rank, Suit
from punto.odds.round_so_far import RoundSoFar
from punto.odds.two_cards import falling
from punto.odds.undealt import Undealt
from punto.rules.facts import NO_PAIR, PAIRS, pair_index

Ranks = tuple[Rank, ...]
Pairs = tuple[int, int]
"""Player's pair and Banker's, as the facts of a deal have them."""
FirstFour = dict[tuple[tuple[int, ...], tuple[int, ...]], dict[Pairs, int]]
"""Ordered ways by the points of the cards each hand still gets, and by the two pairs."""

_SUITS = tuple(Suit)


def pair_weights(undealt: Undealt, hand: Sequence[Card]) -> list[int]:
    """Ordered ways to complete one hand to two cards, by the pair it makes."""
    weights = [0] * PAIRS
    if len(hand) >= 2:
        weights[pair_index(hand[0], hand[1])] = 1
        return weights
    for rank in (hand[0].rank,) if hand else Rank:
        all_pairs = undealt.ranks[rank - 1] if hand else falling(undealt.ranks[rank - 1], 2)
        suited = _suited(undealt, rank, hand)
        weights[2 * rank], weights[2 * rank - 1] = suited, all_pairs - suited
    weights[NO_PAIR] = falling(undealt.size, 2 - len(hand)) - sum(weights)
    return weights


def _suited(undealt: Undealt, rank: Rank, hand: Sequence[Card]) -> int:
    suits = undealt.suits(rank)
    if suits is None:
        return 0
    return suits[_SUITS.index(hand[0].suit)] if hand else sum(count * (count - 1) for count in suits)


def first_four(undealt: Undealt, dealt: RoundSoFar, shown: tuple[int, ...] = ()) -> FirstFour:
    """Every way to complete the first four cards.

    `shown` are the points of that many cards from the first on, in dealing order, where only those ways are
    wanted; the cards themselves are then not in `dealt`.
    """
    ways: FirstFour = defaultdict(lambda: defaultdict(int))
    player, banker = dealt.player[:2], dealt.banker[:2]
    hands = list(_hands(2 - len(banker), shown[1::2]))
    for players, players_orders in _hands(2 - len(player), shown[0::2]):
        for bankers, bankers_orders in hands:
            by_pairs = _by_pairs(undealt, player, banker, players, bankers)
            if not by_pairs:
                continue
            cell = ways[_points(players), _points(bankers)]
            for pairs, count in by_pairs.items():
                cell[pairs] += count * players_orders * bankers_orders
    return ways


def _hands(missing: int, shown: Sequence[int]) -> Iterator[tuple[Ranks, int]]:
    """The ranks a hand may still get, and how many orders of them are meant."""
    if not shown:
        for ranks in combinations_with_replacement(Rank, missing):
            yield ranks, len(set(ranks)) or 1
        return
    for ranks in product(Rank, repeat=missing):
        if all(rank.points == points for rank, points in zip(ranks, shown, strict=False)):
            yield ranks, 1


def _points(ranks: Ranks) -> tuple[int, ...]:
    return tuple(sorted(rank.points for rank in ranks))


def _by_pairs(
    undealt: Undealt, player: Sequence[Card], banker: Sequence[Card], players: Ranks, bankers: Ranks
) -> dict[Pairs, int]:
    """Ways by pairs when the hands get cards of these ranks beside those already dealt."""
    ranks = {*players, *bankers, *(card.rank for card in (*player, *banker))}
    if len(ranks) == len(player) + len(banker) + len(players) + len(
        bankers
    ):  # all different: no pair, no suit
        ways = prod(undealt.ranks[rank - 1] for rank in (*players, *bankers))
        return {(NO_PAIR, NO_PAIR): ways} if ways else {}
    count_player, count_banker = Counter(players), Counter(bankers)
    result: dict[Pairs, int] = {(NO_PAIR, NO_PAIR): 1}
    for rank in ranks:
        suits = undealt.suits(rank)
        of_rank = _of_one_rank(
            undealt.ranks[rank - 1],
            suits,
            _suits_held(player, rank, suits),
            count_player[rank],
            _suits_held(banker, rank, suits),
            count_banker[rank],
        )
        result = {
            (p or (rp and 2 * rank - 2 + rp), b or (rb and 2 * rank - 2 + rb)): ways * more
            for (p, b), ways in result.items()
            for (rp, rb), more in of_rank
        }
    return result


def _suits_held(hand: Sequence[Card], rank: Rank, suits: tuple[int, ...] | None) -> tuple[int, ...]:
    # Where suits are not known, all cards get different ones, so that no pair looks suited.
    return tuple(
        -1 - i if suits is None else _SUITS.index(c.suit) for i, c in enumerate(hand) if c.rank is rank
    )


@lru_cache(maxsize=4096)
def _of_one_rank(
    count: int,
    suits: tuple[int, ...] | None,
    player: tuple[int, ...],
    players: int,
    banker: tuple[int, ...],
    bankers: int,
) -> tuple[tuple[Pairs, int], ...]:
    """Ways to give the hands this many more cards of one rank; pairs are 0 none, 1 of two suits, 2 of one."""
    if suits is None:
        pairs = (int(len(player) + players == 2), int(len(banker) + bankers == 2))
        ways = falling(count, players + bankers)
        return ((pairs, ways),) if ways else ()
    found: dict[Pairs, int] = defaultdict(int)
    for drawn in product(range(len(suits)), repeat=players + bankers):
        ways = prod(suits[suit] - drawn[:i].count(suit) for i, suit in enumerate(drawn))
        if ways > 0:
            found[_pair(player + drawn[:players]), _pair(banker + drawn[players:])] += ways
    return tuple(found.items())


def _pair(suits: tuple[int, ...]) -> int:
    if len(suits) < 2:
        return 0
    return 2 if suits[0] == suits[1] else 1
