"""Compiling a bet on cards: what it tells apart, what is proven, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from punto.books import base_of
from punto.cards.card import Card, Rank, parse_cards
from punto.coup.coup import deal
from punto.rules.book import Book, read_book
from punto.rules.outcome import Result
from punto.rules.validation import BookError
from tests.rules.layered import inline


def book_of(*rows: dict[str, Any], first_match: bool = False, kind: str = "side") -> Book:
    rows_text = ",\n".join(inline({**row, "clause": "1"}) for row in rows)
    hand = "" if kind == "side" else 'hand = "player"\n'
    return read_book(
        'extends = "commission"\nname = "own"\n[[clauses]]\nnumber = "1"\nkind = "behaviour"\nsense = "x"\n'
        f'[[bets]]\narea = "own"\nkind = "{kind}"\nlabels = {{ en = "Own" }}\nclause = "1"\n{hand}'
        f"first_match = {str(first_match).lower()}\npays = [\n{rows_text}\n]\n",
        "own.toml",
        base_of,
    )


def row(when: Any, odds: str = "1:1") -> dict[str, Any]:
    return {"when": when, "odds": odds}


REST = {"otherwise": True, "result": "lose"}


@pytest.mark.parametrize(
    ("when", "kinds", "has_suits", "reads_third"),
    [
        ({"player_1": {"face": True}}, 2, False, False),
        ({"player_3": {"rank": "8"}}, 10, False, True),
        ({"player_3": {"rank": "K"}}, 11, False, True),
        ({"round": {"all": {"colour": "red"}}}, 20, True, True),
        ({"player_hand": {"same": "suit"}}, 40, True, True),
        ({"player_two": {"same": "suit"}}, 4, True, False),
        ({"first_four": {"same": "rank"}}, 13, False, False),
        ({"first_four": {"poker": "flush"}}, 52, True, False),
        ({"first_four": {"number": 2, "of": {"card": "9D"}}}, 2, True, False),
        ({"wins": "player-pair"}, 13, False, False),
        ({"wins": "player"}, 10, False, True),
    ],
)
def test_a_bet_tells_no_more_cards_apart_than_it_must(
    when: dict[str, Any], kinds: int, has_suits: bool, reads_third: bool
) -> None:
    table = book_of(row(when), REST).pay_tables["own"]
    assert table.cards is not None
    assert len(table.cards.kinds) == kinds
    assert table.reads_suits is table.cards.kinds.has_suits is has_suits
    assert table.cards.reads_third is reads_third


def test_a_gap_is_shown_as_a_deal_of_cards() -> None:
    with pytest.raises(BookError, match=r"no row covers Player (\S+) \S+, Banker \S+ \S+") as error:
        book_of(row({"player_1": {"colour": "red"}}), row({"player_1": {"suit": "clubs"}}))
    shown = str(error.value).split("Player ")[1].split()[0]
    assert Card.parse(shown).suit.value == "S"


def test_an_overlap_is_shown_unless_the_first_row_counts() -> None:
    rows = (row({"player_1": {"colour": "red"}}), row({"player_1": {"rank": "K"}}, "2:1"), REST)
    with pytest.raises(BookError, match=r"rows 1 and 2 both cover Player K[HD] "):
        book_of(*rows)
    table = book_of(*rows, first_match=True).pay_tables["own"]
    coup = deal(book_of(REST).play, parse_cards("KH 2S 2S 2S 9S 9S"))
    assert table.outcome_of_deal(coup.facts, coup.player, coup.banker).odds == 1


def test_the_first_row_counts_for_bets_on_totals_too() -> None:
    rows = (row({"winning_points": 7}), row({"winner": "player"}, "2:1"), REST)
    with pytest.raises(BookError, match="rows 1 and 2 both cover"):
        book_of(*rows)
    table = book_of(*rows, first_match=True).pay_tables["own"]
    assert table.cards is None
    coup = deal(book_of(REST).play, parse_cards("3S 2S 4S 2S 2S 2S"))
    assert table.outcome(coup.facts).odds == 1


@pytest.mark.parametrize(
    ("rows", "kind", "sentence"),
    [
        ((row({"wins": "nobody"}), REST), "side", "the book has no betting area nobody"),
        ((row({"wins": "own"}), REST), "side", "own asks in turn whether own wins"),
        ((row({"player_1": {"face": True}}), REST), "wager", "only a side bet may ask about single cards"),
        ((row({"player_1": {"face": True}}, "1 for 1"), REST), "side", "wins nothing; write"),
    ],
)
def test_what_is_refused(rows: tuple[dict[str, Any], ...], kind: str, sentence: str) -> None:
    with pytest.raises(BookError, match=sentence):
        book_of(*rows, kind=kind)


def test_a_bet_that_asks_for_too_much_is_refused_in_a_sentence() -> None:
    places = ("player-1", "player-2", "banker-1", "banker-2")
    compared = [
        {"first": one, "second": other, "result": "higher"} for one in places for other in places if one < other
    ]
    tests = [{"number": 1, "of": {"rank": rank.notation}} for rank in Rank]
    with pytest.raises(BookError, match=r"distinguishes [0-9,]+ pairs of hands, and at most 400,000 are allowed"):
        book_of(row({"compare": compared, "round": tests, "first_four": {"poker": "pair"}}), REST)


def test_odds_for_one_have_the_stake_in_them() -> None:
    table = book_of(row({"player_1": {"face": True}}, "25 for 1"), REST).pay_tables["own"]
    assert [one.outcome.odds for one in table.rows] == [24, None]
    assert book_of(row({"winner": "tie"}, "8 to 1"), REST).pay_tables["own"].rows[0].outcome.odds == 8


def test_what_may_still_come_of_hands_that_lie_partly_open() -> None:
    book = book_of(row({"player_two": {"same": "suit"}, "banker_3": {"rank": "K"}}), REST)
    table = book.pay_tables["own"]
    assert table.cards is not None
    kings, spades = parse_cards("KS KH")

    def results(player: tuple[Card | None, ...], banker: tuple[Card | None, ...]) -> set[Result]:
        assert table.cards is not None
        cells = table.cards.possible_cells(book.play, player, banker)
        return {table.rows[table.cells[cell]].outcome.result for cell in cells}

    assert results((), ()) == {Result.WIN, Result.LOSE}
    assert results((kings, spades), ()) == {Result.LOSE}
    assert results((kings, None), ()) == {Result.WIN, Result.LOSE}
    nine = parse_cards("9S")[0]
    assert results((nine, kings), ()) == {Result.LOSE}
