"""A loss of power takes nothing that was answered; where the disk is not waited for, that is noticed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.crash.disk import Disk
from tests.crash.power import Recording, cut_power, loses_answers
from tests.crash.tracing import needs_strace

POINTS = 10
"""Points at which the power is cut, each twice: without what was not synced, and with any part of it."""


@needs_strace
@pytest.mark.slow
def test_what_was_answered_outlives_a_loss_of_power(tmp_path: Path) -> None:
    recording = Recording(tmp_path, 5, "checkpoint=40")
    all_points = sum(1 for _ in recording.cuts())
    points = set(Random("power").sample(range(all_points), POINTS - 1)) | {all_points - 1}
    counts = cut_power(recording, 1, points)
    assert counts["cuts"] == 2 * len(points) >= 20 - 2 and counts["answers held"] > 20
    print(dict(counts))


@needs_strace
@pytest.mark.slow
@pytest.mark.parametrize("setting", ["OFF", "NORMAL"])
def test_it_would_be_noticed(tmp_path: Path, setting: str) -> None:
    """The control: with a weaker setting of SQLite the same cuts find answers that are lost."""
    assert loses_answers(Recording(tmp_path, 2, f"synchronous={setting}"), 1)


def test_a_disk_keeps_what_was_synced(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / "a").write_bytes(b"abc")
    disk = Disk(old, ["a", "b"])
    disk.file(str(old / "a")).write(2, b"XYZ")
    disk.file(str(old / "a")).sync()
    disk.file(str(old / "a")).cut(1)
    disk.file(str(old / "b")).write(0, b"new")
    disk.file(str(old / "b")).sync()
    for folder_synced in (False, True):
        if folder_synced:
            disk.sync_folder()
        new.mkdir()
        disk.cut_power(new, None)
        assert (new / "a").read_bytes() == b"abXYZ"
        assert (new / "b").exists() == folder_synced
        for path in new.iterdir():
            path.unlink()
        new.rmdir()
    left = {disk.files["a"].after_a_power_cut(Random(seed)) for seed in range(20)}
    assert left == {b"abXYZ", b"a"}
