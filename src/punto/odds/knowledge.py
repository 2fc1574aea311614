"""What insurance is worth to bettors who know more than the totals on the table, in a shoe of known cards.

There are four levels. Whoever goes by the totals has the policy of `insurance`. Whoever also remembers the
first totals and looks at Player's third card decides the second window better; whoever looks at every card
decides both windows better. These are exact here. The fourth keeps a perfect count of the shoe as well, and
takes many shoes: `studies.insured` plays them.

In a window one insures to the cap or not at all: the gain is linear in the stake. With the odds o and the
gain e of a unit, the cap is worth e/o per unit of the main bet; holding is worth the best of the second
window.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations_with_replacement

from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import all_ways, ways
from punto.odds.two_cards import falling
from punto.odds.undealt import LEAST, Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.offers import InsuranceOffer


class Knowledge(Enum):
    """How much a bettor takes into account when insurance is offered."""

    TOTALS = "totals"
    THIRD_CARD = "third-card"
    CARDS = "cards"
    COUNT = "count"

    @property
    def words(self) -> str:
        """For people."""
        return _WORDS[self]


_WORDS = {
    Knowledge.TOTALS: "the totals on the table",
    Knowledge.THIRD_CARD: "the first totals and the third card",
    Knowledge.CARDS: "every card on the table",
    Knowledge.COUNT: "every card of the shoe so far",
}

Gains = dict[Hand, Fraction]
"""What insurance adds to one unit on the main bet of each hand."""


@dataclass(slots=True)
class _Ends:
    """In how many ways the rest of a round is won by Player, by Banker, and tied."""

    player: int = 0
    banker: int = 0
    tie: int = 0

    def add(self, player_points: int, banker_points: int, ways: int) -> None:
        if player_points > banker_points:
            self.player += ways
        elif banker_points > player_points:
            self.banker += ways
        else:
            self.tie += ways

    def add_all(self, other: _Ends) -> None:
        self.player += other.player
        self.banker += other.banker
        self.tie += other.tie

    def capped(self, offer: InsuranceOffer) -> Fraction:
        """Gain of an offer taken to the cap, times the ways."""
        net = (
            offer.outcome(Winner.PLAYER).net * self.player
            + offer.outcome(Winner.BANKER).net * self.banker
            + offer.outcome(Winner.TIE).net * self.tie
        )
        return net / offer.odds


def gains_with_third_card(book: Book, undealt: Undealt) -> Gains:
    """The gains of whoever remembers the first totals and looks at Player's third card."""
    undealt.require_a_round()
    seen: dict[tuple[int, int], dict[int, _Ends]] = defaultdict(lambda: defaultdict(_Ends))
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if way.weight:
            ends = seen[way.player, way.banker][way.players_third]
            ends.add(way.player_points, way.banker_points, way.weight)
    gains = dict.fromkeys(Hand, Fraction(0))
    for (s, t), thirds in seen.items():
        _add_best(book, gains, s, t, thirds)
    total = all_ways(undealt.points, RoundSoFar())
    return {hand: gain / total for hand, gain in gains.items()}


def gains_with_cards(book: Book, undealt: Undealt) -> Gains:
    """The gains of whoever looks at every card on the table, in a shoe of these cards."""
    undealt.require_a_round()
    gains = dict.fromkeys(Hand, Fraction(0))
    n = list(undealt.points)
    for player in combinations_with_replacement(range(10), 2):
        for banker in combinations_with_replacement(range(10), 2):
            s, t = sum(player) % 10, sum(banker) % 10
            if not book.play.brings_card(s, t):
                continue
            weight = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
            for points in (*player, *banker):
                weight *= n[points]
                n[points] -= 1
            if weight > 0:
                _add_best(book, gains, s, t, _thirds(book, n, s, t, weight))
            for points in (*player, *banker):
                n[points] += 1
    total = falling(undealt.size, LEAST)
    return {hand: gain / total for hand, gain in gains.items()}


def _thirds(book: Book, n: list[int], s: int, t: int, weight: int) -> dict[int, _Ends]:
    """How the rest goes by Player's third card, or by none (the key is then 10)."""
    play, rest = book.play, sum(n)
    found: dict[int, _Ends] = defaultdict(_Ends)
    if not play.player_draws[s * 10 + t]:
        for y in range(10):
            found[10].add(s, (t + y) % 10, weight * n[y] * (rest - 1))
        return found
    for x in range(10):
        if n[x] == 0:
            continue
        p = (s + x) % 10
        if not play.banker_draws[x][t]:
            found[x].add(p, t, weight * n[x] * (rest - 1))
            continue
        for y in range(10):
            found[x].add(p, (t + y) % 10, weight * n[x] * (n[y] - (x == y)))
    return found


def _add_best(book: Book, gains: Gains, s: int, t: int, thirds: dict[int, _Ends]) -> None:
    """Add the best of both windows for hands of the totals s and t, given how the rest goes by third card."""
    first = {offer.hand: offer for offer in book.open_offers(4, s, t)}
    later = dict.fromkeys(Hand, Fraction(0))
    every = _Ends()
    for x, ends in thirds.items():
        every.add_all(ends)
        for offer in book.open_offers(5, (s + x) % 10, t, x) if x < 10 else ():
            later[offer.hand] += max(ends.capped(offer), Fraction(0))
    for hand in Hand:
        insured = every.capped(first[hand]) if hand in first else Fraction(0)
        gains[hand] += max(insured, later[hand])
