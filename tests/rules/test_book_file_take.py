"""A book takes bets of the catalogue by name: they become part of it, and problems stand at the name."""

from __future__ import annotations

import pytest

from punto.books import base_of, built_in_source, load, take_bet
from punto.books.catalogue import catalogue
from punto.rules.book import digest_of, read_book
from punto.rules.book_file import parse_book
from punto.rules.book_text import ClauseWords
from punto.rules.entry import Labels
from punto.rules.validation import BookError
from tests.rules.layered import Files

HEAD = 'extends = "commission"\nname = "mine"\n'


def problems(top: str, **others: str) -> list[str]:
    with pytest.raises(BookError) as caught:
        read_book(top, "top", Files(top=top, **others), take_bet)
    return caught.value.lines


def test_a_taken_bet_is_in_the_book_with_its_clause() -> None:
    book = read_book(HEAD + 'take = ["ox-6", "quik"]', "top", base_of, take_bet)
    assert [bet.area for bet in book.bets] == [*(bet.area for bet in load("commission").bets), "ox-6", "quik"]
    assert book.bet("quik") == catalogue()["quik"].as_bet
    assert book.clause("catalogue/quik") == catalogue()["quik"].as_clause


def test_the_digest_covers_what_is_taken() -> None:
    taken = parse_book(HEAD + 'take = ["ox-6"]', "top", base_of, take_bet)
    written = parse_book(HEAD + take_bet("ox-6").text, "top", base_of)
    without = parse_book(HEAD, "top", base_of)
    assert digest_of(taken) == digest_of(written) != digest_of(without)


def test_a_whole_book_may_take_bets_too() -> None:
    text = "take = ['ox-6']\n" + built_in_source("ez").text
    assert parse_book(text, "top", base_of, take_bet).bets[-1].area == "ox-6"


def test_a_base_takes_and_the_book_above_replaces_or_removes() -> None:
    files = Files(base=HEAD + 'take = ["ox-6", "quik"]')
    own = take_bet("ox-6").text.replace("40:1", "35:1").replace("catalogue/ox-6", "house-1")
    replaced = parse_book(f'extends = "base"\nname = "own"\n{own}', "top", files, take_bet)
    assert [row.odds for row in replaced.bets[-2].pays] == ["35:1", None]
    removed = parse_book('extends="base"\nname="own"\nremove=["bets.ox-6"]', "top", files, take_bet)
    assert removed.bet("ox-6") is None
    again = problems('extends = "base"\nname = "own"\ntake = ["ox-6"]', base=files.texts["base"])
    assert again == ["top: line 3: take[0]: the book already has a bet ox-6; take only adds new bets"]


def test_a_bet_of_the_base_makes_room_by_removing_it() -> None:
    clash = problems(HEAD + 'take = ["player-pair"]')
    assert clash == ["top: line 3: take[0]: the book already has a bet player-pair; take only adds new bets"]
    text = HEAD + 'take = ["player-pair"]\nremove = ["bets.player-pair"]'
    assert parse_book(text, "top", base_of, take_bet).bets[-1].clause == "catalogue/player-pair"


@pytest.mark.parametrize(
    ("take", "sentences"),
    [
        (
            '["dragon-bonus-playr"]',
            ["line 3: take[0]: the catalogue has no bet dragon-bonus-playr (did you mean "
             "dragon-bonus-player?); punto bets lists all of them"],
        ),
        (
            '[\n  "quik", # "no", this is a comment\n  "ox-6", "quik",\n  "zzzzzzzz"]',
            [
                "line 5: take[2]: the book already has a bet quik; take only adds new bets",
                "line 6: take[3]: the catalogue has no bet zzzzzzzz; punto bets lists all of them",
            ],
        ),
        ('"quik"', ["line 3: take: a list is expected, not a text"]),
    ],
)  # fmt: skip
def test_errors_name_the_line_of_the_name(take: str, sentences: list[str]) -> None:
    assert problems(HEAD + f"take = {take}") == [f"top: {sentence}" for sentence in sentences]


def test_errors_of_a_base_name_its_file() -> None:
    found = problems('extends = "base"\nname = "own"', base=HEAD + 'take = ["ox-7"]')
    assert found == [
        "base: line 3: take[0]: the catalogue has no bet ox-7 (did you mean ox-6?); punto bets lists all of them"
    ]


def test_what_is_wrong_with_a_taken_bet_stands_at_its_name() -> None:
    needs = problems('extends = "commission"\nname = "mine"\nremove = ["bets.banker"]\ntake = ["lucky-bonus"]')
    assert needs == ["top: line 4: take[0].needs[0]: the book has no betting area banker"]
    one = problems(HEAD + 'take = ["quik", "perfect-pair"]\n[decks]\nallowed = [1]')
    assert one == ["top: line 3: take[1].pays[0]: no deal ever reaches this row"]
    own = problems(HEAD + 'take = ["ox-6"]\n[[clauses]]\nnumber = "catalogue/ox-6"\nkind = "display"\nsense = "x"')
    assert own == ["top: line 3: take[0]: catalogue/ox-6 is listed twice"]


WORDS = """
[[take]]
bet = "quik"

[[take]]
bet = "ox-6"
labels = { zh_hans = "牛六", zh_hant = "牛六點" }
zh_hans = { sense = "牛六 1 赔 40。", reading = "看三张牌。" }
"""


def test_a_taken_bet_has_the_chinese_that_the_book_gives_it() -> None:
    book = parse_book(HEAD + WORDS, "top", base_of, take_bet)
    plain = parse_book(HEAD + 'take = ["quik", "ox-6"]', "top", base_of, take_bet)
    bet, clause = book.bet("ox-6"), book.clause("catalogue/ox-6")
    assert bet is not None and clause is not None
    assert bet.labels == Labels(catalogue()["ox-6"].labels.en, "牛六", "牛六點")
    assert (clause.zh_hans, clause.zh_hant) == (ClauseWords("牛六 1 赔 40。", "看三张牌。"), None)
    assert (book.bet("quik"), book.clause("catalogue/quik")) == (plain.bet("quik"), plain.clause("catalogue/quik"))
    assert (bet.pays, clause.sense) == (plain.bets[-1].pays, plain.clauses[-1].sense)
    assert digest_of(book) != digest_of(plain)


def test_mistakes_in_the_words_of_a_taken_bet_stand_at_their_line() -> None:
    spoiled = WORDS.replace("zh_hant =", "zh_hat =").replace("reading", "readings")
    assert problems(HEAD + spoiled) == [
        "top: line 9: take[1].labels.zh_hat: there is no such key (did you mean zh_hant?)",
        "top: line 10: take[1].zh_hans.readings: there is no such key (did you mean reading?)",
    ]
    control = WORDS.replace("牛六 1", "牛六\\n1")
    assert problems(HEAD + control) == [
        "top: line 10: take[1].zh_hans.sense: a text contains a line break or another control character"
    ]
    assert problems(HEAD + "[[take]]") == ["top: line 3: take[0]: the key is missing: `bet`"]


def test_without_a_catalogue_nothing_can_be_taken() -> None:
    with pytest.raises(BookError, match="there is no catalogue"):
        read_book(HEAD + 'take = ["ox-6"]', "top", base_of)


def test_a_book_of_the_wrong_shape_is_told_so() -> None:
    assert any("bets" in line for line in problems('take = ["ox-6"]\nbets = 3\n' + HEAD))
