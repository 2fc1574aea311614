"""The outlook of watchers: what each may do now, what the table looks like, and the clock.

Whoever has nothing to do with a table yet sees the same as everybody else in that role, so it is worked out
once for all of them; only the money in the view is everybody's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence

import msgspec

from punto.dealer import Pace
from punto.floor.loaded import LoadedTable
from punto.ledger.account import held_account, player_account
from punto.rules.role import Role
from punto.server.stream.frames import ClockFrame, LegalFrame, SnapshotFrame, ViewFrame, encoder
from punto.server.stream.watcher import Watcher
from punto.store.store import Store
from punto.table.state import State
from punto.views.felt.next_view import ClockView, clock_view
from punto.views.legal import LegalView, legal_of
from punto.views.table_view import MineView, TableView, Wallet, view_of
from punto.views.viewer import Viewer

PaceOf = Callable[[str], Pace | None]
"""The pace of a table's automatic dealer; None where a person deals."""


class _Sight:
    """What was worked out of a table at one version, by who sees and may do the same."""

    def __init__(self, version: int, pace: Pace | None) -> None:
        self.version, self.pace = version, pace
        self.views: dict[Hashable, TableView] = {}
        self.legal: dict[Hashable, tuple[LegalView, ...]] = {}


class Outlook:
    """Works out what watchers see and may do."""

    def __init__(self, store: Store, pace_of: PaceOf, clock: Callable[[], int]) -> None:
        self._store, self._pace_of, self._clock = store, pace_of, clock
        self._sights: dict[str, _Sight] = {}

    async def wallets(self, table: str, viewers: Iterable[Viewer]) -> dict[str, Wallet]:
        """What the players among these have."""
        asked = sorted({v.name for v in viewers if v.name is not None and v.role is Role.PLAYER})
        return await asyncio.to_thread(self._read_wallets, table, asked) if asked else {}

    async def view(self, loaded: LoadedTable, viewer: Viewer) -> TableView:
        """A table as a viewer sees it."""
        wallets = await self.wallets(loaded.id, (viewer,))
        return self.view_with(loaded, viewer, wallets.get(viewer.name or ""))

    def view_with(self, loaded: LoadedTable, viewer: Viewer, wallet: Wallet | None) -> TableView:
        """The same, where it is known what the viewer has."""
        return self._view(loaded, viewer, wallet, self.clock(loaded))

    def legal(self, loaded: LoadedTable, viewer: Viewer) -> tuple[LegalView, ...]:
        """What a viewer may do."""
        sight, group = self._sight(loaded), _group(viewer, names_at(loaded.table.state))
        if group not in sight.legal:
            sight.legal[group] = legal_of(loaded, viewer)
        return sight.legal[group]

    def clock(self, loaded: LoadedTable) -> ClockView | None:
        """The clock that runs at a table."""
        return clock_view(loaded.table, self._pace_of(loaded.id), self._clock())

    async def snapshot(self, loaded: LoadedTable, watcher: Watcher) -> bytes:
        """Everything that a watcher needs to begin."""
        legal = self.legal(loaded, watcher.viewer)
        watcher.last_legal = legal
        view = await self.view(loaded, watcher.viewer)
        return encoder.encode(SnapshotFrame(loaded.version, view, legal))

    async def send(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> ClockView | None:
        """Tell watchers what has changed for them; the clock that runs now."""
        self._send_legal(loaded, watchers)
        running = self._send_clock(loaded, watchers)
        await self._send_views(loaded, [watcher for watcher in watchers if watcher.wants_views])
        return running

    def _sight(self, loaded: LoadedTable) -> _Sight:
        found, pace = self._sights.get(loaded.id), self._pace_of(loaded.id)
        if found is None or (found.version, found.pace) != (loaded.version, pace):
            found = self._sights[loaded.id] = _Sight(loaded.version, pace)
        return found

    def _view(
        self, loaded: LoadedTable, viewer: Viewer, wallet: Wallet | None, running: ClockView | None
    ) -> TableView:
        """The view of everybody in the same place, with what is this viewer's own and the time."""
        sight, group = self._sight(loaded), _group(viewer, names_at(loaded.table.state))
        if group not in sight.views:
            sight.views[group] = view_of(loaded, viewer, wallet, self._clock(), sight.pace)
        view = sight.views[group]
        mine = _own(view.mine, viewer.name, wallet) if view.mine is not None and viewer.name else None
        return msgspec.structs.replace(view, mine=mine, clock=running, now=self._clock())

    def _send_legal(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        frames: dict[int, bytes] = {}
        for watcher in watchers:
            legal = self.legal(loaded, watcher.viewer)
            if watcher.last_legal != legal:
                watcher.last_legal = legal
                if id(legal) not in frames:
                    frames[id(legal)] = encoder.encode(LegalFrame(loaded.version, legal))
                watcher.push(frames[id(legal)])

    def _send_clock(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> ClockView | None:
        running = self.clock(loaded)
        now = (running.what.value, running.ends_at) if running is not None else None
        frame = encode_clock(running) if running is not None else None
        for watcher in watchers:
            if watcher.last_clock != now:
                watcher.last_clock = now
                if frame is not None:
                    watcher.push(frame)
        return running

    async def _send_views(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        if not watchers:
            return
        wallets = await self.wallets(loaded.id, (watcher.viewer for watcher in watchers))
        running = self.clock(loaded)
        for watcher in watchers:
            view = self._view(loaded, watcher.viewer, wallets.get(watcher.viewer.name or ""), running)
            watcher.push(encoder.encode(ViewFrame(loaded.version, view)))

    def read_purse(self, name: str, tables: Sequence[str]) -> dict[str, Wallet]:
        """What a player has, by table; for a thread."""
        own, held = player_account(name), {id: held_account(id, name) for id in tables}
        with self._store.read() as reader:
            has = reader.balances([own, *held.values()])
        return {id: Wallet(has[own], has[account]) for id, account in held.items()}

    def _read_wallets(self, table: str, names: list[str]) -> dict[str, Wallet]:
        accounts = [*map(player_account, names), *(held_account(table, name) for name in names)]
        with self._store.read() as reader:
            has = reader.balances(accounts)
        return {name: Wallet(has[player_account(name)], has[held_account(table, name)]) for name in names}


def encode_clock(running: ClockView) -> bytes:
    """The frame of a clock."""
    return encoder.encode(ClockFrame(running.what.value, running.ends_in_ms))


def names_at(state: State) -> frozenset[str]:
    """Everybody whom a table knows: who sits, has bets, walked away or has added bytes to a shuffle."""
    pledged = (pledge.player for pledge in state.pledges)
    return frozenset((*state.seats.values(), *state.bettors, *state.away, *pledged))


def _group(viewer: Viewer, known: frozenset[str]) -> Hashable:
    return viewer.role, viewer.name if viewer.name in known or viewer.role is not Role.PLAYER else None


def _own(mine: MineView, name: str, wallet: Wallet | None) -> MineView:
    has = wallet or Wallet(0)
    return msgspec.structs.replace(mine, name=name, free=has.free, held=has.held)
