"""`punto simulate`: rounds of a book from whole shoes, every bet beside its exact value."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import sys
from decimal import Decimal
from typing import TYPE_CHECKING

from punto.cli.files.result_file import check_format, check_writable, put
from punto.cli.options import simulation as option
from punto.cli.options.book import BookArgument, open_book
from punto.cli.options.strategy import Asked, sessions_of
from punto.cli.options.unseen import allowed_decks
from punto.cli.terminal.long_run import Checkpoints, play, warm_up
from punto.cli.terminal.say import answer_json, refuse
from punto.reports.formats import DRAWN, SIMULATION_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from punto.rules.book import Book
    from punto.simulation.batch import Deals
    from punto.simulation.run import Workers
    from punto.simulation.shoe_terms import ShoeTerms
    from punto.studies.convergence import Convergence
    from punto.studies.session_results import SessionResults
    from punto.studies.simulated import Simulated

    End = Callable[[int], None]

MOST_ROUNDS = 10**15
MOST_WORKERS = 1024
FRESH_BITS = 53
"""Of a seed that nobody chose: any program that reads JSON keeps this many."""


def simulate(
    book: BookArgument,
    rounds: option.RoundsOption = "1e8",
    decks: option.DecksOption = None,
    seed: option.SeedOption = None,
    cut: option.CutOption = None,
    rounds_per_shoe: option.RoundsPerShoeOption = None,
    burn: option.BurnOption = "first-card",
    strategy: option.StrategyOption = None,
    bet: option.BetOption = None,
    tags: option.TagsOption = None,
    trigger: option.TriggerOption = None,
    line: option.LineOption = None,
    insure: option.InsureOption = "never",
    give_up: option.GiveUpOption = "best",
    minimum: option.MinimumOption = None,
    maximum: option.MaximumOption = None,
    bankroll: option.BankrollOption = None,
    goal: option.GoalOption = None,
    stop_loss: option.StopLossOption = None,
    session_shoes: option.SessionShoesOption = 1,
    workers: option.WorkersOption = None,
    cluster: option.ClusterOption = None,
    gpu: option.GpuOption = False,
    checkpoint: option.CheckpointOption = None,
    output: option.OutputOption = None,
    json: option.JsonOption = False,
) -> None:
    """Simulate whole shoes and give every bet's mean, error, exact value and z-score."""
    asked, fresh = _rounds(rounds), _seed(seed)
    cores = _workers(workers)
    rule_book = open_book(book)
    terms = _terms(allowed_decks(rule_book, decks), cut, rounds_per_shoe, burn)
    result = check_format(output, SIMULATION_ENDINGS) if output is not None else None
    kept = check_writable(checkpoint) if checkpoint is not None else None
    if result is not None and result == kept:
        refuse(f"{output} cannot be the checkpoint and the result: give two files")
    if strategy is None and (
        bet or any(text is not None for text in (tags, line, bankroll, goal, stop_loss))
    ):
        refuse(
            "--bet, --tags, --line, --bankroll, --goal and --stop-loss belong to a strategy: give --strategy"
        )
    deals = _deals(rule_book, terms, fresh)
    if gpu and (cluster is not None or strategy is not None):
        refuse("a GPU counts bets for one machine: give --gpu without --cluster and without --strategy")
    if gpu and any(table.cards is not None for table in rule_book.pay_tables.values()):
        refuse("a GPU does not simulate bets on single cards; leave --gpu out, or remove those bets")
    hands = _hands(cores, cluster, gpu)
    answer: Simulated | SessionResults
    looks = _looks(rule_book) if result is not None and result.suffix.lower() in DRAWN else None
    if strategy is None:
        answer, end = _count_bets(rule_book, deals, asked, hands, kept, looks)
    else:
        options = Asked(
            strategy, bet or [], tags, trigger, line, insure, give_up, minimum, maximum, bankroll, goal,
            stop_loss, session_shoes,
        )  # fmt: skip
        answer, end = _play_sessions(rule_book, deals, asked, hands, kept, options)
    if result is not None:
        _write(result, answer, looks)
    if json:
        answer_json(answer.record())
    else:
        from punto.cli.terminal.ink import show

        show(answer.table(), *answer.remarks())
    end(asked)


def _deals(book: Book, terms: ShoeTerms, seed: int) -> Deals:
    from punto.simulation.run import deals_of

    return deals_of(book, terms, seed)


def _hands(cores: int, cluster: str | None, gpu: bool) -> Workers:
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
    from punto.studies.convergence import Convergence

    return Convergence(book)


def _write(path: Path, answer: Simulated | SessionResults, looks: Convergence | None) -> None:
    """The result in the format that the file's name asks for."""
    from punto.reports.formats import simulation_bytes

    # The command line, with the seed that it had even if nobody named one.
    named = [] if "--seed" in sys.argv else ["--seed", str(answer.record()["seed"])]
    command = shlex.join(["punto", *sys.argv[1:], *named])
    put(path, simulation_bytes(path.suffix.lower(), answer, looks, command))


def _count_bets(
    book: Book,
    deals: Deals,
    rounds: int,
    hands: Workers,
    kept: Path | None,
    looks: Convergence | None,
) -> tuple[Simulated, End]:
    """Every bet that the deal decides, counted."""
    from punto.simulation.checkpoint import run_of
    from punto.simulation.tally import Tally
    from punto.studies.simulated import beside_exact

    state = Checkpoints(run_of(book.text, deals, rounds), kept)
    start = state.start(lambda arrays: Tally.from_arrays(deals, arrays), Tally.empty(deals))
    warm_up(deals, hands)
    played = play(start, rounds, hands, state, looks.look if looks is not None else None)
    hands.close()
    return beside_exact(book, played.total, played.rounds_per_second), played.end


def _play_sessions(
    book: Book, deals: Deals, rounds: int, hands: Workers, kept: Path | None, options: Asked
) -> tuple[SessionResults, End]:
    """A strategy, played in sessions."""
    from punto.simulation.checkpoint import run_of
    from punto.simulation.strategy import SessionTally
    from punto.simulation.strategy.own_source import StrategyFault
    from punto.studies.session_results import SessionResults
    from punto.studies.stake_values import exact_values

    sessions = sessions_of(book, deals, options)
    hands.batch_shoes = sessions.batch_shoes
    state = Checkpoints(run_of(book.text, deals, rounds, sessions.identity), kept)
    empty = SessionTally.empty(sessions)
    start = state.start(lambda arrays: SessionTally.from_arrays(sessions, arrays), empty)
    try:
        warm_up(sessions, hands)
        played = play(start, rounds, hands, state)
    except StrategyFault as error:
        refuse(str(error))
    finally:
        hands.close()
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
    from punto.cards.burn import Burn
    from punto.simulation.shoe_terms import ShoeTerms

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
