"""A small sampler of shoes: shuffled, played to the cut card, and counted before every round.

Every block of shoes has a random stream of its own (NumPy's PCG64, keyed by seed and block), so that a
study gives the same figures however its blocks are shared out. Cards burned face down are gone but unseen:
they stay in the counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.cards.burn import Burn
from punto.odds.kernel import compiled
from punto.rules.play import STOOD, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

BLOCK = 500
"""Shoes that share a random stream."""

RANKS = 13
MOST_ROUNDS_PER_DECK = 13
"""A round takes four cards at least."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rounds of a block of shoes, in the order played."""

    first_shoe: int
    shoes: int
    shoe: Integers
    """Which shoe of the block each round belongs to."""
    ranks: Integers
    """Cards unseen before each round, a column for each rank."""

    @property
    def points(self) -> Integers:
        """Cards unseen before each round, a column for each number of points."""
        return np.concatenate([self.ranks[:, 9:].sum(axis=1, keepdims=True), self.ranks[:, :9]], axis=1)


@dataclass(frozen=True, slots=True)
class Shoes:
    """How shoes are dealt."""

    play: Play
    decks: int
    behind_cut: int = 14
    """Cards behind the cut card."""
    last_rounds: int = 1
    """Rounds played after the one in which the cut card comes out."""
    burn: Burn = field(default_factory=Burn)
    """How a fresh shoe is burned."""

    def sample(self, shoes: int, seed: int, stream: int = 0) -> Iterator[Block]:
        """A number of shoes, block by block; the shoes of another stream have nothing to do with these."""
        draws = np.array(self.play.banker_draws)
        player = np.array(self.play.player_draws)
        ends = np.array(self.play.ends)
        room = MOST_ROUNDS_PER_DECK * self.decks
        for number, first in enumerate(range(0, shoes, BLOCK)):
            count = min(BLOCK, shoes - first)
            spawned = np.random.SeedSequence([seed, number], spawn_key=(stream,) if stream else ())
            random = np.random.Generator(np.random.PCG64(spawned))
            shoe = np.empty(count * room, np.int64)
            ranks = np.empty((count * room, RANKS), np.int64)
            fixed = -1 if self.burn.by_first_card else self.burn.fixed
            terms = (self.decks, self.behind_cut, self.last_rounds, fixed)
            rounds = _play_shoes(random, count, terms, ends, player, draws, shoe, ranks)
            yield Block(first, count, shoe[:rounds], ranks[:rounds])


@compiled
def _play_shoes(
    random: Any,
    shoes: int,
    terms: tuple[int, int, int, int],
    ends: Any,
    player_draws: Any,
    banker_draws: Any,
    shoe: Any,
    ranks: Any,
) -> int:
    """Play shoes, and note the ranks left before each round; returns how many rounds there were."""
    decks, behind_cut, last_rounds, burn = terms
    cards = np.empty(52 * decks, np.int64)
    left = np.empty(RANKS, np.int64)
    rounds = 0
    for number in range(shoes):
        for i in range(len(cards)):
            cards[i] = i % RANKS
        random.shuffle(cards)
        left[:] = 4 * decks
        dealt = burn
        if burn < 0:  # the first card is shown, and says how many more are burned
            dealt = 1 + (_points(cards[0]) or 10)
            left[cards[0]] -= 1
        more = last_rounds
        while dealt + 6 <= len(cards):
            if len(cards) - dealt <= behind_cut:  # the cut card is out
                if more == 0:
                    break
                more -= 1
            shoe[rounds] = number
            ranks[rounds] = left
            rounds += 1
            used = _cards_used(cards, dealt, ends, player_draws, banker_draws)
            for i in range(dealt, dealt + used):
                left[cards[i]] -= 1
            dealt += used
    return rounds


@compiled
def _points(card: int) -> int:
    return card + 1 if card < 9 else 0


@compiled
def _cards_used(cards: Any, at: int, ends: Any, player_draws: Any, banker_draws: Any) -> int:
    """How many cards a round takes that begins here."""
    player = (_points(cards[at]) + _points(cards[at + 2])) % 10
    banker = (_points(cards[at + 1]) + _points(cards[at + 3])) % 10
    if ends[player * 10 + banker]:
        return 4
    used = 4
    third = STOOD
    if player_draws[player * 10 + banker]:
        third = _points(cards[at + used])
        used += 1
    if banker_draws[third, banker]:
        used += 1
    return used
