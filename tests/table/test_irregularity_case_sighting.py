"""Sightings: one entry of a report, in notation and in JSON."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given

from punto.cards.card import Card
from punto.table.irregularity_case import Face, Place, Seen, Sighting, format_sighting, parse_sighting
from tests.table.drawn import SIGHTINGS

JSON = msgspec.json.Decoder(Sighting)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("5H:banker", {"card": Card("5H"), "lies": Place.BANKER}),
        ("3:banker", {"nth": 3, "lies": Place.BANKER}),
        ("5H:player:together", {"card": Card("5H"), "lies": Place.PLAYER, "together": True}),
        ("unseen:banker:down", {"card": None, "lies": Place.BANKER, "face": Face.DOWN}),
        ("2:up:is-KD", {"nth": 2, "face": Face.UP, "is_": Card("KD")}),
        ("9D:floor", {"card": Card("9D"), "lies": Place.FLOOR}),
        ("7C:table:foreign", {"card": Card("7C"), "lies": Place.TABLE, "foreign": True}),
        ("4:shoe", {"nth": 4, "lies": Place.SHOE}),
        ("10S:player:carried:after-0", {"card": Card("10S"), "lies": Place.PLAYER, "carried": True, "after": 0}),
        ("5:after-2", {"nth": 5, "after": 2}),
        ("3", {"nth": 3}),
    ],
)
def test_the_entries_of_the_issue(text: str, fields: dict[str, Any]) -> None:
    assert parse_sighting(text) == Sighting(**fields)
    assert format_sighting(Sighting(**fields)) == text


def test_tags_may_stand_in_any_order() -> None:
    assert parse_sighting("2:is-KD:up") == parse_sighting("2:up:is-KD")


@given(SIGHTINGS)
def test_every_entry_is_read_as_it_was_written(sighting: Sighting) -> None:
    text = format_sighting(sighting)
    assert parse_sighting(text) == sighting
    assert not set(text) & set(' ,="'), "it is one bare word of a list"


@given(SIGHTINGS)
def test_every_entry_survives_json(sighting: Sighting) -> None:
    assert JSON.decode(msgspec.json.encode(sighting)) == sighting


@pytest.mark.parametrize(
    ("text", "json"),
    [
        ("5H:player:together", {"card": "5H", "lies": "player", "together": True}),
        ("unseen:banker:down", {"card": None, "lies": "banker", "face": "down"}),
        ("3:is-2S", {"nth": 3, "is": "2S"}),
    ],
)
def test_what_is_at_its_default_is_left_out_of_json(text: str, json: dict[str, Any]) -> None:
    assert msgspec.to_builtins(parse_sighting(text)) == json


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("5X:banker", "'5X' is not a card"),
        ("0:banker", "numbered from 1"),
        ("-1:banker", "'-1' is not a card"),
        ("5H:moon", "'moon' is not known in a report; write player, banker, table, floor, shoe, up, down, "),
        ("5H:after-x", "'after-x' is not known"),
        ("5H:is-XX", "'XX' is not a card"),
        ("5H:player:banker", "says lies twice"),
        ("5H:up:down", "says face twice"),
        ("5H:is-KD:is-KD", "says is twice"),
        ("", "is not a card"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        parse_sighting(text)


@pytest.mark.parametrize(
    "json",
    [
        '{"lies": "player"}',
        '{"card": "5H", "nth": 3}',
        '{"nth": 0}',
        '{"nth": 3, "after": -1}',
        '{"card": "5H", "where": "player"}',
    ],
)
def test_json_names_a_card_either_by_itself_or_by_its_number(json: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        JSON.decode(json)


def test_there_is_no_kind_in_a_report() -> None:
    assert [fact.value for fact in Seen] == [
        "foreign-card", "wrong-set", "not-shuffled", "cards-run-out", "interruption",
        "insurance-neglected", "uncovered",
    ]  # fmt: skip
