"""Shoes of a simulation replayed card by card: a list of cards with suits, and the draws of the generator.

Cards lie in the order of their codes, highest first, so that a draw is simply a place in the list.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards.card import Card, Suit
from punto.coup.coup import deal
from punto.rules.book import Book
from punto.simulation.deals import Deals
from punto.simulation.machine_code import CODE_RANKS, LOW, WORD_BITS, philox_block

CODES = [Card(f"{rank.notation}{suit.value}") for rank in CODE_RANKS for suit in Suit]


def draws(round_: int, shoe: int, seed: int, below: list[int]) -> list[int]:
    """Six draws, each below its bound, by the definition of the generator."""
    attempt = 0
    while True:
        a, b, c, d = philox_block((round_, attempt, shoe & LOW, shoe >> 32), (seed & LOW, seed >> 32))
        words = [a >> 11, b >> 11, c >> 11, d >> 11]
        words += [(a & 0x7FF) << 10 | b & 0x3FF, (c & 0x7FF) << 10 | d & 0x3FF]
        products = [word * bound for word, bound in zip(words, below, strict=True)]
        rest = [product & (1 << WORD_BITS) - 1 for product in products]
        if all(low >= (1 << WORD_BITS) % bound for low, bound in zip(rest, below, strict=True)):
            return [product >> WORD_BITS for product in products]
        attempt += 1


def rounds_of(book: Book, deals: Deals, shoe: int) -> Iterator[tuple[Card, ...]]:
    """The rounds of one shoe, each as the cards that were dealt."""
    terms = deals.terms
    left = [card for card in reversed(CODES) for _ in range(terms.decks)]
    burned = terms.burn.fixed
    if terms.burn.by_first_card:
        shown = left.pop(draws(0, shoe, deals.seed, [len(left), 1, 1, 1, 1, 1])[0])
        burned = shown.points or 10
    number = after_cut = 0
    while True:
        number += 1
        after_cut += len(left) - burned <= terms.behind_cut
        places = draws(number, shoe, deals.seed, [len(left) - i for i in range(6)])
        rest = list(left)
        cards = [rest.pop(place) for place in places]
        coup = deal(book.play, cards)
        used = len(coup.player) + len(coup.banker)
        for place in places[:used]:
            left.pop(place)
        yield coup.cards
        unseen = len(left) - burned
        if (unseen <= terms.behind_cut and after_cut >= terms.rounds_after_cut) or unseen < 6:
            return
