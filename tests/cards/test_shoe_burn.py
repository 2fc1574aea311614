import pytest

from punto.cards import DECK, Burn, Card, burn_count


@pytest.mark.parametrize(
    ("first", "burned"), [("AS", 2), ("2H", 3), ("9C", 10), ("10D", 11), ("JS", 11), ("QH", 11), ("KC", 11)]
)
def test_the_first_card_says_how_many_more(first: str, burned: int) -> None:
    assert burn_count(Burn(), Card.parse(first)) == burned


@pytest.mark.parametrize("number", [0, 1, 10])
def test_a_fixed_number_whatever_the_first_card(number: int) -> None:
    burn = Burn(by_first_card=False, fixed=number)
    assert {burn_count(burn, card) for card in DECK} == {number}


@pytest.mark.parametrize(
    ("text", "burn"),
    [
        ("first-card", Burn()),
        ("none", Burn(by_first_card=False)),
        ("0", Burn(by_first_card=False)),
        ("7", Burn(by_first_card=False, fixed=7)),
    ],
)
def test_ways_of_burning_read_back(text: str, burn: Burn) -> None:
    assert Burn.parse(text) == burn
    assert Burn.parse(str(burn)) == burn


@pytest.mark.parametrize("text", ["", "-1", "first", "1.5", "ten", "７"])
def test_what_is_no_way_of_burning_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a way of burning; write first-card, none or a number"):
        Burn.parse(text)
