"""Non-Commission Knockout Baccarat, clause by clause. Figures worked out by hand from the document."""

import pytest

from punto import books
from tests.clauses.deals import banker_row, coup, dashed, drew, hands, lines, refused_by

BOOK = "knockout"
TIE_ON_SIX = "KS KH 6D 6C"
PLAYER_7_6 = "KS KH 7D 6C"
BANKER_7_6 = "KS KH 6D 7C"
BANKER_6_ON_TWO = "KS KH 4D 6C AS"
BANKER_6_ON_THREE = "KS KH KD KC 5S 6S"
WINNING_TOTALS = ("1-4", "5-6", "7", "8", "9")


@pytest.mark.clause("knockout", "2.1.1")
def test_two_layouts() -> None:
    layouts = {layout.name: layout.boxes for layout in books.load(BOOK).layouts}
    assert layouts == {"bean-6": 6, "mini-5": 5}


@pytest.mark.clause("knockout", "2.1.3")
def test_fourteen_betting_areas_and_no_other() -> None:
    assert set(books.load(BOOK).areas) == {
        "player", "banker", "tie", "player-pair", "banker-pair",
        "winning-total-1-4", "winning-total-5-6", "winning-total-7", "winning-total-8", "winning-total-9",
        "ante-player", "ante-banker", "wager-player", "wager-banker",
    }  # fmt: skip
    for area in ("easy-six", "dragon-7", "winning-total-6", "insurance-player-4"):
        assert refused_by(BOOK, TIE_ON_SIX, f"player=10 {area}=10") == "2.1.3"


@pytest.mark.clause("knockout", "2.2.1")
def test_four_to_eight_decks() -> None:
    assert books.load(BOOK).decks.allowed == (4, 5, 6, 7, 8)


@pytest.mark.clause("knockout", "3.3")
@pytest.mark.parametrize("area", ["ante-player", "ante-banker", "player-pair", "banker-pair", "tie"])
def test_ante_pair_and_tie_bets_stand_alone(area: str) -> None:
    assert len(lines(BOOK, TIE_ON_SIX, f"{area}=10")) == 1


@pytest.mark.clause("knockout", "1")
@pytest.mark.clause("knockout", "3.3")
@pytest.mark.parametrize("which", WINNING_TOTALS)
def test_a_winning_total_needs_a_main_bet(which: str) -> None:
    assert refused_by(BOOK, PLAYER_7_6, f"winning-total-{which}=10") == "3.3"
    assert refused_by(BOOK, PLAYER_7_6, f"winning-total-{which}=10 tie=10 ante-player=10 player-pair=1") == "3.3"
    for main in ("player", "banker"):
        assert len(lines(BOOK, PLAYER_7_6, f"winning-total-{which}=10 {main}=0.01")) == 2


@pytest.mark.clause("knockout", "3.4")
@pytest.mark.clause("knockout", "3.4.1")
@pytest.mark.parametrize("cards", [PLAYER_7_6, BANKER_7_6, TIE_ON_SIX])
def test_an_ante_given_up_is_lost_whatever_comes(cards: str) -> None:
    assert lines(BOOK, cards, "ante-player=10 ante-banker=20") == [
        "ante-player lose -10.00 by 3.4.1",
        "ante-banker lose -20.00 by 3.4.1",
    ]


@pytest.mark.clause("knockout", "1")
@pytest.mark.clause("knockout", "3.4.2")
def test_a_wager_is_exactly_twice_its_own_ante() -> None:
    assert len(lines(BOOK, PLAYER_7_6, "ante-player=10 wager-player=20")) == 2
    for wager in ("10", "19.99", "20.01", "30"):
        assert refused_by(BOOK, PLAYER_7_6, f"ante-player=10 wager-player={wager}") == "3.4.2"
    assert refused_by(BOOK, PLAYER_7_6, "wager-player=20") == "3.4"
    assert refused_by(BOOK, PLAYER_7_6, "player=10 ante-banker=10 wager-player=20") == "3.4"


@pytest.mark.clause("knockout", "3.4")
def test_each_ante_is_decided_by_itself() -> None:
    assert lines(BOOK, PLAYER_7_6, "ante-player=10 ante-banker=10 wager-player=20") == [
        "ante-player win 1:1 +10.00 by 4.1.3",
        "ante-banker lose -10.00 by 3.4.1",
        "wager-player win 2:1 +40.00 by 4.1.3",
    ]


@pytest.mark.clause("knockout", "3.5")
def test_dealing_order_and_pairs_by_the_first_four_cards() -> None:
    dealt = coup(BOOK, "2S 5H 3D 5C 3C KH")
    assert [str(card) for card in dealt.player] == ["2S", "3D", "3C"]
    assert [str(card) for card in dealt.banker] == ["5H", "5C", "KH"]
    assert lines(BOOK, "2S 5H 3D 5C 3C KH", "player-pair=10 banker-pair=10") == [
        "player-pair lose -10.00 by 4.1.1",
        "banker-pair win 11:1 +110.00 by 4.1.1",
    ]


@pytest.mark.clause("knockout", "3.6")
def test_banker_draws_on_five_or_less_where_player_stands() -> None:
    for player in (6, 7):
        assert [drew(BOOK, player, banker) for banker in range(8)] == ["B"] * 6 + ["", ""]


@pytest.mark.clause("knockout", "3.7")
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


@pytest.mark.clause("knockout", "3.8")
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


@pytest.mark.clause("knockout", "3.9")
@pytest.mark.parametrize("cards", [TIE_ON_SIX, "KS KH 9D 9C"])
def test_on_a_tie_all_but_tie_and_pairs_come_back(cards: str) -> None:
    totals = [f"winning-total-{which}" for which in WINNING_TOTALS]
    areas = ["player", "banker", *totals, "ante-player", "ante-banker"]
    bets = [f"{area}=10" for area in areas] + ["wager-player=20", "wager-banker=20"]
    told = [f"{area} push 0.00 by 3.9" for area in (*areas, "wager-player", "wager-banker")]
    assert lines(BOOK, cards, " ".join(bets)) == told


@pytest.mark.clause("knockout", "4.1.1")
@pytest.mark.parametrize(
    ("cards", "player", "banker", "tie"),
    [
        (PLAYER_7_6, "win 1:1 +10.00 by 4.1.1", "lose -10.00 by 4.1.1", "lose -10.00"),
        ("KS KH 6D KC 5S", "win 1:1 +10.00 by 4.1.1", "lose -10.00 by 4.1.1", "lose -10.00"),
        (BANKER_7_6, "lose -10.00 by 4.1.1", "win 1:1 +10.00 by 4.1.1", "lose -10.00"),
        (BANKER_6_ON_TWO, "lose -10.00 by 4.1.1", "win 1:2 +5.00 by 4.1.1", "lose -10.00"),
        (BANKER_6_ON_THREE, "lose -10.00 by 4.1.1", "win 1:2 +5.00 by 4.1.1", "lose -10.00"),
        (TIE_ON_SIX, "push 0.00 by 3.9", "push 0.00 by 3.9", "win 8:1 +80.00"),
    ],
)
def test_main_pay_table(cards: str, player: str, banker: str, tie: str) -> None:
    assert lines(BOOK, cards, "player=10 banker=10 tie=10") == [
        f"player {player}",
        f"banker {banker}",
        f"tie {tie} by 4.1.1",
    ]


@pytest.mark.clause("knockout", "4.1.1")
def test_pairs_pay_eleven() -> None:
    assert lines(BOOK, "6S KH 6D 7C 6C", "player-pair=10 banker-pair=10") == [
        "player-pair win 11:1 +110.00 by 4.1.1",
        "banker-pair lose -10.00 by 4.1.1",
    ]


# A deal for each points of the winning hand, won by Player and by Banker.
WON_WITH = {
    1: ("KS KH AD KC KS KH", "KS KH KD AC KS KH"),
    2: ("KS KH 2D KC KS KH", "KS KH KD 2C KS KH"),
    3: ("KS KH 3D KC KS KH", "KS KH KD 3C KS KH"),
    4: ("KS KH 4D KC KS KH", "KS KH KD 4C KS"),
    5: ("KS KH 5D KC KS KH", "KS KH KD 5C KS"),
    6: ("KS KH 6D KC KS", "KS KH KD 6C KS"),
    7: ("KS KH 7D KC KS", "KS KH KD 7C KS"),
    8: ("KS KH 8D KC", "KS KH KD 8C"),
    9: ("KS KH 9D KC", "KS KH KD 9C"),
}


@pytest.mark.clause("knockout", "4.1.2")
@pytest.mark.parametrize("points", WON_WITH)
def test_winning_totals_look_at_the_winning_hand_whichever_it_is(points: int) -> None:
    pays = {"1-4": "7:1 +70.00", "5-6": "3:1 +30.00", "7": "4:1 +40.00", "8": "3:1 +30.00", "9": "2:1 +20.00"}
    hit = next(which for which in WINNING_TOTALS if int(which[0]) <= points <= int(which[-1]))
    bets = " ".join(f"winning-total-{which}=10" for which in WINNING_TOTALS)
    for cards, winner in zip(WON_WITH[points], ("player", "banker"), strict=True):
        assert hands(BOOK, cards).endswith(winner)
        for main in ("player", "banker"):
            assert lines(BOOK, cards, f"{main}=10 {bets}")[1:] == [
                f"winning-total-{which} win {pays[which]} by 4.1.2"
                if which == hit
                else f"winning-total-{which} lose -10.00 by 4.1.2"
                for which in WINNING_TOTALS
            ]


# A deal for each points of the losing hand, won by Player and by Banker with a natural nine.
LOST_WITH = {
    0: ("KS KH 9D KC", "KS KH KD 9C"),
    1: ("KS KH 9D AC", "KS KH AD 9C"),
    2: ("KS KH 9D 2C", "KS KH 2D 9C"),
    3: ("KS KH 9D 3C", "KS KH 3D 9C"),
    4: ("KS KH 9D 4C", "KS KH 4D 9C"),
    5: ("KS KH 9D 5C", "KS KH 5D 9C"),
    6: ("KS KH 9D 6C", "KS KH 6D 9C"),
    7: ("KS KH 9D 7C", "KS KH 7D 9C"),
    8: ("KS KH 9D 8C", "KS KH 8D 9C"),
}


@pytest.mark.clause("knockout", "4.1.3")
@pytest.mark.parametrize("points", LOST_WITH)
def test_wagers_pay_by_the_losing_hands_points(points: int) -> None:
    pays = "1:2 +10.00" if points <= 3 else "1:1 +20.00" if points <= 5 else "2:1 +40.00"
    bets = "ante-player=10 wager-player=20 ante-banker=10 wager-banker=20"
    for cards, won, lost in zip(LOST_WITH[points], ("player", "banker"), ("banker", "player"), strict=True):
        settled = {line.split()[0]: line for line in lines(BOOK, cards, bets)}
        assert settled[f"ante-{won}"] == f"ante-{won} win 1:1 +10.00 by 4.1.3"
        assert settled[f"wager-{won}"] == f"wager-{won} win {pays} by 4.1.3"
        assert settled[f"ante-{lost}"] == f"ante-{lost} lose -10.00 by 4.1.3"
        assert settled[f"wager-{lost}"] == f"wager-{lost} lose -20.00 by 4.1.3"


@pytest.mark.clause("knockout", "4.1.3")
@pytest.mark.parametrize("cards", [BANKER_6_ON_TWO, BANKER_6_ON_THREE])
def test_ante_banker_pays_even_money_on_a_six(cards: str) -> None:
    ante, _, banker = lines(BOOK, cards, "ante-banker=10 wager-banker=20 banker=10")
    assert ante == "ante-banker win 1:1 +10.00 by 4.1.3"
    assert banker == "banker win 1:2 +5.00 by 4.1.1"


@pytest.mark.clause("knockout", "3.8")
@pytest.mark.clause("knockout", "3.9")
def test_who_wins_and_what_a_tie_does_are_cited_by_their_own_clauses() -> None:
    play = books.load(BOOK).play
    assert (play.points_clause, play.winner_clause, play.tie_clause) == ("3.8", "3.8", "3.9")
