from pathlib import Path

import pytest

from punto import books
from punto.books import BookNotFound
from punto.rules import BookError
from punto.rules.book_text import ClauseKind
from tests.rules.small_book import TEXT, altered

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "side-bets.toml"


def test_there_are_five() -> None:
    assert books.NAMES == ("commission", "easy-six", "ez", "insurance", "knockout")


@pytest.mark.parametrize(
    ("name", "title", "effective", "version"),
    [
        ("commission", "Commission Baccarat", "2013-10-22", "3"),
        ("easy-six", "Non-Commission Easy Six Baccarat", "2012-06-02", None),
        ("ez", "EZ Baccarat", None, None),
        ("insurance", "Non-Commission Baccarat with Insurance and Super Six Plus", "2019-09-16", "4"),
        ("knockout", "Non-Commission Knockout Baccarat", "2014-07-30", "2"),
    ],
)
def test_title_and_date_of_effect(name: str, title: str, effective: str | None, version: str | None) -> None:
    book = books.load(name).text
    assert (book.name, book.title, book.effective, book.version) == (name, title, effective, version)
    assert title in book.source.replace(":", "")


@pytest.mark.parametrize(
    ("name", "clauses", "behaviour"),
    [("commission", 20, 18), ("easy-six", 18, 16), ("ez", 11, 10), ("insurance", 83, 68), ("knockout", 24, 22)],
)
def test_every_clause_of_the_document_is_there(name: str, clauses: int, behaviour: int) -> None:
    book = books.load(name).text
    assert len(book.clauses) == clauses
    assert sum(clause.kind is ClauseKind.BEHAVIOUR for clause in book.clauses) == behaviour


@pytest.mark.parametrize("name", books.NAMES)
def test_labels_are_there_in_three_languages(name: str) -> None:
    for bet in books.load(name).bets:
        assert [text.isascii() for text in bet.labels.all] == [True, False, False]


def test_a_built_in_book_is_read_once() -> None:
    assert books.load("ez") is books.load("ez")


def test_a_users_own_file_works_as_a_name_does(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert books.load(str(file)).name == "small"


def test_the_example_book_compiles() -> None:
    assert books.load(str(EXAMPLE)).name == "side-bets"


def test_a_wrong_file_is_named_as_it_was_given(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(altered(("boxes = 7", "boxes = 0")), encoding="utf-8")
    with pytest.raises(BookError) as caught:
        books.load(str(file))
    (line,) = caught.value.lines
    assert line.startswith(f"{file}: line 13: layouts[0].boxes: ")


def test_what_is_no_book_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BookNotFound, match="there is no book macau; built in are commission, easy-six, ez, ins"):
        books.load("macau")
    with pytest.raises(BookNotFound, match="cannot be read: Is a directory"):
        books.load(str(tmp_path))
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "Egalité"'.encode("latin-1"))
    with pytest.raises(BookNotFound, match="cannot be read: it is not UTF-8 text"):
        books.load(str(latin))


def test_a_name_that_can_only_be_a_file_is_called_one(tmp_path: Path) -> None:
    for name in ("macau.toml", "./macau", str(tmp_path / "macau")):
        with pytest.raises(BookNotFound, match=f"^there is no file {name.removeprefix('./')}$"):
            books.load(name)
    with pytest.raises(BookNotFound, match="no book was named"):
        books.load(" ")


def test_a_path_is_seen_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(TEXT, encoding="utf-8")
    assert books.load("small.toml", tmp_path).name == "small"
    assert books.load("ez", tmp_path) is books.load("ez")
    with pytest.raises(BookNotFound, match="there is no book small; built in are"):
        books.load("small", tmp_path)


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "\ud800"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    with pytest.raises(BookNotFound, match="cannot be read"):
        books.load(name)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text(TEXT, encoding="utf-8-sig")
    assert books.load(str(file)).name == "small"


@pytest.mark.parametrize("text", ["", " \n\n", "# to be written\n\n  # soon\n"])
def test_a_file_that_says_nothing_is_empty(tmp_path: Path, text: str) -> None:
    file = tmp_path / "nothing.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BookNotFound, match="is empty: there is no book in it"):
        books.load(str(file))


def test_a_device_without_end_is_left_alone() -> None:
    with pytest.raises(BookNotFound, match="/dev/zero cannot be read: it is larger than 512 KiB"):
        books.load("/dev/zero")
