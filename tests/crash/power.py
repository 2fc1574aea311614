"""Power loss: what a worker wrote is recorded, and the power is cut after every sync and after every answer.

kill -9 cannot show this: the system still writes what a dead process had written. Here everything that was
not synced is left out, or any part of it is, and the house must still hold every answer given before the cut.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from punto.store.errors import StoreError
from tests.crash.checking import check
from tests.crash.disk import Disk
from tests.crash.house import found
from tests.crash.journal import Known
from tests.crash.tracing import Call, record

NAMES = ["house.db", "house.db-wal", "house.db-journal"]
"""What SQLite keeps on the disk; the index of the log (-shm) is made anew after a loss of power."""


class Recording:
    """What one worker did to the files of a house."""

    def __init__(self, folder: Path, steps: int, *options: str) -> None:
        self.folder = folder
        self.journal = folder / "journal"
        found(str(folder / "house.db"))
        self.before = folder / "before"
        self.before.mkdir()
        shutil.copy(folder / "house.db", self.before)
        self.calls = record(folder, str(folder / "house.db"), str(self.journal), str(steps), *options)

    def cuts(self) -> Iterator[tuple[str, Disk, Known]]:
        """The disk and what clients know, after every sync and every answer; why it is cut there."""
        disk = Disk(self.before, NAMES)
        disk.folder = self.folder
        known = Known()
        for call in self.calls:
            reason = self._take(call, disk, known)
            if reason:
                yield reason, disk, known

    def _take(self, call: Call, disk: Disk, known: Known) -> str:
        if call.path == str(self.journal) and call.name == "write":
            answers = len(known.answered)
            known.add(call.data)
            return "answer" if len(known.answered) > answers else ""
        if call.path == str(self.folder) and call.name in ("fsync", "fdatasync"):
            disk.sync_folder()
            return "sync"
        if not disk.has(call.path):
            return ""
        match call.name:
            case "open":
                disk.file(call.path)
            case "pwrite64":
                disk.file(call.path).write(call.number, call.data)
            case "ftruncate":
                disk.file(call.path).cut(call.number)
            case "unlink":
                disk.remove(call.path)
            case "fsync" | "fdatasync":
                disk.file(call.path).sync()
                return "sync"
        return ""


def cut_power(recording: Recording, seed: int, cuts: set[int] | None = None) -> Counter[str]:
    """Cut the power at these points, or at all, and check what is left each time; what was counted."""
    counts: Counter[str] = Counter()
    for number, (reason, disk, known) in enumerate(recording.cuts()):
        counts["points"] += 1
        if cuts is not None and number not in cuts:
            continue
        for random in (None, Random(f"{seed}/{number}")):
            with tempfile.TemporaryDirectory(prefix="punto-power-") as name:
                disk.cut_power(Path(name), random)
                check(str(Path(name) / "house.db"), known)
            counts[f"after {'an' if reason == 'answer' else 'a'} {reason}"] += 1
            counts["cuts"] += 1
        counts["answers held"] += len(known.answered)
    return counts


def loses_answers(recording: Recording, seed: int) -> bool:
    """Whether a loss of power is caught losing something: so it must be where nothing is synced."""
    try:
        cut_power(recording, seed)
    except (AssertionError, StoreError):
        return True
    return False
