"""The greatest exposure against brute search: every layout of small stakes on every order of a few cards.

The twin settles slips as a table does, one by one, and asks the slip what is lawful. It shares nothing with
the search but the book.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from random import Random

import pytest

from punto.books import NAMES, load
from punto.cards.card import DECK, Card, parse_cards
from punto.coup.coup import Coup, deal
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.book_text import Area
from punto.rules.outcome import Hand
from punto.studies.house_risk import Exposure, StakeLimits, greatest_exposure, without_maximum
from punto.table.slip import offers_of, settle_slip
from tests.agreement.test_card_bets import random_book

UNIT = 27_720
"""One chip of the twin in minor units: whatever the odds, insurance can be cut to the whole pay-out."""


def coup_of(book: Book, found: Exposure) -> Coup:
    order = [found.player[0], found.banker[0], found.player[1], found.banker[1]]
    return deal(book.play, (*order, *found.player[2:], *found.banker[2:]))


def slip_of(book: Book, found: Exposure, coup: Coup) -> dict[str, int]:
    """The layout as a slip, with the insurance that pays most; in a window before, the least chip."""
    slip = {bet.area: bet.stake for bet in found.bets}
    offers = offers_of(book, coup)
    for bet in found.bets:
        rule = book.bet(bet.area)
        assert rule is not None
        if bet.insured:
            assert rule.hand is not None
            paying = [
                offer for offer in offers.values() if offer.hand is rule.hand and offer.outcome(coup.winner).net > 0
            ]
            slip[paying[-1].area] = int(bet.stake / paying[-1].odds)
            for offer in paying[:-1]:
                slip[offer.area] = 1
                slip[paying[-1].area] -= 2 * UNIT // 1000
            passed = [o for o in offers.values() if o.window.cards == 4 and book.main_area(o.hand) in slip]
            if passed and not any(o.area in slip for o in passed):
                slip[passed[0].area] = 1
    return slip


def settled(book: Book, coup: Coup, slip: dict[str, int]) -> int:
    lines = settle_slip(book, coup, slip)
    assert not isinstance(lines, Refusal), lines.sentence
    return sum(line.net for line in lines)


LIMITS = (
    StakeLimits(UNIT, 10 * UNIT),
    StakeLimits(UNIT, 10 * UNIT, 5 * UNIT),
    StakeLimits(3 * UNIT, 4 * UNIT, 2 * UNIT),
    StakeLimits(2 * UNIT, 7 * UNIT, 1 * UNIT),
)


@lru_cache
def exposure_of(name: str, limits: StakeLimits) -> Exposure:
    """The exposure of a book with eight decks, searched for once."""
    return greatest_exposure(load(name), limits, 8)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("name", [*NAMES, "docs/examples/card-bets.toml"])
def test_the_layout_that_is_shown_costs_what_is_said(name: str, limits: StakeLimits) -> None:
    """Settled as a slip at a table, to the last unit but for insurance cut to chips."""
    book, found = load(name), exposure_of(name, limits)
    assert found.amount is not None
    assert not found.is_bound
    coup = coup_of(book, found)
    assert (coup.player, coup.banker) == (found.player, found.banker)
    assert sum((bet.net + bet.insured for bet in found.bets), Fraction(0)) == found.amount
    loss = settled(book, coup, slip_of(book, found, coup))
    assert found.amount - UNIT // 50 <= loss <= found.amount


@lru_cache
def main_stakes(limits: StakeLimits) -> tuple[tuple[int, int], ...]:
    steps = [0, *range(limits.minimum, (limits.maximum or 0) + 1, UNIT)]
    return tuple(
        (player, banker)
        for player, banker in product(steps, repeat=2)
        if limits.differential is None or abs(player - banker) <= limits.differential
    )


def worst_layout(book: Book, limits: StakeLimits, coup: Coup) -> Fraction:
    """The most that any lawful layout wins on this deal, by going through stakes and what lies together."""
    mains = [book.main_area(hand) for hand in Hand]

    nets = {
        area: table.outcome_of_deal(coup.facts, coup.player, coup.banker).net for area, table in book.pay_tables.items()
    }
    paid_back = {offer.hand for offer in offers_of(book, coup).values() if offer.outcome(coup.winner).net > 0}
    player, banker = (nets[area] + (hand in paid_back) for hand, area in zip(Hand, mains, strict=True))
    top, best = limits.maximum or 0, Fraction(0)
    for on in product((False, True), repeat=2):
        held = {area for area, is_it in zip(mains, on, strict=True) if is_it}
        others = Fraction(0)
        for bet in book.bets:
            if bet.kind is Area.SIDE and (not bet.needs or held & set(bet.needs)):
                others += max(Fraction(0), nets[bet.area] * top)
        for pair in book.ante.pairs if book.ante else ():
            unit = nets[pair.ante] + book.ante.multiple * nets[pair.wager] if book.ante else Fraction(0)
            others += max(Fraction(0), unit * top)
        mains_win = best_on_mains(limits, on, player, banker)
        if mains_win is not None:
            best = max(best, mains_win + others)
    return best


@cache
def best_on_mains(limits: StakeLimits, on: tuple[bool, ...], player: Fraction, banker: Fraction) -> Fraction | None:
    """The most that lawful stakes on just these main areas win at these odds, by going through all, or None."""
    return max(
        (
            stakes[0] * player + stakes[1] * banker
            for stakes in main_stakes(limits)
            if tuple(stake > 0 for stake in stakes) == on
        ),
        default=None,
    )


def check_deals(book: Book, limits: StakeLimits, found: Exposure, cards: tuple[Card, ...]) -> None:
    """No order of these cards costs more than the exposure, and the deal that it names costs just that."""
    assert found.amount is not None
    known: dict[tuple[tuple[Card, ...], tuple[Card, ...]], Fraction] = {}
    for order in product(cards, repeat=6):
        coup = deal(book.play, order)
        key = coup.player, coup.banker
        if key not in known:
            known[key] = worst_layout(book, limits, coup)
    assert max(known.values()) <= found.amount
    assert worst_layout(book, limits, coup_of(book, found)) == found.amount


@pytest.mark.slow
@pytest.mark.parametrize("limits", LIMITS[1:3])
@pytest.mark.parametrize("name", NAMES)
def test_no_deal_of_a_few_cards_costs_more(name: str, limits: StakeLimits) -> None:
    check_deals(load(name), limits, exposure_of(name, limits), parse_cards("5S 6H KD"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_books_with_bets_on_cards(seed: int) -> None:
    """Bets on single cards too: only what wins on the same cards is added."""
    book, _ = random_book(seed, 5)
    chance = Random(seed)
    limits = chance.choice(LIMITS)
    found = greatest_exposure(book, limits, 8)
    check_deals(book, limits, found, tuple(chance.sample(DECK, 3)))
    for _ in range(400):
        coup = deal(book.play, chance.choices(DECK, k=6))
        assert worst_layout(book, limits, coup) <= (found.amount or 0)


def test_insurance_pays_the_losing_side_back() -> None:
    """With a differential of 5,000 and bets of up to 10,000, Banker is not won by 5,000 at most."""
    book = load("insurance")
    limits = StakeLimits(1_000, 10_000, 5_000)
    with_it, without = (greatest_exposure(book, limits, 8, has_insurance=is_it) for is_it in (True, False))
    assert without.amount == 422_500
    assert with_it.amount == 425_000
    player, banker, *_ = with_it.bets
    assert (player.area, banker.area) == ("player", "banker")
    assert (banker.stake, player.stake) == (10_000, 5_000)
    assert player.insured == 5_000


def test_a_differential_alone_bounds_nothing_where_there_is_insurance() -> None:
    book = load("insurance")
    limits = StakeLimits(1_000, None, 10_000)
    assert greatest_exposure(book, limits, 8).amount is None
    assert greatest_exposure(book, limits, 8, has_insurance=False).amount == 10_000
    assert set(without_maximum(book, limits)) == {"tie", "player-pair", "banker-pair", "super-six-plus"}
    for maximum in (10**6, 10**9, 10**15):
        found = greatest_exposure(book, StakeLimits(1_000, maximum, 10_000), 8)
        assert found.amount == Fraction(85, 2) * maximum


def test_bets_that_cannot_win_together_are_not_added() -> None:
    """All Red and All Black pay 24:1 and 22:1, and never both."""
    book = load("docs/examples/card-bets.toml")
    found = greatest_exposure(book, StakeLimits(1, 100), 8)
    won = {bet.area for bet in found.bets if bet.net > 0}
    assert "all-black" in won
    assert not won & {"all-red"}
    assert found.amount is not None
    every = sum(max(row.outcome.net for row in book.pay_tables[bet.area].rows) * 100 for bet in book.bets)
    assert found.amount < every


def test_a_bet_that_needs_another_is_held_beside_it() -> None:
    book = load("knockout")
    found = greatest_exposure(book, StakeLimits(1_000, 100_000), 8)
    held = {bet.area for bet in found.bets}
    assert any(area.startswith("winning-total") for area in held)
    assert held & {"player", "banker"}


def test_cards_that_no_shoe_has_make_an_upper_bound() -> None:
    """With one deck no hand has the same card twice."""
    book = load("docs/examples/card-bets.toml")
    assert greatest_exposure(book, StakeLimits(1, 100), 1).is_bound
