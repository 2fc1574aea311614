"""`punto simulate`: rounds of a book from whole shoes, every bet beside its exact value. A long run in a
terminal announces its compiling, shows its progress, keeps checkpoints and obeys Ctrl-C.
"""

from __future__ import annotations

import secrets
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import typer

from punto.cli.files import LARGEST_KEPT, check_result_format, check_writable, read_bytes, write_whole
from punto.cli.main import INTERRUPTED
from punto.cli.options import JSON_HELP, BookArgument, complete_policy, complete_strategy, open_book, option, read_as
from punto.cli.output import answer_json, complain, refuse
from punto.cli.shoe_options import DECKS_HELP, allowed_decks
from punto.cli.simulation_options import StrategyOptions, sessions_of
from punto.inputs import rounds_of, seed_of, workers_of
from punto.reports.formats import DRAWN, SIMULATION_ENDINGS, check_libraries

if TYPE_CHECKING:
    from punto.rules.book import Book
    from punto.simulation.deals import Deals, PlayedShoes, ShoeTerms
    from punto.simulation.run import Run, Sum, Work, Workers
    from punto.studies.session_results import SessionResults
    from punto.studies.simulation_results import Convergence, Simulated

    End = Callable[[int], None]

CHECKPOINT_SECONDS = 2.0
FRESH_BITS = 53  # Of a seed that nobody chose: any program that reads JSON keeps this many.

SumT = TypeVar("SumT", bound="Sum[Any]")


@dataclass(frozen=True, slots=True)
class Finished(Generic[SumT]):
    """What a run came to, whether or not it was let run to its end."""

    total: SumT
    rounds_per_second: float  # Of the rounds played now, without start-up and compiling.
    is_interrupted: bool

    def end(self, wanted: int) -> None:
        """After the answer: say that it is a partial one, if it is."""
        if self.is_interrupted:
            complain(f"interrupted: these are the {self.total.rounds:,} rounds played out of {wanted:,}")
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
        except WrongCheckpoint as error:
            refuse(f"{self._path} {error}")
        except (KeyError, ValueError):
            refuse(f"{self._path} is a damaged checkpoint")

    def keep(self, total: SumT) -> None:
        """Write the state now and then."""
        if time.monotonic() >= self._due:
            self.keep_now(total)

    def keep_now(self, total: SumT) -> None:
        from punto.simulation.run import to_checkpoint

        if self._path is not None:
            write_whole(self._path, to_checkpoint(self._run, total.arrays()))
            self._due = time.monotonic() + CHECKPOINT_SECONDS


def play_long_run(
    start: SumT, rounds: int, pool: Workers, checkpoints: Checkpoints, look: Callable[[SumT], None] | None = None
) -> Finished[SumT]:
    """Play to this many rounds, or until Ctrl-C; `look` gets every intermediate sum."""
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
                    checkpoints.keep(total)
        except KeyboardInterrupt:
            is_interrupted = True
    seconds = time.perf_counter() - begun
    if is_interrupted:
        checkpoints.keep_now(total)
    if not total.rounds:
        complain("interrupted before the first batch of rounds was played")
        raise typer.Exit(INTERRUPTED)
    return Finished(total, (total.rounds - start.rounds) / seconds, is_interrupted)


def warm_up(work: Work[PlayedShoes], pool: Workers) -> None:
    """Load the kernels, or compile them once and say so: what follows can then be timed."""
    from punto.simulation.machine_code import telling

    with telling(lambda: complain("compiling the kernels for this machine, once: some seconds")):
        work.play(0, 1)
    pool.submit(work, 0, 1).result()


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

    rate, left = TextColumn("{task.fields[rate]}"), TextColumn("left")
    columns = (BarColumn(), TaskProgressColumn(), rate, TimeRemainingColumn(), left)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=rounds, completed=done, rate="")

        def show(played: int) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=played, rate=f"{speed / 1e6:,.0f} million rounds/s" if speed else "")

        yield show


# The groups in which the help lists the options.
_played = partial(option, show_default=True, rich_help_panel="What is played")
_strategy = partial(option, show_default=True, rich_help_panel="Strategy")
_decision = partial(option, show_default=True, rich_help_panel="Insurance and antes", autocompletion=complete_policy)
_money = partial(option, show_default=True, rich_help_panel="Limits and bankroll")
_OUTPUT, _PLACE = "Output", "Where it runs"
_place = partial(option, show_default=True, rich_help_panel=_PLACE)
_output = partial(option, show_default=True, rich_help_panel=_OUTPUT)

RoundsOption = Annotated[str, _played("--rounds", "N", "Rounds to play, such as 1000000 or 1e9.")]
DecksOption = Annotated[int | None, _played("--decks", "N", DECKS_HELP)]
SeedOption = Annotated[
    int | None, _played("--seed", "SEED", "A whole number that fixes every card; default: a fresh one.")
]
CutOption = Annotated[int | None, _played("--cut", "CARDS", "Cards behind the cut card; default: 14.")]
RoundsPerShoeOption = Annotated[int | None, _played("--rounds-per-shoe", "N", "Rounds from each shoe; no cut card.")]
BurnOption = Annotated[str, _played("--burn", "HOW", "first-card, none, or a number of cards.")]
StrategyOption = Annotated[
    str | None,
    _strategy(
        "--strategy",
        "NAME",
        "flat, count, a progression such as martingale, or your own as FILE.py:FUNCTION.",
        autocompletion=complete_strategy,
    ),
]
BetOption = Annotated[list[str] | None, _strategy("--bet", "AREA=AMOUNT", "A bet of the strategy; can be repeated.")]
TagsOption = Annotated[str | None, _strategy("--tags", "NUMBERS", "What A 2 … 9 10 add to the count.")]
TriggerOption = Annotated[float | None, _strategy("--trigger", "COUNT", "The true count from which to bet.")]
LineOption = Annotated[
    str | None, _strategy("--line", "NUMBERS", "The line a Labouchère starts with; default: 1,2,3,4.")
]
InsureOption = Annotated[str, _decision("--insure", "POLICY", "never, always, best, or a JSON file.")]
GiveUpOption = Annotated[str, _decision("--give-up", "POLICY", "Antes: never, always, best, or a JSON file.")]
MinimumOption = Annotated[str | None, _money("--min", "AMOUNT", "The table's minimum bet.")]
MaximumOption = Annotated[str | None, _money("--max", "AMOUNT", "The table's maximum bet.")]
BankrollOption = Annotated[str | None, _money("--bankroll", "AMOUNT", "Money that a session starts with.")]
GoalOption = Annotated[str | None, _money("--goal", "AMOUNT", "End a session once it has won this much.")]
StopLossOption = Annotated[str | None, _money("--stop-loss", "AMOUNT", "End a session once it has lost this much.")]
SessionShoesOption = Annotated[int, _money("--session-shoes", "N", "Shoes in a session, unless it ends sooner.")]
WorkersOption = Annotated[int | None, _place("--workers", "N", "CPU cores to use; default: all.")]
ClusterOption = Annotated[str | None, _place("--cluster", "ADDRESS", "Play on a Dask cluster; local starts one here.")]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Play on a GPU.", rich_help_panel=_PLACE)]
CheckpointOption = Annotated[str | None, _place("--checkpoint", "FILE", "Save progress here, and go on from it.")]
OutputOption = Annotated[str | None, _output("--output -o", "FILE", "Write .parquet, .csv, .json, .html or .svg.")]
JsonOption = Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=_OUTPUT)]


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
    if output is not None:
        check_libraries(Path(output).suffix.lower())
    from punto.simulation.run import deals_of

    wanted_rounds = read_as(rounds_of, rounds)
    chosen_seed = secrets.randbits(FRESH_BITS) if seed is None else read_as(seed_of, seed)
    cores = read_as(workers_of, workers, "--")
    rule_book = open_book(book)
    terms = _terms(allowed_decks(rule_book, decks), cut, rounds_per_shoe, burn)
    result = check_result_format(output, SIMULATION_ENDINGS) if output is not None else None
    checkpoint_file = check_writable(checkpoint) if checkpoint is not None else None
    if result is not None and result == checkpoint_file:
        refuse(f"{output} cannot be the checkpoint and the result: give two files")
    options = StrategyOptions(
        strategy or "", tuple(bet or ()), tags, trigger, line, insure, give_up, minimum, maximum, bankroll, goal,
        stop_loss, session_shoes,
    )  # fmt: skip
    if strategy is None:
        _refuse_without_strategy(options.named())
    deals = deals_of(rule_book, terms, chosen_seed)
    if gpu and (cluster is not None or strategy is not None):
        refuse("a GPU counts bets for one machine: give --gpu without --cluster and without --strategy")
    answer: Simulated | SessionResults
    looks = _looks(rule_book, result)
    with closing(_pool(cores, cluster, gpu)) as pool:
        if strategy is None:
            answer, end = _count_bets(rule_book, deals, wanted_rounds, pool, checkpoint_file, looks)
        else:
            answer, end = _play_sessions(rule_book, deals, wanted_rounds, pool, checkpoint_file, options)
    if result is not None:
        _write(result, answer, looks, has_named_seed=seed is not None)
    if json:
        answer_json(answer.record())
    else:
        from punto.cli.ink import show

        show(answer.table(), *answer.remarks())
    end(wanted_rounds)


def _refuse_without_strategy(names: list[str]) -> None:
    """Nothing that only a strategy heeds is silently left out."""
    if names:
        *first, last = names
        belong = f"{', '.join(first)} and {last} belong" if first else f"{last} belongs"
        refuse(f"{belong} to a strategy: give --strategy")


def _looks(book: Book, result: Path | None) -> Convergence | None:
    """What gathers the intermediate sums, where the result is drawn."""
    if result is None or result.suffix.lower() not in DRAWN:
        return None
    from punto.studies.simulation_results import Convergence

    return Convergence(book)


def _pool(cores: int, cluster: str | None, gpu: bool) -> Workers:
    from punto.simulation.cluster import Cluster
    from punto.simulation.gpu import Gpu
    from punto.simulation.run import Threads

    if cluster is not None:
        return Cluster(cluster, cores)
    return Gpu() if gpu else Threads(cores)


def _write(path: Path, answer: Simulated | SessionResults, looks: Convergence | None, *, has_named_seed: bool) -> None:
    """The result in the format that the file's name asks for."""
    from punto.reports.formats import simulation_bytes

    # The command line, with the seed that it had even if nobody named one.
    seed = [] if has_named_seed else ["--seed", str(answer.run.seed)]
    command = shlex.join(["punto", *sys.argv[1:], *seed])
    write_whole(path, simulation_bytes(path.suffix.lower(), answer, looks, command))


def _count_bets(
    book: Book, deals: Deals, rounds: int, pool: Workers, checkpoint_file: Path | None, looks: Convergence | None
) -> tuple[Simulated, End]:
    """Every bet that the deal decides, counted."""
    from punto.simulation.run import Run, Tally
    from punto.studies.simulation_results import beside_exact

    checkpoints = Checkpoints(Run.of(book.text, deals, rounds), checkpoint_file)
    start = checkpoints.start(lambda arrays: Tally.from_arrays(deals, arrays), Tally.empty(deals))
    warm_up(deals, pool)
    played = play_long_run(start, rounds, pool, checkpoints, looks.look if looks is not None else None)
    return beside_exact(book, played.total, played.rounds_per_second), played.end


def _play_sessions(
    book: Book, deals: Deals, rounds: int, pool: Workers, checkpoint_file: Path | None, options: StrategyOptions
) -> tuple[SessionResults, End]:
    from punto.simulation.run import Run
    from punto.simulation.sessions import SessionTally
    from punto.studies.session_results import SessionResults, exact_values

    sessions = sessions_of(book, deals, options)
    pool.batch_shoes = sessions.batch_shoes
    checkpoints = Checkpoints(Run.of(book.text, deals, rounds, sessions.identity), checkpoint_file)
    start = checkpoints.start(lambda arrays: SessionTally.from_arrays(sessions, arrays), SessionTally.empty(sessions))
    warm_up(sessions, pool)
    played = play_long_run(start, rounds, pool, checkpoints)
    exact = exact_values(sessions)
    return SessionResults(book, options.strategy, played.total, exact, played.rounds_per_second), played.end


def _terms(decks: int, cut: int | None, rounds_per_shoe: int | None, burn: str) -> ShoeTerms:
    from punto.cards.shoe import Burn
    from punto.simulation.deals import ShoeTerms

    if cut is not None and rounds_per_shoe is not None:
        refuse("give --cut or --rounds-per-shoe, not both: a shoe ends by one of them")
    way = read_as(Burn.parse, burn)
    behind = ShoeTerms().behind_cut if cut is None else cut
    terms = ShoeTerms(decks=decks, behind_cut=behind, rounds_per_shoe=rounds_per_shoe, burn=way)
    if problem := terms.problem():
        refuse(problem)
    return terms
