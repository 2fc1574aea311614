"""Hears what other servers of the house have kept, and has it looked at here: events go out on the streams of this
server, sessions that ended elsewhere end here, and orders of the house are read again.

A notice only says where to look. What could not be read is tried again until it can be, because nobody says it twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from punto.server.app_state import AppState
from punto.server.broadcast import tell_call, tell_dispute
from punto.server.event_loop import hand_over
from punto.store.device import stored_devices
from punto.store.dispute import dispute_by_id
from punto.store.errors import StoreError
from punto.store.notice import Notice, NoticeKind, Wire
from punto.store.pit import approval_by_id, pit_call

AGAIN_S = 0.5  # After the store could not be read, the next try.
_log = logging.getLogger("punto.server")


class Switchboard:
    """On the loop of the server; the wire has a thread of its own."""

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wire: Wire | None = None
        self._looking: dict[Notice, asyncio.Task[None]] = {}
        self._asked_again: set[Notice] = set()

    @property
    def is_up(self) -> bool:
        """Whether this server hears of the others at once, and not only once a second."""
        return self._wire is not None and self._wire.is_up

    def start(self, name: str) -> None:
        """Listen, from the running loop, and tell the others what is kept here."""
        self._loop = asyncio.get_running_loop()
        store = self._app_state.store
        self._wire = Wire(store.address, name, self._heard)
        store.tell = self._wire.tell

    async def stop(self) -> None:
        wire, self._wire = self._wire, None
        for task in self._looking.values():
            task.cancel()
        if wire is not None:
            await asyncio.to_thread(wire.close)

    def _heard(self, notices: Sequence[Notice]) -> None:
        """In the thread of the wire."""
        hand_over(self._loop, self.route, notices)

    def route(self, notices: Sequence[Notice]) -> None:
        """Have everything looked at that notices name."""
        app_state = self._app_state
        for notice in notices:
            match notice.kind:
                case NoticeKind.TABLE:
                    app_state.broadcaster.hear(notice.key, notice.version)
                    if app_state.house.is_behind(notice.key, notice.version):
                        self._look(Notice(NoticeKind.TABLE, notice.key))
                case NoticeKind.PERSON:
                    app_state.sessions.forget(notice.key)
                    app_state.broadcaster.recheck(notice.key)
                case NoticeKind.FOLD:
                    app_state.broadcaster.hear_fold(notice.key)
                case NoticeKind.FEED:
                    app_state.feeds.hear_elsewhere(notice.key)
                case NoticeKind.LEASES:
                    app_state.hurry()
                case _:
                    self._look(notice)

    def _look(self, notice: Notice) -> None:
        """Look at something; where that is under way already, once more after it."""
        if notice in self._looking:
            self._asked_again.add(notice)
            return
        self._looking[notice] = asyncio.create_task(self._until_seen(notice))

    async def _until_seen(self, notice: Notice) -> None:
        looks: dict[NoticeKind, Callable[[str], Awaitable[None]]] = {
            NoticeKind.TABLE: self._app_state.house.catch_up_with,
            NoticeKind.ORDERS: self._look_at_orders,
            NoticeKind.APPROVAL: self._look_at_approval,
            NoticeKind.CALL: self._look_at_call,
            NoticeKind.DISPUTE: self._look_at_dispute,
            NoticeKind.RUN: self._look_at_runs,
            NoticeKind.DEVICE: self._look_at_devices,
            NoticeKind.EVERYTHING: self._look_at_everything,
        }
        try:
            while True:
                self._asked_again.discard(notice)
                try:
                    await looks[notice.kind](notice.key)
                except StoreError as error:
                    _log.warning("what another server has kept could not be read: %s", error)
                    await asyncio.sleep(AGAIN_S)
                    continue
                if notice not in self._asked_again:
                    return
        finally:
            del self._looking[notice]

    async def _look_at_orders(self, _: str = "") -> None:
        await asyncio.to_thread(self._app_state.orders.look)

    async def _look_at_runs(self, _: str = "") -> None:
        await self._app_state.house.look_at_runs()
        self._app_state.hurry()

    async def _look_at_devices(self, _: str = "") -> None:
        self._app_state.feeds.know(await self._app_state.read(stored_devices))

    async def _look_at_approval(self, id: str) -> None:
        approval = await self._app_state.read(lambda reader: approval_by_id(reader, id))
        if approval is not None:
            self._app_state.approvals.tell_watchers(approval)

    async def _look_at_call(self, id: str) -> None:
        call = await self._app_state.read(lambda reader: pit_call(reader, id))
        if call is not None:
            tell_call(self._app_state.broadcaster, call)

    async def _look_at_dispute(self, id: str) -> None:
        dispute = await self._app_state.read(lambda reader: dispute_by_id(reader, id))
        if dispute is not None:
            tell_dispute(self._app_state.broadcaster, dispute)

    async def _look_at_everything(self, _: str = "") -> None:
        """Nobody knows what was missed: read again what is remembered."""
        app_state = self._app_state
        app_state.sessions.forget_all()
        app_state.broadcaster.recheck_all()
        await self._look_at_orders()
        await self._look_at_runs()
        await self._look_at_devices()
        for call in await asyncio.to_thread(app_state.pit_calls.live):
            tell_call(app_state.broadcaster, call)
        for approval in await asyncio.to_thread(app_state.approvals.waiting):
            app_state.approvals.tell_watchers(approval)
