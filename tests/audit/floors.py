"""Made-up floors to be watched: honest ones, and ones with a fault planted in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from punto.audit.sight import SeenRound, SeenShoe, Sight
from punto.cards.card import DECK, Card
from punto.coup.coup import Coup, deal
from punto.rules.book import Book
from punto.rules.outcome import Result, Winner
from punto.table.state import SettledBet

BEHIND = 20
"""Cards that are not dealt."""

Bets = Callable[[Coup, Random], tuple[SettledBet, ...]]


def no_bets(_coup: Coup, _random: Random) -> tuple[SettledBet, ...]:
    return ()


def honest_order(random: Random) -> list[Card]:
    order = [card for card in DECK for _ in range(8)]
    random.shuffle(order)
    return order


def watched(
    book: Book, rounds: int, seed: object, order: Callable[[Random], list[Card]] = honest_order, bets: Bets = no_bets
) -> Sight:
    """A table of so many rounds whose shoes come from `order`; the house believes that they are honest."""
    random, sight, dealt = Random(repr(seed)), Sight(book), 0
    while dealt < rounds:
        cards = order(random)
        counts, position = [8] * len(DECK), 0
        shoe = SeenShoe(len(sight.shoes) + 1, 8)
        while position < len(cards) - BEHIND and dealt < rounds:
            coup = deal(book.play, cards, position)
            if any(counts[card.index] < coup.cards.count(card) for card in coup.cards):
                break  # a ninth card of a kind: the house notices by itself and changes the shoe
            dealt += 1
            unseen = tuple(counts)
            shoe.rounds.append(SeenRound(unseen, coup.facts, bets(coup, random)))
            position += len(coup.cards)
            for card in coup.cards:
                counts[card.index] -= 1
        shoe.cards = tuple(cards[:position])
        sight.shoes.append(shoe)
    return sight


def main_bet(player: str, area: str, coup: Coup) -> SettledBet:
    """A bet of one unit on a hand; the watch looks at stakes only."""
    won = coup.winner.value == area
    result = Result.PUSH if coup.winner is Winner.TIE else Result.WIN if won else Result.LOSE
    return SettledBet(1, player, area, 1000, result, 0, "")


def guessing(player: str) -> Bets:
    """Somebody who bets on a hand at random."""
    return lambda coup, random: (main_bet(player, random.choice(("player", "banker")), coup),)


def peeking(player: str, share: float) -> Bets:
    """Somebody who knows the winner in a share of the rounds and guesses in the others."""

    def bets(coup: Coup, random: Random) -> tuple[SettledBet, ...]:
        knows = random.random() < share and coup.winner is not Winner.TIE
        area = coup.winner.value if knows else random.choice(("player", "banker"))
        return (main_bet(player, area, coup),)

    return bets


def without(card: Card) -> Callable[[Random], list[Card]]:
    """Shoes that lack one card."""

    def order(random: Random) -> list[Card]:
        cards = honest_order(random)
        cards.remove(card)
        return cards

    return order


def exchanged(card: Card, other: Card) -> Callable[[Random], list[Card]]:
    """Shoes in which one card lies where another should be."""

    def order(random: Random) -> list[Card]:
        cards = honest_order(random)
        cards[cards.index(card)] = other
        return cards

    return order


def clumped(share: float) -> Callable[[Random], list[Card]]:
    """Shoes in which some cards still lie behind their neighbours of a new deck."""

    def order(random: Random) -> list[Card]:
        cards = honest_order(random)
        for place in range(len(cards) - 1):
            follower = DECK[(cards[place].index + 1) % 13 + cards[place].index // 13 * 13]
            if random.random() < share and follower in cards[place + 1 :]:
                other = cards.index(follower, place + 1)
                cards[place + 1], cards[other] = cards[other], cards[place + 1]
        return cards

    return order


def repeating(seeds: Iterator[int]) -> Callable[[Random], list[Card]]:
    """Shoes that are fixed by a seed, one of which comes twice."""
    return lambda _random: honest_order(Random(next(seeds)))
