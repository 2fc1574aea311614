"""In how many ways a round goes on from any stage, in whole numbers of any size: by totals, by pairs, or by
both at once. Two hands of two cards have a closed form; third cards are drawn first, because cards are
exchangeable, and every way is weighed as if six cards were always drawn. Plain Python, a few milliseconds
for one shoe; `histograms` is for very many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import prod
from operator import mul
from typing import NamedTuple

from punto.cards.card import Card, Rank, Suit
from punto.odds.known_cards import RoundSoFar, Stage, Undealt
from punto.rules.outcome import NO_PAIR, PAIRS, TOTALS, Facts, Totals, Winner, pair_index, totals_index
from punto.rules.table_of_play import STOOD, Play

Weights = list[list[int]]  # By Player's total, then by Banker's.


def falling(n: int, k: int) -> int:
    """In how many ways k of n cards are drawn one after the other."""
    product = 1
    for i in range(k):
        product *= n - i
    return product


def partners(n: Sequence[int]) -> Weights:
    """u[s, a]: cards that make the total s beside one of a points."""
    return [[n[b] - (a == b) for a, b in _HANDS[s]] for s in range(10)]


_HANDS = [[(a, (s - a) % 10) for a in range(10)] for s in range(10)]
"""The points of the two cards of a hand, by their total."""


def two_card_weights(n: Sequence[int], player: Sequence[int], banker: Sequence[int]) -> Weights:
    """Ordered ways to complete both hands to two cards, by their totals. `player` and `banker` are the points of up to
    two cards of each hand already dealt; Banker never has more of its first two than Player."""
    weights = [[0] * 10 for _ in range(10)]
    if banker:  # each hand lacks one card at most
        for s, players, left in _completed(n, player):
            for t, bankers, _ in _completed(left, banker):
                weights[s][t] += players * bankers
        return weights
    u = partners(n)
    # A sum for every pair of totals, for every third card: `map` goes through it four times as fast as a loop does.
    shared = [list(map(mul, n, u[s])) for s in range(10)]
    hand = [sum(ways) for ways in shared]
    if not player:
        for s in range(10):
            for t in range(s, 10):
                both = sum(map(mul, shared[s], u[t]))
                weights[s][t] = weights[t][s] = hand[s] * hand[t] - 4 * both + (2 * hand[s] if s == t else 0)
    elif len(player) == 1:
        for s in range(10):
            partner = (s - player[0]) % 10
            # Player's second card is gone from Banker's hands: two of their ordered pairs for each partner of it.
            if n[partner]:
                weights[s] = [n[partner] * (hand[t] - 2 * u[t][partner]) for t in range(10)]
    else:
        weights[sum(player) % 10] = hand
    return weights


def _completed(n: Sequence[int], hand: Sequence[int]) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Total, ways, and what is left, for each second card of a hand."""
    if len(hand) == 2:
        yield sum(hand) % 10, 1, n
        return
    for second in range(10):
        if n[second]:
            left = list(n)
            left[second] -= 1
            yield (hand[0] + second) % 10, n[second], left


class Way(NamedTuple):
    """One way to finish a round: totals of the first two cards, third cards (or `STOOD`), and its weight, as if six
    cards were always drawn: a round that ends after four leaves two more in any order."""

    player: int
    banker: int
    players_third: int
    bankers_third: int
    weight: int

    @classmethod
    def to(cls, player: int, banker: int, last: Totals) -> Way:
        """The way from the first totals to the last, with the points of the third cards that it takes."""
        third = (last.player_points - player) % 10 if last.player_cards == 3 else STOOD
        return cls(player, banker, third, (last.banker_points - banker) % 10 if last.banker_cards == 3 else STOOD, 1)

    @property
    def player_points(self) -> int:
        return (self.player + self.players_third) % 10  # STOOD is ten, which adds nothing

    @property
    def banker_points(self) -> int:
        return (self.banker + self.bankers_third) % 10

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def totals(self) -> int:
        """The `totals` of the facts of the deal."""
        player, banker, players_third, bankers_third, _ = self
        return totals_index(
            (player + players_third) % 10,
            2 + (players_third != STOOD),
            (banker + bankers_third) % 10,
            2 + (bankers_third != STOOD),
        )


def draws_to_come(dealt: RoundSoFar) -> int:
    """How many cards a way counts as drawn from this stage on."""
    if dealt.stage is Stage.FINISHED:
        return 0
    return 1 if dealt.stage is Stage.PLAYERS_THIRD else 6 - len(dealt.cards)


def all_ways(points: Sequence[int], dealt: RoundSoFar) -> int:
    return falling(sum(points), draws_to_come(dealt))


def totals_weights(play: Play, points: Sequence[int], dealt: RoundSoFar | None = None) -> list[int]:
    """Ordered draws by `totals`, from counts of undealt cards of 0 to 9 points; they sum to `all_ways`."""
    if dealt is None or not dealt.cards:
        return list(_fresh_totals(play, tuple(points)))
    weights = [0] * TOTALS
    for way in ways(play, points, dealt):
        weights[way.totals] += way.weight
    return weights


@lru_cache(maxsize=256)
def _fresh_totals(play: Play, points: tuple[int, ...]) -> tuple[int, ...]:
    """The same before the deal, kept: every bet and study of a shoe begins with it."""
    weights = [0] * TOTALS
    for way in ways(play, points, RoundSoFar()):
        weights[way.totals] += way.weight
    return tuple(weights)


def shown_totals_weights(play: Play, points: Sequence[int], shown: Sequence[int]) -> list[int]:
    """Ordered draws by `totals` whose first cards have these points, in dealing order."""
    return list(_shown_totals(play, tuple(points), tuple(shown)))


@lru_cache(maxsize=1024)
def _shown_totals(play: Play, points: tuple[int, ...], shown: tuple[int, ...]) -> list[int]:
    left = list(points)
    before = 1
    for card in shown:
        before *= left[card]
        left[card] -= 1
    weights = [0] * TOTALS
    if before == 0:
        return weights
    if len(shown) == 1:
        for way in _third_cards_first(play, left, shown, ()):
            weights[way.totals] += before * way.weight
        return weights
    # With two or three known, going through the rest of the first four is shorter than the closed form.
    for rest in product(range(10), repeat=4 - len(shown)):
        ordered, n = before, list(left)
        for card in rest:
            ordered *= n[card]
            n[card] -= 1
        if ordered:
            p1, b1, p2, b2 = (*shown, *rest)
            for totals, weight in third_cards(play, n, (p1 + p2) % 10, (b1 + b2) % 10):
                weights[totals] += ordered * weight
    return weights


def third_cards(play: Play, n: Sequence[int], s: int, t: int) -> list[tuple[int, int]]:
    """`totals` and ordered ways to draw two more cards, the second or both perhaps not needed."""
    rest = sum(n)
    if play.ends[s * 10 + t] or not play.brings_card(s, t):
        return [(totals_index(s, 2, t, 2), rest * (rest - 1))]
    if not play.player_draws[s * 10 + t]:
        return [(totals_index(s, 2, (t + y) % 10, 3), n[y] * (rest - 1)) for y in range(10) if n[y]]
    drawn = []
    for x in range(10):
        p = (s + x) % 10
        if n[x] == 0:
            continue
        if not play.banker_draws[x][t]:
            drawn.append((totals_index(p, 3, t, 2), n[x] * (rest - 1)))
            continue
        for y in range(10):
            ways = n[x] * (n[y] - (x == y))
            if ways:
                drawn.append((totals_index(p, 3, (t + y) % 10, 3), ways))
    return drawn


def ways(play: Play, points: Sequence[int], dealt: RoundSoFar) -> Iterator[Way]:
    player, banker = dealt.player_points, dealt.banker_points
    if dealt.stage is Stage.FINISHED:
        thirds = [hand[2] if len(hand) == 3 else STOOD for hand in (player, banker)]
        yield Way(sum(player[:2]) % 10, sum(banker[:2]) % 10, thirds[0], thirds[1], 1)
    elif dealt.stage is Stage.PLAYERS_THIRD:
        for third, count in enumerate(points):
            if count:
                yield Way(sum(player[:2]) % 10, sum(banker) % 10, player[2], third, count)
    else:
        yield from _third_cards_first(play, list(points), player, banker)


def _third_cards_first(play: Play, n: list[int], player: tuple[int, ...], banker: tuple[int, ...]) -> Iterator[Way]:
    rest = sum(n) - (4 - len(player) - len(banker))
    ended, stands, draws = _totals_by_draw(play)
    two = two_card_weights(n, player, banker)
    for s, t in ended:
        yield Way(s, t, STOOD, STOOD, two[s][t] * rest * (rest - 1))
    for x in range(10):
        if n[x] == 0:
            continue
        one = n[x] * (rest - 1)
        n[x] -= 1
        two = two_card_weights(n, player, banker)
        for s, t in draws[STOOD]:
            yield Way(s, t, STOOD, x, one * two[s][t])
        for s, t in stands[x]:
            yield Way(s, t, x, STOOD, one * two[s][t])
        for y in range(x, 10):
            both = (n[x] + 1) * n[y]
            if both:
                n[y] -= 1
                two = two_card_weights(n, player, banker)
                n[y] += 1
                for s, t in draws[x]:
                    yield Way(s, t, x, y, both * two[s][t])
                for s, t in draws[y] if x != y else ():  # either of two third cards may be Player's
                    yield Way(s, t, y, x, both * two[s][t])
        n[x] += 1


TwoTotals = list[tuple[int, int]]


@lru_cache(maxsize=64)
def _totals_by_draw(play: Play) -> tuple[TwoTotals, list[TwoTotals], list[TwoTotals]]:
    """Totals at which nobody draws; by Player's third card, those at which Banker stands, and draws."""
    ended: TwoTotals = []
    stands: list[TwoTotals] = [[] for _ in range(STOOD + 1)]
    draws: list[TwoTotals] = [[] for _ in range(STOOD + 1)]
    for s in range(10):
        for t in range(10):
            if play.player_draws[s * 10 + t]:
                for third in range(10):
                    (draws if play.banker_draws[third][t] else stands)[third].append((s, t))
            elif play.brings_card(s, t):
                draws[STOOD].append((s, t))
            else:
                ended.append((s, t))
    return ended, stands, draws


Ranks = tuple[Rank, ...]
Suits = tuple[int, ...]  # Numbers of suits, or how many cards there are of each.
Pairs = tuple[int, int]  # Player's pair and Banker's, as the facts of a deal have them.
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
        suits = undealt.suits(rank) or (0,) * len(Suit)
        suited = suits[_SUITS.index(hand[0].suit)] if hand else sum(count * (count - 1) for count in suits)
        weights[2 * rank], weights[2 * rank - 1] = suited, all_pairs - suited
    weights[NO_PAIR] = falling(undealt.size, 2 - len(hand)) - sum(weights)
    return weights


def first_four(undealt: Undealt, dealt: RoundSoFar, shown: tuple[int, ...] = ()) -> FirstFour:
    """Every way to complete the first four cards. `shown` are the points of that many cards from the first on, in
    dealing order, where only those ways are wanted; the cards themselves are then not in `dealt`.

    Points alone cannot tell a pair: ten and king count the same. So hands are taken rank by rank, and within a rank the
    suits are counted out, which needs at most four cards of one rank. Where suits are not known every pair counts as
    one of two suits; a pay table that reads suits may not be asked then.
    """
    ways: FirstFour = defaultdict(lambda: defaultdict(int))
    player, banker = dealt.player[:2], dealt.banker[:2]
    hands = [(*hand, _points_of_ranks(hand[0])) for hand in _ranks_to_come(2 - len(banker), shown[1::2])]
    for players, players_orders in _ranks_to_come(2 - len(player), shown[0::2]):
        of_player = _points_of_ranks(players)
        for bankers, bankers_orders, of_banker in hands:
            if by_pairs := _by_pairs(undealt, player, banker, players, bankers):
                cell, orders = ways[of_player, of_banker], players_orders * bankers_orders
                for pairs, count in by_pairs.items():
                    cell[pairs] += count * orders
    return ways


def _ranks_to_come(missing: int, shown: Sequence[int]) -> Iterator[tuple[Ranks, int]]:
    """The ranks a hand may still get, and how many orders of them are meant."""
    if not shown:
        for ranks in combinations_with_replacement(Rank, missing):
            yield ranks, len(set(ranks)) or 1
        return
    for ranks in product(Rank, repeat=missing):
        if all(rank.points == points for rank, points in zip(ranks, shown, strict=False)):
            yield ranks, 1


def _points_of_ranks(ranks: Ranks) -> tuple[int, ...]:
    return tuple(sorted(rank.points for rank in ranks))


def _by_pairs(
    undealt: Undealt, player: Sequence[Card], banker: Sequence[Card], players: Ranks, bankers: Ranks
) -> dict[Pairs, int]:
    """Ways by pairs when the hands get cards of these ranks beside those already dealt."""
    ranks = {*players, *bankers, *(card.rank for card in (*player, *banker))}
    if len(ranks) == len(player) + len(banker) + len(players) + len(bankers):  # all different: no pair, no suit
        ways = prod(undealt.ranks[rank - 1] for rank in (*players, *bankers))
        return {(NO_PAIR, NO_PAIR): ways} if ways else {}
    count_player, count_banker = Counter(players), Counter(bankers)
    result: dict[Pairs, int] = {(NO_PAIR, NO_PAIR): 1}
    for rank in ranks:
        suits = undealt.suits(rank)
        held = _suits_held(player, rank, suits), _suits_held(banker, rank, suits)
        of_rank = _of_one_rank(undealt.ranks[rank - 1], suits, *held, count_player[rank], count_banker[rank])
        result = {
            (p or (rp and 2 * rank - 2 + rp), b or (rb and 2 * rank - 2 + rb)): ways * more
            for (p, b), ways in result.items()
            for (rp, rb), more in of_rank
        }
    return result


def _suits_held(hand: Sequence[Card], rank: Rank, suits: tuple[int, ...] | None) -> tuple[int, ...]:
    # Where suits are not known, all cards get different ones, so that no pair looks suited.
    return tuple(-1 - i if suits is None else _SUITS.index(c.suit) for i, c in enumerate(hand) if c.rank is rank)


@lru_cache(maxsize=4096)
def _of_one_rank(
    count: int, suits: Suits | None, player: Suits, banker: Suits, players: int, bankers: int
) -> tuple[tuple[Pairs, int], ...]:
    """Ways to give the hands this many more cards of one rank; pairs are 0 none, 1 of two suits, 2 of one."""
    if suits is None:
        pairs = (int(len(player) + players == 2), int(len(banker) + bankers == 2))
        ways = falling(count, players + bankers)
        return ((pairs, ways),) if ways else ()
    by_pairs: dict[Pairs, int] = defaultdict(int)
    for drawn in product(range(len(suits)), repeat=players + bankers):
        ways = prod(suits[suit] - drawn[:i].count(suit) for i, suit in enumerate(drawn))
        if ways > 0:
            by_pairs[_pair_of_suits(player + drawn[:players]), _pair_of_suits(banker + drawn[players:])] += ways
    return tuple(by_pairs.items())


def _pair_of_suits(suits: tuple[int, ...]) -> int:
    if len(suits) < 2:
        return 0
    return 2 if suits[0] == suits[1] else 1


def facts_weights(play: Play, undealt: Undealt, dealt: RoundSoFar, four: FirstFour) -> dict[Facts, int]:
    """Ordered draws by the facts of the finished deal; `four` are the ways to complete the first four."""
    if dealt.stage in (Stage.PLAYERS_THIRD, Stage.FINISHED):
        pairs = pair_index(*dealt.player[:2]), pair_index(*dealt.banker[:2])
        weights = totals_weights(play, undealt.points, dealt)
        return {Facts(totals, *pairs): weight for totals, weight in enumerate(weights) if weight}
    by_pairs_of: dict[int, dict[Pairs, int]] = defaultdict(lambda: defaultdict(int))
    for (players, bankers), by_pairs in four.items():
        n = list(undealt.points)
        for points in (*players, *bankers):
            n[points] -= 1
        s = sum(dealt.player_points + players) % 10
        t = sum(dealt.banker_points + bankers) % 10
        for totals, weight in third_cards(play, n, s, t):
            cell = by_pairs_of[totals]
            for pairs, ways in by_pairs.items():
                cell[pairs] += weight * ways
    return {Facts(totals, *pairs): ways for totals, by_pairs in by_pairs_of.items() for pairs, ways in by_pairs.items()}
