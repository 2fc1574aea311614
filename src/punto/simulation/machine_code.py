"""What the kernels are made of: functions compiled and kept on disk, vectors of lanes, sums of 128 bits, the table of
play as bit masks, and the random generator Philox4x32-10 with six draws from each of its blocks. No shoe is ever
shuffled, and what a shoe holds depends on the seed and its number only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types, uint64
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.dispatcher import LiftedCode
from numba.extending import intrinsic
from numpy.typing import NDArray

from punto.cards.card import Rank
from punto.rules.table_of_play import STOOD, Play

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function, name: str | None = None) -> Function:
    """The function as machine code, compiled on first use and kept on disk; one that was made by a function takes a
    name of its own there."""
    if name is not None:
        function.__qualname__ = name
    dispatcher: Any = njit(nogil=True, error_model="numpy")(function)
    # Where no folder can be written, it is compiled each time.
    with suppress(RuntimeError):
        dispatcher._cache = _SourcesCache(function)
    return cast(Function, dispatcher)


def inlined(function: Function) -> Function:
    """A small function that is made part of each kernel that calls it."""
    return cast(Function, njit(inline="always", error_model="numpy")(function))


@inlined
def copy_numbers(source: Any, target: Any) -> None:
    """Copy one array into another of the same length. To assign a slice would make Numba compile the sentence that
    says that the lengths differ, with all that it knows of strings: a third of the time that a kernel takes."""
    for i in range(len(target)):
        target[i] = source[i]


def vector_code(function: Callable[..., object]) -> Any:
    """A function that writes the code of its calls itself, in LLVM's own terms."""
    return intrinsic(function)


_Cache: Any = FunctionCache


class _Listener(event.Listener):  # type: ignore[misc,unused-ignore]
    """Hears of compiling, once."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:
        # The step from a kernel into Python is made anew in every process, and takes no time.
        is_step = isinstance(event.data.get("dispatcher"), LiftedCode)
        if self._tell is not None and not is_step:
            self._tell()
            self._tell = None

    def on_end(self, event: Any) -> None:
        """Nobody waits for that."""


@contextmanager
def telling(tell: Callable[[], None]) -> Iterator[None]:
    """Tell as soon as a kernel has to be compiled, and not when it only has to be loaded."""
    with event.install_listener("numba:compile", _Listener(tell)):
        yield


class _SourcesCache(_Cache):  # type: ignore[misc]
    """Compiled code by its signature, its processor and the sources of all kernels."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), _sources_digest()  # whatever a closure holds is among the sources


@cache
def _sources_digest() -> str:
    """A digest of every file that a kernel may be made of."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@vector_code
def borrowed(_context, value):  # type: ignore[no-untyped-def]
    """An array, or a tuple with arrays in it, that is not counted as held: whoever calls a kernel holds its arrays
    until it returns, and counting them at every function they are handed to took longer than settling a bet."""
    return value(value), lambda context, builder, signature, arguments: _borrow(
        context, builder, signature.args[0], arguments[0]
    )


def _borrow(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        kinds: Any = kind
        parts = [_borrow(context, builder, one, builder.extract_value(value, i)) for i, one in enumerate(kinds)]
        return context.make_tuple(builder, kind, parts)
    return value


INDEX = ir.IntType(64)


class Vector:
    """Builds code for vectors with a number of lanes, each of a number of bits, as LLVM's own vector code.

    Loops over shoes that LLVM vectorises by itself come out two to ten times slower, because Numba widens every number
    to 64 bits first. Here the width is said, and LLVM turns it into whatever the processor has, AVX-512, AVX2 or less.
    """

    def __init__(self, builder: Any, lanes: int, bits: int) -> None:
        self.builder, self.lanes, self.bits = builder, lanes, bits
        self.element = ir.IntType(bits)
        self.type = ir.VectorType(self.element, lanes)

    def const(self, number: int) -> Any:
        """The same number in every lane."""
        return ir.Constant(self.type, [number] * self.lanes)

    def splat(self, scalar: Any) -> Any:
        """A number known only at run time in every lane."""
        undefined = ir.Constant(self.type, ir.Undefined)
        zero = ir.Constant(ir.IntType(32), 0)
        first = self.builder.insert_element(undefined, scalar, zero)
        order = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(first, undefined, order)

    def pointer(self, start: Any, offset: Any, more: int = 0) -> Any:
        """Where a vector is: a number of elements after the start of an array."""
        place = self.builder.gep(start, [self.builder.add(offset, ir.Constant(INDEX, more))])
        return self.builder.bitcast(place, self.type.as_pointer())

    def load(self, start: Any, offset: Any, more: int = 0) -> Any:
        return self.builder.load(self.pointer(start, offset, more), align=self.bits // 8)

    def store(self, value: Any, start: Any, offset: Any, more: int = 0) -> None:
        self.builder.store(value, self.pointer(start, offset, more), align=self.bits // 8)

    def is_below(self, left: Any, right: Any) -> Any:
        return self.builder.icmp_unsigned("<", left, right)

    def is_equal(self, left: Any, right: Any) -> Any:
        return self.builder.icmp_unsigned("==", left, right)

    def least(self, left: Any, right: Any) -> Any:
        return self.builder.select(self.is_below(left, right), left, right)

    def number(self, mask: Any) -> Any:
        """1 where the mask holds, else 0."""
        return self.builder.zext(mask, self.type)

    def bit(self, bits: Any, place: Any) -> Any:
        """Whether the bit at a place is set, lane by lane."""
        one = self.const(1)
        return self.is_equal(self.builder.and_(self.builder.lshr(bits, place), one), one)

    def packed(self, mask: Any) -> Any:
        """The mask as one whole number, lane 0 lowest."""
        return self.builder.bitcast(mask, ir.IntType(self.lanes))


HALVES = 2
"""A wide number is two neighbours in an array of 64 bits, the lower half first, so that no sum of stakes, nets or their
products ever wraps. Numba has no such numbers, but LLVM does: adding a product takes three instructions."""
WIDE = ir.IntType(128)


@vector_code
def add_product(_context, sums, place, left, right):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Add left × right to the wide number at a place, counted over the whole array."""
    return types.void(sums, types.int64, types.int64, types.int64), _added(
        lambda builder, left, right: builder.mul(left, right)
    )


@vector_code
def add_number(_context, sums, place, number):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Add a number of 64 bits to the wide number at a place."""
    return types.void(sums, types.int64, types.int64), _added(lambda _, number: number)


def _added(number: Callable[..., Any]) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        offset = builder.mul(arguments[1], ir.Constant(INDEX, HALVES))
        place = builder.bitcast(builder.gep(start, [offset]), WIDE.as_pointer())
        more = number(builder, *(builder.sext(argument, WIDE) for argument in arguments[2:]))
        builder.store(builder.add(builder.load(place, align=8), more), place, align=8)
        return context.get_dummy_value()

    return code


def wide_zeros(*shape: int) -> NDArray[np.int64]:
    return np.zeros((*shape, HALVES), np.int64)


def wide_numbers(sums: NDArray[np.int64]) -> tuple[int, ...]:
    halves = sums.reshape(-1, HALVES).tolist()
    return tuple((high << 64) + (low & (1 << 64) - 1) for low, high in halves)


RANKS = len(Rank)
COURTS = 3  # Codes up to this one count nothing.

CODE_RANKS: tuple[Rank, ...] = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, *tuple(Rank)[:9])
"""The rank of each code: the points of a code are code - 3, or 0 below that, and code 0 can stand for "no card"."""

PAIR_CODES = 1 + RANKS
SUITED_CODES = 1 + 2 * RANKS  # Where suits are drawn too: 1 + 2 × code, and 1 more if the pair is suited.


PLAYER_MASK = 0  # Whether Player draws, by its own points.
NATURALS_MASK = 1  # Points that end the deal in either hand.
BANKER_MASKS = 2  # Rows 2 to 11: whether Banker draws, by the points of Player's third card and then by its own.
STOOD_MASK = BANKER_MASKS + STOOD  # Whether Banker draws when Player stood.

POINTS = range(10)


def play_masks(play: Play) -> NDArray[np.uint16]:
    naturals = _mask(points in play.naturals for points in POINTS)
    # Whether Player draws beside any Banker hand that does not end the deal.
    player = _mask(any(play.player_draws[points * 10 + banker] for banker in POINTS) for points in POINTS)
    banker = (_mask(row) for row in play.banker_draws)
    return np.array([player, naturals, *banker], np.uint16)


def _mask(rows: Iterable[bool]) -> int:
    return sum(1 << points for points, draws in enumerate(rows) if draws)


# Philox (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011) passes every test of
# BigCrush and has no state: its numbers are a function of a key, here the seed, and a counter, which names the round
# within the shoe, the attempt, and the shoe. So a shoe's cards do not depend on the machine, the number of threads or
# the order of work. A block of 128 bits is cut into six words of 21. A word is turned into a draw below m by Lemire's
# method: the upper part of word × m, rejected when the lower part is below 2^21 mod m, which makes every draw equally
# likely. If one of the six is rejected, all six are drawn again with the next attempt.
CYCLES = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)  # What the two halves of the key grow by from one cycle to the next.
LOW = 0xFFFFFFFF

WORD_BITS = 21
WORDS = 6
MOST_CARDS = (1 << (32 - WORD_BITS)) - 1  # A word times the number of cards must stay inside 32 bits.

LONGEST_ROUND = 6  # Cards that a round may take: none is begun with fewer left.
NOWHERE = -1  # In place of a look-up by the third card, where none is read.
BURN_ROUND = 0  # The counter's round at which the shown card of the burn is drawn; rounds of play count from 1.
SUITS_ATTEMPT = 1 << 31  # Added to the attempt where suits are drawn rather than cards.

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
