"""Odds for programs: the same entries for the command line and for a table."""

from __future__ import annotations

import json

import msgspec
import pytest

from punto.books import load
from punto.cards.card import parse_cards
from punto.odds import Undealt, advise
from punto.odds.odds_answer import open_ante_entries, open_offer_entries, round_advice, table_odds


@pytest.mark.parametrize(("name", "cards"), [("insurance", "5S 6S KS KD"), ("knockout", "5S"), ("knockout", "")])
def test_advice_on_the_command_line_leaves_out_what_a_table_has_as_nothing(name: str, cards: str) -> None:
    dealt = parse_cards(cards)
    advice = advise(load(name), Undealt.of_decks(8).less(dealt), dealt)
    offers, antes = open_offer_entries(advice), open_ante_entries(advice)
    told = json.loads(msgspec.json.encode(round_advice(advice, 8)))
    at_table = json.loads(msgspec.json.encode(table_odds(advice.odds, 8, offers, antes, advice.stage.value)))
    assert told["bets"] == at_table["bets"]
    assert told["stage"] == at_table["stage"]
    assert told["insurance"] or told["ante"]
    for part in ("insurance", "ante"):
        assert any(None in entry.values() for entry in at_table[part]) == bool(at_table[part])
        stripped = [{key: value for key, value in entry.items() if value is not None} for entry in at_table[part]]
        assert told[part] == stripped
