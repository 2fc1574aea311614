"""Every bet of every book, settled by the engine and by a second reading of the documents."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto import books
from punto.cards import DECK, Card, parse_cards, seeded_bytes, shuffled_shoe
from punto.coup import Coup, deal
from punto.rules import Book, Facts
from punto.rules.outcome import pair_index
from punto.table import Refusal, SettlementLine, offers_of, settle_slip
from tests.agreement import oracle, oracle_deal, oracle_insurance
from tests.agreement.test_table_of_play import STATES, cards_of

STAKE = 100
"""Every denominator of the pay tables divides it, so that nothing is rounded unless a test wants it."""


def assert_settled(
    book: str, lines: list[SettlementLine], by_document: oracle_deal.Deal, slip: Mapping[str, int]
) -> None:
    assert [(line.area, line.stake) for line in lines] == list(slip.items())
    for line in lines:
        net = oracle.net_of_unit(book, line.area, by_document, slip)
        result = "push" if net == 0 else "win" if net > 0 else "lose"
        told = (book, line.area, by_document)
        assert line.outcome.result.value == result, told
        assert line.outcome.odds == (net if result == "win" else None), told
        assert line.exact_net == line.stake * net, told
        assert line.net == oracle.rounded(line.stake * net), told


def every_bet(book: str, by_document: oracle_deal.Deal) -> dict[str, int]:
    """All areas at once, but insurance only where it was on offer; antes with their wagers."""
    slip = {area: STAKE for area in oracle.AREAS[book].split() if not area.startswith("insurance-")}
    slip |= {area: 2 * STAKE for area in slip if area.startswith("wager-")}
    if book == "insurance":
        slip |= {"player": 20 * STAKE, "banker": 20 * STAKE}
        insurance = (f"insurance-{hand}-{cards}" for cards in (4, 5) for hand in ("player", "banker"))
        slip |= {area: STAKE for area in insurance if oracle_insurance.insurance_odds(area, by_document)}
    return slip


def compare(book: Book, coup: Coup, by_document: oracle_deal.Deal, slip: Mapping[str, int]) -> None:
    name = book.name
    lines = settle_slip(book, coup, slip)
    assert not isinstance(lines, Refusal), (lines, by_document, slip)
    assert_settled(name, lines, by_document, slip)
    assert set(coup.declared(book)) == oracle_deal.called(name, by_document)
    assert coup.is_natural(book) == by_document.natural


def test_the_books_have_the_areas_of_the_documents() -> None:
    for name, areas in oracle.AREAS.items():
        assert set(books.load(name).areas) == set(areas.split())
    assert set(oracle.AREAS) == set(books.NAMES)


@pytest.mark.clause("commission", "4.1.2")
@pytest.mark.clause("easy-six", "4.1.1")
@pytest.mark.clause("ez", "5")
@pytest.mark.clause("insurance", "4.1.1")
@pytest.mark.clause("knockout", "4.1.1")
@pytest.mark.clause("knockout", "4.1.2")
@pytest.mark.clause("knockout", "4.1.3")
@pytest.mark.parametrize("name", books.NAMES)
@pytest.mark.gli("4.6.5")
def test_every_state_of_the_table_of_play_pays_every_bet_as_the_documents_say(name: str) -> None:
    """All deals that differ in points or number of cards; a deal is told once, by its cards."""
    book, seen = books.load(name), set()
    for state in STATES:
        texts = cards_of(state)
        by_document = oracle_deal.play_out(texts)
        cards = tuple(map(Card.parse, texts))
        coup = deal(book.play, cards)
        if coup.cards in seen:
            continue
        seen.add(coup.cards)
        compare(book, coup, by_document, every_bet(name, by_document))
    # 36 with a natural; beside a Player 6 or 7 that stood, 2 × (6 × 10 + 2); beside a Player that drew,
    # 6 × (51 × 10 + 29), since Banker draws in 51 cells of its chart and stands in 29.
    assert len(seen) == 36 + 124 + 3234 == sum(1 for _ in book.play.finishes())


@pytest.mark.parametrize("name", books.NAMES)
def test_every_two_first_cards_decide_the_pair_bets(name: str) -> None:
    book = books.load(name)
    tables = {area: book.pay_tables[area] for area in ("player-pair", "banker-pair") if area in book.pay_tables}
    for first, second in product(DECK, repeat=2):
        pair = pair_index(first, second)
        by_document = oracle_deal.Deal([str(first), str(second)], [str(first), str(second)])
        for area, table in tables.items():
            facts = Facts(0, pair, 0) if area == "player-pair" else Facts(0, 0, pair)
            assert table.outcome(facts).net == oracle.net_of_unit(name, area, by_document, {}), (first, second)


@pytest.mark.clause("insurance", "4.1.2")
def test_insurance_is_open_where_the_document_says_and_nowhere_else() -> None:
    book, seen = books.load("insurance"), set()
    for state in STATES:
        texts = cards_of(state)
        by_document = oracle_deal.play_out(texts)
        offers = offers_of(book, deal(book.play, tuple(map(Card.parse, texts))))
        for area in (area for area in oracle.AREAS["insurance"].split() if area.startswith("insurance-")):
            odds = oracle_insurance.insurance_odds(area, by_document)
            assert (offers[area].odds if area in offers else None) == odds, (area, state)
            if odds is not None:
                before_the_card = by_document.player if area.endswith("5") else by_document.player[:2]
                points = oracle_deal.total(before_the_card), oracle_deal.total(by_document.banker[:2])
                seen.add((area, *points))
    # Every printed cell can be met.
    assert seen == set(oracle_insurance.INSURANCE)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", books.NAMES)
def test_whole_shoes(name: str, seed: int) -> None:
    """Eight decks to the last card that makes a deal, every bet on every one of them."""
    book = books.load(name)
    order = shuffled_shoe(8, seeded_bytes(f"{name}/{seed}"))
    start = 0
    while len(order) - start >= 6:
        coup = deal(book.play, order, start)
        by_document = oracle_deal.play_out([str(card) for card in order[start : start + 6]])
        start += len(coup.cards)
        assert [str(card) for card in coup.player] == by_document.player
        assert [str(card) for card in coup.banker] == by_document.banker
        compare(book, coup, by_document, every_bet(name, by_document))
    assert start > 400


six_cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)
stakes = st.integers(1, 10_000) | st.sampled_from([1, 3, 7, 50, 100])


@pytest.mark.parametrize("name", books.NAMES)
@settings(max_examples=800)
@given(cards=six_cards, data=st.data())
def test_any_slip_on_any_deal(name: str, cards: list[Card], data: st.DataObject) -> None:
    """Also slips that may not be: both readings refuse the same ones, and settle the rest alike."""
    book = books.load(name)
    by_document = oracle_deal.play_out([str(card) for card in cards])
    coup = deal(book.play, cards)
    areas = data.draw(st.lists(st.sampled_from(oracle.AREAS[name].split()), unique=True), label="areas")
    slip = {area: data.draw(stakes, label=area) for area in areas}
    for hand in ("player", "banker"):
        if {f"ante-{hand}", f"wager-{hand}"} <= set(slip) and data.draw(st.booleans(), label="double"):
            slip[f"wager-{hand}"] = 2 * slip[f"ante-{hand}"]
    reasons = oracle.refused(name, by_document, slip)
    lines = settle_slip(book, coup, slip)
    if isinstance(lines, Refusal):
        assert lines.reason.value in reasons
    else:
        assert not reasons
        assert_settled(name, lines, by_document, slip)


@pytest.mark.clause("insurance", "3.12.2")
@settings(max_examples=300)
@given(cards=six_cards, main=st.integers(1, 1000), data=st.data())
def test_insurance_up_to_its_cap_and_one_cent_beyond(cards: list[Card], main: int, data: st.DataObject) -> None:
    """The greatest stake is the bet less what is promised already, by the odds, cut down to the cent."""
    book = books.load("insurance")
    by_document = oracle_deal.play_out([str(card) for card in cards])
    coup = deal(book.play, cards)
    for hand in ("player", "banker"):
        slip, promised = {hand: main}, Fraction(0)
        for area in (f"insurance-{hand}-4", f"insurance-{hand}-5"):
            odds = oracle_insurance.insurance_odds(area, by_document)
            if odds is None:
                continue
            greatest = (main - promised) // odds
            if greatest == 0:
                continue
            beyond = settle_slip(book, coup, {**slip, area: greatest + 1})
            assert isinstance(beyond, Refusal)
            assert beyond.reason.value == "over-cap"
            slip[area] = data.draw(st.integers(1, greatest), label=area)
            promised += odds * slip[area]
            compare(book, coup, by_document, slip)


def test_the_second_reading_can_disagree() -> None:
    """It would be no evidence otherwise: a deal told wrong is settled wrong."""
    book = books.load("commission")
    coup = deal(book.play, parse_cards("KS 3H 9D 2C"))
    lines = settle_slip(book, coup, {"player": 100})
    assert not isinstance(lines, Refusal)
    assert_settled("commission", lines, oracle_deal.play_out(["KS", "3H", "9D", "2C"]), {"player": 100})
    with pytest.raises(AssertionError):
        assert_settled("commission", lines, oracle_deal.play_out(["KS", "3H", "2D", "6C"]), {"player": 100})
