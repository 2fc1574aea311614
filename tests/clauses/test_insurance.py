"""Non-Commission Baccarat with Insurance and Super Six Plus: the clauses on cards, bets and pay-outs."""

import pytest

from punto import books
from punto.cards import DECK
from punto.cards.source import SourceKind
from tests.clauses.deals import banker_row, coup, dashed, drew, hands, lines, refused_by
from tests.table.scenes import Scene

BOOK = "insurance"
TIE_ON_SIX = "KS KH 6D 6C"
PLAYER_7_6 = "KS KH 7D 6C"
BANKER_7_6 = "KS KH 6D 7C"
BANKER_6_ON_TWO = "KS KH 4D 6C AS"
BANKER_6_ON_THREE = "KS KH KD KC 5S 6S"


@pytest.mark.clause("insurance", "1.3")
@pytest.mark.clause("insurance", "1.6")
@pytest.mark.parametrize("source", SourceKind)
def test_cards_come_from_the_system_a_person_or_a_shuffler(source: SourceKind) -> None:
    scene = Scene(BOOK, source=source)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.close()
    scene.deal("4S")
    assert [slot.card for slot in scene.state.player] == [DECK[3]]


@pytest.mark.clause("insurance", "1.10")
def test_a_natural_is_eight_or_nine_on_two_cards_in_either_hand() -> None:
    book = books.load(BOOK)
    for cards, natural in [
        ("KS KH 8D 7C", True),
        ("KS KH 7D 9C", True),
        ("KS KH 8D 9C", True),
        ("KS KH 7D 7C", False),
        ("KS KH 5D 7C 3S", False),
    ]:
        assert ("natural" in coup(BOOK, cards).declared(book)) is natural


@pytest.mark.clause("insurance", "1.11")
@pytest.mark.parametrize("cards", [BANKER_6_ON_TWO, BANKER_6_ON_THREE])
def test_banker_gets_half_when_it_wins_on_six(cards: str) -> None:
    assert lines(BOOK, cards, "banker=10") == ["banker win 1:2 +5.00 by 4.1.1"]
    assert lines(BOOK, BANKER_7_6, "banker=10") == ["banker win 1:1 +10.00 by 4.1.1"]


@pytest.mark.clause("insurance", "1.15")
def test_a_pair_is_one_rank_twice() -> None:
    assert lines(BOOK, "10S KH 10D QC 6S AS", "player-pair=10 banker-pair=10") == [
        "player-pair win 11:1 +110.00 by 4.1.1",
        "banker-pair lose -10.00 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "1.16")
@pytest.mark.clause("insurance", "3.2")
@pytest.mark.clause("insurance", "3.16")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("10S JH 7D 6C", "7-6 player"),
        ("AS QH 5D 7C", "6-7 banker"),
        ("9S 8H 8D 9C", "7-7 tie"),
        ("9S 9H KD 9C", "9-8 player"),
        ("KS KH 5D 7C 9S", "4-7 banker"),
        ("9S 7H 6D 10C 9C", "4-7 banker"),
        ("KS KH KD 7C 10S", "0-7 banker"),
    ],
)
def test_values_units_and_the_higher_hand(cards: str, told: str) -> None:
    assert hands(BOOK, cards) == told


@pytest.mark.clause("insurance", "1.21")
@pytest.mark.clause("insurance", "4.1.1")
@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (BANKER_6_ON_TWO, "win 12:1 +120.00"),
        (BANKER_6_ON_THREE, "win 20:1 +200.00"),
        (TIE_ON_SIX, "lose -10.00"),
        (PLAYER_7_6, "lose -10.00"),
        (BANKER_7_6, "lose -10.00"),
        ("KS KH 6D KC 5S", "lose -10.00"),
    ],
)
def test_super_six_plus(cards: str, told: str) -> None:
    assert lines(BOOK, cards, "super-six-plus=10") == [f"super-six-plus {told} by 4.1.1"]


@pytest.mark.clause("insurance", "2.1.1")
def test_six_layouts() -> None:
    layouts = {layout.name: layout.boxes for layout in books.load(BOOK).layouts}
    assert layouts == {"bean-9": 9, "bean-8": 8, "bean-7": 7, "mini-7": 7, "mini-6": 6, "mini-5": 5}


@pytest.mark.clause("insurance", "2.2.1")
def test_four_to_eight_decks() -> None:
    assert books.load(BOOK).decks.allowed == (4, 5, 6, 7, 8)


@pytest.mark.clause("insurance", "3.7")
def test_six_bets_and_side_bets_alone() -> None:
    areas = {area for area in books.load(BOOK).areas if not area.startswith("insurance-")}
    assert areas == {"player", "banker", "tie", "super-six-plus", "player-pair", "banker-pair"}
    for area in areas:
        assert len(lines(BOOK, TIE_ON_SIX, f"{area}=10")) == 1
    assert refused_by(BOOK, TIE_ON_SIX, "player=10 easy-six=10") == "3.7"


@pytest.mark.clause("insurance", "3.10")
def test_dealing_order_and_pairs_by_the_first_four_cards() -> None:
    dealt = coup(BOOK, "2S 5H 3D 5C 3C KH")
    assert [str(card) for card in dealt.player] == ["2S", "3D", "3C"]
    assert [str(card) for card in dealt.banker] == ["5H", "5C", "KH"]
    assert lines(BOOK, "2S 5H 3D 5C 3C KH", "player-pair=10 banker-pair=10") == [
        "player-pair lose -10.00 by 4.1.1",
        "banker-pair win 11:1 +110.00 by 4.1.1",
    ]


@pytest.mark.clause("insurance", "3.13")
def test_banker_draws_on_five_or_less_where_player_stands() -> None:
    for player in (6, 7):
        assert [drew(BOOK, player, banker) for banker in range(10)] == ["B"] * 6 + [""] * 4


@pytest.mark.clause("insurance", "3.15")
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


@pytest.mark.clause("insurance", "4.1.1")
def test_pay_table() -> None:
    bets = "player=10 banker=10 tie=10"
    assert lines(BOOK, PLAYER_7_6, bets) == [
        "player win 1:1 +10.00 by 4.1.1",
        "banker lose -10.00 by 4.1.1",
        "tie lose -10.00 by 4.1.1",
    ]
    assert lines(BOOK, BANKER_7_6, bets) == [
        "player lose -10.00 by 4.1.1",
        "banker win 1:1 +10.00 by 4.1.1",
        "tie lose -10.00 by 4.1.1",
    ]
    assert lines(BOOK, TIE_ON_SIX, "tie=10") == ["tie win 8:1 +80.00 by 4.1.1"]


@pytest.mark.clause("insurance", "3.16")
@pytest.mark.clause("insurance", "3.17")
def test_who_wins_and_what_a_tie_does_are_cited_by_their_own_clauses() -> None:
    play = books.load(BOOK).play
    assert (play.points_clause, play.winner_clause, play.tie_clause) == ("3.2", "3.16", "3.17")
