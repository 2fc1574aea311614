"""An exclusion in the middle of a round, at every phase and in every book: what lies is settled by the book."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from punto import books
from punto.floor.answers import Exclusion, Guardian, Limit, PlayMeasure, PlayPeriod
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.protection import Protections
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, store_in_memory
from punto.table import legal_commands
from punto.table.antes import PlaceWager
from punto.table.header import CommandHeader
from punto.table.insurance import TakeInsurance
from punto.table.state import Phase, Stake
from tests.floor.crowd import CASHIER
from tests.floor.ledger_check import check_store
from tests.floor.life import DrawnLife, complete
from tests.table.machine_commands import PLAYERS
from tests.table.machine_way_out import is_underway

ROUNDS = 8
BANNED = PLAYERS[0]


@pytest.mark.gli("A.3.8")
@pytest.mark.gli("4.16")
@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_what_lies_is_settled_by_the_book_at_whatever_moment_its_player_is_excluded(book: str) -> None:
    phases: Counter[str] = Counter()
    for seed in range(ROUNDS):
        with store_in_memory() as store:
            phases[_one_round(store, book, seed)] += 1
    wanted = {Phase.BETTING, Phase.DEALING, Phase.FINISHED}
    wanted |= {Phase.ANTES} if books.load(book).ante is not None else set()
    assert {phase.value for phase in wanted} <= phases.keys(), phases


@pytest.mark.gli("2.5.5")
@pytest.mark.slow
@pytest.mark.parametrize("kind", [TakeInsurance, PlaceWager])
def test_insurance_and_wagers_are_stakes(kind: type[CommandHeader]) -> None:
    """They are refused for a limit, an exclusion and a reality check, as every stake is."""
    wanted = [book for book in map(books.load, books.NAMES) if (book.insurance if kind is TakeInsurance else book.ante)]
    for book in [book.name for book in wanted]:
        for seed in range(40):
            with store_in_memory() as store, Floor(store, Seal(bytes(32))) as floor:
                if _is_refused(store, floor, DrawnLife(book, _people(store, book, seed), floor, "t1"), kind):
                    return
    pytest.fail(f"nobody was asked for {kind.name()}")


def _is_refused(store: Store, floor: Floor, life: DrawnLife, kind: type[CommandHeader]) -> bool:
    """Whether somebody could give such a command in some steps of a life, and then could not any more."""
    for _ in range(60):
        for player in PLAYERS:
            legal = [each for each in legal_commands(life.table, player, Role.PLAYER) if isinstance(each.command, kind)]
            if legal:
                given = replace(complete(legal[0].command, life.table), time=life.time)
                protections = Protections(store, lambda: life.time)
                protections.set_limits(player, [Limit(PlayMeasure.LOSS, PlayPeriod.WEEK, 0)], player, Guardian.PLAYER)
                assert _reason(floor.give("t1", given, _version(floor))) is Reason.LIMIT
                protections.exclude(player, 1, player, Guardian.PLAYER)
                assert _reason(floor.give("t1", given, _version(floor))) is Reason.EXCLUDED
                return True
        life._act(life._next(is_late=False))
    return False


def _version(floor: Floor) -> int:
    loaded = floor.table("t1")
    assert loaded is not None
    return loaded.version


def _reason(answer: object) -> Reason:
    assert isinstance(answer, Refusal), answer
    return answer.reason


def _people(store: Store, book: str, seed: int) -> Random:
    """Everybody has an account and money; what chance does with them."""
    desk = Desk(store)
    for name in (*PLAYERS, "Zoe"):
        desk.open_account(StoredPerson(name), "USD", 0)
        desk.buy_in(name, 10**9, CASHIER, 0)
    return Random(f"{book}/{seed}")


def _one_round(store: Store, book: str, seed: int) -> str:
    """A round in which somebody with a bet is excluded after some steps; the phase in which that was."""
    random = _people(store, book, seed)
    with Floor(store, Seal(bytes(32))) as floor:
        life = DrawnLife(book, random, floor, "t1")
        wanted, steps = list(Phase)[2 + seed % 4], 0
        while life.table.state.phase is not wanted or BANNED not in life.table.state.bettors:
            steps += 1
            if steps > 400:
                return f"no {wanted.value}"
            life._act(life._next(is_late=False))
        lay = {stake for stake in life.table.state.stakes if stake.player == BANNED}
        excluded = Protections(store, lambda: life.time).exclude(BANNED, None, "Sue", Guardian.HOUSE, "a test")
        assert isinstance(excluded, Exclusion)
        since, number = life.time, life.table.state.round
        while is_underway(life.table) and life.table.state.round == number:
            steps += 1
            assert steps < 4_000, "the round ends without its player"
            life._act(life._next(is_late=steps > 600))
        _check(store, life, lay, since)
        return wanted.value


def _check(store: Store, life: DrawnLife, lay: set[Stake], since: int) -> None:
    check_store(store)  # the stream, decided again by the table alone, and every posting of it
    with store.read() as reader:
        after = reader.rows(
            "SELECT kind FROM movements WHERE player = ? AND time_ms > ? AND kind = 'bet'", (BANNED, since)
        )
        balances = reader.all_balances()
    held, free = balances.get(f"held/t1/{BANNED}", 0), balances[f"player/{BANNED}"]
    assert after == [] and lay
    state = life.table.state
    left = [stake for stake in state.stakes if stake.player == BANNED]
    assert state.settled is not None or not left, "what lay was settled or went back"
    settled = [line for line in state.settled or () if line.player == BANNED]
    assert held == sum(line.stake + line.net for line in settled)
    if free:
        assert isinstance(Desk(store).cash_out(BANNED, free, CASHIER, since), Movement)
    assert isinstance(Desk(store).buy_in(BANNED, 1_000, CASHIER, since), Refusal)
