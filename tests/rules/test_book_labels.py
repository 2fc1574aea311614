import pytest

from punto import books
from punto.rules.book import hand_label, label_of
from punto.rules.outcome import Hand
from punto.words import Language, languages

BOOK = books.load("insurance")


@pytest.mark.parametrize(
    ("area", "english", "simplified", "traditional"),
    [
        ("banker", "Banker", "庄", "莊"),
        ("player-pair", "Player Pair", "闲对", "閒對"),
        ("insurance-banker-4", "Insurance on Banker", "庄保险", "莊保險"),
        ("insurance-player-5", "Insurance on Player", "闲保险", "閒保險"),
    ],
)
def test_a_betting_area_in_the_languages_of_the_layout(
    area: str, english: str, simplified: str, traditional: str
) -> None:
    assert label_of(BOOK, area) == english
    assert label_of(BOOK, area, Language("zh_hans")) == simplified
    assert label_of(BOOK, area, Language("zh_hant")) == traditional


@pytest.mark.parametrize("name", books.NAMES)
def test_every_area_of_every_book_has_a_label(name: str) -> None:
    book = books.load(name)
    for area in book.areas:
        assert all(label_of(book, area, language) for language in languages())
    assert hand_label(book, Hand.PLAYER) == "Player"
