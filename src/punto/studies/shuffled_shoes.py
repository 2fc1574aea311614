"""Shoes that are shuffled and played to the cut card for studies, with the ranks that are left before each round, in
machine code. The shuffle is that of NumPy's `Generator.shuffle` with PCG64: the same order of cards for the same seed,
in a sixth of the time, because nothing is called for each card.

PCG64 (O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random number
generation", 2014) multiplies a state of 128 bits and adds to it; a number of 64 bits comes of it, which serves as two
of 32. The lower bits of such a number, as many as a place has, are the place, unless they are above the last one:
then they are drawn again, so that all places are equally likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types, uint64
from numba.extending import intrinsic

from punto.odds.machine_row import cached_njit
from punto.rules.table_of_play import STOOD

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANKS = 13

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_WIDE, _NUMBER = ir.IntType(128), ir.IntType(64)
_HALF = 32
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT, _ONE = np.uint64(_HALF), np.uint64(1)

# The stream: state and increment, each its lower 64 bits first; then whether half a number is left, and that half.
_LEFT, _REST = 4, 5


def random_stream(seeds: np.random.SeedSequence) -> NDArray[np.uint64]:
    """A stream of random numbers from its beginning."""
    state: Any = np.random.PCG64(seeds).state
    parts = [state["state"]["state"], state["state"]["inc"]]
    halves = [half for part in parts for half in (part & (1 << 64) - 1, part >> 64)]
    return np.array([*halves, state["has_uint32"], state["uinteger"]], np.uint64)


_intrinsic: Any = intrinsic  # Numba says nothing of its types.


@_intrinsic
def _next_number(_, stream):  # type: ignore[no-untyped-def]
    """The next 64 bits."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(data, _WIDE.as_pointer())
        increment = builder.load(builder.gep(place, [ir.Constant(_NUMBER, 1)]), align=8)
        state = builder.add(builder.mul(builder.load(place, align=8), ir.Constant(_WIDE, MULTIPLIER)), increment)
        builder.store(state, place, align=8)
        upper = builder.trunc(builder.lshr(state, ir.Constant(_WIDE, 64)), _NUMBER)
        mixed, turn = builder.xor(upper, builder.trunc(state, _NUMBER)), builder.lshr(upper, ir.Constant(_NUMBER, 58))
        back = builder.and_(builder.neg(turn), ir.Constant(_NUMBER, 63))
        return builder.or_(builder.lshr(mixed, turn), builder.shl(mixed, back))

    return types.uint64(stream), write


@cached_njit
def _next_half(stream: Any) -> Any:
    """The next 32 bits."""
    if stream[_LEFT]:
        stream[_LEFT] = uint64(0)
        return stream[_REST]
    number = _next_number(stream)
    stream[_LEFT], stream[_REST] = uint64(1), number >> _SHIFT
    return number & _LOW


@cached_njit
def shuffle_cards(stream: Any, cards: Any) -> None:
    """Put cards into a random order, all orders equally likely."""
    mask = _LOW
    for last in range(len(cards) - 1, 0, -1):
        while mask >> _ONE >= uint64(last):
            mask >>= _ONE
        place = _next_half(stream) & mask
        while place > uint64(last):
            place = _next_half(stream) & mask
        cards[last], cards[place] = cards[place], cards[last]


@cached_njit
def play_shoes(stream: Any, shoes: int, terms: tuple[int, ...], rules: Any, shoe: Any, ranks: Any) -> int:
    """Play shoes, and note the ranks left before each round; returns how many rounds there were."""
    decks, behind_cut, last_rounds, burn = terms
    cards = np.empty(52 * decks, np.int64)
    left = np.empty(RANKS, np.int32)
    rounds = 0
    for number in range(shoes):
        for i in range(len(cards)):
            cards[i] = i % RANKS
        shuffle_cards(stream, cards)
        for i in range(RANKS):
            left[i] = 4 * decks
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
            for i in range(RANKS):
                ranks[rounds, i] = left[i]
            rounds += 1
            used = _cards_used(cards, dealt, rules)
            for i in range(dealt, dealt + used):
                left[cards[i]] -= 1
            dealt += used
    return rounds


@cached_njit
def _points(card: int) -> int:
    return card + 1 if card < 9 else 0


@cached_njit
def _cards_used(cards: Any, at: int, rules: Any) -> int:
    """How many cards a round takes that begins here."""
    ends, player_draws, banker_draws = rules
    player = (_points(cards[at]) + _points(cards[at + 2])) % 10
    banker = (_points(cards[at + 1]) + _points(cards[at + 3])) % 10
    if ends[player * 10 + banker]:
        return 4
    used, third = 4, STOOD
    if player_draws[player * 10 + banker]:
        third = _points(cards[at + used])
        used += 1
    if banker_draws[third, banker]:
        used += 1
    return used
