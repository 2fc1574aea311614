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
from punto.views.legal import legal_of
from punto.views.table_view import MineView, TableView, Wallet, view_of
from punto.views.viewer import Viewer

PaceOf = Callable[[str], Pace | None]
"""The pace of a table's automatic dealer; None where a person deals."""


class Outlook:
    """Works out what watchers see and may do."""

    def __init__(self, store: Store, pace_of: PaceOf, clock: Callable[[], int]) -> None:
        self._store, self._pace_of, self._clock = store, pace_of, clock

    async def wallets(self, table: str, names: Iterable[str]) -> dict[str, Wallet]:
        """What these players have."""
        asked = sorted(set(names))
        return await asyncio.to_thread(self._read_wallets, table, asked) if asked else {}

    async def view(self, loaded: LoadedTable, viewer: Viewer) -> TableView:
        """A table as a viewer sees it."""
        names = [viewer.name] if viewer.name is not None and viewer.role is Role.PLAYER else []
        wallets = await self.wallets(loaded.id, names)
        wallet = wallets.get(viewer.name or "")
        return view_of(loaded, viewer, wallet, self._clock(), self._pace_of(loaded.id))

    def clock(self, loaded: LoadedTable) -> ClockView | None:
        """The clock that runs at a table."""
        return clock_view(loaded.table, self._pace_of(loaded.id), self._clock())

    async def snapshot(self, loaded: LoadedTable, watcher: Watcher) -> bytes:
        """Everything that a watcher needs to begin."""
        legal = legal_of(loaded, watcher.viewer)
        watcher.last_legal = encoder.encode(legal)
        view = await self.view(loaded, watcher.viewer)
        return encoder.encode(SnapshotFrame(loaded.version, view, legal))

    async def send(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        """Tell watchers what has changed for them."""
        self._send_legal(loaded, watchers)
        self._send_clock(loaded, watchers)
        await self._send_views(loaded, [watcher for watcher in watchers if watcher.wants_views])

    def _send_legal(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        known = names_at(loaded.table.state)
        frames: dict[Hashable, tuple[bytes, bytes]] = {}
        for watcher in watchers:
            group = _group(watcher.viewer, known)
            if group not in frames:
                legal = legal_of(loaded, watcher.viewer)
                frames[group] = encoder.encode(legal), encoder.encode(LegalFrame(loaded.version, legal))
            listed, frame = frames[group]
            if watcher.last_legal != listed:
                watcher.last_legal = listed
                watcher.push(frame)

    def _send_clock(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        running = self.clock(loaded)
        now = (running.what.value, running.ends_at) if running is not None else None
        frame = encode_clock(running) if running is not None else None
        for watcher in watchers:
            if watcher.last_clock != now:
                watcher.last_clock = now
                if frame is not None:
                    watcher.push(frame)

    async def _send_views(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        if not watchers:
            return
        players = [w.viewer.name for w in watchers if w.viewer.role is Role.PLAYER and w.viewer.name]
        wallets = await self.wallets(loaded.id, players)
        known, now, pace = names_at(loaded.table.state), self._clock(), self._pace_of(loaded.id)
        views: dict[Hashable, TableView] = {}
        for watcher in watchers:
            viewer = watcher.viewer
            group, wallet = _group(viewer, known), wallets.get(viewer.name or "")
            if group not in views:
                views[group] = view_of(loaded, viewer, wallet, now, pace)
            view = views[group]
            if view.mine is not None and viewer.name is not None and view.mine.name != viewer.name:
                view = msgspec.structs.replace(view, mine=_own(view.mine, viewer.name, wallet))
            watcher.push(encoder.encode(ViewFrame(loaded.version, view)))

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
