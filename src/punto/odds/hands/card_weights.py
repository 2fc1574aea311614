"""Ordered draws by row for a bet on single cards, from any undealt cards and at every stage of a round."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.odds.hands import card_kernel as kernel
from punto.odds.histograms import MOST_AS_INTEGER
from punto.odds.round_so_far import RoundSoFar, Stage
from punto.odds.two_cards import falling
from punto.odds.undealt import Undealt
from punto.rules.hands.card_table import CardTable
from punto.rules.hands.hand_table import HandTable, Kinds
from punto.rules.pay_table import PayTable
from punto.rules.play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


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
    counts = counts_of(cards.kinds, undealt)
    seen = np.full(4, kernel.NOT_DEALT, np.int64)
    for first, hand in ((0, dealt.player), (2, dealt.banker)):
        for i, card in enumerate(hand[:2]):
            seen[first + i] = cards.kinds.of[card.index]
    to_come = int((seen == kernel.NOT_DEALT).sum())
    player, banker = (_look_ups(hand, len(cards.kinds)) for hand in (cards.player, cards.banker))
    numbers = np.zeros(7, np.int64)
    numbers[kernel.IS_THIRD_READ] = cards.reads_third
    numbers[kernel.IS_PLAYER_EVEN] = _is_even(player[0], len(counts)) and not dealt.player
    numbers[kernel.IS_BANKER_EVEN] = _is_even(banker[0], len(counts)) and not dealt.banker
    numbers[kernel.BANKER_CODES] = len(cards.banker.values)
    numbers[kernel.ROWS] = len(table.rows)
    points, cells = np.array(cards.kinds.points, np.int64), np.array(table.cells, np.int64)
    ends, player_draws, banker_draws = map(np.array, (play.ends, play.player_draws, play.banker_draws))

    def counted(modulus: int) -> list[int]:
        """The ways of each row, or what they leave modulo a prime; 0 for no modulus."""
        n = np.array([count % modulus for count in counts] if modulus else counts, np.int64)
        rest = undealt.size - to_come
        numbers[kernel.MODULUS], numbers[kernel.REST] = modulus, rest % modulus if modulus else rest
        ways = np.zeros(len(table.rows), np.int64)
        kernel.row_ways(
            n, points, player, banker, cells, ends, player_draws, banker_draws, seen, numbers, ways
        )
        return [int(number) for number in ways]

    if undealt.size <= MOST_AS_INTEGER:
        return counted(0)
    # No row has more ways than there are draws, so primes whose product is beyond that tell each number.
    primes = primes_beyond(falling(undealt.size, to_come + 2 * cards.reads_third))
    return [_chinese(primes, remainders) for remainders in zip(*map(counted, primes), strict=True)]


@lru_cache(maxsize=64)
def primes_beyond(draws: int) -> tuple[int, ...]:
    """The largest primes that the kernel can count with, as many as have a product beyond this number."""
    found: list[int] = []
    product, candidate = 1, kernel.MOST_MODULUS
    while product <= draws:
        candidate -= 1
        if _is_prime(candidate):
            found.append(candidate)
            product *= candidate
    return tuple(found)


def _is_prime(number: int) -> bool:
    """Miller and Rabin's test with the bases 2, 3, 5 and 7: certain for odd numbers below 3,215,031,751."""
    if number % 2 == 0:
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        power = pow(base, odd, number)
        if power not in (1, number - 1) and all(
            (power := power * power % number) != number - 1 for _ in range(twos - 1)
        ):
            return False
    return True


def _chinese(primes: tuple[int, ...], remainders: tuple[int, ...]) -> int:
    """The number that leaves these remainders, by the Chinese remainder theorem."""
    number, product = 0, 1
    for prime, remainder in zip(primes, remainders, strict=True):
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
