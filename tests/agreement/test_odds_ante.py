"""Antes, exactly: against every permutation of small shoes, settled by the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from importlib import resources
from itertools import permutations

import pytest

from punto.books import load
from punto.cards.card import Card, parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import deal
from punto.odds.ante import ante_odds
from punto.odds.known_cards import Undealt
from punto.rules.book import Book, read_book
from punto.table.slip import SettlementLine, settle_slip

BOOK = load("knockout")
SHOES = [
    parse_cards(text)
    for text in (
        "5S KS KH KD 3S 9C",
        "2S 3H 4D 5C 6S 7H",
        "9S 9S 9H 8D 8D AC 2D",
        "AS 9S 5H 5D 8D 4C KD",
        "KS 9S 9H 9D 9C 10S JS",
    )
]


def lines(slip: dict[str, int], cards: tuple[Card, ...]) -> list[SettlementLine]:
    settled = settle_slip(BOOK, deal(BOOK.play, cards), slip)
    assert isinstance(settled, list)
    return settled


@pytest.mark.parametrize("cards", SHOES)
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_playing_and_giving_up(cards: tuple[Card, ...], hand: str) -> None:
    net: dict[int, Fraction] = defaultdict(Fraction)
    count: Counter[int] = Counter()
    for order, times in Counter(permutations(cards, 6)).items():
        first = order[0].points
        count[first] += times
        played = lines({f"ante-{hand}": 100, f"wager-{hand}": 200}, order)
        net[first] += sum((line.exact_net for line in played), Fraction(0)) * times / 100
        [given_up] = lines({f"ante-{hand}": 100}, order)
        assert given_up.net == -100
    side = next(
        s for s in ante_odds(BOOK, Undealt.of_composition(Composition.of_cards(cards))).sides if s.hand.value == hand
    )
    total = count.total()
    assert {d.shown: (d.chance, d.play) for d in side.decisions} == {
        (first,): (Fraction(n, total), net[first] / n) for first, n in count.items()
    }
    best = {first: max(net[first] / n, Fraction(-1)) for first, n in count.items()}
    assert side.ev == sum(best[first] * n for first, n in count.items()) / total
    played_share = Fraction(sum(n for first, n in count.items() if net[first] / n >= -1), total)
    assert side.staked == 1 + 2 * played_share
    assert side.edge_at_risk == side.edge / side.staked


def test_giving_up_can_be_right() -> None:
    # The only nine of a shoe of tens lies before Player: Banker cannot win, and a wager would be lost too.
    odds = ante_odds(BOOK, Undealt.of_counts({"9": 1, "10": 9}))
    banker = next(side for side in odds.sides if side.hand.value == "banker")
    [nine] = [decision for decision in banker.decisions if decision.shown == (9,)]
    assert nine.play == -3
    assert nine.best == "give-up"
    assert banker.ev > sum(d.chance * d.play for d in banker.decisions)


def own_book(shown: int) -> Book:
    """The book with more cards shown, and an ante that pays a suited pair twice."""
    text = resources.files("punto.books").joinpath("knockout.toml").read_text(encoding="utf-8")
    area = text.index('area = "ante-player"')
    row = '{ when = { winner = "player" }, odds = "1:1", clause = "4.1.3" },'
    suited = "player_pair_suited"
    rows = (
        f'{{ when = {{ winner = "player", {suited} = true }}, odds = "2:1", clause = "4.1.3" }},\n'
        f'  {{ when = {{ winner = "player", {suited} = false }}, odds = "1:1", clause = "4.1.3" }},'
    )
    text = text[:area] + text[area:].replace(row, rows, 1)
    return read_book(text.replace("shown_cards = 1", f"shown_cards = {shown}"), "own.toml")


@pytest.mark.parametrize("shown", [1, 2, 3])
def test_antes_that_read_pairs_and_show_more_cards(shown: int) -> None:
    book, cards = own_book(shown), parse_cards("4S 4S 4H 9D 9D KC 2S")
    net: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    count: Counter[tuple[int, ...]] = Counter()
    for order, times in Counter(permutations(cards, 6)).items():
        key = tuple(card.points for card in order[:shown])
        settled = settle_slip(book, deal(book.play, order), {"ante-player": 100, "wager-player": 200})
        assert isinstance(settled, list)
        net[key] += sum((line.exact_net for line in settled), Fraction(0)) * times / 100
        count[key] += times
    [player, _] = ante_odds(book, Undealt.of_composition(Composition.of_cards(cards))).sides
    assert {d.shown: (d.chance, d.play) for d in player.decisions} == {
        key: (Fraction(n, count.total()), net[key] / n) for key, n in count.items()
    }
