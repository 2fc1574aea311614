"""Bets on single cards: settlement, exact odds and simulation, each against something quite different.

Settlement is held against a second reading of random conditions, exact odds against every order of small
shoes and against figures that others published, simulation against shoes replayed card by card and against
the odds.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest

from punto.books import base_of, load
from punto.cards.card import DECK, Card, parse_cards
from punto.cards.shoe import Composition
from punto.coup.coup import deal
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import RoundSoFar, Stage, Undealt, UndealtError
from punto.rules.book import Book, read_book
from punto.rules.book_text import Bet
from punto.rules.card_table import TooManyFacts, prove_cards
from punto.rules.outcome import Result, format_odds
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import Tally, Threads, deals_of, sums
from tests.agreement.random_cards import bet
from tests.agreement.second_cards import holds, listed
from tests.agreement.second_shoe import rounds_of
from tests.rules.layered import toml

EXAMPLE = "docs/examples/card-bets.toml"

BETS = 12
MOST_CELLS = 20_000
"""Larger bets are right too, but take too long to compile by the dozen."""


def random_book(seed: int, bets: int = BETS) -> tuple[Book, dict[str, dict[str, Any]]]:
    """A book of random bets, and the bets as its file has them."""
    chance = Random(seed)
    made: dict[str, dict[str, Any]] = {}
    play, known = load("commission").play, dict[str, Bet]()
    while len(made) < bets:
        area = f"bet-{len(made)}"
        one = bet(chance, area, tuple(made)[:3])
        read = msgspec.convert(one, Bet)
        try:
            if prove_cards(read, play, known).table.cells > MOST_CELLS:
                continue
        except TooManyFacts:
            continue
        made[area], known[area] = one, read
    values = {
        "extends": "commission",
        "name": "random",
        "clauses": [{"number": "h", "kind": "behaviour", "sense": "House."}],
        "bets": list(made.values()),
    }
    return read_book(toml(values), "random.toml", base_of), made


def second_outcome(made: dict[str, dict[str, Any]], area: str, player: list[str], banker: list[str]) -> str:
    """What becomes of a bet by the second reading: its odds, push or lose."""
    for row in made[area]["pays"]:
        whens = listed(row["when"]) if "when" in row else [{}]
        wins = partial(is_won, made, player, banker)
        if any(holds(when, player, banker, wins) for when in whens):
            return str(row.get("odds") or row["result"])
    raise AssertionError("a row is for all the rest")


def is_won(made: dict[str, dict[str, Any]], player: list[str], banker: list[str], area: str) -> bool:
    return ":" in second_outcome(made, area, player, banker)


def texts(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def told(outcome: Any) -> str:
    return outcome.result.value if outcome.odds is None else format_odds(outcome.odds)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_settlement_agrees_with_a_second_reading(seed: int) -> None:
    book, made = random_book(seed)
    chance = Random(seed)
    few = chance.sample(DECK, 6)
    for number in range(400):
        cards = chance.choices(DECK if number % 2 else few, k=6)  # of a few cards, so that rare things happen
        coup = deal(book.play, cards)
        for area in made:
            settled = book.pay_tables[area].outcome_of_deal(coup.facts, coup.player, coup.banker)
            assert told(settled) == second_outcome(made, area, texts(coup.player), texts(coup.banker)), area


SHOES = ("9S 9S 9D KH KD 3C 8S", "AS KS QS JS 10H 2D 2D", "7H 7H 7H 8C 6D KD 4S")


def ways_by_second_reading(
    book: Book, made: dict[str, dict[str, Any]], dealt: tuple[Card, ...], left: list[Card]
) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {area: Counter() for area in made}
    for order, count in Counter(permutations(left, 6 - len(dealt))).items():
        coup = deal(book.play, (*dealt, *order))
        for area in made:
            outcome = second_outcome(made, area, texts(coup.player), texts(coup.banker))
            found[area][outcome] += count
    return found


def shares(book: Book, area: str, undealt: Undealt, dealt: RoundSoFar) -> dict[str, Fraction]:
    odds = Weighing(book, undealt, dealt).odds(area)
    found: Counter[str] = Counter()
    for row, ways in odds.rows:
        found[told(row.outcome)] += ways
    return {outcome: Fraction(ways, odds.total) for outcome, ways in found.items()}


def check_every_order(seed: int, shoe: str, dealt: int) -> Stage:
    book, made = random_book(seed, 8)
    cards = list(parse_cards(shoe))
    Random(seed).shuffle(cards)
    first, left = tuple(cards[:dealt]), cards[dealt:]
    so_far = RoundSoFar.of(book.play, first)
    undealt = Undealt.of_composition(Composition.of_cards(left))
    for area, ways in ways_by_second_reading(book, made, first, left).items():
        expected = {outcome: Fraction(count, ways.total()) for outcome, count in ways.items()}
        assert shares(book, area, undealt, so_far) == expected, (area, made[area])
    return so_far.stage


@pytest.mark.slow
@pytest.mark.parametrize("dealt", [2, 3, 4])
def test_a_small_shoe_dealt_on_in_every_order(dealt: int) -> None:
    check_every_order(10 * dealt, SHOES[dealt - 2], dealt)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SHOES)))
def test_a_small_shoe_dealt_in_every_order(number: int) -> None:
    assert check_every_order(number + 100, SHOES[number], 0) is Stage.BEFORE_THE_DEAL


@pytest.mark.slow
def test_every_stage_is_tried_with_the_last_cards_dealt() -> None:
    book, made = random_book(5)
    chance, stages = Random(5), Counter[Stage]()
    for _ in range(60):
        cards = chance.choices(DECK, k=6)
        coup = deal(book.play, cards)
        used = len(coup.player) + len(coup.banker)
        for dealt in range(4, used + 1):
            first, left = tuple(cards[:dealt]), [*cards[dealt:], *chance.choices(DECK, k=3)]
            so_far = RoundSoFar.of(book.play, first)
            stages[so_far.stage] += 1
            undealt = Undealt.of_composition(Composition.of_cards(left))
            if so_far.stage is Stage.FOUR_CARDS:
                continue  # tried above
            for area in made:
                ways: Counter[str] = Counter()
                for card in left:
                    coup = deal(book.play, (*first, card, card))
                    ways[second_outcome(made, area, texts(coup.player), texts(coup.banker))] += 1
                expected = {outcome: Fraction(count, len(left)) for outcome, count in ways.items()}
                assert shares(book, area, undealt, so_far) == expected
    assert set(stages) == {Stage.FOUR_CARDS, Stage.PLAYERS_THIRD, Stage.FINISHED}


PUBLISHED = {
    "monkey-6": ("23.1366", "5.913"),
    "three-giving-8": ("8.6823", "0.454"),
    "grand-monkey": ("19.8640", "0.013"),
    "all-black": ("6.5241", "3.739"),
    "bellagio-match": ("76.9292", "0.304"),
    "lucky-8": ("11.9759", "13.324"),
    "lucky-nines": ("8.2730", "27.485"),
    "jackpot-baccarat": ("15.8026", "8.674"),
    "majestic-match": ("6.4597", "24.819"),
    "matching-dragon-a": ("16.9845", None),
    "matching-dragon-2": ("17.0180", None),
    "matching-dragon-8": ("19.2190", None),
    "matching-dragon-k": ("16.9850", None),
}
"""House edge and hit rate in per cent with eight decks: published, or counted by others over all deals."""


@pytest.mark.parametrize("area", PUBLISHED)
def test_published_figures_come_out_to_the_last_digit(area: str) -> None:
    odds = Weighing(load(EXAMPLE), Undealt.of_decks(8), RoundSoFar()).odds(area)
    edge, hit = PUBLISHED[area]
    assert f"{float(odds.edge) * 100:.4f}" == edge
    assert hit is None or f"{float(odds.win) * 100:.3f}" == hit


def test_chances_that_can_be_had_by_hand() -> None:
    """Of 415 other cards 7 are identical, 8 of the other suit of the colour, 16 of the other colour."""
    weighing = Weighing(load(EXAMPLE), Undealt.of_decks(8), RoundSoFar())
    pairs = weighing.odds("perfect-pairs")
    shares = [Fraction(ways, pairs.total) for _, ways in pairs.rows]
    assert shares == [Fraction(number, 415) for number in (7, 8, 16, 384)]
    first = weighing.odds("first-card")
    assert (first.win, first.push, first.lose) == (Fraction(192, 415), Fraction(31, 415), Fraction(192, 415))
    assert f"{float(weighing.odds('no-monkey').win) * 100:.4f}" == "34.8606"  # a published hit rate


def test_a_shoe_beyond_64_bits_is_counted_exactly() -> None:
    book = load(EXAMPLE)
    for decks in (27, 28, 100):
        undealt = Undealt.of_decks(decks)
        odds = Weighing(book, undealt, RoundSoFar()).odds("monkey-6")
        total = 1
        for taken in range(6):
            total *= 52 * decks - taken
        assert odds.total == total
    # A pair of kings or queens of one suit: by hand, from any number of decks.
    for decks in (8, 100):
        odds = Weighing(book, Undealt.of_decks(decks), RoundSoFar()).odds("majestic-match")
        top = next(ways for row, ways in odds.rows if row.outcome.odds == 25)
        assert Fraction(top, odds.total) == Fraction(8 * decks**2, 52 * decks * (52 * decks - 1))


def test_suits_that_are_not_known_are_asked_for() -> None:
    book = load(EXAMPLE)
    by_rank = Undealt((32,) * 13)
    with pytest.raises(UndealtError, match="all-black asks for suits"):
        Weighing(book, by_rank, RoundSoFar()).odds("all-black")
    full = Weighing(book, Undealt.of_decks(8), RoundSoFar())
    for area in ("monkey-6", "bellagio-match", "matching-dragon-k"):
        assert Weighing(book, by_rank, RoundSoFar()).odds(area).ev == full.odds(area).ev


@pytest.mark.slow
@pytest.mark.parametrize("suits", [True, False])
def test_simulated_rounds_are_those_of_shoes_replayed_in_python(suits: bool) -> None:
    book = load(EXAMPLE)
    if not suits:
        ranks = [area for area, table in load(EXAMPLE).pay_tables.items() if not table.reads_suits]
        removed = [f"bets.{area}" for area in load(EXAMPLE).pay_tables if area not in ranks]
        text = f'extends = "{EXAMPLE}"\nname = "ranks"\nremove = {removed}\n'.replace("'", '"')
        book = read_book(text, "ranks.toml", base_of)
    terms = ShoeTerms(decks=2)
    deals = deals_of(book, terms, 77)
    assert deals.has_suits is suits
    assert deals.readings
    counted: dict[str, Counter[str]] = {area: Counter() for area in book.outright_areas}
    for shoe in range(40):
        for cards in rounds_of(book, deals, shoe):
            coup = deal(book.play, cards)
            for area in counted:
                outcome = book.pay_tables[area].outcome_of_deal(coup.facts, coup.player, coup.banker)
                counted[area][told(outcome)] += 1
    tally = Tally.empty(deals).plus(deals.play(0, 40))
    for result in tally.bets(book):
        found: Counter[str] = Counter()
        for outcome, rounds in result.ways:
            found[told(outcome)] += rounds
        assert found == counted[result.bet], result.bet


@pytest.mark.slow
def test_simulation_agrees_with_exact_odds() -> None:
    book, made = random_book(21)
    start = Tally.empty(deals_of(book, ShoeTerms(rounds_per_shoe=60), 1))
    hands = Threads(1)
    *_, tally = sums(start, 3_000_000, hands)
    hands.close()
    weighing = Weighing(book, Undealt.of_decks(8), RoundSoFar())
    for result in tally.bets(book):
        odds = weighing.odds(result.bet)
        for want in Result:
            chance = float(odds.probability(want))
            came = sum(rounds for outcome, rounds in result.ways if outcome.result is want) / tally.rounds
            assert abs(came - chance) <= 5 * (chance * (1 - chance) / tally.rounds) ** 0.5 + 1e-6, result.bet
    assert made
