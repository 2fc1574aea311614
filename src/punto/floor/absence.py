"""Seats of players who have gone: given back when nothing of theirs lies on the table any more.

Who has gone follows from what is stored, so that a server that starts again, or another one of the house, knows it
too. Whoever sat down alone and has no open session gives the seat back at once. Whoever has one and does nothing for as
long as the house keeps a seat loses it, and so does whoever is marked as away for that long. The books say what becomes
of the bets of somebody who walks away (insurance 5.3) and nothing of the seat: that time is a rule of the house.
Somebody whom staff has seated plays with chips at the table: only staff says that such a player is away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

from punto.dealer.bot import BOTS
from punto.dealer.dealer import AUTOMATIC
from punto.floor.floor import Floor
from punto.floor.house_rules import house_rules
from punto.floor.loaded_table import LoadedTable
from punto.rules.authority import Role
from punto.store.people import last_log_in, sessions_of
from punto.store.reader import Reader
from punto.table.acting import refusal_of
from punto.table.house import LeaveSeat, SeatTaken, WalkedAway
from punto.table.state import Phase, State


class _Seated(NamedTuple):
    """Who sits at a table at one version of it, and who of them is marked as away."""

    version: int
    players: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()


class Absences:
    """Looks for seats that are to be given back, at every table of the house."""

    def __init__(self, floor: Floor, clock: Callable[[], int]) -> None:
        self._floor, self._clock = floor, clock
        self._seated: dict[str, _Seated] = {}

    def look(self, only: str | None = None) -> None:
        """Give back every seat that can be given back now, or those of one player."""
        seated = [(table, at) for table, at in self._tables() if only is None or only in at.players]
        if not seated:
            return
        with self._floor.store.read() as reader:
            kept_ms = house_rules(reader).seat_kept_minutes * 60_000
            commands = [
                (table, command)
                for table, at in seated
                for player in sorted(at.players if only is None else [only])
                if (command := self._command_for(reader, table, player, kept_ms, player in at.away)) is not None
            ]
        for table, command in commands:
            self._floor.submit_step(table, partial(_if_free, command, kept_ms)).result()

    def _tables(self) -> Iterator[tuple[str, _Seated]]:
        """Tables where players sit; one that has not changed is not loaded again."""
        with self._floor.store.read() as reader:
            versions = reader.versions()
        for table, version in versions.items():
            seated = self._seated.get(table)
            if seated is None or seated.version != version:
                seated = self._seated[table] = _seated_at(self._floor.table(table))
            if seated.players:
                yield table, seated

    def _command_for(self, reader: Reader, table: str, player: str, kept_ms: int, is_away: bool) -> LeaveSeat | None:
        """How the seat of somebody who has gone is given back; None for whoever is there."""
        now = self._clock()
        sessions = sessions_of(reader, player, now)
        active = max((max(one.created_ms, one.active_ms) for one in sessions), default=0)
        is_quiet = active + kept_ms <= now and last_log_in(reader, player)[0] > 0
        if is_quiet and (sat := _last_of(reader, table, SeatTaken, player)) is not None and sat.by == player:
            return _by_house(player, now) if sessions else LeaveSeat(actor=player, role=Role.PLAYER, time=now)
        walked = _last_of(reader, table, WalkedAway, player) if is_away else None
        return _by_house(player, now) if walked is not None and walked.time + kept_ms <= now else None


def _seated_at(loaded: LoadedTable | None) -> _Seated:
    if loaded is None or loaded.imported:
        return _Seated(loaded.version if loaded is not None else 0)
    state = loaded.table.state
    return _Seated(loaded.version, frozenset(state.seats.values()) - BOTS.keys(), state.away)


def _by_house(player: str, now: int) -> LeaveSeat:
    return LeaveSeat(actor=AUTOMATIC.name, role=AUTOMATIC.role, time=now, player=player)


def _if_free(command: LeaveSeat, kept_ms: int, loaded: LoadedTable) -> LeaveSeat | None:
    """The seat is left by the same rule as ever, and not at all where that says no.

    Somebody for whom the dealer bets is there, however quiet their session is: the house sends nobody away between two
    rounds of which they played the first, or while a round is on.
    """
    state = loaded.table.state
    if command.player is not None and (state.phase is not Phase.IDLE or _has_just_played(state, command, kept_ms)):
        return None
    return None if refusal_of(loaded.table, command) else command


def _has_just_played(state: State, command: LeaveSeat, kept_ms: int) -> bool:
    is_over = state.since + kept_ms <= command.time
    return not is_over and any(bet.player == command.player for bet in state.settled or ())


_Kind = TypeVar("_Kind", SeatTaken, WalkedAway)


def _last_of(reader: Reader, table: str, kind: type[_Kind], player: str) -> _Kind | None:
    """The last event of a kind that is about a player."""
    statement = "SELECT seq FROM events WHERE table_id = ? AND body LIKE ? ORDER BY seq DESC"
    for (seq,) in reader.rows(statement, (table, f'{{"type":"{kind.name()}"%')):
        [record] = reader.records(table, seq - 1, 1)
        assert isinstance(record.event, kind)
        if record.event.player == player:
            return record.event
    return None
