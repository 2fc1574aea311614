"""How a table is run: what is refused, and runs of older versions."""

from __future__ import annotations

import dataclasses
from typing import Any

from punto.cards.source import SourceKind
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.floor import HUMAN_PACE, DealtBy, TableRun, refuse_run
from punto.refusal import Reason
from punto.table.terms import Noticing
from tests.floor.clockwork import PACE, database  # noqa: F401 - a fixture
from tests.floor.house import House

CLOCKED = ("bets", "antes", "insurance", "squeeze", "options", "draw")


def unclocked(name: str) -> Pace:
    none: Any = {name: None}
    return dataclasses.replace(PACE, **none)


def test_a_wrong_run_is_named(house: House) -> None:
    table = house.table()
    house.open("real", "ez", source=SourceKind.ENTERED)
    house.open("noticed", "insurance", noticing=Noticing.DEALER)
    wrong = [
        (house.table("real"), TableRun(DealtBy.AUTOMATIC), "dealer"),
        (table, TableRun(bots=("Nobody",)), "bots"),
        (table, TableRun(bots=("Amber", "Amber")), "bots"),
        (table, TableRun(bots=tuple(BOTS)), "bots"),
        (table, TableRun(pace=Pace(bets=-1, antes=1, insurance=1, squeeze=1)), "bets"),
        (table, TableRun(pace=Pace(bets=None, antes=1, insurance=1, squeeze=1)), "bets"),
        *((table, TableRun(pace=unclocked(name)), name) for name in CLOCKED),
        (house.table("noticed"), TableRun(DealtBy.AUTOMATIC), "dealer"),
    ]
    for of, run, term in wrong:
        refusal = refuse_run(of, run)
        assert refusal is not None and refusal.reason is Reason.WRONG_TERMS
        assert refusal.params["term"] == term and refusal.sentence
    assert refuse_run(table, TableRun(DealtBy.AUTOMATIC, HUMAN_PACE, ("Amber",))) is None
