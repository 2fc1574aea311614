"""The search for pay tables finds exactly what trying them one by one finds, and ranks it as it says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import load
from punto.cards import parse_cards
from punto.cards.card import Rank
from punto.odds import BetOdds, RoundSoFar, Undealt
from punto.odds.bet_odds import Weighing
from punto.rules.book import Book, compile_book
from punto.rules.outcome import Result, format_odds
from punto.studies.tuning import RankedBy, TooManyTables, TuningTerms, tune

EXAMPLE = load("docs/examples/side-bets.toml")
BETS = [
    (load("knockout"), "winning-total-1-4"),
    (load("insurance"), "super-six-plus"),
    (load("ez"), "dragon-7"),
    (EXAMPLE, "dragon-bonus-player"),
    (EXAMPLE, "tiger"),
    (EXAMPLE, "small"),
]
Tables = dict[tuple[Fraction, ...], Fraction]


def weighed(book: Book, area: str, decks: int) -> BetOdds:
    return Weighing(book, Undealt.of_decks(decks), RoundSoFar()).odds(area)


def by_trial(bet: BetOdds, terms: TuningTerms) -> Tables:
    """All odds tried one by one, with the expectation summed anew each time."""
    wins = [i for i, (row, _) in enumerate(bet.rows) if row.outcome.result is Result.WIN]
    steps = [
        terms.unit * k
        for k in range(1, int(terms.most / terms.unit) + 1)
        if terms.least <= terms.unit * k <= terms.most
    ]
    kept = dict(terms.keep)
    choices = [[kept[i + 1]] if i + 1 in kept else steps for i in wins]
    found = {}
    rest = sum(2 * int(row.outcome.net) * ways for i, (row, ways) in enumerate(bet.rows) if i not in wins)
    for odds in product(*choices):
        won = sum(int(2 * one) * bet.rows[i][1] for i, one in zip(wins, odds, strict=True))
        edge = Fraction(-rest - won, 2 * bet.total)
        if terms.low <= edge <= terms.high:
            found[odds] = edge
    return found


@st.composite
def searches(draw: st.DrawFn) -> tuple[int, TuningTerms]:
    index = draw(st.integers(0, len(BETS) - 1))
    book, area = BETS[index]
    wins = [n for n, row in enumerate(book.pay_tables[area].rows, 1) if row.outcome.result is Result.WIN]
    free = {1: 60, 2: 20, 3: 8, 4: 5}.get(len(wins), 2)
    unit = draw(st.sampled_from((Fraction(1), Fraction(1, 2))))
    least = draw(st.integers(1, 20)) * unit
    low, high = sorted(draw(st.lists(st.fractions(-1, 1, max_denominator=500), min_size=2, max_size=2)))
    kept = draw(st.sets(st.sampled_from(wins), max_size=len(wins) - 1))
    keep = tuple((row, unit * draw(st.integers(1, 40))) for row in sorted(kept))
    by = draw(st.sampled_from(RankedBy))
    return index, TuningTerms(low, high, unit, least, least + free * unit, keep, by, 10**6)


@pytest.mark.slow
@given(searches())
@settings(deadline=None, max_examples=25)
def test_it_finds_what_trying_all_finds(search: tuple[int, TuningTerms]) -> None:
    (book, area), terms = BETS[search[0]], search[1]
    decks = max(book.decks.allowed)
    tuning = tune(book, area, decks, terms)
    assert {table.odds: table.edge for table in tuning.tables} == by_trial(weighed(book, area, decks), terms)
    assert tuning.found == len(tuning.tables) <= tuning.candidates
    middle = (terms.low + terms.high) / 2
    keys: dict[RankedBy, list[Fraction] | list[float]] = {
        RankedBy.NEARNESS: [abs(table.edge - middle) for table in tuning.tables],
        RankedBy.DEVIATION: [table.sd for table in tuning.tables],
        RankedBy.COUNTING: [table.removal for table in tuning.tables],
    }
    ranks = [float(key) for key in keys[terms.by]]
    assert ranks == pytest.approx(sorted(ranks), abs=1e-12)


def paying(book: Book, area: str, odds: tuple[Fraction, ...]) -> Book:
    """The book with these odds in the rows that win."""
    bet = book.bet(area)
    assert bet is not None
    new = iter(odds)
    rows = tuple(msgspec.structs.replace(row, odds=format_odds(next(new))) if row.odds else row for row in bet.pays)
    bets = tuple(msgspec.structs.replace(one, pays=rows) if one.area == area else one for one in book.text.bets)
    return compile_book(msgspec.structs.replace(book.text, bets=bets))


@pytest.mark.slow
@pytest.mark.parametrize(("book", "area"), BETS, ids=[area for _, area in BETS])
def test_the_figures_are_those_of_a_book_with_these_odds(book: Book, area: str) -> None:
    tuning = tune(book, area, 8, TuningTerms(Fraction(1, 50), Fraction(1, 5), most=Fraction(12), show=3))
    for table in tuning.tables:
        real = weighed(paying(book, area, table.odds), area, 8)
        assert (real.edge, real.win) == (table.edge, tuning.hit)
        assert real.sd == pytest.approx(table.sd, rel=1e-12)
    if tuning.tables:
        real_book = paying(book, area, tuning.tables[0].odds)
        full = Undealt.of_decks(8)
        effects = [
            Weighing(real_book, full.less(parse_cards(f"{rank.notation}H")), RoundSoFar()).odds(area).ev
            + tuning.tables[0].edge
            for rank in Rank
        ]
        mean = sum(float(effect) ** 2 for effect in effects) / len(effects)
        assert mean**0.5 == pytest.approx(tuning.tables[0].removal, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("by", RankedBy)
def test_a_short_list_is_the_head_of_the_long_one(by: RankedBy) -> None:
    terms = TuningTerms(Fraction(0), Fraction(1, 10), most=Fraction(200), by=by, show=10**6)
    long = tune(EXAMPLE, "tiger", 8, terms)
    short = tune(EXAMPLE, "tiger", 8, replace(terms, show=7))
    assert short.tables == long.tables[:7]
    assert short.found == long.found == len(long.tables)


@pytest.mark.slow
def test_the_ends_of_the_range_are_inside_it() -> None:
    edge = weighed(load("ez"), "dragon-7", 8).edge
    exactly = tune(load("ez"), "dragon-7", 8, TuningTerms(edge, edge))
    assert [table.odds for table in exactly.tables] == [(Fraction(40),)]
    tiny = Fraction(1, 10**30)
    assert tune(load("ez"), "dragon-7", 8, TuningTerms(edge + tiny, edge + 2 * tiny)).found == 0


@pytest.mark.slow
def test_shoes_too_large_for_64_bits_are_searched_as_exactly() -> None:
    text = msgspec.structs.replace(EXAMPLE.text, decks=msgspec.structs.replace(EXAMPLE.text.decks, allowed=(100,)))
    book = compile_book(text)
    terms = TuningTerms(Fraction(1, 100), Fraction(1, 10), most=Fraction(40), show=10**6)
    tuning = tune(book, "tiger", 100, terms)
    assert {t.odds: t.edge for t in tuning.tables} == by_trial(weighed(book, "tiger", 100), terms)


def test_a_search_without_end_is_refused() -> None:
    terms = TuningTerms(Fraction(0), Fraction(1, 10), most=Fraction(100_000))
    with pytest.raises(TooManyTables, match="keep a row, or lower --most"):
        tune(EXAMPLE, "dragon-bonus-player", 8, terms)
