"""Commission Baccarat, clause by clause. Expected figures were worked out by hand from the document."""

import pytest

from punto import books
from tests.clauses.deals import banker_row, coup, dashed, drew, hands, lines, refused_by

BOOK = "commission"
TIE_ON_SIX = "KS KH 6D 6C"
PLAYER_7_6 = "KS KH 7D 6C"
BANKER_7_6 = "KS KH 6D 7C"


@pytest.mark.clause("commission", "2.1.1")
def test_four_layouts() -> None:
    layouts = {layout.name: layout.boxes for layout in books.load(BOOK).layouts}
    assert layouts == {"bean-9": 9, "bean-7": 7, "mini-7": 7, "big-12": 12}


@pytest.mark.clause("commission", "2.1.3")
def test_five_betting_areas_and_no_other() -> None:
    assert books.load(BOOK).areas == ("player", "banker", "tie", "player-pair", "banker-pair")
    for area in ("easy-six", "super-six-plus", "ante-player", "insurance-banker-4", "dragon-7"):
        assert refused_by(BOOK, BANKER_7_6, f"player=10 {area}=10") == "2.1.3"


@pytest.mark.clause("commission", "2.2.1")
def test_four_to_eight_decks() -> None:
    assert books.load(BOOK).decks.allowed == (4, 5, 6, 7, 8)


@pytest.mark.clause("commission", "3.3")
@pytest.mark.parametrize("area", ["tie", "player-pair", "banker-pair"])
def test_tie_and_pair_bets_stand_alone(area: str) -> None:
    assert len(lines(BOOK, BANKER_7_6, f"{area}=10")) == 1


@pytest.mark.clause("commission", "3.4")
def test_first_and_third_card_are_player_second_and_fourth_banker() -> None:
    dealt = coup(BOOK, "AS 2H 3D 3C 5S KH")
    assert [str(card) for card in dealt.player] == ["AS", "3D", "5S"]
    assert [str(card) for card in dealt.banker] == ["2H", "3C", "KH"]


@pytest.mark.clause("commission", "3.4")
def test_the_first_four_cards_alone_decide_the_pairs() -> None:
    # Player 2 3, then a second three; Banker two fives, then a king.
    assert lines(BOOK, "2S 5H 3D 5C 3C KH", "player-pair=10 banker-pair=10") == [
        "player-pair lose -10.00 by 4.1.2",
        "banker-pair win 11:1 +110.00 by 4.1.2",
    ]


@pytest.mark.clause("commission", "3.5")
def test_banker_draws_on_five_or_less_where_player_stands() -> None:
    for player in (6, 7):
        assert [drew(BOOK, player, banker) for banker in range(8)] == ["B"] * 6 + ["", ""]


@pytest.mark.clause("commission", "3.6")
def test_player_draws_on_five_or_less_and_stands_on_six_and_seven() -> None:
    assert [drew(BOOK, player, 7) for player in range(8)] == ["P"] * 6 + ["", ""]


@pytest.mark.clause("commission", "3.6")
def test_bankers_rows() -> None:
    assert {banker: banker_row(BOOK, banker) for banker in range(8)} == {
        0: dashed(range(10)),
        1: dashed(range(10)),
        2: dashed(range(10)),
        3: "0-1-2-3-4-5-6-7-9",
        4: "2-3-4-5-6-7",
        5: "4-5-6-7",
        6: "6-7",
        7: "",
    }


@pytest.mark.clause("commission", "3.6")
def test_a_natural_on_either_side_ends_the_deal() -> None:
    for natural in (8, 9):
        for other in range(10):
            assert drew(BOOK, natural, other) == ""
            assert drew(BOOK, other, natural) == ""


@pytest.mark.clause("commission", "3.7")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("10S JH 7D 6C", "7-6 player"),
        ("QS KH 6D 7C", "6-7 banker"),
        ("AS KH 7D 7C", "8-7 player"),
        ("9S 8H 8D 9C", "7-7 tie"),
        ("KS 9H 9D KC", "9-9 tie"),
        ("5S 2H KD 5C 9S", "4-7 banker"),
        ("4S KH AD 7C 6S", "1-7 banker"),
    ],
)
def test_values_units_and_the_higher_hand(cards: str, told: str) -> None:
    assert hands(BOOK, cards) == told


@pytest.mark.clause("commission", "3.8")
def test_on_a_tie_player_and_banker_bets_come_back() -> None:
    assert lines(BOOK, TIE_ON_SIX, "player=10 banker=20") == ["player push 0.00 by 3.8", "banker push 0.00 by 3.8"]


@pytest.mark.clause("commission", "4.1.1")
@pytest.mark.parametrize(("stake", "net"), [("100", "+95.00"), ("20", "+19.00"), ("1", "+0.95"), ("0.10", "+0.10")])
def test_the_house_keeps_a_twentieth_of_a_winning_banker_bet(stake: str, net: str) -> None:
    assert lines(BOOK, BANKER_7_6, f"banker={stake}") == [f"banker win 19:20 {net} by 4.1.2"]


@pytest.mark.clause("commission", "4.1.2")
def test_pay_table() -> None:
    bets = "player=10 banker=10 tie=10"
    assert lines(BOOK, PLAYER_7_6, bets) == [
        "player win 1:1 +10.00 by 4.1.2",
        "banker lose -10.00 by 4.1.2",
        "tie lose -10.00 by 4.1.2",
    ]
    assert lines(BOOK, BANKER_7_6, bets) == [
        "player lose -10.00 by 4.1.2",
        "banker win 19:20 +9.50 by 4.1.2",
        "tie lose -10.00 by 4.1.2",
    ]
    assert lines(BOOK, TIE_ON_SIX, "tie=10") == ["tie win 8:1 +80.00 by 4.1.2"]


@pytest.mark.clause("commission", "1")
@pytest.mark.clause("commission", "4.1.2")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("KS QH KD 7C 6C", "win 11:1 +110.00", "lose -10.00"),
        ("KS 3H QD 3C 2C", "lose -10.00", "win 11:1 +110.00"),
        ("10S KH JD QC 6S AS", "lose -10.00", "lose -10.00"),
        ("8S 9H 8S 9C", "win 11:1 +110.00", "win 11:1 +110.00"),
    ],
)
def test_a_pair_is_one_rank_twice(cards: str, player: str, banker: str) -> None:
    assert lines(BOOK, cards, "player-pair=10 banker-pair=10") == [
        f"player-pair {player} by 4.1.2",
        f"banker-pair {banker} by 4.1.2",
    ]


@pytest.mark.clause("commission", "1")
def test_a_natural_is_eight_or_nine_on_two_cards() -> None:
    book = books.load(BOOK)
    for cards, natural in [
        ("KS KH 8D 7C", True),
        ("KS KH 7D 9C", True),
        ("KS KH 7D 7C", False),
        ("KS KH 5D 7C 3S", False),
    ]:
        assert coup(BOOK, cards).is_natural(book) is natural
        assert ("natural" in coup(BOOK, cards).declared(book)) is natural


@pytest.mark.clause("commission", "3.7")
@pytest.mark.clause("commission", "3.8")
def test_who_wins_and_what_a_tie_does_are_cited_by_their_own_clauses() -> None:
    play = books.load(BOOK).play
    assert (play.points_clause, play.winner_clause, play.tie_clause) == ("3.7", "3.7", "3.8")
