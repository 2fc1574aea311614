"""A crash, a full disk or a failing one at a writing call: nothing is answered that is not there.

`tools/crash.py points` and `tools/crash.py disk` go through every writing call of every moment.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.crash.points import KILL, moments, strike_at
from tests.crash.tracing import Point, needs_strace


@needs_strace
@pytest.mark.slow
def test_some_points_of_a_settlement(tmp_path: Path) -> None:
    [settle] = moments(tmp_path, ("settle",))
    assert {"pwrite64", "fdatasync"} <= {point.call for point in settle.points}
    counts: Counter[str] = Counter()
    for fault, call, nth in [
        (KILL, "pwrite64", "1"),
        (KILL, "pwrite64", "5"),
        (KILL, "fdatasync", "1"),
        ("error=ENOSPC", "pwrite64", "3"),
        ("error=ENOSPC", "pwrite64", "3+"),
        ("error=EIO", "fdatasync", "1"),
    ]:
        counts += strike_at(settle, tmp_path / "strike", fault, Point("files", call, nth))
    print(dict(counts))
    assert counts["killed"] == 3 and counts["gave up"] == 1 and counts["errors told"] >= 5
