"""What verification writes down in a shorter way is what the longer way gives."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.audit.problem import Findings
from punto.audit.significant_check import NO_THRESHOLDS, TableWatch
from punto.audit.significant_events import Thresholds
from punto.audit.table_check import Replay, bet_row, is_plainly_settled, movement_row, settled_rows
from punto.books import load
from punto.ledger.movement import MovementKind
from punto.ledger.postings import movements_of
from punto.rules.authority import Role
from punto.rules.outcome import Result, Winner
from punto.store.record import SCHEMA_VERSION, StoredTable, encode_event
from punto.table.betting import BetPlaced
from punto.table.settlement import RoundSettled
from punto.table.state import SettledBet, State
from punto.table.terms import default_terms
from tests.store.sessions import events_of

BET = BetPlaced("Ann", Role.PLAYER, 5, 3, "Lee", "banker", 2_000, is_seated=True)


WON = SettledBet(3, "Lee", "banker", 2_000, Result.WIN, 1_900, "4.1.2", "19:20", commission=100)
EVEN = SettledBet(5, "Ann", "player", 700, Result.PUSH, 0, "3.8")
LOST = SettledBet(1, "Mei", "tie", 9_000, Result.LOSE, -9_000, "4.1.2")
HALF = SettledBet(2, "Bo", "banker", 500, Result.LOSE, -250, "4.1.2")  # Part of it comes back.


@pytest.mark.parametrize("second", [None, "Sue"])
@pytest.mark.parametrize(
    "bets", [(), (WON,), (EVEN,), (LOST,), (HALF,), (LOST, WON, EVEN), (EVEN, WON, HALF, WON), (WON, LOST, HALF)]
)
def test_the_rows_of_a_plain_settlement_are_those_of_its_movements(
    bets: tuple[SettledBet, ...], second: str | None
) -> None:
    before = State(round=17, terms=default_terms(load("commission")))
    event = RoundSettled("Ann", Role.DEALER, 5, 17, Winner.BANKER, bets)
    assert is_plainly_settled(before, event)
    due = [movement_row(9, event, movement, second) for movement in movements_of("t1", before, event)]
    assert settled_rows("t1", 9, before, event, second) == due


@pytest.mark.parametrize(
    "changed",
    [
        {"is_due": True},
        {"stake": 0, "net": 0},  # Nothing would move, which no settlement says.
        {"result": Result.LOSE, "net": -2_001},
    ],
)
def test_any_other_settlement_goes_the_long_way(changed: dict[str, object]) -> None:
    before = State(round=17, terms=default_terms(load("commission")))
    event = RoundSettled("Ann", Role.DEALER, 5, 17, Winner.BANKER, (LOST, replace(WON, **changed)))
    assert not is_plainly_settled(before, event)
    plain = RoundSettled("Ann", Role.DEALER, 5, 17, Winner.BANKER, (LOST, WON))
    assert is_plainly_settled(before, plain)
    assert not is_plainly_settled(replace(before, advanced={"Lee": 1}), plain)
    assert not is_plainly_settled(State(round=17), plain)


@pytest.mark.parametrize(
    "name",
    [
        "commission/commission-collected-at-the-end-of-the-shoe",
        "commission/commission-collected-on-leaving",  # A table that closes, which moves what its float holds.
        "commission/tie-gives-main-bets-back",
        "commission/wrong-number-noticed-after-settlement",
        "insurance/cap-over-both-windows",
        "knockout/wager-on-banker",
    ],
)
def test_the_short_way_moves_what_the_long_way_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short = _moved(name)
    monkeypatch.setattr("punto.audit.table_check.is_plainly_settled", lambda *_: False)
    assert short == _moved(name)
    assert any(row[2] == MovementKind.SETTLEMENT.value for _, rows in short for row in rows)


def _moved(name: str) -> list[tuple[int, list[tuple[object, ...]]]]:
    """What each event of a playthrough moved, by its rows."""
    findings = Findings()
    replay = Replay(StoredTable("t1", "", 1, 0, imported=False), {}, findings)
    moved = []
    for seq, event in enumerate(events_of(name), 2):
        assert replay.take((seq, SCHEMA_VERSION, None, encode_event(event))) is not None, (seq, event)
        moved.append((seq, replay.rows(seq, None)))
    return moved


@pytest.mark.parametrize("second", [None, "Sue"])
@pytest.mark.parametrize("amount", [1, 2_000, 10**12, -5])
def test_the_row_of_a_bet_is_the_row_of_its_movement(second: str | None, amount: int) -> None:
    bet, before = BetPlaced("Ann", Role.PLAYER, 5, 3, "Lee", "banker", amount, is_seated=True), State(round=17)
    [movement] = movements_of("t1", before, bet)
    assert bet_row("t1", 9, before, bet, second) == movement_row(9, bet, movement, second)


def test_a_bet_of_nothing_cannot_have_happened() -> None:
    findings = Findings()
    replay = Replay(StoredTable("t1", "", 1, 0, imported=False), {}, findings)
    body = encode_event(BET).replace('"amount":2000', '"amount":0')
    assert '"amount":0' in body
    assert replay.take((2, 1, None, body)) is None
    assert replay.is_broken
    assert findings.count("t1") == 1


def test_what_a_table_from_a_file_moved_is_not_said() -> None:
    replay = Replay(StoredTable("t1", "", 1, 0, imported=True), {}, Findings())
    assert replay.take((2, 1, None, encode_event(BET))) == BET
    assert replay.rows(2, None) == []


def test_whatever_some_threshold_watches_is_looked_at() -> None:
    assert TableWatch().watched() == NO_THRESHOLDS.watched
    watch = TableWatch(0, ((0, Thresholds(large_stake=1)), (9, Thresholds(large_win=1))))
    assert watch.watched() >= {BetPlaced, RoundSettled}
    assert all(watch.at(seq).watched <= watch.watched() for seq in range(1, 20))
