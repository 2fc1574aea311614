"""How a round can go on from any stage, and how often: points and numbers of cards of both hands, in whole
numbers.

Cards are exchangeable, so the third cards are drawn first, and what is left has the closed form of
`two_cards`. Every way is weighed as if six cards were always drawn: a round that ends after four leaves
two more in any order. This is plain Python with integers of any size: exact for every shoe, and a few
milliseconds for one. For very many shoes there is `histograms`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from punto.odds.round_so_far import RoundSoFar, Stage
from punto.odds.two_cards import falling, two_card_weights
from punto.rules.facts import TOTALS, Winner, totals_index
from punto.rules.play import STOOD, Play


class Way(NamedTuple):
    """One way to finish a round: totals of the first two cards, third cards (or `STOOD`), and its weight."""

    player: int
    banker: int
    players_third: int
    bankers_third: int
    weight: int

    @property
    def player_points(self) -> int:
        """Points of Player's finished hand."""
        return (self.player + self.players_third) % 10  # STOOD is ten, which adds nothing

    @property
    def banker_points(self) -> int:
        """Points of Banker's finished hand."""
        return (self.banker + self.bankers_third) % 10

    @property
    def winner(self) -> Winner:
        """Which hand wins, if one does."""
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def totals(self) -> int:
        """The `totals` of the facts of the deal."""
        return totals_index(
            self.player_points,
            2 + (self.players_third != STOOD),
            self.banker_points,
            2 + (self.bankers_third != STOOD),
        )


def draws_to_come(dealt: RoundSoFar) -> int:
    """How many cards a way counts as drawn from this stage on."""
    if dealt.stage is Stage.FINISHED:
        return 0
    return 1 if dealt.stage is Stage.PLAYERS_THIRD else 6 - len(dealt.cards)


def all_ways(points: Sequence[int], dealt: RoundSoFar) -> int:
    """The weight of all ways together."""
    return falling(sum(points), draws_to_come(dealt))


def totals_weights(play: Play, points: Sequence[int], dealt: RoundSoFar | None = None) -> list[int]:
    """Ordered draws by `totals`, from counts of undealt cards of 0 to 9 points; they sum to `all_ways`."""
    weights = [0] * TOTALS
    for way in ways(play, points, dealt or RoundSoFar()):
        weights[way.totals] += way.weight
    return weights


def shown_totals_weights(play: Play, points: Sequence[int], shown: Sequence[int]) -> list[int]:
    """Ordered draws by `totals` whose first cards have these points, in dealing order."""
    left = list(points)
    before = 1
    for card in shown:
        before *= left[card]
        left[card] -= 1
    weights = [0] * TOTALS
    if before == 0:
        return weights
    if len(shown) == 1:
        for way in _third_cards_first(play, left, tuple(shown), ()):
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
    found = []
    for x in range(10):
        p = (s + x) % 10
        if n[x] == 0:
            continue
        if not play.banker_draws[x][t]:
            found.append((totals_index(p, 3, t, 2), n[x] * (rest - 1)))
            continue
        for y in range(10):
            ways = n[x] * (n[y] - (x == y))
            if ways:
                found.append((totals_index(p, 3, (t + y) % 10, 3), ways))
    return found


def ways(play: Play, points: Sequence[int], dealt: RoundSoFar) -> Iterator[Way]:
    """Every way to finish a round from here."""
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


def _third_cards_first(
    play: Play, n: list[int], player: tuple[int, ...], banker: tuple[int, ...]
) -> Iterator[Way]:
    rest = sum(n) - (4 - len(player) - len(banker))
    ended, stands, draws = _hands(play)
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


def _hands(play: Play) -> tuple[TwoTotals, list[TwoTotals], list[TwoTotals]]:
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
