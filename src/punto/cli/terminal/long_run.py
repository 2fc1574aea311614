"""Playing a long run in a terminal: compiling announced, progress shown, checkpoints kept, Ctrl-C obeyed."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import typer

from punto.cli.files.kept_file import LARGEST
from punto.cli.files.reader import CannotRead, read_bytes
from punto.cli.files.result_file import put
from punto.cli.terminal.say import complain, refuse

if TYPE_CHECKING:
    from punto.simulation.batch import PlayedShoes
    from punto.simulation.checkpoint import Run
    from punto.simulation.run import Sum, Work, Workers

INTERRUPTED = 130
CHECKPOINT_SECONDS = 2.0

SumT = TypeVar("SumT", bound="Sum[Any]")


@dataclass(frozen=True, slots=True)
class Finished(Generic[SumT]):
    """What a run came to, whether or not it was let run to its end."""

    total: SumT
    rounds_per_second: float
    """Of the rounds played now, without start-up and compiling."""
    is_interrupted: bool

    def end(self, asked: int) -> None:
        """After the answer: say that it is a partial one, if it is."""
        if self.is_interrupted:
            complain(f"interrupted: these are the {self.total.rounds:,} rounds played out of {asked:,}")
            raise typer.Exit(INTERRUPTED)


class Checkpoints:
    """The file that a run keeps its state in, if it keeps any."""

    def __init__(self, run: Run, path: Path | None) -> None:
        self._run, self._path = run, path
        self._due = time.monotonic() + CHECKPOINT_SECONDS

    def start(self, read: Callable[[Mapping[str, Any]], SumT], empty: SumT) -> SumT:
        """Where to begin: where the file left off; the command ends if the file is of another run."""
        from punto.simulation.checkpoint import WrongCheckpoint, from_bytes

        if self._path is None or not self._path.exists():
            return empty
        try:
            return read(from_bytes(self._run, read_bytes(self._path, LARGEST)))
        except CannotRead as error:
            refuse(str(error))
        except WrongCheckpoint as error:
            refuse(f"{self._path} {error}")
        except (KeyError, ValueError):
            refuse(f"{self._path} is a damaged checkpoint")

    def keep(self, total: SumT, is_due: bool = False) -> None:
        """Write the state now and then, or now."""
        from punto.simulation.checkpoint import to_bytes

        if self._path is not None and (is_due or time.monotonic() >= self._due):
            put(self._path, to_bytes(self._run, total.arrays()))
            self._due = time.monotonic() + CHECKPOINT_SECONDS


def play(
    start: SumT, rounds: int, hands: Workers, state: Checkpoints, look: Callable[[SumT], None] | None = None
) -> Finished[SumT]:
    """Play to this many rounds, or until Ctrl-C; `look` gets every intermediate sum."""
    from punto.simulation.cluster import NoCluster
    from punto.simulation.run import sums

    total, is_interrupted = start, False
    begun = time.perf_counter()
    with _interruptible(), _progress(start.rounds, rounds) as show:
        try:
            for total in sums(start, rounds, hands):
                show(total.rounds)
                if look is not None:
                    look(total)
                if total.rounds < rounds:
                    state.keep(total)
        except KeyboardInterrupt:
            is_interrupted = True
        except NoCluster as error:
            refuse(str(error))
    seconds = time.perf_counter() - begun
    if is_interrupted:
        state.keep(total, is_due=True)
    if not total.rounds:
        complain("interrupted before the first batch of rounds was played")
        raise typer.Exit(INTERRUPTED)
    return Finished(total, (total.rounds - start.rounds) / seconds, is_interrupted)


def warm_up(work: Work[PlayedShoes], hands: Workers) -> None:
    """Load the kernels, or compile them once and say so: what follows can then be timed."""
    from punto.simulation.cluster import NoCluster
    from punto.simulation.kernels.compiling import telling

    with telling(lambda: complain("compiling the kernels for this machine, once: some seconds")):
        work.play(0, 1)
    try:
        hands.submit(work, 0, 1).result()
    except NoCluster as error:
        refuse(str(error))


@contextmanager
def _interruptible() -> Iterator[None]:
    """Heed an interrupt also where a shell started the command in the background, which would ignore it."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(done: int, rounds: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on a terminal's stderr, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=rounds, completed=done, rate="")

        def show(played: int) -> None:
            speed = progress.tasks[0].speed
            rate = f"{speed / 1e6:,.0f} million rounds/s" if speed else ""
            progress.update(task, completed=played, rate=rate)

        yield show
