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

from punto.simulation.deals import Batch, Deals

SHOES_EACH = 124
"""Shoes that each thread plays in a batch: some hundredths of a second for a large GPU, so that what a batch costs
beside them is little. Not more, because the last batch of a run is played again to be shortened."""
THREADS, BLOCKS = 1024, 1  # Threads of a block, and blocks that are to fit on a multiprocessor: found best on an H200.
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
        assert not deals.readings, "a GPU deals no single cards"
        cupy, terms = self._cupy, deals.terms
        histogram = cupy.zeros(deals.cells, cupy.uint64)
        counted = cupy.zeros(terms.most_rounds + 1, cupy.uint64)
        lengths = cupy.empty(shoes, cupy.uint16)
        if shoes:
            kernel, resident = _kernel(terms.decks, terms.most_rounds, deals.has_suits)
            numbers = (np.uint64(first), np.uint64(shoes), np.uint64(deals.seed))
            rules = map(cupy.asarray, (terms.for_kernel(), np.array(deals.masks, np.uint16)))
            kernel((min(-(-shoes // THREADS), resident),), (THREADS,), (*numbers, *rules, histogram, counted, lengths))
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


@lru_cache(maxsize=8)
def _kernel(decks: int, most_rounds: int, has_suits: bool) -> tuple[Any, int]:
    """The kernel for shoes of this size, and how many of its blocks the GPU holds at once."""
    cupy = load_cupy()
    source = resources.files("punto.simulation").joinpath("shoes.cu").read_text(encoding="utf-8")
    fields, bits = (3, 10) if decks * 52 <= PACKED_CARDS else (2, 16)
    names = {"FIELDS": fields, "BITS": bits, "SUITS": int(has_suits), "MOST_ROUNDS": most_rounds}
    names |= {"THREADS": THREADS, "BLOCKS": BLOCKS}
    options = tuple(f"-D{name}={value}" for name, value in names.items())
    kernel = cupy.RawKernel(source, "play_shoes", options=("-std=c++14", *options))
    kernel.compile()
    per_processor = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, THREADS, 0)
    return kernel, per_processor * cupy.cuda.Device().attributes["MultiProcessorCount"]
