from __future__ import annotations

import pytest

from punto.books import NAMES, base_of, load
from punto.coup.coup import deal
from punto.drill.round_questions import ask_pays
from punto.drill.training import KINDS
from punto.money import format_amount
from punto.rules.book import read_book
from punto.rules.wording import row_words
from tests.agreement.oracle import AREAS, net_of_unit, refused, rounded
from tests.agreement.oracle_deal import Deal
from tests.agreement.test_pay_rows import TWENTY
from tests.drill.chosen import asked, seeded, told


@pytest.mark.parametrize(
    ("book", "area", "cards", "chips", "right", "clause"),
    [
        # Stakes are chips of 5: 20 chips are 100, of which commission takes five in a hundred.
        ("commission", "banker", "KS KH 6D 7C", 20, "95.00", "4.1.2"),
        ("commission", "banker", "KS KH 6D 7C", 21, "99.75", "4.1.2"),
        ("easy-six", "player", "KS KH 6D KC KD 2H", 20, "105.00", "4.1.1"),
        ("easy-six", "tie", "KS KH 6D 6C", 2, "100.00", "4.1.1"),
        ("ez", "dragon-7", "2S KH 3D 2C KD 5S", 5, "1000.00", "5"),
        ("insurance", "banker", "KS KH KD 6C KD", 20, "50.00", "4.1.1"),
        ("insurance", "super-six-plus", "KS KH KD 6C KD", 2, "120.00", "4.1.1"),
        ("knockout", "winning-total-7", "KS KH 6D 7C", 2, "40.00", "4.1.2"),
        # The wager is twice the ante, and pays one to two when the loser has three or less.
        ("knockout", "wager-player", "KS KH 6D 2C KD AH", 10, "50.00", "4.1.3"),
    ],
)
def test_what_a_winner_is_paid(book: str, area: str, cards: str, chips: int, right: str, clause: str) -> None:
    question = asked(book, "pays", area, cards, chips, fraction=0.5)
    assert told(question) == (right, clause)
    assert question.is_right(right)
    assert not question.is_right("lost")


def test_insurance_of_the_read_me() -> None:
    question = asked("insurance", "pays", "insurance-banker-5", "KS KH AD 4C 2H 8S", 18)
    assert question.stakes == (("banker", 9000), ("insurance-banker-5", 6000))
    assert told(question) == ("90.00", "4.1.2")


def test_an_ante_that_was_given_up_is_lost_whoever_wins() -> None:
    question = asked("knockout", "pays", "ante-player", "KS KH 7D 2C KD AH", 10, fraction=0.1)
    assert "given up" in question.text
    assert told(question) == (format_amount(-question.stakes[0][1]), "3.4.1")
    assert question.is_right("lost")


@pytest.mark.parametrize("book", NAMES)
def test_every_bet_is_asked_and_right_by_a_second_reading(book: str) -> None:
    compiled = load(book)
    assert set(KINDS["pays"].subjects(compiled)) == set(AREAS[book].split())
    for area in KINDS["pays"].subjects(compiled):
        won = 0
        for seed in range(12):
            question = ask_pays(compiled, area, seeded(seed))
            deal = Deal([str(card) for card in question.player], [str(card) for card in question.banker])
            slip = dict(question.stakes)
            assert refused(book, deal, slip) == set()
            exact = net_of_unit(book, area, deal, slip) * slip[area]
            assert question.answer == format_amount(rounded(exact))
            won += exact > 0
        assert won >= 4


def test_why_names_the_row_that_decided() -> None:
    """Where rows overlap, odds alone do not say why a hand pays what it pays."""
    book = read_book(TWENTY, "twenty.toml", base_of)
    table = book.pay_tables["eights"]
    seen = set()
    for seed in range(60):
        question = ask_pays(book, "eights", seeded(seed))
        player, banker = ([card for card in hand if card] for hand in (question.player, question.banker))
        coup = deal(book.play, [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]])
        row = table.settled_row(coup.facts, coup.player, coup.banker)
        assert question.why.endswith(f"({row_words(row)})"), question.why
        seen.add(row_words(row))
    assert "Player has 9, and no row above" in seen
