"""A book put to every use: what `check` accepts must work everywhere, and everybody must agree.

Settlement is held against a second reading of the conditions, the table against settlement, the simulation
against exact odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from punto.books import base_of, take_bet
from punto.cards.card import DECK
from punto.coup import Coup, deal
from punto.dealer.dealer import DrawCard, Give, Wait, next_step
from punto.documents.text import page_lines
from punto.odds import ordered_draws
from punto.reports.rule_book import rule_book_page
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of, read_resolved
from punto.rules.book_file import BookSource, book_toml, parse_book, resolve_source
from punto.rules.validation import BookError
from punto.simulation import ShoeTerms, Tally, Threads, deals_of, sums
from punto.studies.examination import Examination
from punto.studies.simulation_results import Beside
from punto.table import Refusal, Table, act, default_terms, settle_slip
from punto.table.betting import PlaceBet
from punto.table.command import Command
from punto.table.house import BurnCards, OpenTable, TakeSeat
from tests.agreement.random_books import Values, random_book
from tests.agreement.second_condition import SecondDeal, second_net
from tests.rules.layered import toml

DEALS = 25
ROUNDS = 10_000
STAKE = 100_00
LOOKED_AT = 1_000_000
"""Bets that are looked at in all, so that chance alone is never taken for an error."""


class Misused(AssertionError):
    """A book that was accepted and does not work, with the seed that makes it."""


def accepted(seed: int) -> tuple[Book, Values] | None:
    """The book of a seed and its values with all that it extends; None where `check` refuses it."""
    text = toml(random_book(seed))
    try:
        resolved = resolve_source(BookSource(f"random-{seed}.toml", text), base_of, take_bet)
        return read_resolved(resolved), resolved.values
    except BookError as error:
        refusal = error
    if not all(f"random-{seed}.toml: line " in line for line in refusal.lines):
        raise Misused(f"book {seed} is refused without a line: {refusal.lines}")
    return None


@contextmanager
def counted_once() -> Iterator[None]:
    """What depends on the shoe and the table of play alone is the same for most books: it is counted once."""
    names = ("totals_weights", "shown_totals_weights", "first_four", "facts_weights")
    before = {name: getattr(ordered_draws, name) for name in names}
    for name, count in before.items():
        setattr(ordered_draws, name, _remembered(count, _KNOWN.setdefault(name, {})))
    try:
        yield
    finally:
        for name, count in before.items():
            setattr(ordered_draws, name, count)


_KNOWN: dict[str, dict[Any, Any]] = {}


def _remembered(count: Callable[..., Any], known: dict[Any, Any]) -> Callable[..., Any]:
    def counted(*given: Any) -> Any:
        # The ways of the first four cards follow from the rest, and are no key.
        key = tuple(tuple(one) if isinstance(one, list) else one for one in given if not isinstance(one, dict))
        if key not in known:
            known[key] = count(*given)
        return known[key]

    return counted


def use(seed: int, workers: Threads) -> bool:
    """Put the book of a seed to every use; False where it was refused."""
    found = accepted(seed)
    if found is None:
        return False
    book, values = found
    try:
        _read(book)
        examination = _examine(book)
        coups = _settle(book, values, Random(seed))
        _play(book, coups[0])
        _simulate(examination, seed, workers)
    except Exception as error:
        raise Misused(f"book {seed}: {type(error).__name__}: {error}\n{toml(random_book(seed))}") from error
    return True


def _read(book: Book) -> None:
    """Its pages, and the book again from what is printed of it."""
    assert list(page_lines(rule_book_page(book), 80))
    assert digest_of(parse_book(book_toml(book.text), "again")) == digest_of(book)


def _examine(book: Book) -> Examination:
    """Every bet has exact odds that add up."""
    examination = Examination(book)
    assert {one.area for one in examination.bets} >= set(book.outright_areas)
    assert all(warning.sentence for warning in examination.warnings)
    for odds in examination.odds.values():
        for bet in odds.bets:
            assert bet.win + bet.push + bet.lose == 1, bet.area
    return examination


def _settle(book: Book, values: Values, random: Random) -> list[Coup]:
    """Random deals settled, and by the second reading."""
    shoe = list(DECK) * min(book.decks.allowed)
    bets = {bet["area"]: bet for bet in values["bets"]}
    coups = []
    for _ in range(DEALS):
        cards = random.sample(shoe, 6)
        coup = deal(book.play, cards)
        coups.append(coup)
        second = SecondDeal(coup.player, coup.banker, values["play"]["naturals"])
        slip = dict.fromkeys(book.outright_areas, STAKE)
        lines = settle_slip(book, coup, slip)
        assert not isinstance(lines, Refusal), lines
        for line in lines:
            net = second_net(bets, line.area, second)
            assert line.exact_net == STAKE * net, (line.area, str(coup), line.exact_net, net)
    return coups


def _play(book: Book, coup: Coup) -> None:
    """One round at a table with a bet on every area, settled as the slip of the same bets is."""
    terms = default_terms(book)
    table = _done(Table(book), OpenTable(actor="Pia", role=Role.PIT_SUPERVISOR, terms=terms))
    table = _done(table, TakeSeat(actor="Lee", role=Role.PLAYER, box=1))
    burned = next(card for card in DECK if card not in coup.cards)
    cards = iter(coup.cards)
    stakes: dict[str, int] = {}
    while (settled := table.state.settled) is None:
        due = next_step(table, ready=("Lee",) if stakes else ())
        if isinstance(due, Wait):
            assert not stakes, due
            table, stakes = _bets(table, book, terms.minimum or terms.chip)
        elif isinstance(due, DrawCard):
            card = burned if isinstance(due.command, BurnCards) else next(cards)
            table = _done(table, due.with_card(card))
        else:
            assert isinstance(due, Give), due
            table = _done(table, due.command)
    lines = settle_slip(book, coup, stakes)
    assert not isinstance(lines, Refusal), lines
    assert {bet.area: bet.net for bet in settled} == {line.area: line.net for line in lines}, str(coup)


def _bets(table: Table, book: Book, amount: int) -> tuple[Table, dict[str, int]]:
    """A bet on every outright area: what needs another one comes after it."""
    stakes: dict[str, int] = {}
    while len(stakes) < len(book.outright_areas):
        placed = len(stakes)
        for area in book.outright_areas:
            bet = PlaceBet(actor="Lee", role=Role.PLAYER, box=1, area=area, amount=amount)
            if area not in stakes and not isinstance(step := act(table, bet), Refusal):
                table = step.table
                stakes[area] = amount
        assert len(stakes) > placed, set(book.outright_areas) - set(stakes)
    return table, stakes


def _done(table: Table, command: Command) -> Table:
    step = act(table, command)
    assert not isinstance(step, Refusal), (command, step)
    return step.table


def _simulate(examination: Examination, seed: int, workers: Threads) -> None:
    """Ten thousand rounds beside exact odds."""
    book, (decks, odds) = examination.book, min(examination.odds.items())
    terms = ShoeTerms(decks=decks, rounds_per_shoe=5)
    deals = deals_of(book, terms, seed)
    *_, tally = sums(Tally.empty(deals), ROUNDS, workers)
    assert tally.rounds == ROUNDS
    for result in tally.bets(book):
        bet = odds.bet(result.bet)
        beside = Beside(result, float(bet.ev), bet.sd, float(bet.win))
        assert not beside.differs(LOOKED_AT), (bet.area, result.mean, beside.exact)
