"""Commission that is collected later: never short, never spendable, and in the end the same as with the pay-out."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from punto.cards.source import SourceKind
from punto.ledger.movement import AccountKind, MovementKind, kind_of
from punto.ledger.results import results_of
from punto.table import legal_commands
from punto.table.house import CloseTable, CommissionCollected, LeaveSeat
from punto.table.irregularity_events import JudgeReconstruction
from punto.table.settlement import SettlementReversed
from punto.table.terms import Collecting
from tests.ledger.kept_accounts import TABLE, KeptAccounts
from tests.table.machine_commands import ASTRAY, ONWARD, PEOPLE, PLAYERS, filled, random_terms
from tests.table.scenes import SUPERVISOR, Scene

LATER = (Collecting.ON_LEAVING, Collecting.END_OF_SHOE)


def random_play(random: Random, steps: int = 250) -> tuple[Scene, list[Any]]:
    """A table where anybody does anything that is listed, and all that was done there."""
    terms = random_terms("commission", random)
    fields = {name: getattr(terms, name) for name in terms.__struct_fields__ if name not in ("book", "source")}
    scene = Scene("commission", **fields, source=SourceKind.ENTERED)
    for box, player in enumerate(PLAYERS[:2], start=1):
        scene.seat(player, box)
    given = []
    for step in range(steps):
        actor, role = random.choice(PEOPLE)
        kinds = ASTRAY if step % 20 == 19 else (*ONWARD, LeaveSeat)
        listed = [each for each in legal_commands(scene.table, actor, role) if isinstance(each.command, kinds)]
        if listed:
            command = filled(random.choice(listed), scene.table, random)
            if isinstance(scene.give(command), tuple):
                given.append(command)
    return scene, given


def played_again(first: Scene, given: list[Any], collecting: Collecting) -> Scene:
    """The same commands at a table that collects its commission at another time: each is accepted there too."""
    terms = first.table.terms
    fields = {name: getattr(terms, name) for name in terms.__struct_fields__ if name not in ("book", "commission")}
    scene = Scene("commission", **fields, commission=collecting)
    for box, player in enumerate(PLAYERS[:2], start=1):
        scene.seat(player, box)
    for command in given:
        assert isinstance(scene.give(command), tuple)
    return scene


def booked(scene: Scene) -> KeptAccounts:
    """Every chip of a table, where what is due by its state is at every event what lies in the accounts for it."""
    accounts = KeptAccounts()
    for event in scene.log:
        accounts.take_in([event])
        due = {name: amount for name, amount in accounts.items() if kind_of(name) is AccountKind.DUE and amount}
        assert due == {f"due/{TABLE}/{player}": amount for player, amount in accounts.state.due.items()}
    return accounts


@pytest.mark.slow
@pytest.mark.clause("commission", "4.1.1")
@pytest.mark.gli("2.8.2")
def test_collected_later_is_in_the_end_what_is_kept_with_the_pay_out() -> None:
    random, happened = Random("collected later"), Counter[str]()
    for _ in range(25):
        first, given = random_play(random)
        at_once = booked(first)
        for collecting in LATER:
            scene = played_again(first, given, collecting)
            later = booked(scene)
            happened.update(event.name() for event, _ in later.entries)
            same = ("win", "handle", "drop", "voids", "commission")
            results, expected = results_of(later.entries), results_of(at_once.entries)
            assert [getattr(results, name) for name in same] == [getattr(expected, name) for name in same]
            owned = [name for name in at_once if kind_of(name) in (AccountKind.PLAYER, AccountKind.HELD)]
            assert {name: later[name] for name in owned} == {name: at_once[name] for name in owned}
            if scene.state.phase.value == "idle" and scene.state.case is None and not scene.state.is_paused:
                scene.do(CloseTable, SUPERVISOR)
                later = booked(scene)
                moved = [movement for _, movements in later.entries for movement in movements]
                collected = sum(m.postings[1].amount for m in moved if m.kind is MovementKind.COLLECTION)
                assert collected == results.commission, "the whole of it"
                assert not scene.state.due
    for name in ("commission-collected", "settlement-reversed", "round-voided", "seat-left", "shoe-loaded"):
        assert happened[name], f"{name} was among them"


def won(collecting: Collecting, **terms: Any) -> Scene:
    """Ann has won a Banker bet of 100 at a table, and the round is settled."""
    scene = Scene("commission", commission=collecting, **terms)
    scene.start(Ann="banker=10000")
    scene.deal("KS KH 6D 7C")
    scene.settle()
    return scene


@pytest.mark.parametrize("collecting", LATER)
def test_a_win_is_paid_in_full_and_its_commission_set_aside(collecting: Collecting) -> None:
    scene = won(collecting)
    accounts = booked(scene)
    assert accounts[f"held/{TABLE}/Ann"] == 19500
    assert accounts[f"due/{TABLE}/Ann"] == 500
    assert accounts["bank/USD"] == -10000, "the win was paid even"
    assert (results_of(accounts.entries).win, results_of(accounts.entries).commission) == (-9500, 500)


@pytest.mark.parametrize("collecting", LATER)
def test_a_reversed_settlement_takes_its_commission_back_and_a_void_round_leaves_none(collecting: Collecting) -> None:
    scene = won(collecting)
    scene.report("5H:player")
    assert any(isinstance(event, SettlementReversed) for event in scene.log)
    assert booked(scene)[f"due/{TABLE}/Ann"] == 0
    scene.do(JudgeReconstruction, SUPERVISOR, possible=False)
    accounts = booked(scene)
    assert accounts[f"due/{TABLE}/Ann"] == 0
    assert accounts["player/Ann"] == 10000
    assert results_of(accounts.entries).commission == 0


def test_who_leaves_pays_what_is_final_and_the_rest_at_the_next_call() -> None:
    scene = won(Collecting.ON_LEAVING)
    scene.do(LeaveSeat, "Ann")
    assert scene.state.due == {"Ann": 500}, "the settlement can still be reversed"
    scene.call()
    collected = [event for event in scene.log if isinstance(event, CommissionCollected)]
    assert [(event.player, event.amount) for event in collected] == [("Ann", 500)]
    assert scene.state.due == {}
