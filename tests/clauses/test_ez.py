"""EZ Baccarat, clause by clause. Figures worked out by hand from the document."""

import pytest

from punto import books
from tests.clauses.deals import coup, drew, hands, lines, refused_by

BOOK = "ez"

DRAGON_7 = "KS KH KD 5C 4C 2C"
"""Banker draws a two to five beside Player's four: seven on three cards."""

BANKER_7_ON_TWO = "KS KH 6D 7C"
TIE_ON_THREE_CARD_SEVEN = "KS KH 7D 5C 2C"
PANDA_8 = "KS KH 5D 7C 3C"
PLAYER_8_ON_TWO = "KS KH 8D 7C"
TIE_ON_THREE_CARD_EIGHT = "KS KH 4D 4C 4H 4S"
PLAYER_7_6 = "KS KH 7D 6C"


@pytest.mark.clause("ez", "intro-1")
def test_a_winning_banker_seven_of_three_cards_pushes_banker_bets() -> None:
    assert lines(BOOK, DRAGON_7, "banker=10") == ["banker push 0.00 by 5"]
    assert lines(BOOK, BANKER_7_ON_TWO, "banker=10") == ["banker win 1:1 +10.00 by 5"]


@pytest.mark.clause("ez", "intro-2")
def test_six_or_eight_decks() -> None:
    assert books.load(BOOK).decks.allowed == (6, 8)


@pytest.mark.clause("ez", "intro-4")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("KS KH 4D 7C 7S", "1-7 banker"),
        ("10S JH 7D 6C", "7-6 player"),
        ("AS QH 5D 7C", "6-7 banker"),
        ("2S KH 7D 9C", "9-9 tie"),
    ],
)
def test_values_and_the_right_digit(cards: str, told: str) -> None:
    assert hands(BOOK, cards) == told


@pytest.mark.clause("ez", "intro-5")
def test_five_bets_in_any_combination() -> None:
    assert books.load(BOOK).areas == ("player", "banker", "tie", "dragon-7", "panda-8")
    for area in books.load(BOOK).areas:
        assert len(lines(BOOK, PLAYER_7_6, f"{area}=10")) == 1
    assert len(lines(BOOK, PLAYER_7_6, "player=1 banker=2 tie=3 dragon-7=4 panda-8=5")) == 5
    assert refused_by(BOOK, PLAYER_7_6, "player-pair=10") == "intro-5"


@pytest.mark.clause("ez", "3")
def test_two_cards_each_in_turn_from_player() -> None:
    dealt = coup(BOOK, "AS 2H 3D 3C 5S KH")
    assert [str(card) for card in dealt.player] == ["AS", "3D", "5S"]
    assert [str(card) for card in dealt.banker] == ["2H", "3C", "KH"]


@pytest.mark.clause("ez", "3")
def test_naturals_and_standing_hands() -> None:
    for points in range(10):
        for natural in (8, 9):
            assert drew(BOOK, natural, points) == drew(BOOK, points, natural) == ""
    assert [drew(BOOK, player, 7) for player in range(8)] == ["P"] * 6 + ["", ""]
    for player in (6, 7):
        assert [drew(BOOK, player, banker) for banker in range(8)] == ["B"] * 6 + ["", ""]


@pytest.mark.clause("ez", "3")
@pytest.mark.parametrize(
    ("banker", "row"),
    [
        (7, "S S S S S S S S S S"),
        (6, "S S S S S S H H S S"),
        (5, "S S S S H H H H S S"),
        (4, "S S H H H H H H S S"),
        (3, "H H H H H H H H S H"),
        (2, "H H H H H H H H H H"),
        (1, "H H H H H H H H H H"),
        (0, "H H H H H H H H H H"),
    ],
)
def test_bankers_chart(banker: int, row: str) -> None:
    for player in range(6):
        assert ["SH"["B" in drew(BOOK, player, banker, third)] for third in range(10)] == row.split()


@pytest.mark.clause("ez", "4")
@pytest.mark.parametrize(
    ("cards", "winner", "declared"),
    [
        (DRAGON_7, "banker", {"dragon-7"}),
        (BANKER_7_ON_TWO, "banker", set()),
        (TIE_ON_THREE_CARD_SEVEN, "tie", {"tie"}),
        (PANDA_8, "player", {"panda-8"}),
        (PLAYER_8_ON_TWO, "player", {"natural"}),
        (TIE_ON_THREE_CARD_EIGHT, "tie", {"tie"}),
        (PLAYER_7_6, "player", set()),
    ],
)
def test_what_is_declared(cards: str, winner: str, declared: set[str]) -> None:
    dealt = coup(BOOK, cards)
    assert dealt.winner.value == winner
    assert set(dealt.declared(books.load(BOOK))) == declared


@pytest.mark.clause("ez", "5")
@pytest.mark.clause("ez", "6")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (BANKER_7_ON_TWO, "banker win 1:1 +10.00, player lose, tie lose, dragon-7 lose, panda-8 lose"),
        (DRAGON_7, "banker push, player lose, tie lose, dragon-7 win 40:1 +400.00, panda-8 lose"),
        (PLAYER_7_6, "banker lose, player win 1:1 +10.00, tie lose, dragon-7 lose, panda-8 lose"),
        (PLAYER_8_ON_TWO, "banker lose, player win 1:1 +10.00, tie lose, dragon-7 lose, panda-8 lose"),
        (PANDA_8, "banker lose, player win 1:1 +10.00, tie lose, dragon-7 lose, panda-8 win 25:1 +250.00"),
        (TIE_ON_THREE_CARD_EIGHT, "banker push, player push, tie win 8:1 +80.00, dragon-7 lose, panda-8 lose"),
        (TIE_ON_THREE_CARD_SEVEN, "banker push, player push, tie win 8:1 +80.00, dragon-7 lose, panda-8 lose"),
    ],
)
def test_the_five_cases(cards: str, told: str) -> None:
    settled = lines(BOOK, cards, "banker=10 player=10 tie=10 dragon-7=10 panda-8=10")
    plain = [
        line.removesuffix(" by 5").replace(" lose -10.00", " lose").replace(" push 0.00", " push") for line in settled
    ]
    assert ", ".join(plain) == told


@pytest.mark.clause("ez", "4")
def test_who_wins_and_what_a_tie_does_are_cited_by_their_own_clauses() -> None:
    play = books.load(BOOK).play
    assert (play.points_clause, play.winner_clause, play.tie_clause) == ("intro-4", "4", "4")
