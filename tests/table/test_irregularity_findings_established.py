"""Whether an outcome is established, against every way a deal could still go."""

from itertools import product
from random import Random

import pytest

from punto import books
from punto.cards import parse_cards
from punto.cards.card import DECK, Card
from punto.table.irregularity_findings import is_established
from punto.table.state import Slot
from tests.agreement import oracle, oracle_deal

POINT_CARDS = [Card(text) for text in ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")]


def slots(text: str) -> tuple[Slot, ...]:
    """`KS ?? 4H`: a card that lies face down is a king nobody sees."""
    return tuple(
        Slot(Card("KC"), face_up=False) if word == "??" else Slot(parse_cards(word)[0], face_up=True)
        for word in text.split()
    )


def established(book: str, player: str, banker: str) -> bool:
    return is_established(books.load(book), slots(player), slots(banker))


@pytest.mark.parametrize("book", ["commission", "easy-six", "insurance", "knockout"])
@pytest.mark.parametrize(
    ("player", "banker", "is_told"),
    [
        ("", "", False),
        ("KS", "", False),
        ("KS", "KH", False),
        ("KS 2D", "KH", True),  # no Player pair
        ("KS KD", "KH", True),  # a Player pair
        ("?? ??", "?? ??", False),
        ("KS ??", "KH ??", False),
        ("?? 2S", "?? 3S", False),
        ("?? ??", "KH 3D", True),  # no Banker pair
    ],
)
def test_from_two_open_cards_of_a_hand_on(book: str, player: str, banker: str, is_told: bool) -> None:
    assert established(book, player, banker) is is_told


@pytest.mark.parametrize(
    ("player", "banker", "is_told"),
    [
        ("KS 2D", "KH", False),  # ez has no pair bets
        ("KS 9D", "KH", True),  # a natural: Dragon 7 and Panda 8 are lost
        ("KS 6D", "KH", True),  # Player stands: no Panda 8
        ("KS 2D", "KH 3C", False),
        ("KS 2D", "KH 7C", True),  # Banker stands: no Dragon 7
        ("KS 2D ??", "KH 3C", False),
        ("KS 2D 8S", "KH 3C", True),
    ],
)
def test_without_pair_bets_it_takes_longer(player: str, banker: str, is_told: bool) -> None:
    assert established("ez", player, banker) is is_told


@pytest.mark.parametrize("seed", range(40))
def test_against_every_end_that_is_left(seed: int) -> None:
    """At ez only points matter, so ten cards stand for all: deal every rest and look at every bet."""
    random = Random(seed)
    known = random.choices(DECK, k=random.choice((3, 4, 5)))
    hands: tuple[list[Card], list[Card]] = ([], [])
    results: dict[str, set[str]] = {area: set() for area in oracle.AREAS["ez"].split()}
    for rest in product(POINT_CARDS, repeat=6 - len(known)):
        deal = oracle_deal.play_out([str(card) for card in (*known, *rest)])
        for area in results:
            net = oracle.net_of_unit("ez", area, deal, {})
            results[area].add("win" if net > 0 else "lose" if net < 0 else "push")
    first = oracle_deal.play_out([str(card) for card in (*known, *POINT_CARDS[:3])])
    dealt = min(len(known), len(first.player) + len(first.banker))
    hands[0].extend(known[0:3:2])
    hands[1].extend(known[1:4:2])
    if dealt == 5:
        hands[0 if len(first.player) == 3 else 1].append(known[4])
    told = any(found in ({"win"}, {"lose"}) for found in results.values())
    open_slots = [tuple(Slot(card, face_up=True) for card in hand) for hand in hands]
    assert is_established(books.load("ez"), *open_slots) is told
