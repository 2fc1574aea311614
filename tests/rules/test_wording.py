from __future__ import annotations

from typing import Any

import msgspec
import pytest

from punto import books
from punto.rules.authority import Role
from punto.rules.book import label_of
from punto.rules.book_text import Finding, Irregularity, Options, Remedy
from punto.rules.condition import When
from punto.rules.wording import (
    condition_words,
    decider_words,
    either_words,
    number_words,
    options_words,
    outcome_words,
    rank_words,
    remedy_words,
    row_words,
)
from punto.words import Language

HANS, HANT = Language("zh_hans"), Language("zh_hant")
WORDS: list[tuple[dict[str, Any], str]] = [
    ({"winner": "player"}, "Player wins"),
    ({"winner": "tie"}, "tie"),
    ({"winner": ["player", "banker"]}, "no tie"),
    ({"winner": ["player", "tie"]}, "Player wins or tie"),
    ({"winner": "banker", "banker_points": 6, "banker_cards": 2}, "Banker wins on 6 with two cards"),
    ({"winner": "player", "player_natural": False, "margin": 9}, "Player wins without a natural, by 9 points"),
    ({"winner": "banker", "banker_natural": True}, "Banker wins with a natural"),
    ({"winner": "tie", "player_points": 0}, "tie, Player has 0"),
    ({"winner": "player", "losing_points": [0, 1, 2, 3]}, "Player wins, the loser has 0-3"),
    ({"winning_points": [5, 6]}, "the winner has 5 or 6"),
    ({"winning_cards": 3, "losing_cards": 2}, "the winner has three cards, the loser has two cards"),
    ({"player_points": 9, "player_cards": 3}, "Player has 9 in three cards"),
    ({"player_cards": 3, "banker_natural": False}, "Player has three cards, Banker has no natural"),
    ({"margin": [1, 2]}, "the margin is 1 or 2"),
    ({"points_sum": 18}, "both hands together have 18"),
    ({"cards": [5, 6]}, "five or six cards in all"),
    ({"natural": True}, "a natural"),
    ({"natural": False}, "no natural"),
    ({"winning_natural": True}, "the winner has a natural"),
    ({"player_natural": True}, "Player has a natural"),
    ({"player_pair": True, "banker_pair": False}, "Player has a pair, Banker has no pair"),
    ({"player_pair_of": "6"}, "Player has a pair of 6"),
    ({"banker_pair_of": ["J", "Q", "K"]}, "Banker has a pair of J, Q or K"),
    ({"player_pair_suited": True, "banker_pair_suited": False}, "Player has a suited pair, Banker has no suited pair"),
    ({"pairs": [1, 2]}, "a pair in one hand or both hands"),
    ({"suited_pairs": 0}, "a suited pair in no hand"),
    ({"same_pair": True}, "a pair of the same rank in both hands"),
    ({"either_points": [6, 7]}, "either hand has 6 or 7"),
    ({"both_cards": 3}, "both hands have three cards"),
    ({"margin": "4-9", "winner": "player"}, "Player wins, by 4-9 points"),
    ({"points_sum": "even"}, "both hands together have 0, 2, 4, 6, 8, 10, 12, 14, 16 or 18"),
    ({"losing_natural": True}, "the loser has a natural"),
    ({"banker_two_points": 3}, "Banker's first two cards make 3"),
    ({"player_3": {"rank": "8"}}, "Player's third card is an 8"),
    ({"player_3": {"rank": "8", "colour": "red"}}, "Player's third card is a red 8"),
    ({"banker_1": {"face": False}}, "Banker's first card is not a picture card"),
    ({"banker_2": {"points": "0-2", "suit": "clubs"}}, "Banker's second card is worth 0-2 of clubs"),
    ({"player_two": {"same": "card"}}, "Player's first two cards are identical"),
    (
        {"player_two": {"same": ["rank", "colour"], "not_same": "suit"}},
        "Player's first two cards are of one rank and colour, Player's first two cards are not of one suit",
    ),
    ({"banker_two": {"ranks": ["K", "Q"]}}, "Banker's first two cards are K and Q"),
    ({"player_hand": {"not_same": "card"}}, "Player's cards are not identical"),
    ({"banker_hand": {"none": {"rank": "A"}}}, "none of Banker's cards is an A"),
    ({"round": {"all": {"colour": "black"}}}, "the cards of the round are all black"),
    ({"round": {"number": "2-6", "of": {"rank": "7"}}}, "2-6 of the cards of the round are 7s"),
    ({"first_four": {"number": 1, "of": {"card": "9D"}}}, "1 of the first four cards is 9♦"),
    (
        {"first_four": {"poker": ["flush", "two-pair", "mini-royal"]}},
        "the first four cards make a flush, two pair or a mini royal",
    ),
    (
        {"compare": {"first": "player-1", "second": "banker-3", "result": ["higher", "equal"]}},
        "Player's first card is higher than or equal to Banker's third card",
    ),
    ({"wins": ["dragon-7", "panda-8"]}, "dragon-7 or panda-8 wins"),
    ({"same_pair": False}, "not a pair of the same rank in both hands"),
]


CONDITIONS = [msgspec.convert(facts, When) for facts, _ in WORDS]


@pytest.mark.parametrize(("facts", "words"), WORDS)
def test_conditions_read_as_sentences(facts: dict[str, Any], words: str) -> None:
    assert condition_words(msgspec.convert(facts, When)) == words


CHINESE: list[tuple[dict[str, Any], str, str]] = [
    ({"winner": ["player", "tie"]}, "闲赢或和局", "閒贏或和局"),
    ({"winner": "banker", "banker_points": 6, "banker_cards": 2}, "庄以两张牌6点赢", "莊以兩張牌6點贏"),
    ({"winner": "banker", "banker_cards": 3}, "庄以三张牌赢", "莊以三張牌贏"),
    ({"winner": "player", "player_natural": True, "margin": 1}, "闲以例牌赢，胜1点", "閒以例牌贏，勝1點"),
    ({"player_points": 9, "player_cards": 3}, "闲三张牌9点", "閒三張牌9點"),
    ({"both_cards": 3, "either_points": "6-9"}, "任何一方6至9点，双方均有三张牌", "任何一方6至9點，雙方均有三張牌"),
    ({"banker_pair_of": ["J", "Q", "K"]}, "庄有一对J、Q或K", "莊有一對J、Q或K"),
    ({"pairs": [1, 2]}, "一方或双方有对子", "一方或雙方有對子"),
    ({"player_3": {"rank": "8", "colour": "red"}}, "闲第三张牌是红色8", "閒第三張牌是紅色8"),
    ({"banker_2": {"points": "0-2", "suit": "clubs"}}, "庄第二张牌是计0至2点的梅花", "莊第二張牌是計0至2點的梅花"),
    ({"round": {"all": {"colour": "black"}}}, "本局的牌全是黑色牌", "本局的牌全是黑色牌"),
    ({"player_two": {"same": ["rank", "suit"]}}, "闲首两张牌的牌面和花色相同", "閒首兩張牌的牌面和花色相同"),
    (
        {"compare": {"first": "player-1", "second": "banker-3", "result": ["higher", "equal"]}},
        "闲第一张牌大于或等于庄第三张牌",
        "閒第一張牌大於或等於莊第三張牌",
    ),
]


@pytest.mark.parametrize(("facts", "hans", "hant"), CHINESE)
def test_the_same_grammar_speaks_chinese(facts: dict[str, Any], hans: str, hant: str) -> None:
    when = msgspec.convert(facts, When)
    assert condition_words(when, HANS) == hans
    assert condition_words(when, HANT) == hant


def test_other_bets_are_called_by_the_names_of_the_layout() -> None:
    book = books.load("ez")
    named = condition_words(When(wins=("dragon-7", "panda-8")), HANT, lambda area: label_of(book, area, HANT))
    assert named == "龍七或熊貓八贏"


@pytest.mark.parametrize("fact", When.__struct_fields__)
def test_no_fact_is_left_out(fact: str) -> None:
    compared = {"first": "player-1", "second": "banker-1", "result": "equal"}
    values: tuple[object, ...] = (
        4 if fact == "cards" else 2,
        True,
        "player",
        "K",
        {"face": True},
        {"same": "rank"},
        compared,
    )
    conditions = []
    for value in values:
        try:
            conditions.append(msgspec.convert({fact: value}, When))
        except msgspec.ValidationError:
            continue
    assert any(condition_words(condition) for condition in conditions)


def test_alternatives_follow_each_other() -> None:
    both = (When(natural=True), When(player_pair=True))
    assert condition_words(both) == "a natural; or Player has a pair"


def test_numbers_draw_runs_together() -> None:
    assert number_words(7) == "7"
    assert number_words((9, 7, 8, 1, 2, 3, 4, 5)) == "1-5 or 7-9"
    assert number_words((6, 8)) == "6 or 8"
    assert number_words((0, 1, 5)) == "0, 1 or 5"
    assert either_words(["a"]) == "a"


def test_rows_and_what_they_pay() -> None:
    table = books.load("ez").pay_tables["dragon-7"]
    assert [(row_words(row), outcome_words(row.outcome)) for row in table.rows] == [
        ("Banker wins on 7 with three cards", "40:1"),
        ("anything else", "lose"),
    ]


def test_everything_that_can_go_wrong_has_words() -> None:
    assert all(remedy_words(remedy) for remedy in Remedy)
    assert [options for options in Options if not options_words(options)] == [Options.NEVER]


def test_ranks() -> None:
    assert rank_words(Role.PIT_SUPERVISOR) == "Pit Supervisor or above"
    assert rank_words(Role.SHIFT_MANAGER) == "Shift Manager"
    assert rank_words(Role.PLAYER) == "Player"


def test_a_decider_whom_the_document_does_not_name_is_a_house_term() -> None:
    void = Irregularity(Finding.FOREIGN_CARD, "A card", Remedy.VOID, Role.PIT_SUPERVISOR, clause="5.5.1")
    assert decider_words(void) == "Pit Supervisor or above (house term; the document names nobody)"
    order = Irregularity(Finding.DRAWN_TOGETHER, "Two", Remedy.ORDER_CARDS, Role.PIT_SUPERVISOR, "5.10", "5.10")
    assert decider_words(order) == "Pit Supervisor or above"
    assert decider_words(Irregularity(Finding.FACE_UP, "Up", Remedy.PLAY_ON, Role.DEALER, "5.9")) == ""
