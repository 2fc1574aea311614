"""`punto simulate`: so many rounds of a book from whole shoes, every bet beside its exact value."""

from __future__ import annotations

import os
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.odds import print_table
from punto.cli.playing import Checkpoints, play, warm_up
from punto.cli.result_file import check_table, check_writable, put_table
from punto.cli.say import answer_json, refuse
from punto.cli.shelf import BookArgument, JsonOption, open_book
from punto.cli.undealt import DecksOption, allowed_decks

if TYPE_CHECKING:
    from punto.simulation.shoe_terms import ShoeTerms

MOST_ROUNDS = 10**15
MOST_WORKERS = 1024


def simulate(
    book: BookArgument,
    rounds: Annotated[
        str, typer.Option("--rounds", metavar="N", help="Rounds to play, such as 1000000 or 1e9.")
    ] = "1e8",
    decks: DecksOption = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="A whole number that fixes every card.", show_default=False),
    ] = None,
    cut: Annotated[
        int | None,
        typer.Option("--cut", metavar="N", help="Cards behind the cut card; 14 if nothing is said."),
    ] = None,
    rounds_per_shoe: Annotated[
        int | None,
        typer.Option("--rounds-per-shoe", metavar="N", help="Deal so many from each shoe, no cut card."),
    ] = None,
    burn: Annotated[
        str, typer.Option("--burn", metavar="HOW", help="first-card, none, or a number of cards.")
    ] = "first-card",
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Cores to use; all if nothing is said."),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep the state here and go on from it."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the bets as .parquet, .csv or .json."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Simulate whole shoes and give every bet's mean, error, exact value and z-score."""
    asked, fresh = _rounds(rounds), _seed(seed)
    cores = _workers(workers)
    rule_book = open_book(book)
    terms = _terms(allowed_decks(rule_book, decks), cut, rounds_per_shoe, burn)
    result = check_table(output) if output is not None else None
    kept = check_writable(checkpoint) if checkpoint is not None else None

    from punto.cli.simulated import beside_exact
    from punto.simulation.checkpoint import run_of
    from punto.simulation.run import Threads, deals_of
    from punto.simulation.tally import Tally

    deals = deals_of(rule_book, terms, fresh)
    state = Checkpoints(run_of(rule_book.book, deals, asked), kept)
    start = state.start(lambda arrays: Tally.from_arrays(deals, arrays), Tally.empty(deals))
    warm_up(deals)
    hands = Threads(cores)
    played = play(start, asked, hands, state)
    hands.close()
    simulated = beside_exact(rule_book, played.total, played.rounds_per_second)
    if result is not None:
        put_table(result, simulated.record(), simulated.rows())
    if json:
        answer_json(simulated.record())
    else:
        print_table(simulated.table())
        for line in simulated.remarks():
            print(line)
    played.end(asked)


def _rounds(text: str) -> int:
    try:
        number = Decimal(text)
        rounds = int(number) if number == number.to_integral_value() else 0
    except (InvalidOperation, ValueError, OverflowError):
        rounds = 0
    if not 1 <= rounds <= MOST_ROUNDS:
        refuse(f"{text!r} is no number of rounds; give a whole number from 1 to 1e15, such as 1000000 or 1e9")
    return rounds


def _seed(seed: int | None) -> int:
    from punto.cli.deal import fresh_seed

    if seed is None:
        return fresh_seed()
    if not 0 <= seed < 1 << 64:
        refuse(f"{seed} is no seed; give a whole number from 0 to 2^64 - 1")
    return seed


def _workers(workers: int | None) -> int:
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= workers <= MOST_WORKERS:
        refuse(f"{workers} workers cannot be had; give 1 to {MOST_WORKERS}")
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
