"""Terms of a table: what a book leaves to the house, and what it does not."""

from typing import Any

import msgspec
import pytest

from punto import books
from punto.rules.authority import Authority, Role
from punto.table.terms import BetLimits, Terms, boxes_of, default_terms, wrong_terms
from tests.table.scenes import terms_of


def wrong(name: str, /, **terms: Any) -> str:
    """Which term is refused, and by which clause."""
    refusal = wrong_terms(books.load(name), terms_of(name, **terms))
    assert refusal is not None
    assert refusal.sentence
    return f"{refusal.params['term']} {refusal.clause}"


def is_fine(name: str, /, **terms: Any) -> bool:
    return wrong_terms(books.load(name), terms_of(name, **terms)) is None


@pytest.mark.parametrize("name", books.NAMES)
def test_the_default_terms_of_every_book_are_allowed(name: str) -> None:
    book = books.load(name)
    terms = default_terms(book)
    assert wrong_terms(book, terms) is None
    assert terms.burn == "first-card"
    assert terms.rounds_after_cut == 1
    assert (terms.differential is not None) == (name == "insurance")
    assert msgspec.json.decode(msgspec.json.encode(terms), type=Terms) == terms


@pytest.mark.parametrize("name", books.NAMES)
def test_every_layout_and_number_of_decks_of_the_book_and_no_other(name: str) -> None:
    book = books.load(name)
    for layout in book.layouts:
        assert boxes_of(book, terms_of(name, layout=layout.name)) == layout.boxes
        assert is_fine(name, layout=layout.name)
    assert wrong(name, layout="oval-99").startswith("layout")
    for decks in range(1, 10):
        assert is_fine(name, decks=decks) == (decks in book.decks.allowed)


def test_another_book_is_another_table() -> None:
    assert wrong("ez", book="commission") == "book None"


def test_boxes_only_where_the_layout_leaves_them_open() -> None:
    assert [boxes for boxes in range(-1, 15) if is_fine("ez", boxes=boxes)] == list(range(1, 13))
    assert boxes_of(books.load("ez"), terms_of("ez", boxes=3)) == 3
    assert wrong("commission", boxes=8) == "boxes 2.1.1"
    assert is_fine("commission", boxes=9)


def test_boxes_for_one_player_are_among_those_of_the_table() -> None:
    assert [each for each in range(-1, 15) if is_fine("ez", boxes_each=each)] == list(range(1, 8))
    assert wrong("ez", boxes=3, boxes_each=4) == "boxes_each None"
    assert terms_of("ez").boxes_each == 1


def test_money() -> None:
    assert wrong("commission", chip=0) == "chip None"
    assert is_fine("commission", chip=1, minimum=1)
    assert wrong("commission", minimum=1050) == "minimum None"
    assert wrong("commission", minimum=0) == "minimum None"
    assert wrong("commission", maximum=999_950) == "maximum None"
    assert wrong("commission", maximum=900) == "maximum None"
    assert is_fine("commission", maximum=1000)
    assert is_fine("commission", maximum=None)


def test_the_differential_is_for_the_book_that_measures_by_it() -> None:
    assert wrong("commission", differential=5000) == "differential None"
    assert wrong("insurance", differential=None) == "differential 3.4"
    assert wrong("insurance", differential=900) == "differential None"
    missing = wrong_terms(books.load("insurance"), Terms(book="insurance", layout="bean-9"))
    assert missing is not None
    assert missing.sentence == ("differential is missing; give it, such as differential=5000 (clause 3.4)")
    assert is_fine("insurance", differential=1000)
    assert wrong("insurance", differential=5050) == "differential None"
    high = {"banker": BetLimits(6000)}
    assert wrong("insurance", differential=5000, bet_limits=high) == "differential None"
    assert is_fine("insurance", differential=5000, bet_limits={"tie": BetLimits(6000)})


def test_limits_of_single_areas() -> None:
    assert wrong("ez", bet_limits={"nowhere": BetLimits(100)}) == "bet_limits None"
    assert wrong("ez", bet_limits={"tie": BetLimits(150)}) == "minimum of tie None"
    assert wrong("ez", bet_limits={"tie": BetLimits(100, 250)}) == "maximum of tie None"
    assert wrong("ez", bet_limits={"tie": BetLimits(300, 200)}) == "maximum None"
    terms = terms_of("ez", bet_limits={"tie": BetLimits(100, 300)})
    assert terms.limits_of("tie") == BetLimits(100, 300)
    assert terms.limits_of("player") == BetLimits(terms.minimum, terms.maximum)


def test_cards() -> None:
    assert wrong("ez", burn="some") == "burn None"
    for burn in ("first-card", "none", "10"):
        assert is_fine("ez", burn=burn)
    most = 8 * 52 - 6
    assert is_fine("ez", behind_cut=most, burn="none")
    assert wrong("ez", behind_cut=most + 1, burn="none") == "behind_cut None"
    assert is_fine("ez", behind_cut=most - 10, burn="10")
    assert wrong("ez", behind_cut=most, burn="10") == "behind_cut None"
    assert wrong("ez", behind_cut=-1) == "behind_cut None"
    assert is_fine("ez", behind_cut=0)
    assert wrong("ez", rounds_after_cut=-1) == "rounds_after_cut None"
    assert is_fine("ez", rounds_after_cut=0)


def test_no_insurance_only_at_a_private_table() -> None:
    assert wrong("insurance", insurance=False) == "insurance 4.2.2"
    asked = {"insurance": False, "private": True}
    assert is_fine("insurance", **asked, requested_by="Ann")
    for nobody in (None, "", " "):
        missing = wrong_terms(books.load("insurance"), terms_of("insurance", **asked, requested_by=nobody))
        assert missing is not None
        assert (missing.reason.value, missing.clause) == ("term-missing", "4.2.2")
    assert wrong("insurance", insurance=False, requested_by="Ann") == "insurance 4.2.2"
    assert wrong("insurance", requested_by="Ann") == "requested_by None"
    assert wrong("commission", requested_by="Ann") == "requested_by None"
    assert is_fine("commission", insurance=False)  # there is none to go without


def test_authority_is_over_commands_that_there_are() -> None:
    assert is_fine("ez", authority=(Authority("rule", (Role.PIT_MANAGER,)),))
    assert wrong("ez", authority=(Authority("dance", (Role.PIT_MANAGER,)),)) == "authority None"
