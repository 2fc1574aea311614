import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto import books
from punto.cards import DECK, Card, parse_cards
from punto.coup import WrongNumberOfCards, deal, deal_exactly, next_hand
from punto.rules import Hand
from punto.rules.outcome import pair_index, totals_index

six_cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)
PLAY = books.load("commission").play


def card_by_card(cards: list[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Both hands, each card asked for when it is its turn."""
    hands: dict[Hand, tuple[Card, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}
    left = iter(cards)
    while (hand := next_hand(PLAY, hands[Hand.PLAYER], hands[Hand.BANKER])) is not None:
        hands[hand] += (next(left),)
    return hands[Hand.PLAYER], hands[Hand.BANKER]


@given(six_cards)
def test_a_whole_deal_and_one_card_at_a_time_agree(cards: list[Card]) -> None:
    coup = deal(PLAY, cards)
    assert (coup.player, coup.banker) == card_by_card(cards)


@given(six_cards)
def test_the_facts_are_those_of_the_hands(cards: list[Card]) -> None:
    coup = deal(PLAY, cards)
    assert coup.player_points == sum(card.points for card in coup.player) % 10
    assert coup.banker_points == sum(card.points for card in coup.banker) % 10
    assert coup.facts.totals == totals_index(coup.player_points, len(coup.player), coup.banker_points, len(coup.banker))
    assert coup.facts.player_pair == pair_index(*coup.player[:2])
    assert coup.facts.banker_pair == pair_index(*coup.banker[:2])


@given(six_cards, st.lists(st.sampled_from(DECK), max_size=8))
def test_a_deal_may_begin_anywhere_in_a_shoe(cards: list[Card], before: list[Card]) -> None:
    assert deal(PLAY, before + cards, len(before)) == deal(PLAY, cards)


@given(six_cards)
def test_exactly_the_cards_of_the_deal_are_a_finished_deal(cards: list[Card]) -> None:
    coup = deal(PLAY, cards)
    used = len(coup.cards)
    assert list(coup.cards) == cards[:used]
    assert deal_exactly(PLAY, cards[:used]) == coup
    for number in range(used):
        few = "1 card is" if number == 1 else f"{number} cards are"
        with pytest.raises(WrongNumberOfCards, match=f"^{few} too few to finish the deal$"):
            deal_exactly(PLAY, cards[:number])
    for number in range(used + 1, 7):
        with pytest.raises(WrongNumberOfCards, match=f"after {used} cards, but {number} were given"):
            deal_exactly(PLAY, cards[:number])


def test_too_few_cards_are_counted_from_where_the_deal_begins() -> None:
    with pytest.raises(WrongNumberOfCards, match=r"^2 cards are too few"):
        deal(PLAY, parse_cards("KS KS KS 5H 6H"), 3)


@pytest.mark.parametrize(
    ("player", "banker", "goes_to"),
    [
        ("", "", Hand.PLAYER),
        ("KS", "", Hand.BANKER),
        ("KS", "KH", Hand.PLAYER),
        ("KS 5S", "KH", Hand.BANKER),
        ("KS 5S", "KH 7H", Hand.PLAYER),
        ("KS 6S", "KH 5H", Hand.BANKER),
        ("KS 6S", "KH 6H", None),
        ("KS 8S", "KH KH", None),
        ("KS KS", "KH 9H", None),
        ("KS 5S 8S", "KH 3H", None),
        ("KS 5S 9S", "KH 3H", Hand.BANKER),
        ("KS 5S 9S", "KH 3H 2H", None),
        ("KS 6S", "KH 5H 2H", None),
    ],
)
def test_where_the_next_card_goes(player: str, banker: str, goes_to: Hand | None) -> None:
    assert next_hand(PLAY, parse_cards(player), parse_cards(banker)) is goes_to
