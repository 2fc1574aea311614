"""`punto simulate`: rounds of a book from whole shoes, every bet beside its exact value. A long run in a
terminal announces its compiling, shows its progress, keeps checkpoints and obeys Ctrl-C.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import typer

from punto.cli.files import LARGEST_KEPT, CannotRead, check_result_format, check_writable, read_bytes, write_whole
from punto.cli.main import INTERRUPTED
from punto.cli.options import BookArgument, open_book
from punto.cli.output import answer_json, complain, refuse
from punto.cli.shoe_options import allowed_decks
from punto.cli.simulation_options import (
    AskedStrategy,
    BankrollOption,
    BetOption,
    BurnOption,
    CheckpointOption,
    ClusterOption,
    CutOption,
    DecksOption,
    GiveUpOption,
    GoalOption,
    GpuOption,
    InsureOption,
    JsonOption,
    LineOption,
    MaximumOption,
    MinimumOption,
    OutputOption,
    RoundsOption,
    RoundsPerShoeOption,
    SeedOption,
    SessionShoesOption,
    StopLossOption,
    StrategyOption,
    TagsOption,
    TriggerOption,
    WorkersOption,
    sessions_of,
)
from punto.reports.formats import DRAWN, SIMULATION_ENDINGS

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.simulation.deals import Deals, PlayedShoes, ShoeTerms
    from punto.simulation.run import Run, Sum, Work, Workers
    from punto.studies.session_results import SessionResults
    from punto.studies.simulation_results import Convergence, Simulated


CHECKPOINT_SECONDS = 2.0

SumT = TypeVar("SumT", bound="Sum[Any]")


@dataclass(frozen=True, slots=True)
class Finished(Generic[SumT]):
    """What a run came to, whether or not it was let run to its end."""

    total: SumT
    rounds_per_second: float  # Of the rounds played now, without start-up and compiling.
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
        from punto.simulation.run import WrongCheckpoint, from_checkpoint

        if self._path is None or not self._path.exists():
            return empty
        try:
            return read(from_checkpoint(self._run, read_bytes(self._path, LARGEST_KEPT)))
        except CannotRead as error:
            refuse(str(error))
        except WrongCheckpoint as error:
            refuse(f"{self._path} {error}")
        except (KeyError, ValueError):
            refuse(f"{self._path} is a damaged checkpoint")

    def keep(self, total: SumT, is_due: bool = False) -> None:
        """Write the state now and then, or now."""
        from punto.simulation.run import to_checkpoint

        if self._path is not None and (is_due or time.monotonic() >= self._due):
            write_whole(self._path, to_checkpoint(self._run, total.arrays()))
            self._due = time.monotonic() + CHECKPOINT_SECONDS


def play_long_run(
    start: SumT, rounds: int, pool: Workers, state: Checkpoints, look: Callable[[SumT], None] | None = None
) -> Finished[SumT]:
    """Play to this many rounds, or until Ctrl-C; `look` gets every intermediate sum."""
    from punto.simulation.cluster import NoCluster
    from punto.simulation.run import sums

    total, is_interrupted = start, False
    begun = time.perf_counter()
    with _interruptible(), _progress(start.rounds, rounds) as show:
        try:
            for total in sums(start, rounds, pool):
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


def warm_up(work: Work[PlayedShoes], pool: Workers) -> None:
    """Load the kernels, or compile them once and say so: what follows can then be timed."""
    from punto.simulation.cluster import NoCluster
    from punto.simulation.machine_code import telling

    with telling(lambda: complain("compiling the kernels for this machine, once: some seconds")):
        work.play(0, 1)
    try:
        pool.submit(work, 0, 1).result()
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


if TYPE_CHECKING:
    End = Callable[[int], None]

MOST_ROUNDS = 10**15
MOST_WORKERS = 1024
FRESH_BITS = 53  # Of a seed that nobody chose: any program that reads JSON keeps this many.


def simulate(
    book: BookArgument,
    rounds: RoundsOption = "1e8",
    decks: DecksOption = None,
    seed: SeedOption = None,
    cut: CutOption = None,
    rounds_per_shoe: RoundsPerShoeOption = None,
    burn: BurnOption = "first-card",
    strategy: StrategyOption = None,
    bet: BetOption = None,
    tags: TagsOption = None,
    trigger: TriggerOption = None,
    line: LineOption = None,
    insure: InsureOption = "never",
    give_up: GiveUpOption = "best",
    minimum: MinimumOption = None,
    maximum: MaximumOption = None,
    bankroll: BankrollOption = None,
    goal: GoalOption = None,
    stop_loss: StopLossOption = None,
    session_shoes: SessionShoesOption = 1,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    gpu: GpuOption = False,
    checkpoint: CheckpointOption = None,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Simulate whole shoes and give every bet's mean, error, exact value and z-score."""
    asked, fresh = _rounds(rounds), _seed(seed)
    cores = _workers(workers)
    rule_book = open_book(book)
    terms = _terms(allowed_decks(rule_book, decks), cut, rounds_per_shoe, burn)
    result = check_result_format(output, SIMULATION_ENDINGS) if output is not None else None
    kept = check_writable(checkpoint) if checkpoint is not None else None
    if result is not None and result == kept:
        refuse(f"{output} cannot be the checkpoint and the result: give two files")
    if strategy is None and (bet or any(text is not None for text in (tags, line, bankroll, goal, stop_loss))):
        refuse("--bet, --tags, --line, --bankroll, --goal and --stop-loss belong to a strategy: give --strategy")
    deals = _deals(rule_book, terms, fresh)
    if gpu and (cluster is not None or strategy is not None):
        refuse("a GPU counts bets for one machine: give --gpu without --cluster and without --strategy")
    if gpu and any(table.cards is not None for table in rule_book.pay_tables.values()):
        refuse("a GPU does not simulate bets on single cards; leave --gpu out, or remove those bets")
    pool = _pool(cores, cluster, gpu)
    answer: Simulated | SessionResults
    looks = _looks(rule_book) if result is not None and result.suffix.lower() in DRAWN else None
    if strategy is None:
        answer, end = _count_bets(rule_book, deals, asked, pool, kept, looks)
    else:
        options = AskedStrategy(
            strategy, bet or [], tags, trigger, line, insure, give_up, minimum, maximum, bankroll, goal,
            stop_loss, session_shoes,
        )  # fmt: skip
        answer, end = _play_sessions(rule_book, deals, asked, pool, kept, options)
    if result is not None:
        _write(result, answer, looks)
    if json:
        answer_json(answer.record())
    else:
        from punto.cli.ink import show

        show(answer.table(), *answer.remarks())
    end(asked)


def _deals(book: Book, terms: ShoeTerms, seed: int) -> Deals:
    from punto.simulation.run import deals_of

    return deals_of(book, terms, seed)


def _pool(cores: int, cluster: str | None, gpu: bool) -> Workers:
    """The players of batches; the command ends if they are not available."""
    if gpu:
        from punto.simulation.gpu import Gpu, NoGpu

        try:
            return Gpu()
        except NoGpu as error:
            refuse(str(error))
    if cluster is not None:
        from punto.simulation.cluster import Cluster, NoCluster

        try:
            return Cluster(cluster, cores)
        except NoCluster as error:
            refuse(str(error))
    from punto.simulation.run import Threads

    return Threads(cores)


def _looks(book: Book) -> Convergence:
    from punto.studies.simulation_results import Convergence

    return Convergence(book)


def _write(path: Path, answer: Simulated | SessionResults, looks: Convergence | None) -> None:
    """The result in the format that the file's name asks for."""
    from punto.reports.formats import simulation_bytes

    # The command line, with the seed that it had even if nobody named one.
    named = [] if "--seed" in sys.argv else ["--seed", str(answer.record()["seed"])]
    command = shlex.join(["punto", *sys.argv[1:], *named])
    write_whole(path, simulation_bytes(path.suffix.lower(), answer, looks, command))


def _count_bets(
    book: Book, deals: Deals, rounds: int, pool: Workers, kept: Path | None, looks: Convergence | None
) -> tuple[Simulated, End]:
    """Every bet that the deal decides, counted."""
    from punto.simulation.run import Tally, run_of
    from punto.studies.simulation_results import beside_exact

    state = Checkpoints(run_of(book.text, deals, rounds), kept)
    start = state.start(lambda arrays: Tally.from_arrays(deals, arrays), Tally.empty(deals))
    warm_up(deals, pool)
    played = play_long_run(start, rounds, pool, state, looks.look if looks is not None else None)
    pool.close()
    return beside_exact(book, played.total, played.rounds_per_second), played.end


def _play_sessions(
    book: Book, deals: Deals, rounds: int, pool: Workers, kept: Path | None, options: AskedStrategy
) -> tuple[SessionResults, End]:
    """A strategy, played in sessions."""
    from punto.simulation.own_strategy import StrategyFault
    from punto.simulation.run import run_of
    from punto.simulation.sessions import SessionTally
    from punto.studies.session_results import SessionResults, exact_values

    sessions = sessions_of(book, deals, options)
    pool.batch_shoes = sessions.batch_shoes
    state = Checkpoints(run_of(book.text, deals, rounds, sessions.identity), kept)
    empty = SessionTally.empty(sessions)
    start = state.start(lambda arrays: SessionTally.from_arrays(sessions, arrays), empty)
    try:
        warm_up(sessions, pool)
        played = play_long_run(start, rounds, pool, state)
    except StrategyFault as error:
        refuse(str(error))
    finally:
        pool.close()
    exact = exact_values(sessions)
    results = SessionResults(book, options.strategy, played.total, exact, played.rounds_per_second)
    return results, played.end


_ROUNDS = re.compile(r"[0-9]{1,16}(\.[0-9]{1,16})?([eE]\+?[0-9]{1,2})?")
"""A number that is short enough to be read at once, such as 1000000, 1e9 or 2.5e8."""


def _rounds(text: str) -> int:
    number = Decimal(text) if _ROUNDS.fullmatch(text) else Decimal(0)
    rounds = int(number) if number == number.to_integral_value() else 0
    if not 1 <= rounds <= MOST_ROUNDS:
        refuse(f"{text!r} is not a number of rounds; give a whole number from 1 to 1e15, such as 1e9")
    return rounds


def _seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbits(FRESH_BITS)
    if not 0 <= seed < 1 << 64:
        refuse(f"{seed} is not a seed; give a whole number from 0 to 2^64 - 1")
    return seed


def _workers(workers: int | None) -> int:
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= workers <= MOST_WORKERS:
        refuse(f"--workers must be from 1 to {MOST_WORKERS}, not {workers}")
    return workers


def _terms(decks: int, cut: int | None, rounds_per_shoe: int | None, burn: str) -> ShoeTerms:
    from punto.cards.shoe import Burn
    from punto.simulation.deals import ShoeTerms

    if cut is not None and rounds_per_shoe is not None:
        refuse("give --cut or --rounds-per-shoe, not both: a shoe ends by one of them")
    try:
        way = Burn.parse(burn)
    except ValueError as error:
        refuse(str(error))
    behind = ShoeTerms().behind_cut if cut is None else cut
    terms = ShoeTerms(decks=decks, behind_cut=behind, rounds_per_shoe=rounds_per_shoe, burn=way)
    if problem := terms.problem():
        refuse(problem)
    return terms
