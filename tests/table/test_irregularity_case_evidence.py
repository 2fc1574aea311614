"""Evidence: all cards of the round in their order, as the reports together know them."""

from __future__ import annotations

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.table.irregularity_case import (
    Evidence,
    Face,
    Place,
    RoundCard,
    numbers_of,
    parse_sighting,
    with_order_told,
    with_sighting,
    without_sightings,
)

PLACES = (Place.PLAYER, Place.BANKER)


def on_record(cards: str) -> Evidence:
    """Cards dealt in turn, Player's first."""
    named = parse_cards(cards)
    return Evidence(tuple(RoundCard(card, PLACES[i % 2], nth=i + 1) for i, card in enumerate(named)))


def told(evidence: Evidence, *entries: str, face: Face = Face.UP) -> Evidence:
    for entry in entries:
        evidence = with_sighting(evidence, parse_sighting(entry), face)
    return evidence


def names(evidence: Evidence) -> str:
    """`5H@banker`, a card face down in brackets."""
    return " ".join(
        f"{card.card}@{card.lies.value}" if card.face is Face.UP else f"({card.card}@{card.lies.value})"
        for card in evidence.cards
    )


def test_new_cards_follow_those_on_record_as_they_are_written() -> None:
    evidence = told(on_record("KS KH"), "5H:banker", "6D:table")
    assert names(evidence) == "KS@player KH@banker 5H@banker 6D@table"
    assert [card.nth for card in evidence.cards] == [1, 2, None, None]
    assert [str(card.card) for card in evidence.brought] == ["5H", "6D"]


def test_unless_they_left_the_shoe_after_another() -> None:
    assert names(told(on_record("KS KH"), "5H:banker:after-1")) == "KS@player 5H@banker KH@banker"
    assert names(told(on_record("KS KH"), "5H:banker:after-0")) == "5H@banker KS@player KH@banker"


def test_a_number_restates_that_card() -> None:
    evidence = told(on_record("KS KH 6D 7C"), "3:banker", "4:player")
    assert names(evidence) == "KS@player KH@banker 6D@banker 7C@player"
    assert [card.is_restated for card in evidence.cards] == [False, False, True, True]


def test_numbers_count_the_cards_as_now_known() -> None:
    evidence = told(on_record("KS KH"), "5H:banker", "3:player")
    assert names(evidence) == "KS@player KH@banker 5H@player"
    assert evidence.cards[2].nth is None


def test_what_a_card_really_is() -> None:
    card = told(on_record("KS KH"), "2:is-2S").cards[1]
    assert (card.card, card.was) == (Card("2S"), Card("KH"))
    again = told(on_record("KS KH"), "2:is-2S", "2:is-3S").cards[1]
    assert (again.card, again.was) == (Card("3S"), Card("KH"))
    same = told(on_record("KS KH"), "2:is-KH").cards[1]
    assert (same.was, same.is_restated) == (None, False)


def test_a_reported_card_that_is_named_anew_was_never_on_record() -> None:
    for entry in ("unseen:player", "4S:player"):
        card = told(on_record("KS"), entry, "2:is-5H").cards[1]
        assert (card.card, card.was) == (Card("5H"), None)


def test_a_card_on_record_may_have_left_at_another_time() -> None:
    evidence = told(on_record("KS KH 6D"), "3:after-1")
    assert names(evidence) == "KS@player 6D@player KH@banker"
    assert [card.is_moved for card in evidence.cards] == [False, True, False]
    assert names(told(on_record("KS KH 6D"), "1:after-3")) == "KH@banker 6D@player KS@player"
    assert names(told(on_record("KS KH 6D"), "1:after-2")) == "KH@banker KS@player 6D@player"


def test_one_that_left_where_it_is_on_record_has_not_moved() -> None:
    record = on_record("KS KH 6D")
    assert told(record, "2:after-1") == record
    assert told(record, "3:after-1", "2:after-3") == record
    assert told(record, "3:after-1", "3:after-1") == record


def test_faces_are_as_the_table_deals_unless_they_are_told() -> None:
    evidence = told(Evidence(), "KS:player", "KH:banker:up", "unseen:player", face=Face.DOWN)
    assert names(evidence) == "(KS@player) KH@banker (None@player)"
    assert [card.shown for card in evidence.cards] == [None, Card("KH"), None]


def test_what_left_the_shoe_and_what_did_not() -> None:
    evidence = told(on_record("KS KH 6D"), "3:shoe", "7C:table:foreign", "9D:floor:together", "2:together")
    assert [str(card.card) for card in evidence.left] == ["KS", "KH", "9D"]
    assert [str(card.card) for card in evidence.group] == ["KH", "9D"]
    assert [str(card.card) for card in evidence.brought] == ["9D"]


def test_every_order_of_cards_drawn_together_and_of_no_others() -> None:
    evidence = told(on_record("KS"), "5H:player:together", "6D:table", "7C:banker:together")
    found = {" ".join(str(card.card) for card in one.cards) for one in evidence.possible_orders()}
    assert found == {"KS 5H 6D 7C", "KS 7C 6D 5H"}
    many = told(Evidence(), *("unseen:table:together" for _ in range(12)))
    assert len(list(many.possible_orders())) == 1  # more than any round has use for


def test_an_order_that_was_set() -> None:
    evidence = told(on_record("KS"), "5H:player:together", "5H:banker:together", "6D:table:together")
    ways: list[tuple[Card | int, ...]] = [parse_cards("6D 5H 5H"), (4, 2, 3), (4, Card("5H"), 3)]
    for order in ways:
        numbers = numbers_of(evidence, order)
        assert numbers == (4, 2, 3)
        again = with_order_told(evidence, numbers)
        assert names(again) == "KS@player 6D@table 5H@player 5H@banker"
        assert again.is_ordered
    others: list[tuple[Card | int, ...]] = [parse_cards("6D 6D 5H"), (1, 2, 3), (2, 2, 3), (2, 9)]
    for wrong in others:
        assert numbers_of(evidence, wrong) is None


def test_taken_back_it_is_as_on_record_or_gone() -> None:
    record = on_record("KS KH 6D 7C")
    evidence = told(record, "3:banker", "4:player:is-2S", "5H:table")
    assert without_sightings(evidence, (5,), record) == told(record, "3:banker", "4:player:is-2S")
    assert without_sightings(evidence, (3, 4, 5), record) == record
    assert without_sightings(evidence, (1,), record) == evidence


def test_a_card_that_had_been_moved_goes_back_to_its_place() -> None:
    record = on_record("KS KH 6D 7C")
    for entry, now in (("3:after-1", 2), ("1:after-4", 4), ("4:after-0", 1)):
        moved = told(record, entry)
        assert moved != record
        assert without_sightings(moved, (now,), record) == record
