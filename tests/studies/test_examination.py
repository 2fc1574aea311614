"""What an examination finds: exact edges with every number of decks, and each warning at its place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.books import NAMES, base_of, load
from punto.odds import Undealt, ante_odds, book_odds, insurance_odds
from punto.rules.book import Book, read_book
from punto.rules.book_text import Concern
from punto.studies.card_counting import countability
from punto.studies.examination import Examination
from punto.studies.expectations import Shoes

HEAD = 'extends = "commission"\nname = "own"\n'


def bet(area: str, *rows: str) -> str:
    listed = "".join(f'  {{ {row}, clause = "1" }},\n' for row in rows)
    return (
        f'[[bets]]\narea = "{area}"\nkind = "side"\nlabels = {{ en = "{area}" }}\nclause = "1"\npays = [\n{listed}]\n'
    )


LOSE = 'otherwise = true, result = "lose"'


def own(*parts: str) -> Book:
    return read_book(HEAD + "".join(parts), "own.toml", base_of)


def found(book: Book, chip: Fraction = Fraction(1)) -> dict[str, object]:
    acknowledged = {entry.warning for entry in book.text.acknowledged}
    warnings = Examination(book, chip).warnings
    return {warning.name: warning.place for warning in warnings if warning.name not in acknowledged}


@pytest.mark.parametrize("name", NAMES)
def test_edges_are_those_of_exact_odds(name: str) -> None:
    book = load(name)
    bets = {one.area: one for one in Examination(book).bets}
    assert set(bets) == set(book.opening_areas)
    for decks in book.decks.allowed:
        odds = book_odds(book, Undealt.of_decks(decks))
        for area in book.outright_areas:
            assert bets[area].edges[decks] == odds.bet(area).edge
        for side in ante_odds(book, Undealt.of_decks(decks)).sides if book.ante else ():
            assert bets[side.pair.ante].edges[decks] == side.edge


@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_book_acknowledges_all_it_has_and_nothing_else(name: str) -> None:
    book = load(name)
    names = {warning.name for warning in Examination(book).warnings}
    acknowledged = {entry.warning for entry in book.text.acknowledged}
    assert {one for one in acknowledged if not one.startswith("countable/")} == names


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_book_acknowledges_its_countable_bets(name: str) -> None:
    book = load(name)
    study = countability(book, Shoes(book.play, 8, 14), 400, 1)
    warned = Examination(book).counted(study)
    assert {one.name for one in warned} == {
        entry.warning for entry in book.text.acknowledged if entry.warning.startswith("countable/")
    }
    for one in study.bets:
        earned = one.counted
        beats = earned is not None and earned.error is not None and earned.units - earned.error > 0.5
        assert (one.area in {warning.subject for warning in warned}) == beats


def test_a_bet_that_favours_the_player() -> None:
    rows = 'when = { winning_points = 7, winning_cards = 3 }, odds = "12:1"'
    more = 'when = { winning_points = 7, winning_cards = 2 }, odds = "5:1"'
    book = own(bet("lucky", rows, more, LOSE))
    assert found(book) == {"favours-player/lucky": ("bets", 5)}
    edges = [book_odds(book, Undealt.of_decks(decks)).bet("lucky").edge for decks in (4, 5, 6, 7, 8)]
    (warning,) = (one for one in Examination(book).warnings if one.subject == "lucky")
    assert f"{float(-min(edges)):.4%}".replace("%", " %") in warning.sentence


def test_the_edge_is_compared_exactly() -> None:
    """A fair bet is no gift, and neither is the smallest edge of the house a warning."""
    ways = book_odds(load("ez"), Undealt.of_decks(8)).bet("tie")
    fair = Fraction(ways.total - ways.rows[0][1], ways.rows[0][1])
    eight = "[decks]\nallowed = [8]\n"
    near = 100_000 * fair.numerator // fair.denominator  # the nearest odds below that a book may have
    for numerator, warned in ((near + 1, True), (near, False)):
        odds = f"{numerator}:100000"
        book = own(eight, bet("t", f'when = {{ winner = "tie" }}, odds = "{odds}"', LOSE))
        assert ("favours-player/t" in found(book)) == warned


@pytest.mark.parametrize(("odds", "warned"), [("6:1", True), ("8:1", False)])
def test_an_edge_over_a_quarter(odds: str, warned: bool) -> None:
    book = own(bet("t", f'when = {{ winner = "tie" }}, odds = "{odds}"', LOSE))
    assert ("high-edge/t" in found(book)) == warned


def test_insurance_that_favours_the_player_is_told_row_by_row() -> None:
    book = load("insurance")
    assert book.insurance is not None
    rows = {
        next(i for i, offer in enumerate(book.offers.rows) if offer is one.offer)
        for decks in book.decks.allowed
        for one in insurance_odds(book, Undealt.of_decks(decks)).for_players
    }
    told = [one.place for one in Examination(book).warnings if one.concern is Concern.FAVOURS_PLAYER]
    assert told == [("insurance", "offers", row) for row in sorted(rows)]


def test_a_row_that_one_deck_cannot_bring() -> None:
    """Two pairs of aces leave none for a third card of one point."""
    aces = 'when = { player_pair_of = "A", banker_pair_of = "A", player_points = 3, player_cards = 3 }'
    rows = bet("aces", f'{aces}, odds = "100:1"', LOSE)
    one = own("[decks]\nallowed = [1]\n", rows)
    assert found(one)["never-happens/aces"] == ("bets", 5, "pays", 0)
    assert "never-happens/aces" not in found(own("[decks]\nallowed = [1, 2]\n", rows))


@pytest.mark.parametrize(
    ("odds", "chip", "warned"),
    [
        ("0.95:1", "1", True),
        ("0.95:1", "0.05", False),
        ("0.95:1", "0.1", True),
        ("1:2", "1/2", False),
        ("3:1", "1", False),
        ("3:1", "2", False),
    ],
)
def test_coins_smaller_than_the_chip(odds: str, chip: str, warned: bool) -> None:
    book = own(bet("t", f'when = {{ winner = "banker" }}, odds = "{odds}"', LOSE))
    assert ("small-coins/t" in found(book, Fraction(chip))) == warned


def test_rules_without_a_clause() -> None:
    book = own('[[layouts]]\nname = "new"\nlabel = "New"\nboxes = 3\n')
    assert found(book) == {"no-clause/layouts.new": ("layouts", 4)}


def commission_at(rate: str, odds: str) -> Book:
    bet = f"""
[[bets]]
area = "banker"
kind = "main"
hand = "banker"
labels = {{ en = "Banker" }}
clause = "2.1.3"
pays = [
  {{ when = {{ winner = "banker" }}, odds = "{odds}", commission = {{ rate = "{rate}" }}, clause = "4.1.2" }},
  {{ when = {{ winner = "tie" }}, result = "push", clause = "3.8" }},
  {{ when = {{ winner = "player" }}, result = "lose", clause = "4.1.2" }},
]
"""
    return own(bet)


@pytest.mark.parametrize(
    ("rate", "odds", "instead"),
    [
        ("5%", "0.95:1", None),
        ("4%", "0.96:1", None),
        ("4.5 %", "0.955:1", None),
        ("5%", "0.475:1", None),  # half of the stake, less 5 %
        ("5%", "1.9:1", None),
        ("4%", "0.95:1", 'write odds = "0.96:1", or rate = "5%" for 0.95:1'),
        ("5%", "0.96:1", 'write odds = "0.95:1", or rate = "4%" for 0.96:1'),
        ("50%", "0.95:1", 'write odds = "1:1", or rate = "52.5%" for 0.95:1'),
        ("5%", "1:1", 'write odds = "0.95:1"'),
    ],
)
def test_a_commission_fits_its_odds_or_what_fits_is_said(rate: str, odds: str, instead: str | None) -> None:
    told = [one for one in Examination(commission_at(rate, odds)).warnings if one.concern is Concern.ODD_COMMISSION]
    assert [one.name for one in told] == ["odd-commission/banker"] * (instead is not None)
    for one in told:
        assert instead is not None and one.sentence.endswith(instead)


def test_what_is_said_to_write_instead_fits() -> None:
    """Each half of the advice is taken by itself."""
    for rate, odds, other_rate, other_odds in (("4%", "0.95:1", "5%", "0.96:1"), ("50%", "0.95:1", "52.5%", "1:1")):
        for book in (commission_at(other_rate, odds), commission_at(rate, other_odds)):
            assert not [one for one in Examination(book).warnings if one.concern is Concern.ODD_COMMISSION]
