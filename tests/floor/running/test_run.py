"""How a table is run: what is refused, and runs of older versions."""

from __future__ import annotations

import dataclasses
from typing import Any

from punto.cards.source import SourceKind
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.floor import HUMAN_PACE, DealtBy, TableRun, run_of, wrong_run
from punto.refusal import Reason
from punto.store.pit import StoredRun, keep_run
from punto.table.terms import Noticing
from tests.floor.house import House
from tests.floor.running.clockwork import PACE

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
        refusal = wrong_run(of, run)
        assert refusal is not None and refusal.reason is Reason.WRONG_TERMS
        assert refusal.params["term"] == term and refusal.sentence
    assert wrong_run(table, TableRun(DealtBy.AUTOMATIC, HUMAN_PACE, ("Amber",))) is None


def test_a_run_of_an_older_version_gets_the_clocks_it_did_not_have(house: House) -> None:
    table = house.table()
    old = StoredRun("t1", "automatic", '{"bets":9,"antes":5,"insurance":6,"squeeze":null,"cards":1,"rounds":2}', "[]")
    with house.store.write() as transaction:
        keep_run(transaction, old, "house", 0)
    with house.store.read() as reader:
        run = run_of(reader, "t1")
    assert run.pace == Pace(bets=9, antes=5, insurance=6, squeeze=5, options=5, draw=5, cards=1, rounds=2)
    assert wrong_run(table, run) is None
