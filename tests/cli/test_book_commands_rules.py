from __future__ import annotations

from unicodedata import east_asian_width

import pytest

from punto.books import NAMES, load
from tests.cli.called import answer

EXAMPLE = "docs/examples/side-bets.toml"


def columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.parametrize("book", [*NAMES, EXAMPLE])
def test_a_page_fits_80_columns_and_has_no_colour_in_a_pipe(book: str) -> None:
    shown = answer("rules", book).out
    assert "\x1b" not in shown
    assert [line for line in shown.splitlines() if columns(line) > 80 or line != line.rstrip()] == []


@pytest.mark.parametrize("book", [*NAMES, EXAMPLE])
@pytest.mark.parametrize("form", [(), ("--markdown",)])
def test_a_page_names_every_area_label_layout_and_clause(book: str, form: tuple[str, ...]) -> None:
    shown = answer("rules", book, *form).out
    words = " ".join(shown.replace("|", " ").replace("<br>", " ").replace("\\", "").split())
    rules = load(book).text
    for bet in rules.bets:
        assert bet.area in words
        assert {bet.labels.en, bet.labels.zh_hans, bet.labels.zh_hant} <= set(_phrases(words, bet.labels))
    for layout in rules.layouts:
        assert layout.label in words
    for clause in rules.clauses:
        assert f"{clause.number} {' '.join(clause.sense.split())}" in words
    for irregularity in rules.irregularities:
        assert irregularity.label in words or form == ()


def _phrases(words: str, labels: object) -> list[str]:
    return [text for text in (getattr(labels, name) for name in ("en", "zh_hans", "zh_hant")) if text in words]


def test_the_table_of_play_is_the_one_that_casinos_print() -> None:
    """The grid of ez, clause 3, read from its document, with the column for a Player hand that stood."""
    printed = {
        7: "SSSSSSSSSS S",
        6: "SSSSSSHHSS S",
        5: "SSSSHHHHSS H",
        4: "SSHHHHHHSS H",
        3: "HHHHHHHHSH H",
        2: "HHHHHHHHHH H",
        1: "HHHHHHHHHH H",
        0: "HHHHHHHHHH H",
    }
    lines = answer("rules", "ez").out.splitlines()
    for points, row in printed.items():
        cells = row.replace(" ", "").replace("H", "D")
        assert [str(points), *cells] in [line.split() for line in lines]


@pytest.mark.parametrize(
    ("book", "line"),
    [
        ("commission", "banker Banker wins 0.95:1 4.1.2"),
        ("easy-six", "player Player wins on 6 1.05:1 4.1.1"),
        ("ez", "dragon-7 Banker wins on 7 with three cards 40:1 5"),
        ("insurance", "super-six-plus Banker wins on 6 with two cards 12:1 4.1.1"),
        ("insurance", "Player After Player's third card 9 0-6 8:1 paid 4.1.2"),
        ("insurance", "Banker After Player's third card 3 4 3:2 returned 4.1.2"),
        ("knockout", "wager-player Player wins, the loser has 0-3 1:2 4.1.3"),
        ("knockout", "ante-player wager-player"),
        ("insurance", "- What insurance on a bet pays in all never exceeds the bet (3.12.2)"),
        ("commission", "- A bet taken off after the close stays in force: it wins or loses (5.3)"),
        ("ez", "- Bets close with the first card out of the shoe (1)"),
    ],
)
def test_what_a_reader_looks_for_is_there(book: str, line: str) -> None:
    assert line.split() in [shown.split() for shown in answer("rules", book).out.splitlines()]


def test_headings_are_coloured_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;36mTABLE OF PLAY\x1b[0m" in answer("rules", "ez").out


def test_markdown_has_headings_and_tables() -> None:
    shown = answer("rules", "ez", "--markdown").out
    lines = shown.splitlines()
    assert lines[0] == "# EZ Baccarat"
    assert "## What bets pay" in lines
    assert "| dragon-7 | Banker wins on 7 with three cards | 40:1 | 5 |" in lines
    assert "- Bets close with the first card out of the shoe (1)" in lines
    tables = [line for line in lines if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_programs_get_the_book_itself() -> None:
    book = answer("rules", "insurance", "--json").json
    assert book["name"] == "insurance"
    assert book["decks"] == {"allowed": [4, 5, 6, 7, 8], "clause": "2.2.1"}
    assert book["bets"][0]["labels"] == {"en": "Player", "zh_hans": "闲", "zh_hant": "閒"}
    assert book["insurance"]["offers"][0]["odds"] == "2:1"
    assert [layout["boxes"] for layout in book["layouts"]] == [9, 8, 7, 7, 6, 5]
