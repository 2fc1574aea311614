from __future__ import annotations

from tests.cli.called import answer

TITLES = {
    "commission": "Commission Baccarat",
    "easy-six": "Non-Commission Easy Six Baccarat",
    "ez": "EZ Baccarat",
    "insurance": "Non-Commission Baccarat with Insurance and Super Six Plus",
    "knockout": "Non-Commission Knockout Baccarat",
}


def test_people_see_every_book_in_80_columns() -> None:
    shown = answer("books").out
    assert max(map(len, shown.splitlines())) <= 80
    for name in TITLES:
        assert f"\n  {name} " in shown


def test_programs_get_names_dates_decks_layouts_and_areas() -> None:
    books = {book["name"]: book for book in answer("books", "--json").json}
    assert {name: book["title"] for name, book in books.items()} == TITLES
    assert {name: book["effective"] for name, book in books.items()} == {
        "commission": "2013-10-22",
        "easy-six": "2012-06-02",
        "ez": None,
        "insurance": "2019-09-16",
        "knockout": "2014-07-30",
    }
    assert books["ez"]["decks"] == [6, 8]
    assert books["commission"]["decks"] == [4, 5, 6, 7, 8]
    assert [layout["boxes"] for layout in books["commission"]["layouts"]] == [9, 7, 7, 12]
    assert books["ez"]["areas"] == ["player", "banker", "tie", "dragon-7", "panda-8"]
    assert "insurance-banker-5" in books["insurance"]["areas"]
