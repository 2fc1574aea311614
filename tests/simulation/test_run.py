"""Runs: exactly so many rounds, and the same result whoever plays them and in whatever pieces."""

from __future__ import annotations

from concurrent.futures import Future
from functools import reduce
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

from punto.books import load
from punto.simulation.deals import Batch, ShoeTerms
from punto.simulation.gpu import GpuBatch
from punto.simulation.run import Tally, Threads, Workers, deals_of, sums

DEALS = deals_of(load("easy-six"), ShoeTerms(), 20)


class Backwards:
    """Workers that play what they are given only when asked for it, newest first."""

    ahead = 5

    def __init__(self, batch_shoes: int) -> None:
        self.batch_shoes = batch_shoes
        self._open: list[tuple[Future[Any], Any, int, int]] = []

    def submit(self, work: Any, first: int, shoes: int) -> Future[Any]:
        hands = self

        class Late(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                while hands._open and not self.done():
                    future, what, start, number = hands._open.pop()
                    future.set_result(what.play(start, number))
                return super().result(timeout)

        future = Late()
        self._open.append((future, work, first, shoes))
        return future

    def play(self, work: Any, first: int, shoes: int, last_rounds: int | None = None) -> Any:
        return work.play(first, shoes, last_rounds)

    def close(self) -> None:
        self._open.clear()


class Counting(Backwards):
    """Workers whose batches come back without the rounds of single shoes, as those of a GPU do."""

    def submit(self, work: Any, first: int, shoes: int) -> Future[Any]:
        played, future = work.play(first, shoes), Future[Any]()
        counted = played.count_lengths(work.terms.most_rounds)
        future.set_result(GpuBatch(first, np.zeros(0, np.uint16), False, played.histogram, shoes, counted))
        return future


def run(rounds: int, hands: Workers, start: Tally | None = None) -> Tally:
    return reduce(lambda _, after: after, sums(start or Tally.empty(DEALS), rounds, hands))


def same(one: Tally, two: Tally) -> bool:
    return all((one.arrays()[name] == two.arrays()[name]).all() for name in one.arrays())


@pytest.mark.parametrize("rounds", [1, 2, 80, 81, 5000, 123_456, 1_500_000])
def test_exactly_so_many_rounds(rounds: int) -> None:
    tally = run(rounds, Backwards(300))
    assert tally.rounds == rounds == tally.histogram.sum()
    assert rounds - 110 < tally.lengths @ range(len(tally.lengths)) <= rounds


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_threads_change_nothing(workers: int) -> None:
    hands = Threads(workers)
    assert same(run(1_000_000, hands), run(1_000_000, Backwards(1000)))
    hands.close()


@pytest.mark.parametrize("shoes", [1, 7, 16, 999])
def test_batches_without_the_rounds_of_their_shoes_change_nothing(shoes: int) -> None:
    whole = DEALS.play(0, 2 * shoes).rounds  # a run that ends with a batch, and those that end beside it
    for rounds in (1, whole - 1, whole, whole + 1, whole + 200):
        assert same(run(rounds, Counting(shoes)), run(rounds, Backwards(300)))


@pytest.mark.slow
def test_the_size_of_batches_changes_nothing() -> None:
    whole = run(200_000, Backwards(10_000))
    assert all(same(whole, run(200_000, Backwards(shoes))) for shoes in (1, 7, 64, 999))


def test_a_run_goes_on_from_any_of_its_sums() -> None:
    whole = run(100_000, Backwards(150))
    for begun in sums(Tally.empty(DEALS), 100_000, Backwards(150)):
        if begun.rounds < 100_000:
            kept = Tally.from_arrays(DEALS, begun.arrays())
            assert same(run(100_000, Backwards(90), kept), whole)


def test_a_run_that_ends_with_a_shoe_has_no_broken_one() -> None:
    batch = DEALS.play(0, 10)
    tally = run(batch.rounds, Backwards(300))
    assert (tally.histogram == batch.histogram).all()
    assert tally.shoes == 10 == tally.next_shoe


def test_seeds_differ() -> None:
    other = deals_of(load("easy-six"), ShoeTerms(), 21)
    assert (DEALS.play(0, 50).histogram != other.play(0, 50).histogram).any()


def test_another_number_of_shoes_is_another_batch() -> None:
    assert isinstance(DEALS.play(0, 3, 1), Batch)
    assert DEALS.play(0, 3, 1).lengths[-1] == 1


def test_rounds_per_shoe_are_known_only_from_shoes() -> None:
    """Nothing from no shoe, no error from one or from shoes that are all alike."""
    deals = deals_of(load("commission"), ShoeTerms(), 5)
    assert Tally.empty(deals).rounds_per_shoe == (None, None)
    lengths = [int(length) for length in deals.play(0, 30).lengths]
    assert Tally.empty(deals).plus(deals.play(0, 1)).rounds_per_shoe == (lengths[0], None)
    mean, error = Tally.empty(deals).plus(deals.play(0, 30)).rounds_per_shoe
    assert mean == pytest.approx(fmean(lengths))
    assert error == pytest.approx(stdev(lengths) / 30**0.5)
    fixed = deals_of(load("commission"), ShoeTerms(rounds_per_shoe=60), 5)
    assert Tally.empty(fixed).plus(fixed.play(0, 30)).rounds_per_shoe == (60.0, None)
