"""Batches on a GPU through CuPy: the shoes of the processor, and its histogram to the last count.

CuPy is an extra (`punto[gpu]`) and is loaded only when a GPU is asked for.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.cards.card import DECK, Rank
from punto.rules.outcome import TOTALS
from punto.simulation.deals import Batch, Deals, reading_plan
from punto.simulation.machine_code import PAIR_CODES, SUITED_CODES

SHOES_EACH = 124
"""Shoes that each thread plays in a batch: some hundredths of a second for a large GPU, so that what a batch costs
beside them is little. Not more, because the last batch of a run is played again to be shortened."""
THREADS, BLOCKS = 1024, 1  # Threads of a block, and blocks that are to fit on a multiprocessor: found best on an H200.
LEAST_THREADS = 128
MOST_NEAR_ROWS = 16_384  # Combinations of rows of single-card bets that a block counts in its own memory.
RESERVED = 2048  # Bytes of a block's own memory that the kernel uses beside what is asked for.
PACKED_CARDS = 511  # Up to this many cards three counts fit into a word, beyond that two.


class NoGpu(Exception):
    """No GPU can be used: why, in one sentence."""


@dataclass(frozen=True, slots=True)
class GpuBatch(Batch):
    """A batch that was counted on the GPU; the rounds of single shoes stay there."""

    number: int
    counted: NDArray[np.int64]  # How many shoes had 0, 1, 2, … rounds.

    @property
    def shoes(self) -> int:
        return self.number

    @property
    def rounds(self) -> int:
        return int(np.arange(len(self.counted)) @ self.counted)

    def count_lengths(self, longest: int) -> NDArray[np.int64]:
        assert len(self.counted) == longest + 1
        return self.counted


class Gpu:
    ahead = 4

    def __init__(self, batch_shoes: int | None = None) -> None:
        self._cupy = load_cupy()
        # All threads have the same number of shoes, so that none waits for others at the end of a batch.
        self.batch_shoes = batch_shoes or SHOES_EACH * THREADS * BLOCKS * self._processors()
        self._of_thread = local()
        self._pool = ThreadPoolExecutor(3, thread_name_prefix="gpu")  # one fetches, one plays, one waits to play

    def submit(self, work: Any, first: int, shoes: int) -> Future[Any]:
        return self._pool.submit(self._counted, work, first, shoes)

    def close(self) -> None:
        """Give up what has not begun, and wait for the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def play(self, work: Any, first: int, shoes: int, last_rounds: int | None = None) -> Any:
        """Play shoes and fetch the rounds of each; one that is broken off is played on the processor."""
        if last_rounds is not None:
            whole, part = self.play(work, first, shoes - 1), work.play(first + shoes - 1, 1, last_rounds)
            lengths = np.concatenate((whole.lengths, part.lengths))
            return Batch(first, lengths, True, whole.histogram + part.histogram)
        histogram, _, lengths = self._play(work, first, shoes)
        return Batch(first, lengths.get(), False, histogram.get().astype(np.int64))

    def _counted(self, work: Any, first: int, shoes: int) -> GpuBatch:
        with self._stream():
            histogram, counted, _ = self._play(work, first, shoes)
            counts = histogram.get().view(np.int64), shoes, counted.get().view(np.int64)
        return GpuBatch(first, np.zeros(0, np.uint16), False, *counts)

    def _processors(self) -> int:
        return int(self._cupy.cuda.Device().attributes["MultiProcessorCount"])

    def _stream(self) -> Any:
        """The stream of this thread: what one batch fetches does not wait for the shoes of the next. It is kept,
        because CuPy keeps memory for each stream, and to ask the GPU for more would stop all of them."""
        if not hasattr(self._of_thread, "stream"):
            self._of_thread.stream = self._cupy.cuda.Stream(non_blocking=True)
        return self._of_thread.stream

    def _play(self, deals: Deals, first: int, shoes: int) -> tuple[Any, Any, Any]:
        """Histogram, shoes by their rounds, and the rounds of each shoe, all still on the GPU."""
        assert isinstance(deals, Deals), "only counting is done on a GPU"
        cupy, terms = self._cupy, deals.terms
        histogram = cupy.zeros(deals.cells, cupy.uint64)
        counted = cupy.zeros(terms.most_rounds + 1, cupy.uint64)
        lengths = cupy.empty(shoes, cupy.uint16)
        if shoes:
            kernel = _kernel_for(deals)
            numbers = (np.uint64(first), np.uint64(shoes), np.uint64(deals.seed))
            rules = map(cupy.asarray, (terms.for_kernel(), np.array(deals.masks, np.uint16)))
            kernel.start(shoes, (*numbers, *rules, histogram, counted, lengths, *_look_ups(deals)))
        return histogram, counted, lengths


def load_cupy() -> Any:
    """CuPy with a GPU that works; `NoGpu` says what is missing."""
    try:
        import cupy
    except ImportError:
        raise NoGpu("a GPU needs CuPy, which is not installed; install punto[gpu]") from None
    try:
        if cupy.cuda.runtime.getDeviceCount() < 1:
            raise NoGpu("there is no GPU on this machine")
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoGpu(f"there is no GPU on this machine that can be used: {error}") from None
    return cupy


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A compiled kernel, and how it is started."""

    function: Any
    threads: int
    resident: int  # Blocks that the GPU holds at once.
    room: int  # Bytes of a block's own memory that are asked for at the start.

    def start(self, shoes: int, arguments: tuple[Any, ...]) -> None:
        blocks = min(-(-shoes // self.threads), self.resident)
        self.function((blocks,), (self.threads,), arguments, shared_mem=self.room)


@lru_cache(maxsize=8)
def _look_ups(deals: Deals) -> tuple[Any, Any]:
    """The plan of the readings for bets on single cards and their tables, on the GPU before anybody reads them."""
    cupy = load_cupy()
    if not deals.readings:
        nothing = cupy.zeros(1, cupy.int32)
        return nothing, nothing
    plan, tables = reading_plan(deals.readings, deals.fact_cells)
    on_gpu = cupy.asarray(plan.astype(np.int32)), cupy.asarray(tables)
    cupy.cuda.get_current_stream().synchronize()
    return on_gpu


def _kernel_for(deals: Deals) -> _Kernel:
    terms, kinds = deals.terms, 0
    if deals.readings:
        kinds = len(DECK) if deals.has_suits else len(Rank)
    rows = deals.cells - deals.fact_cells
    return _kernel(terms.decks, terms.most_rounds, deals.has_suits, kinds, len(deals.readings), rows)


@lru_cache(maxsize=8)
def _kernel(decks: int, most_rounds: int, has_suits: bool, kinds: int, readings: int, rows: int) -> _Kernel:
    """The kernel for shoes of this size, and what is looked up of their cards."""
    cupy = load_cupy()
    device = cupy.cuda.Device()
    source = resources.files("punto.simulation").joinpath("shoes.cu").read_text(encoding="utf-8")
    fields, bits = (3, 10) if decks * 52 <= PACKED_CARDS else (2, 16)
    names = {"FIELDS": fields, "BITS": bits, "SUITS": int(has_suits), "MOST_ROUNDS": most_rounds}
    threads, near, room = THREADS, 0, 0
    if kinds:
        near = rows if rows <= MOST_NEAR_ROWS else 0
        threads, room = _room(device, has_suits, most_rounds, near)
    names |= {"THREADS": threads, "BLOCKS": BLOCKS, "KINDS": kinds, "READINGS": readings, "NEAR_ROWS": near}
    options = tuple(f"-D{name}={value}" for name, value in names.items())
    kernel = cupy.RawKernel(source, "play_shoes", options=("-std=c++14", *options))
    kernel.compile()
    if room:
        kernel.max_dynamic_shared_size_bytes = room
    per_processor = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, threads, room)
    return _Kernel(kernel, threads, per_processor * device.attributes["MultiProcessorCount"], room)


def _room(device: Any, has_suits: bool, most_rounds: int, near: int) -> tuple[int, int]:
    """Threads of a block that looks at single cards, as many as its own memory has room for; and the bytes it needs."""
    codes = SUITED_CODES if has_suits else PAIR_CODES
    counted = (2 * codes - 1) * TOTALS + most_rounds + 1 + near
    most, threads = device.attributes["MaxSharedMemoryPerBlockOptin"], THREADS
    while True:
        room = 4 * (counted + (len(Rank) * threads if has_suits else 0))
        if room + RESERVED <= most or threads == LEAST_THREADS:
            return threads, room
        threads //= 2
