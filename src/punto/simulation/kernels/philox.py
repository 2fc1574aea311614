"""The random generator: Philox4x32-10, and six draws from a shoe out of each of its blocks of 128 bits.

Philox (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011) passes every test
of BigCrush and has no state: its numbers are a function of a key and a counter. The key is the seed. The
counter names the round within the shoe, the attempt, and the shoe, so that a shoe's cards depend on the seed
and its own number and on nothing else: not on the machine, the number of threads or the order of work.

A block is cut into six words of 21 bits. A word is turned into a draw below m by Lemire's method: the upper
part of word × m, rejected when the lower part is below 2^21 mod m, which makes every draw equally likely. If
one of the six is rejected, all six are drawn again with the next attempt.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uint64

from punto.simulation.kernels.compiling import compiled, inlined

CYCLES = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
"""What the two halves of the key grow by from one cycle to the next."""
LOW = 0xFFFFFFFF

WORD_BITS = 21
WORDS = 6
MOST_CARDS = (1 << (32 - WORD_BITS)) - 1
"""A word times the number of cards must stay inside 32 bits."""

BURN_ROUND = 0
"""The counter's round at which the shown card of the burn is drawn; rounds of play count from 1."""
SUITS_ATTEMPT = 1 << 31
"""Added to the attempt where suits are drawn rather than cards."""

_M0, _M1 = np.uint64(MULTIPLIERS[0]), np.uint64(MULTIPLIERS[1])
_W0, _W1 = np.uint64(WEYL[0]), np.uint64(WEYL[1])
_LOW, _32 = np.uint64(LOW), np.uint64(32)
_ONE, _10, _11, _LOW_10, _LOW_11 = (np.uint64(number) for number in (1, 10, 11, 0x3FF, 0x7FF))
_WORD, _WORD_BITS = np.uint64((1 << WORD_BITS) - 1), np.uint64(WORD_BITS)


def philox_block(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """One block in plain Python: what the kernels are held against."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(CYCLES):
        p0, p1 = MULTIPLIERS[0] * x0, MULTIPLIERS[1] * x2
        x0, x1, x2, x3 = (p1 >> 32) ^ x1 ^ k0, p1 & LOW, (p0 >> 32) ^ x3 ^ k1, p0 & LOW
        k0, k1 = (k0 + WEYL[0]) & LOW, (k1 + WEYL[1]) & LOW
    return x0, x1, x2, x3


@inlined
def one_block(round_: Any, attempt: Any, shoe: Any, seed: Any) -> Any:
    """One block of 128 bits, as four words of 32."""
    x0, x1, x2, x3 = uint64(round_), uint64(attempt), uint64(shoe) & _LOW, uint64(shoe) >> _32
    k0, k1 = uint64(seed) & _LOW, uint64(seed) >> _32
    for _ in range(CYCLES):
        p0, p1 = _M0 * x0, _M1 * x2
        x0, x2 = (p1 >> _32) ^ x1 ^ k0, (p0 >> _32) ^ x3 ^ k1
        x1, x3 = p1 & _LOW, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return x0, x1, x2, x3


@compiled
def draw_six(round_: Any, attempt: Any, shoe: Any, seed: Any, below: Any, draws: Any) -> None:
    """Six draws, each below its own bound, into `draws`, with every rejection that is due."""
    attempt = uint64(attempt)
    is_rejected = True
    while is_rejected:
        a, b, c, d = one_block(round_, attempt, shoe, seed)
        draws[0], draws[1], draws[2], draws[3] = a >> _11, b >> _11, c >> _11, d >> _11
        draws[4] = ((a & _LOW_11) << _10) | (b & _LOW_10)
        draws[5] = ((c & _LOW_11) << _10) | (d & _LOW_10)
        is_rejected = False
        for i in range(WORDS):
            bound = uint64(below[i])
            product = draws[i] * bound
            draws[i] = product >> _WORD_BITS
            low = product & _WORD
            if low < bound and low < (_WORD + _ONE) % bound:  # the first spares nearly all divisions
                is_rejected = True
        attempt += _ONE
