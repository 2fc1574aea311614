"""What is significant at a table is told to the house with the event, and missed where it is not told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.significant_events import Thresholds, acts_of, gaming_day, round_results, thresholds_of
from punto.audit.verification import Verification, verify
from punto.books import load
from punto.cards.source import SourceKind
from punto.floor.house_rules import change_rules
from punto.floor.job import Accepted
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Result
from punto.store.chain import HouseAct
from punto.store.errors import StoreError
from punto.store.record import StoredPerson
from punto.store.significant_events import EventFilter, player_days, significant_lines
from punto.store.store import Store, open_store
from punto.table.command import Command
from punto.table.house import ChangeTerms, CloseTable, OpenTable, PauseTable, ResumeTable
from punto.table.notation import parse_session, play_session, session_commands
from punto.table.replay import replayed
from punto.table.state import SettledBet
from tests.floor.house import House

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
FROM_PLAY = (
    *("bets-returned", "card-corrected", "cards-replaced", "case-closed", "error-found-late", "round-voided"),
    *("ruled", "settlement-reversed", "table-closed", "table-paused", "table-resumed", "terms-changed"),
)
"""The codes that follow from play, whatever the thresholds."""


@pytest.fixture
def house(database: str) -> Iterator[House]:
    with open_store(database) as store, House(store) as opened:
        yield opened


def acts(store: Store, *codes: str) -> list[HouseAct]:
    with store.read() as reader:
        return [act for _, act in significant_lines(reader, wanted=EventFilter(codes))]


def verified(store: Store) -> Verification:
    with store.read() as reader:
        return verify(reader)


def told_in(path: Path) -> set[str]:
    """The codes of everything significant in a playthrough."""
    told: set[str] = set()
    for step in play_session(parse_session(path.read_text(encoding="utf-8")), load):
        if not isinstance(step.outcome, Refusal):
            state = step.before.state
            for event in step.outcome:
                told |= {act.code for act in acts_of("t", 1, state, event, None, Thresholds())}
                state = event.fold(state)
    return told


def files_with_everything() -> list[Path]:
    """A few playthroughs in which every code occurs that follows from play."""
    missing, chosen = set(FROM_PLAY) - {"table-paused", "table-resumed", "table-closed"}, list[Path]()
    for path in sorted(PLAYTHROUGHS.glob("*/*.punto")):
        if found := told_in(path) & missing:
            missing -= found
            chosen.append(path)
    assert not missing, missing
    return chosen


def with_place(command: Command, house: House) -> tuple[Command, int | None]:
    """A command of a session as a stored table takes it: with its round, its window and the version."""
    table = house.table("t1")
    names, wanted = type(command).__struct_fields__, {}
    if "round" in names and command.name() != "report":
        wanted["round"] = table.state.round
    if "window" in names:
        wanted["window"] = table.state.window or 4
    version = house.version("t1") if command.role is Role.DEALER else None
    return msgspec.structs.replace(command, **wanted), version


def play(path: Path, house: House) -> None:
    """Play a session at a stored table with entered cards, by people who have money."""
    players = set[str]()
    for _, command in session_commands(parse_session(path.read_text(encoding="utf-8"))):
        if isinstance(command, OpenTable):
            terms = msgspec.structs.replace(command.terms, source=SourceKind.ENTERED)
            opening = msgspec.structs.replace(command, terms=terms)
            assert isinstance(house.floor.open_table("t1", load(terms.book), opening), Accepted)
            continue
        for name in {command.actor, getattr(command, "player", None)} - players - {None}:
            players.add(str(name))
            house.buy_in(str(name), 10**9)
        house.floor.give("t1", *with_place(command, house))


@pytest.mark.gli("2.8.8")
@pytest.mark.slow
@pytest.mark.parametrize("path", files_with_everything(), ids=lambda path: path.stem)
def test_what_happens_at_a_table_is_told_with_it(path: Path, house: House) -> None:
    play(path, house)
    due = set()
    with house.store.read() as reader:
        for state, record in replayed(reader.records("t1")):
            due |= {(act.code, act.event) for act in acts_of("t1", record.seq, state, record.event, None, Thresholds())}
    told = [act for act in acts(house.store) if act.event is not None]
    assert {(act.code, act.event) for act in told} == due and due
    assert all(act.table == "t1" and act.who for act in told)
    assert verified(house.store).ok


@pytest.mark.gli("2.8.8")
def test_terms_are_told_as_they_were_and_are(house: House) -> None:
    house.open("t1")
    terms = house.table("t1").terms
    changed = msgspec.structs.replace(terms, minimum=5_000, maximum=terms.maximum)
    sue: Any = {"by": "Sue", "role": Role.PIT_SUPERVISOR}
    assert isinstance(house.deal(ChangeTerms, **sue, terms=changed), Accepted)
    for kind in (PauseTable, ResumeTable, CloseTable):
        assert isinstance(house.deal(kind, **sue), Accepted)
    told = [act for act in acts(house.store) if act.event is not None]
    assert [act.code for act in told] == ["terms-changed", "table-paused", "table-resumed", "table-closed"]
    assert (told[0].before, told[0].after) == ({"minimum": terms.minimum}, {"minimum": 5_000})
    assert [(act.table, act.event, act.who) for act in told] == [("t1", seq, "Sue") for seq in (2, 3, 4, 5)]
    assert verified(house.store).ok


def rules(house: House, **changed: Any) -> None:
    assert not isinstance(change_rules(house.store, changed, "Ada", 1), Refusal)


@pytest.mark.gli("2.8.8")
def test_large_stakes_and_wins_are_told_from_the_threshold_on(house: House) -> None:
    house.open("t1")
    for name in ("Ann", "Ben"):
        house.buy_in(name, 1_000_000)
    house.seat("Ann", "Ben")
    house.call()
    assert isinstance(house.bet("Ann", 9_900), Accepted)  # before there is a threshold
    rules(house, large_stake=10_000, large_win=5_000, large_day=15_000)
    assert isinstance(house.bet("Ben", 9_900), Accepted)
    assert not acts(house.store, "large-stake")
    assert isinstance(house.bet("Ben", 100), Accepted)  # together with what lies there
    assert isinstance(house.bet("Ann", 10_000), Accepted)
    told = acts(house.store, "large-stake")
    after = {"player": "Ben", "box": 2, "area": "banker", "stake": 10_000, "threshold": 10_000}
    assert [act.after for act in told] == [after, {**after, "player": "Ann", "box": 1, "stake": 19_900}]
    assert [(act.who, act.table, act.round) for act in told] == [("Ben", "t1", 1), ("Ann", "t1", 1)]
    house.finish()
    lines = house.table("t1").state.settled or ()
    results = round_results(lines)
    assert {(act.after or {})["player"] for act in acts(house.store, "large-win")} == {
        name for name, (_, won) in results.items() if won >= 5_000
    }
    assert {((act.after or {})["player"], (act.after or {})["what"]) for act in acts(house.store, "large-day")} == {
        (name, what)
        for name, amounts in results.items()
        for what, amount in zip(("staked", "won"), amounts, strict=True)
        if amount >= 15_000
    }
    with house.store.read() as reader:
        assert {day.handle: (day.staked, day.won) for day in player_days(reader)} == results
    rules(house, large_stake=None, large_win=None, large_day=None)
    house.call()
    assert isinstance(house.bet("Ben", 50_000), Accepted)
    assert len(acts(house.store, "large-stake")) == 2
    assert verified(house.store).ok


def test_a_days_threshold_is_told_once_and_counts_all_tables(house: House) -> None:
    for id in ("t1", "t2"):
        house.open(id)
    house.buy_in("Ann", 1_000_000)
    for id in ("t1", "t2"):
        house.seat("Ann", id=id)
    rules(house, large_day=10_000)
    for id in ("t1", "t2", "t1", "t2"):
        house.call(id)
        assert isinstance(house.bet("Ann", 6_000, id=id), Accepted)
        house.finish(id)
    told = [act for act in acts(house.store, "large-day") if (act.after or {})["what"] == "staked"]
    assert [(act.table, (act.after or {})["amount"]) for act in told] == [("t2", 12_000)]
    rules(house, large_day=20_000)  # told of more, where more is wanted
    house.call("t1")
    assert isinstance(house.bet("Ann", 6_000, id="t1"), Accepted)
    house.finish("t1")
    told = [act for act in acts(house.store, "large-day") if (act.after or {})["what"] == "staked"]
    assert [(act.after or {})["amount"] for act in told] == [12_000, 30_000]
    assert verified(house.store).ok


@pytest.mark.gli("2.8.8")
def test_a_correction_is_told_with_both_people_and_the_reason(house: House) -> None:
    from punto.table.header import Person

    house.buy_in("Ann", 1_000)
    cashier, manager = Person("Cas", Role.CASHIER), Person("Sue", Role.PIT_MANAGER)
    assert not isinstance(house.desk.correct("Ann", -300, cashier, manager, "paid twice", 7), Refusal)
    [act] = acts(house.store, "account-corrected")
    assert (act.who, act.second, act.reason) == ("Cas", "Sue", "paid twice")
    assert (act.before, act.after) == ({"free": 1_000}, {"free": 700, "amount": -300})
    assert verified(house.store).ok


def test_personal_details_are_told_without_what_they_are(store: Store) -> None:
    with store.write() as transaction:
        from punto.store.record import StoredAccount

        transaction.add_account(StoredAccount("Ann", "USD", 1))
        transaction.set_person(StoredPerson("Ann", "Ann A.", "ann@x"), "Ada", 2)
        transaction.set_person(StoredPerson("Ann", "Ann A.", "ann@y"), "Ada", 3)
    [act] = acts(store, "person-changed")
    assert act.after == {"changed": ["contact"]} and act.who == "Ada"
    assert "ann@" not in msgspec.json.encode(act).decode()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


def line(player: str, stake: int, net: int) -> SettledBet:
    return SettledBet(1, player, "banker", stake, Result.WIN if net > 0 else Result.LOSE, net, "1")


def test_who_loses_in_all_has_won_nothing() -> None:
    lines = (line("Ann", 100, 95), line("Ann", 200, -200), line("Ben", 100, 100), line("Ben", 50, -50))
    assert round_results(lines) == {"Ann": (300, 0), "Ben": (150, 50)}


@given(st.integers(0, 2**41))
def test_a_gaming_day_begins_at_its_hour(now: int) -> None:
    assert gaming_day("UTC", "00:00", now) == gaming_day("UTC", "06:00", now + 6 * 3_600_000)
    assert gaming_day("Asia/Macau", "08:00", now) == gaming_day("UTC", "00:00", now)


def test_without_thresholds_no_bet_is_looked_at() -> None:
    from punto.table.betting import BetPlaced
    from punto.table.settlement import RoundSettled

    assert not {BetPlaced, RoundSettled} & thresholds_of({}).watched
    assert BetPlaced in thresholds_of({"large_stake": "1"}).watched
    assert RoundSettled in thresholds_of({"large_day": "1"}).watched


def test_a_stored_event_that_cannot_be_read_is_said_so(store: Store) -> None:
    with store.write() as transaction:
        transaction.connection.insert("house_events", ("seq", "body", "hash"), [(1, "{", b"?")])
    with pytest.raises((StoreError, msgspec.MsgspecError)):
        acts(store)
