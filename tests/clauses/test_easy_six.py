"""Non-Commission Easy Six Baccarat, clause by clause. Figures worked out by hand from the document."""

import pytest

from punto import books
from tests.clauses.deals import banker_row, coup, dashed, drew, hands, lines, refused_by

BOOK = "easy-six"

PLAYER_6_5 = "KS KH 6D KC 5S"
"""Player stands on six, Banker draws to five."""

PLAYER_6_ON_THREE = "KS 2H 2D 2C 4S AH"
"""Player draws to six, Banker from four to five."""

BANKER_6_5 = "KS KH KD KC 5S 6S"
BANKER_6_ON_TWO = "KS KH 4D 6C AS"
TIE_ON_SIX = "KS KH 6D 6C"
TIE_ON_SEVEN = "KS KH 7D 7C"
PLAYER_7_6 = "KS KH 7D 6C"
BANKER_7_6 = "KS KH 6D 7C"


@pytest.mark.clause("easy-six", "2.1.1")
def test_three_layouts() -> None:
    layouts = {layout.name: layout.boxes for layout in books.load(BOOK).layouts}
    assert layouts == {"bean-9": 9, "bean-7": 7, "mini-7": 7}


@pytest.mark.clause("easy-six", "2.1.3")
def test_six_betting_areas_and_no_other() -> None:
    assert set(books.load(BOOK).areas) == {"player", "banker", "tie", "player-pair", "banker-pair", "easy-six"}
    for area in ("super-six-plus", "panda-8", "wager-player", "insurance-player-5"):
        assert refused_by(BOOK, TIE_ON_SIX, f"player=10 {area}=10") == "2.1.3"


@pytest.mark.clause("easy-six", "2.2.1")
def test_four_to_eight_decks() -> None:
    assert books.load(BOOK).decks.allowed == (4, 5, 6, 7, 8)


@pytest.mark.clause("easy-six", "3.3")
@pytest.mark.parametrize("area", ["tie", "player-pair", "banker-pair", "easy-six"])
def test_side_bets_stand_alone(area: str) -> None:
    assert len(lines(BOOK, TIE_ON_SIX, f"{area}=10")) == 1


@pytest.mark.clause("easy-six", "3.4")
def test_dealing_order_and_pairs_by_the_first_four_cards() -> None:
    dealt = coup(BOOK, "2S 5H 3D 5C 3C KH")
    assert [str(card) for card in dealt.player] == ["2S", "3D", "3C"]
    assert [str(card) for card in dealt.banker] == ["5H", "5C", "KH"]
    assert lines(BOOK, "2S 5H 3D 5C 3C KH", "player-pair=10 banker-pair=10") == [
        "player-pair lose -10.00 by 4.1.1",
        "banker-pair win 11:1 +110.00 by 4.1.1",
    ]


@pytest.mark.clause("easy-six", "3.5")
def test_banker_draws_on_five_or_less_where_player_stands() -> None:
    for player in (6, 7):
        assert [drew(BOOK, player, banker) for banker in range(8)] == ["B"] * 6 + ["", ""]


@pytest.mark.clause("easy-six", "3.6")
def test_table_of_play() -> None:
    assert [drew(BOOK, player, 7) for player in range(8)] == ["P"] * 6 + ["", ""]
    assert [banker_row(BOOK, banker) for banker in (3, 4, 5, 6, 7)] == [
        "0-1-2-3-4-5-6-7-9",
        "2-3-4-5-6-7",
        "4-5-6-7",
        "6-7",
        "",
    ]
    assert [banker_row(BOOK, banker) for banker in (0, 1, 2)] == [dashed(range(10))] * 3
    naturals = [(8, other) for other in range(10)] + [(9, other) for other in range(10)]
    assert all(drew(BOOK, p, b) == drew(BOOK, b, p) == "" for p, b in naturals)


@pytest.mark.clause("easy-six", "3.7")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("10S JH 7D 6C", "7-6 player"),
        ("AS QH 5D 7C", "6-7 banker"),
        ("9S 8H 8D 9C", "7-7 tie"),
        ("KS KH 5D 7C 9S", "4-7 banker"),
    ],
)
def test_values_units_and_the_higher_hand(cards: str, told: str) -> None:
    assert hands(BOOK, cards) == told


@pytest.mark.clause("easy-six", "3.8")
@pytest.mark.parametrize("cards", [TIE_ON_SIX, TIE_ON_SEVEN])
def test_on_a_tie_player_and_banker_bets_come_back(cards: str) -> None:
    assert lines(BOOK, cards, "player=10 banker=20") == ["player push 0.00 by 3.8", "banker push 0.00 by 3.8"]


@pytest.mark.clause("easy-six", "4.1.1")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        (PLAYER_6_5, "win 21:20 +10.50", "lose -10.00"),
        (PLAYER_6_ON_THREE, "win 21:20 +10.50", "lose -10.00"),
        (PLAYER_7_6, "win 1:1 +10.00", "lose -10.00"),
        (BANKER_6_5, "lose -10.00", "win 1:2 +5.00"),
        (BANKER_6_ON_TWO, "lose -10.00", "win 1:2 +5.00"),
        (BANKER_7_6, "lose -10.00", "win 1:1 +10.00"),
    ],
)
def test_a_six_halves_banker_and_sweetens_player(cards: str, player: str, banker: str) -> None:
    assert lines(BOOK, cards, "player=10 banker=10") == [f"player {player} by 4.1.1", f"banker {banker} by 4.1.1"]


@pytest.mark.clause("easy-six", "4.1.1")
def test_a_tie_on_six_pays_ten() -> None:
    assert lines(BOOK, TIE_ON_SIX, "tie=10") == ["tie win 10:1 +100.00 by 4.1.1"]
    assert lines(BOOK, TIE_ON_SEVEN, "tie=10") == ["tie win 8:1 +80.00 by 4.1.1"]
    assert lines(BOOK, PLAYER_6_5, "tie=10") == ["tie lose -10.00 by 4.1.1"]


@pytest.mark.clause("easy-six", "4.1.1")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("6S KH 6D 7C 6C", "win 13:1 +130.00", "lose -10.00"),
        ("KS 6H KD 6C 2S 2H", "win 11:1 +110.00", "win 13:1 +130.00"),
        ("3S KH 3D 7C", "win 11:1 +110.00", "lose -10.00"),
        ("6S KH KD 6C", "lose -10.00", "lose -10.00"),
    ],
)
def test_a_pair_of_sixes_pays_thirteen(cards: str, player: str, banker: str) -> None:
    assert lines(BOOK, cards, "player-pair=10 banker-pair=10") == [
        f"player-pair {player} by 4.1.1",
        f"banker-pair {banker} by 4.1.1",
    ]


@pytest.mark.clause("easy-six", "1")
@pytest.mark.clause("easy-six", "4.1.1")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (PLAYER_6_5, "win 6:1 +60.00"),
        (PLAYER_6_ON_THREE, "win 6:1 +60.00"),
        (BANKER_6_5, "win 6:1 +60.00"),
        (BANKER_6_ON_TWO, "win 6:1 +60.00"),
        (TIE_ON_SIX, "win 6:1 +60.00"),
        (PLAYER_7_6, "lose -10.00"),
        (BANKER_7_6, "lose -10.00"),
        (TIE_ON_SEVEN, "lose -10.00"),
    ],
)
def test_easy_six_wins_on_a_winning_or_tied_six(cards: str, told: str) -> None:
    assert lines(BOOK, cards, "easy-six=10") == [f"easy-six {told} by 4.1.1"]


@pytest.mark.clause("easy-six", "3.7")
@pytest.mark.clause("easy-six", "3.8")
def test_who_wins_and_what_a_tie_does_are_cited_by_their_own_clauses() -> None:
    play = books.load(BOOK).play
    assert (play.points_clause, play.winner_clause, play.tie_clause) == ("3.7", "3.7", "3.8")
