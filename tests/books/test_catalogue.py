"""The catalogue says what its sources say, and our exact figures are theirs to the last printed digit."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache
from math import floor

import pytest

from punto.books.catalogue import FOLDER, SECTIONS, bet_names, catalogue, section, sources
from punto.rules.outcome import parse_odds
from punto.rules.wording import condition_words
from punto.views.catalogue_view import PricedBet, book_of, count_bets
from punto.words import ENGLISH, languages, read_words

BETS = catalogue()
FIGURES = [(bet.bet, said.decks) for bet in BETS.values() for said in bet.published]


@cache
def priced(decks: int) -> dict[str, PricedBet]:
    """All bets at once: most of them share what has to be counted."""
    return {one.bet.bet: one for one in count_bets(tuple(BETS.values()), decks)}


def printed(share: Fraction, like: str) -> str:
    """A share in per cent, rounded as people round, with as many decimals as a printed figure has."""
    places = len(like.partition(".")[2])
    number = floor(abs(share) * 100 * 10**places + Fraction(1, 2))
    digits = f"{number:0{places + 1}d}"
    sign = "-" if share < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def test_printing_rounds_as_people_do() -> None:
    assert printed(Fraction(-234105, 10**7), "2.34") == "-2.34"
    assert printed(Fraction(25, 1000), "3") == "3"
    assert printed(Fraction(1, 20000), "0.01") == "0.01"


@pytest.mark.slow
@pytest.mark.parametrize("decks", sorted({decks for _, decks in FIGURES}))
def test_our_figures_are_the_published_ones_or_the_entry_says_why_not(decks: int) -> None:
    compared = 0
    for name, one in priced(decks).items():
        for said in one.bet.published:
            if said.decks != decks:
                continue
            pairs = [(said.edge, one.edge), (said.hit, one.hit)]
            same = all(printed(mine, theirs) == theirs for theirs, mine in pairs if theirs is not None)
            assert same == (said.differs is None), (name, said, float(one.edge), float(one.hit))
            compared += 1
    assert compared == sum(number == decks for _, number in FIGURES)


@pytest.mark.slow
def test_every_bet_has_an_edge_that_its_rows_add_up_to() -> None:
    for name, one in priced(8).items():
        assert all(row.ways for row in one.rows), name
        counted = [(row.row, row.ways) for row in one.rows]
        paid = sum((Fraction(ways, one.total) * parse_odds(row.odds) for row, ways in counted if row.odds))
        lost = sum(Fraction(ways, one.total) for row, ways in counted if row.result and row.otherwise)
        assert one.edge == lost - paid, name


# Edges in per cent with 8 decks, from a count of all ordered deals by another program that shares nothing
# with this one: bets whose sources print no edge.
COUNTED_ELSEWHERE = {
    "all-red": "14.0022",
    "big-0-5": "6.8303",
    "big-0-53": "4.9669",
    "perfect-pair-both-200": "8.0470",
    "small-1-45": "7.1772",
    "super-banker-1": "21.7575",
    "super-banker-2": "18.6535",
    "super-banker-3": "10.9996",
    "super-banker-4": "15.0257",
    "side-total-banker-0": "20.1021",
    "side-total-banker-1": "20.3264",
    "side-total-banker-2": "20.5883",
    "tiger-pair-identical": "19.1387",
    "winning-total-1-4": "6.7231",
    "winning-total-8": "3.5976",
    **dict.fromkeys((f"matching-dragon-{rank}" for rank in ("10", "j", "q", "k")), "16.9850"),
    "matching-dragon-a": "16.9845",
    "matching-dragon-2": "17.0180",
    "matching-dragon-3": "17.4592",
    "matching-dragon-4": "18.0885",
    "matching-dragon-5": "16.9972",
    "matching-dragon-6": "17.5826",
    "matching-dragon-7": "17.9363",
    "matching-dragon-8": "19.2190",
    "matching-dragon-9": "19.7806",
    # Where we differ from a source, the other program agrees with us.
    "bellagio-match-player": "76.9292",
    "bellagio-match-banker": "80.4376",
    "lucky-8-player": "11.9759",
    "lucky-8-banker": "15.2488",
    "lucky-nines-binion": "19.0583",
    "low-tie-max": "-87.9003",
    "high-tie-max": "32.2374",
    "suited-pair-player": "49.9036",
}


@pytest.mark.slow
def test_our_figures_are_those_of_another_count() -> None:
    ours = {name: printed(priced(8)[name].edge, edge) for name, edge in COUNTED_ELSEWHERE.items()}
    assert ours == COUNTED_ELSEWHERE


def test_names_are_found_without_reading_and_stand_once() -> None:
    names = [bet.bet for name in SECTIONS for bet in section(name).bets]
    assert [name for name, number in Counter(names).items() if number > 1] == []
    assert tuple(names) == bet_names() == tuple(BETS)
    assert {path.stem for path in FOLDER.glob("*.toml")} == {*SECTIONS, "sources"}
    assert not set(SECTIONS) & set(names)


def test_labels_stand_once() -> None:
    labels = Counter(bet.labels.en for bet in BETS.values())
    assert [label for label, number in labels.items() if number > 1] == []


def test_every_source_is_named_and_every_named_source_is_used() -> None:
    used = {key for bet in BETS.values() for key in bet.source}
    assert used == set(sources())


@pytest.mark.parametrize("name", BETS)
def test_what_is_taken_reads_as_the_same_bet(name: str) -> None:
    book = book_of([BETS[name]], 8)
    bet = book.bet(name)
    assert bet == BETS[name].as_bet
    clause = book.clause(bet.clause)
    assert clause is not None
    for row in BETS[name].pays:
        assert condition_words(row.when) in clause.sense


def test_files_are_written_plainly() -> None:
    """One entry under the other, so that the names can be found by their lines."""
    for name in SECTIONS:
        entries = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["bets"]
        assert [next(iter(entry)) for entry in entries] == ["bet"] * len(entries)


def test_every_section_has_a_name_on_the_pages() -> None:
    for language in languages():
        words = read_words(language, "odds.json")["sections"]
        assert tuple(words) == SECTIONS
        assert language != ENGLISH or list(words.values()) == [section(name).title for name in SECTIONS]
