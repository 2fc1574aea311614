"""Ordered draws by row for a bet on single cards, from any undealt cards and at every stage of a round."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.odds.hands import card_kernel as kernel
from punto.odds.histograms import MOST_AS_INTEGER
from punto.odds.round_so_far import RoundSoFar, Stage
from punto.odds.undealt import Undealt
from punto.rules.hands.card_table import CardTable
from punto.rules.hands.hand_table import HandTable, Kinds
from punto.rules.pay_table import PayTable
from punto.rules.play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

PRIMES = (2_147_483_647, 2_147_483_629, 2_147_483_587)
"""Together beyond the ordered draws of six cards from a hundred decks."""


def card_ways(play: Play, table: PayTable, undealt: Undealt, dealt: RoundSoFar) -> list[int]:
    """Ordered draws that come to each row of the pay table."""
    assert table.cards is not None, "the bet reads single cards"
    ways = [0] * len(table.rows)
    if dealt.stage is Stage.FINISHED:
        ways[table.cells[table.cards.cell(dealt.player, dealt.banker)]] = 1
    elif dealt.stage is Stage.PLAYERS_THIRD:
        for card, count in zip(table.cards.kinds.cards, counts_of(table.cards.kinds, undealt), strict=True):
            if count:
                ways[table.cells[table.cards.cell(dealt.player, (*dealt.banker, card))]] += count
    else:
        return _from_four(play, table, table.cards, undealt, dealt)
    return ways


def counts_of(kinds: Kinds, undealt: Undealt) -> list[int]:
    """How many undealt cards there are of each kind."""
    counts = [0] * len(kinds)
    if undealt.cards is None:
        assert not kinds.has_suits, "suits are read, and not known"
    for i, count in enumerate(undealt.ranks if undealt.cards is None else undealt.cards):
        counts[kinds.of[i]] += count
    return counts


def _from_four(
    play: Play, table: PayTable, cards: CardTable, undealt: Undealt, dealt: RoundSoFar
) -> list[int]:
    n = np.array(counts_of(cards.kinds, undealt), np.int64)
    seen = np.full(4, kernel.NOT_DEALT, np.int64)
    for first, hand in ((0, dealt.player), (2, dealt.banker)):
        for i, card in enumerate(hand[:2]):
            seen[first + i] = cards.kinds.of[card.index]
    player, banker = (_look_ups(hand, len(cards.kinds)) for hand in (cards.player, cards.banker))
    numbers = np.zeros(6, np.int64)
    numbers[kernel.IS_THIRD_READ] = cards.reads_third
    numbers[kernel.IS_PLAYER_EVEN] = _is_even(player[0], len(n)) and not dealt.player
    numbers[kernel.IS_BANKER_EVEN] = _is_even(banker[0], len(n)) and not dealt.banker
    numbers[kernel.BANKER_CODES] = len(cards.banker.values)
    numbers[kernel.ROWS] = len(table.rows)
    points, cells = np.array(cards.kinds.points, np.int64), np.array(table.cells, np.int64)
    ends, player_draws, banker_draws = map(np.array, (play.ends, play.player_draws, play.banker_draws))

    def counted(modulus: int) -> list[int]:
        ways = np.zeros(len(table.rows), np.int64)
        numbers[kernel.MODULUS] = modulus
        kernel.row_ways(
            n, points, player, banker, cells, ends, player_draws, banker_draws, seen, numbers, ways
        )
        return [int(number) for number in ways]

    if undealt.size <= MOST_AS_INTEGER:
        return counted(0)
    return [_chinese(remainders) for remainders in zip(*map(counted, PRIMES), strict=True)]


def _chinese(remainders: tuple[int, ...]) -> int:
    """The number that leaves these remainders, by the Chinese remainder theorem."""
    number, product = 0, 1
    for prime, remainder in zip(PRIMES, remainders, strict=True):
        number += product * ((remainder - number) * pow(product, -1, prime) % prime)
        product *= prime
    return number


@lru_cache(maxsize=64)
def _as_arrays(two: tuple[int, ...], third: tuple[int, ...], stood: tuple[int, ...]) -> Any:
    return tuple(np.array(table, np.int64) for table in (two, third, stood))


def _look_ups(hand: HandTable, kinds: int) -> Any:
    """Two cards, third card, stood; without third cards their place is taken by what stood."""
    third = hand.third or tuple(code for code in hand.stood for _ in range(kinds))
    return _as_arrays(hand.two, third, hand.stood)


def _is_even(two: Integers, kinds: int) -> bool:
    """Whether the order of a hand's first two cards matters to nothing."""
    table = two.reshape(kinds, kinds)
    return bool((table == table.T).all())
