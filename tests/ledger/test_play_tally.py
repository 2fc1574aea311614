"""Counting play in place gives what following it one movement after another gives."""

from __future__ import annotations

import random

import pytest

from punto.ledger.movement import MovementKind
from punto.ledger.play import PAUSE_MS, AccountMovement, PlayCount, PlayDay, PlayTally, followed

DAY_MS = 24 * 60 * 60_000


def day_of(now: int) -> PlayDay:
    """Days of 24 hours, months of thirty of them."""
    day = now // DAY_MS
    return PlayDay(day, day // 7, day // 30)


def any_movement(chance: random.Random, last: AccountMovement | None) -> AccountMovement:
    """A movement soon after the last one, or after a pause, a day or a month, or with the clock put back."""
    before = last.time_ms if last is not None else 40 * DAY_MS
    steps = (0, 1, 60_000, PAUSE_MS - 1, PAUSE_MS, DAY_MS, 9 * DAY_MS, 31 * DAY_MS, -60_000, -2 * DAY_MS)
    time_ms = before + chance.choice(steps) if chance.random() < 0.4 else before + chance.randrange(100_000)
    kind, table = chance.choice([*MovementKind, MovementKind.BET]), chance.choice(("t1", "t1", "t2", None))
    round = chance.choice((1, 1, 2, 3, None))
    return AccountMovement(kind, chance.randrange(-1_000, 1_000), time_ms, table, round)


@pytest.mark.parametrize("seed", range(40))
def test_a_tally_counts_what_following_counts(seed: int) -> None:
    chance, tally, play, last = random.Random(seed), PlayTally(), PlayCount(), None
    assert tally.count == play
    for number in range(200):
        last = any_movement(chance, last)
        play = followed(play, last, day_of)
        tally.take(last.kind, last.amount, last.time_ms, last.table, last.round, day_of)
        assert tally.count == play, f"seed {seed}, movement {number}: {last}"
        assert list(tally.count.rounds) == list(play.rounds), "tables stand in the order in which they were played"
