"""Group commit: batches share a transaction, nobody is answered too early, and one bad job harms no other."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from threading import Event

import pytest

from punto.store.errors import CommitUnknown, StoreError, StoreLocked
from punto.store.record import StoredCommand
from punto.store.store import GroupCommit, Store
from punto.store.transaction import Transaction


def key_of(job: int) -> str:
    return f"k{job}"


class Batches:
    """Jobs are numbers; each is kept as a command, and its answer is twice the number."""

    def __init__(self) -> None:
        self.seen: list[list[int]] = []
        self.fails: dict[int, list[Exception]] = {}
        self.begun, self.go_on = Event(), Event()
        self.go_on.set()
        self.committed = 0

    def run(self, transaction: Transaction, jobs: Sequence[int]) -> list[int]:
        self.seen.append(list(jobs))
        self.begun.set()
        assert self.go_on.wait(60)
        for job in jobs:
            transaction.add_command(StoredCommand("Lee", key_of(job), "{}"))
        for job in jobs:
            if self.fails.get(job):
                raise self.fails[job].pop()
        return [job * 2 for job in jobs]

    def count(self) -> None:
        self.committed += 1


def kept(store: Store, count: int) -> set[str]:
    with store.read() as reader:
        return {key for _, key in reader.answers(("Lee", key_of(i)) for i in range(count))}


def submit_together(group: GroupCommit[int, int], batches: Batches, count: int) -> list[Future[int]]:
    """Job 0 is held in its batch until the others wait."""
    batches.go_on.clear()
    futures = [group.submit(0)]
    assert batches.begun.wait(60)
    futures += [group.submit(i) for i in range(1, count)]
    batches.go_on.set()
    return futures


def test_what_waits_shares_a_transaction(store: Store) -> None:
    batches = Batches()
    group = GroupCommit(store, batches.run, committed=batches.count)
    futures = submit_together(group, batches, 20)
    assert [future.result(60) for future in futures] == [i * 2 for i in range(20)]
    assert batches.seen == [[0], list(range(1, 20))] and batches.committed == 2
    group.close()
    assert kept(store, 20) == {key_of(i) for i in range(20)}


def test_an_answer_comes_after_the_commit(store: Store) -> None:
    """Whoever has the answer finds the job in the database, through another connection."""
    batches = Batches()
    group = GroupCommit(store, batches.run)
    for i in range(20):
        group.submit(i).result(60)
        assert kept(store, i + 1) == {key_of(job) for job in range(i + 1)}
    group.close()


def test_one_bad_job_harms_no_other(store: Store) -> None:
    batches = Batches()
    batches.fails[3] = [KeyError(3), KeyError(3)]
    group = GroupCommit(store, batches.run)
    futures = submit_together(group, batches, 6)
    for i, future in enumerate(futures):
        if i == 3:
            assert isinstance(future.exception(60), KeyError)
        else:
            assert future.result(60) == i * 2
    group.close()
    assert batches.seen == [[0], [1, 2, 3, 4, 5], [1], [2], [3], [4], [5]]
    assert kept(store, 6) == {key_of(i) for i in range(6) if i != 3}


def test_locks_of_others_are_tried_again(store: Store) -> None:
    batches = Batches()
    batches.fails[1] = [StoreLocked("deadlock")] * 2
    group = GroupCommit(store, batches.run)
    assert group.submit(1).result(60) == 2
    assert batches.seen == [[1]] * 3
    batches.fails[2] = [StoreLocked("deadlock")] * 3
    assert isinstance(group.submit(2).exception(60), StoreLocked)
    group.close()
    assert kept(store, 3) == {key_of(1)}


def test_what_nobody_can_know_is_not_run_again(store: Store) -> None:
    batches = Batches()
    batches.fails[2] = [CommitUnknown("lost")]
    group = GroupCommit(store, batches.run)
    futures = submit_together(group, batches, 4)
    assert futures[0].result(60) == 0
    for future in futures[1:]:
        assert isinstance(future.exception(60), CommitUnknown)
    group.close()
    assert batches.seen == [[0], [1, 2, 3]]


def test_batches_have_a_largest_size(store: Store) -> None:
    batches = Batches()
    group = GroupCommit(store, batches.run, largest=4)
    futures = submit_together(group, batches, 10)
    assert [future.result(60) for future in futures] == [i * 2 for i in range(10)]
    assert [len(jobs) for jobs in batches.seen] == [1, 4, 4, 1]
    group.close()


def test_closing_finishes_what_was_handed_in(store: Store) -> None:
    batches = Batches()
    group = GroupCommit(store, batches.run)
    futures = submit_together(group, batches, 10)
    group.close()
    assert all(future.done() for future in futures)
    with pytest.raises(StoreError, match="closing"):
        group.submit(11)
    group.close()


def test_a_job_that_was_withdrawn_is_not_done(store: Store) -> None:
    batches = Batches()
    group = GroupCommit(store, batches.run)
    batches.go_on.clear()
    first = group.submit(0)
    assert batches.begun.wait(60)
    second, third = group.submit(1), group.submit(2)
    assert second.cancel()
    batches.go_on.set()
    assert (first.result(60), third.result(60)) == (0, 4)
    group.close()
    assert kept(store, 3) == {key_of(0), key_of(2)}


def test_what_was_handed_in_together_shares_a_batch_and_is_answered_together(store: Store) -> None:
    batches, answered = Batches(), list[Sequence[int | BaseException]]()
    group = GroupCommit(store, batches.run, largest=4)
    batches.go_on.clear()
    first = group.submit(0)
    assert batches.begun.wait(60)
    group.submit_all([1, 2, 3, 4, 5, 6], answered.append)
    alone = group.submit(7)
    group.submit_all([8, 9], answered.append)
    batches.go_on.set()
    assert (first.result(60), alone.result(60)) == (0, 14)
    group.close()
    assert batches.seen == [[0], [1, 2, 3, 4, 5, 6], [7, 8, 9]], "a parcel is not taken apart"
    assert [list(outcomes) for outcomes in answered] == [[2, 4, 6, 8, 10, 12], [16, 18]]
    assert kept(store, 10) == {key_of(i) for i in range(10)}
    with pytest.raises(StoreError, match="closing"):
        group.submit_all([10], answered.append)


def test_a_bad_job_of_a_parcel_has_its_own_error(store: Store) -> None:
    batches, answered = Batches(), list[Sequence[int | BaseException]]()
    batches.fails[2] = [KeyError(2), KeyError(2)]
    group = GroupCommit(store, batches.run)
    group.submit_all([1, 2, 3], answered.append)
    group.close()
    [(one, two, three)] = answered
    assert (one, three) == (2, 6) and isinstance(two, KeyError)
    assert kept(store, 4) == {key_of(1), key_of(3)}
