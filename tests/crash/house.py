"""A small house for tests that strike it down: tables that share four players, and what comes next at each.

What comes next is a function of the table alone, and so is the key it is sent under. Whoever starts again
after a crash goes on where the tables are, and may send again what was not answered.
"""

from __future__ import annotations

from punto.books import load
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import Job
from punto.floor.loaded_table import LoadedTable
from punto.floor.shoe import given_seeds
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.header import Person
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Report, VoidRound
from punto.table.settlement import SettleRound
from punto.table.state import Phase, State
from punto.table.terms import Terms

TABLES = ("t1", "t2", "t3")
PLAYERS = ("Ada", "Ben", "Cyd", "Dov")
KEY = bytes(range(32))
FUNDS = 10**12
VOID_EVERY = 4
"""Every so many rounds one is voided."""


def found(address: str, tables: tuple[str, ...] = TABLES) -> None:
    """Found the house: accounts with money, and open tables."""
    with open_store(address) as store:
        desk, cashier = Desk(store), Person("Cas", Role.CASHIER)
        for player in PLAYERS:
            assert not isinstance(desk.open_account(StoredPerson(player), "USD", 0), Refusal)
            assert not isinstance(desk.buy_in(player, FUNDS, cashier, 0), Refusal)
        terms = Terms(book="commission", layout="bean-7", burn="none", maximum=1_000_000)
        opening = OpenTable(actor="Pia", role=Role.PIT_SUPERVISOR, terms=terms)
        with floor_of(store) as floor:
            for table in tables:
                assert not isinstance(floor.open_table(table, load("commission"), opening), Refusal)


def floor_of(store: Store) -> Floor:
    """The floor of the house; its shoes are the same in every run."""
    return Floor(store, Seal(KEY), given_seeds("a house that falls"))


def due(loaded: LoadedTable) -> list[Job]:
    """What comes next at a table, several bets at once while bets are open."""
    state = loaded.table.state
    commands = [
        PlaceBet(
            actor=player,
            role=Role.PLAYER,
            box=box,
            area=("player", "banker", "tie")[(state.round + box) % 3],
            amount=1000 + 100 * ((state.round * box) % 7),
            round=state.round,
            key=f"{loaded.id}/{state.round}/bet",
        )
        for box, player in enumerate(PLAYERS, 1)
        if state.phase is Phase.BETTING and state.box_of(player) and player not in state.bettors
    ]
    if commands:
        return [Job(loaded.id, command) for command in commands]
    return [Job(loaded.id, _dealers(state, f"{loaded.id}/{loaded.version}"), loaded.version)]


def _dealers(state: State, key: str) -> Command:
    dealer = {"actor": "Ann", "role": Role.DEALER, "key": key}
    if state.case is not None:
        return VoidRound(actor="Pia", role=Role.PIT_SUPERVISOR, key=key)
    match state.phase:
        case Phase.IDLE if empty := [box for box in range(1, 5) if box not in state.seats]:
            return TakeSeat(actor=PLAYERS[empty[0] - 1], role=Role.PLAYER, box=empty[0], key=key)
        case Phase.IDLE if state.shoe is None or state.round == state.last_round:
            return LoadShoe(**dealer)  # type: ignore[arg-type]
        case Phase.IDLE:
            return CallBets(**dealer)  # type: ignore[arg-type]
        case Phase.BETTING:
            return CloseBets(**dealer)  # type: ignore[arg-type]
        case Phase.DEALING:
            return DealCard(**dealer)  # type: ignore[arg-type]
        case _ if state.round % VOID_EVERY == 0:
            return Report(**dealer, seen=(Seen.FOREIGN_CARD,))  # type: ignore[arg-type]
        case _:
            return SettleRound(**dealer)  # type: ignore[arg-type]
