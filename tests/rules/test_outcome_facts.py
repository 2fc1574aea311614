from itertools import product

from punto.cards import DECK, Card, Rank
from punto.rules import Hand, Totals, Winner
from punto.rules.outcome import (
    ALL_TOTALS,
    PAIRS,
    TOTALS,
    describe_pair,
    is_pair_suited,
    pair_index,
    pair_rank,
    totals_index,
)


def test_every_totals_stands_at_its_index() -> None:
    assert TOTALS == len(ALL_TOTALS) == len(set(ALL_TOTALS)) == 400
    for index, totals in enumerate(ALL_TOTALS):
        assert totals.index == index
        assert index == totals_index(
            totals.player_points, totals.player_cards, totals.banker_points, totals.banker_cards
        )


def test_the_higher_points_win() -> None:
    for totals in ALL_TOTALS:
        difference = totals.player_points - totals.banker_points
        expected = Winner.TIE if not difference else Winner.PLAYER if difference > 0 else Winner.BANKER
        assert totals.winner is expected


def test_totals_of_a_hand_and_in_words() -> None:
    totals = Totals(7, 3, 6, 2)
    assert totals.of(Hand.PLAYER) == (7, 3)
    assert totals.of(Hand.BANKER) == (6, 2)
    assert str(totals) == "Player 7 on three cards, Banker 6 on two"
    assert (Hand.PLAYER.other, Hand.BANKER.other) == (Hand.BANKER, Hand.PLAYER)


def test_a_pair_is_two_cards_of_one_rank() -> None:
    seen = set()
    for first, second in product(DECK, repeat=2):
        pair = pair_index(first, second)
        seen.add(pair)
        assert (pair > 0) == (first.rank is second.rank)
        assert pair_rank(pair) is (first.rank if pair else None)
        assert is_pair_suited(pair) == (first is second)
    assert seen == set(range(PAIRS))


def test_ten_and_king_are_no_pair() -> None:
    assert pair_index(Card.S10, Card.SK) == 0
    assert pair_index(Card.SJ, Card.SQ) == 0
    assert pair_rank(pair_index(Card.S10, Card.H10)) is Rank.TEN


def test_pairs_in_words() -> None:
    assert describe_pair(0) == "no pair"
    assert describe_pair(pair_index(Card.SK, Card.HK)) == "a pair of K"
    assert describe_pair(pair_index(Card.S10, Card.S10)) == "a suited pair of 10"
