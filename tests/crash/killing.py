"""kill -9 at random moments: a house that is struck down and gets up again, over and over."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path
from random import Random

from tests.crash.checking import check
from tests.crash.house import found
from tests.crash.journal import Known
from tests.crash.worker import LOST, work
from tests.store.postgres_server import PostgresServer

LONGEST_S = 0.5
"""How long a worker lives at most, once it has been started."""
PATIENCE_S = 120

# A worker is forked from a process that has everything loaded, so most of its life is work.
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.crash.worker"])


def strike(address: str, folder: Path, seed: int, times: int, server: PostgresServer | None = None) -> Counter[str]:
    """Run the house and strike down the worker, or the whole server; what was counted.

    So many times, and more where the machine is so slow that fewer commands were answered between them.
    """
    random, known, counts = Random(f"strike {seed}"), Known(), Counter[str]()
    found(address)
    while (number := counts["strikes"]) < times or counts["answered"] <= times:
        journal = folder / f"journal-{seed}-{number}"
        before = len(known.answered)
        worker = _context.Process(target=work, args=(address, journal, known.unanswered))
        worker.start()
        while not (journal.exists() and journal.stat().st_size) and worker.exitcode is None:
            worker.join(0.01)
        worker.join(random.uniform(0, LONGEST_S))
        if server is not None:
            server.stop_at_once()
            worker.join(PATIENCE_S)
            assert worker.exitcode == LOST, f"the worker ended with {worker.exitcode}"
            server.start_again()
        else:
            assert worker.exitcode is None, f"the worker ended by itself with {worker.exitcode}"
            worker.kill()
            worker.join()
        known.read(journal)
        counts["strikes"] += 1
        counts["in the air"] += len(known.unanswered)
        counts["of these kept"] += check(address, known) - len(known.answered)
        counts["answered"] += len(known.answered) - before
    return counts
