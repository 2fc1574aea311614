"""The sampler against the coup: the same shoes, dealt by the table of play."""

from __future__ import annotations

import numpy as np
import pytest

from punto.books import load
from punto.cards.card import Card, Rank
from punto.cards.shoe import Burn
from punto.coup.coup import deal
from punto.rules.table_of_play import Play
from punto.studies.expectations import BLOCK, CHUNK, Block, Expectations, Shoes

PLAY = load("ez").play


def shuffled(shoes: Shoes, seed: int, block: int) -> list[list[Card]]:
    """The shoes of a block, as the sampler shuffles them."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, block])))
    cards = []
    for _ in range(BLOCK):
        ranks = np.arange(52 * shoes.decks) % 13
        random.shuffle(ranks)
        cards.append([Card(f"{Rank(int(rank) + 1).notation}S") for rank in ranks])
    return cards


def dealt(play: Play, shoes: Shoes, cards: list[Card]) -> list[list[int]]:
    """Counts by rank before each round, by the rules in words."""
    left = [4 * shoes.decks] * 13
    at = shoes.burn.fixed
    if shoes.burn.by_first_card:
        at = 1 + (cards[0].points or 10)
        left[cards[0].rank - 1] -= 1
    rounds, after_cut = [], 0
    while len(cards) - at >= 6 and after_cut <= shoes.last_rounds:
        after_cut += len(cards) - at <= shoes.behind_cut
        if after_cut > shoes.last_rounds:
            break
        rounds.append(list(left))
        coup = deal(play, cards, at)
        for card in coup.cards:
            left[card.rank - 1] -= 1
        at += len(coup.cards)
    return rounds


@pytest.mark.parametrize(
    "shoes", [Shoes(PLAY, 8), Shoes(PLAY, 6, 30, 0, Burn(by_first_card=False)), Shoes(PLAY, 6, 0, 2, Burn(False, 5))]
)
def test_shoes_are_dealt_as_the_table_deals_them(shoes: Shoes) -> None:
    block = next(iter(shoes.sample(BLOCK, seed=7)))
    for number, cards in enumerate(shuffled(shoes, 7, 0)[:20]):
        assert block.ranks[block.shoe == number].tolist() == dealt(PLAY, shoes, cards)


def test_blocks_do_not_depend_on_how_many_are_asked_for() -> None:
    shoes = Shoes(PLAY, 6)
    few, many = list(shoes.sample(BLOCK + 10, 3)), list(shoes.sample(3 * BLOCK, 3))
    assert few[0].ranks.tolist() == many[0].ranks.tolist()
    assert few[1].shoes == 10
    rounds = len(few[1].ranks)
    assert few[1].ranks.tolist() == many[1].ranks[:rounds].tolist()


def test_points_are_counted_from_ranks() -> None:
    block = next(iter(Shoes(PLAY, 8).sample(1, 1)))
    assert block.points.sum(axis=1).tolist() == block.ranks.sum(axis=1).tolist()
    assert block.points[5, 0] == block.ranks[5, 9:].sum()
    assert block.points[5, 9] == block.ranks[5, 8]


def test_expectations_are_the_same_however_rounds_are_shared_out() -> None:
    """A block that several threads work on, against its rounds a few at a time."""
    expect, block = Expectations(load("ez")), next(iter(Shoes(PLAY, 8).sample(60, 5)))
    rounds = len(block.shoe)
    assert rounds > 2 * CHUNK
    parts = [slice(first, first + 611) for first in range(0, rounds, 611)]
    few = [expect(Block(0, 60, block.shoe[part], block.ranks[part])) for part in parts]
    assert expect(block).tolist() == np.concatenate(few).tolist()
