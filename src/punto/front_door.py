"""The front door: what a notebook or a script needs, with text going in and frozen values coming out.

`import punto` gives these names and loads nothing until one is used. Each takes a book by its name, by the
path of a file, or as `load` gave it; cards, amounts, results and table commands are written as everywhere
else in Punto. Whoever needs more imports the packages: what these functions give are their values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.books import load as _load
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book import Book

if TYPE_CHECKING:
    from punto.coup.coup import Coup
    from punto.odds.bet_odds import Odds
    from punto.roads.roads import Roads
    from punto.studies.simulation_results import Simulated
    from punto.table.acting import Step
    from punto.table.command import Command
    from punto.table.legality import Legal
    from punto.table.notation import Played, Unmet
    from punto.table.slip import SettlementLine
    from punto.table.state import Table

AnyBook = Book | str | os.PathLike[str]
"""A book, its name, or the path of its file."""


def load(book: AnyBook) -> Book:
    """A built-in book by its name, or your own by the path of its TOML file.

    >>> import punto
    >>> punto.load("ez")
    <Book ez: EZ Baccarat, 5 bets>
    """
    return book if isinstance(book, Book) else _load(os.fspath(book))


def deal(book: AnyBook, cards: str) -> Coup:
    """The finished deal that these cards make, in dealing order; `ValueError` if they are too few or many.

    >>> import punto
    >>> coup = punto.deal("ez", "2S KH 3D 2C KD 5S")
    >>> coup.winner.value, coup.player_points, coup.banker_points
    ('banker', 5, 7)
    """
    from punto.cards.card import parse_cards
    from punto.coup.coup import deal_exactly

    return deal_exactly(load(book).play, parse_cards(cards))


def settle(book: AnyBook, cards: str, bets: Mapping[str, str]) -> tuple[SettlementLine, ...] | Refusal:
    """One bettor's bets on a finished deal, settled; a refusal names the clause that forbids one of them.

    Stakes are text, as money is written: `"100"` or `"12.50"`.

    >>> import punto
    >>> for line in punto.settle("ez", "2S KH 3D 2C KD 5S", {"banker": "100", "dragon-7": "5"}):
    ...     print(line.area, line.outcome.result.value, punto.format_money(line.net), line.outcome.clause)
    banker push 0 5
    dragon-7 win 200 5
    >>> punto.settle("ez", "2S KH 3D 2C KD 5S", {"player-pair": "5"}).reason.value
    'unknown-area'
    """
    from punto.cards.card import parse_cards
    from punto.money import parse_amount
    from punto.table.slip import finished_deal, settle_slip

    rules = load(book)
    coup = finished_deal(rules, parse_cards(cards), max(rules.decks.allowed))
    if isinstance(coup, Refusal):
        return coup
    slip = {rules.area_named(area): parse_amount(stake) for area, stake in bets.items()}
    if len(slip) < len(bets):
        area = next(name for name in slip if sum(rules.area_named(one) == name for one in bets) > 1)
        return Refusal(Reason.AREA_TWICE, None, {"area": area})
    lines = settle_slip(rules, coup, slip)
    return lines if isinstance(lines, Refusal) else tuple(lines)


def odds_of(book: AnyBook, *, decks: int | None = None, seen: str = "", cards: str = "") -> Odds:
    """Exact odds of every bet: before the deal, or with the `cards` of the round so far on the table.

    `decks` defaults to the most that the book allows; `seen` are cards that have left the shoe before.

    >>> import punto
    >>> f"{float(punto.odds_of('commission').bet('banker').edge):.4%}"
    '1.0579%'
    """
    from punto.cards.card import parse_cards
    from punto.odds.bet_odds import odds_of as exact
    from punto.odds.known_cards import Undealt

    rules, so_far = load(book), parse_cards(cards)
    full = Undealt.of_decks(max(rules.decks.allowed) if decks is None else decks)
    undealt = full.less((*parse_cards(seen), *so_far))
    return exact(rules, undealt, so_far)


def open_table(book: AnyBook, **terms: Any) -> Table:
    """A table that is open and waits for its shoe, with these terms or the usual ones.

    A wrong term raises `ValueError` with the refusal's sentence.

    >>> import punto
    >>> punto.open_table("ez", minimum=25_00, burn="none")
    <Table of ez: idle, round 0>
    """
    from msgspec.structs import replace

    from punto.table.acting import act as carry_out
    from punto.table.house import OpenTable
    from punto.table.state import Table
    from punto.table.terms import default_terms

    rules = load(book)
    wanted = replace(default_terms(rules), **terms)
    step = carry_out(Table(rules), OpenTable(actor="House", role=Role.PIT_SUPERVISOR, terms=wanted))
    if isinstance(step, Refusal):
        raise ValueError(step.sentence)
    return step.table


def act(table: Table, command: str | Command) -> Step | Refusal:
    """Carry out one command, given as a line of notation or as a value: a step, or a refusal.

    >>> import punto
    >>> table = punto.open_table("ez", burn="none")
    >>> step = punto.act(table, "Ann as dealer: load the shoe")
    >>> [event.name() for event in step.events]
    ['shoe-loaded']
    >>> punto.act(step.table, "Lee: bet 1 banker 100").sentence
    'bets are not open (clause 1)'
    """
    from punto.table.acting import act as carry_out

    return carry_out(table, _command(command) if isinstance(command, str) else command)


def _command(line: str) -> Command:
    from punto.table.notation import CommandGiven, parse_line

    said = parse_line(line)
    if not isinstance(said, CommandGiven):
        raise ValueError(f"{line!r} is not a command; write for example 'Ann as dealer: load the shoe'")
    return said.command


def legal_commands(table: Table, who: str, role: str = "player") -> tuple[Legal, ...]:
    """Everything that somebody may do now, with amounts and odds.

    >>> import punto
    >>> table = punto.open_table("ez", burn="none")
    >>> sorted({legal.command.name() for legal in punto.legal_commands(table, "Ann", "dealer")})
    ['load-shoe', 'pause-table', 'report', 'take-seat']
    """
    from punto.table.legality import legal_commands as allowed

    return allowed(table, who, Role(role))


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """A session of notation after it was played."""

    steps: tuple[Played, ...]
    """Every command with what came of it."""
    table: Table
    """The table at the end."""
    unmet: tuple[Unmet, ...]
    """Expectations (`> …` lines) that were not met."""

    def __repr__(self) -> str:
        return f"<PlayedSession: {len(self.steps)} commands, {len(self.unmet)} expectations unmet>"


def play_session(text: str, folder: str | os.PathLike[str] = ".") -> PlayedSession:
    """Play a table session written in notation; book files that it names are looked for in `folder`.

    >>> import punto
    >>> punto.play_session("Pia as pit-supervisor: open ez house burn=none\\nAnn as dealer: load the shoe\\n")
    <PlayedSession: 2 commands, 0 expectations unmet>
    """
    from punto.table.acting import evolved
    from punto.table.notation import parse_session, unmet
    from punto.table.notation import play_session as play

    session = parse_session(text)
    steps = tuple(play(session, lambda name: _load(name, Path(folder))))
    last = steps[-1]
    table = last.before if isinstance(last.outcome, Refusal) else evolved(last.before, last.outcome)
    return PlayedSession(steps, table, tuple(unmet(session, steps)))


def simulate(
    book: AnyBook,
    rounds: int = 1_000_000,
    *,
    seed: int = 0,
    decks: int | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulated:
    """Simulate whole shoes to the cut card: every bet beside its exact value, the same for a seed anywhere.

    `progress(done, rounds)` is called after each batch.

    >>> import punto
    >>> result = punto.simulate("ez", 10_000, seed=7)
    >>> result.tally.rounds
    10000
    """
    from time import perf_counter

    from punto.simulation.deals import ShoeTerms
    from punto.simulation.run import Tally, Threads, deals_of, sums
    from punto.studies.simulation_results import beside_exact

    rules = load(book)
    deals = deals_of(rules, ShoeTerms(decks=max(rules.decks.allowed) if decks is None else decks), seed)
    threads, begun = Threads(workers or os.cpu_count() or 1), perf_counter()
    tally = Tally.empty(deals)
    try:
        for tally in sums(Tally.empty(deals), rounds, threads):
            if progress is not None:
                progress(tally.rounds, rounds)
    finally:
        threads.close()
    return beside_exact(rules, tally, tally.rounds / (perf_counter() - begun))


def roads_of(results: str) -> Roads:
    """The five roads of results such as `"BBPTb"`.

    >>> import punto
    >>> punto.roads_of("BBBPPBPPPTPBBPB").big_eye
    'RBBBRRBRBB'
    """
    from punto.roads.roads import Roads

    return Roads.parse(results)
