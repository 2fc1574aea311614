"""What waits for a second person, on the streams and by itself: whom a change concerns is told of it, and what
expires or was left undone is looked after for as long as the server runs.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from punto.floor.job import Accepted
from punto.floor.pit import Approvals, decision_of, outcome_of, whose_word
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.count_room import hand_over
from punto.server.messages import ApprovalFrame, frame_encoder
from punto.store.errors import StoreError
from punto.store.pit import StoredApproval
from punto.table.header import Person

if TYPE_CHECKING:
    from punto.server.app_state import AppState

LOOK_S = 15.0  # How often it is looked whether something has expired: clocks are put on as well.
RETRY_S = 2.0  # After the store could not be reached, the next try.
_log = logging.getLogger("punto.server")


class ApprovalDesk(Approvals):
    """The approvals of the floor, told to whoever watches."""

    def __init__(self, app_state: AppState) -> None:
        floor, desk, lifetime_ms = app_state.floor, app_state.desk, app_state.settings.approval_ms
        super().__init__(floor, desk, lifetime_ms, app_state.now, self._changed, app_state.wait_to_keep)
        self._app_state, self._woken = app_state, asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def finish_agreed(self, approval: StoredApproval, second: Person) -> Accepted | Refusal | None:
        """Carry out what was agreed to; where the store fails, it is tried again by itself."""
        try:
            return await asyncio.to_thread(self.carry_out, approval.id, second)
        except StoreError:
            self._woken.set()
            raise

    async def keep_running(self) -> None:
        """Until cancelled: finish what was left undone, and let expire what nobody decided."""
        self._loop = asyncio.get_running_loop()
        while True:
            try:
                end = await asyncio.to_thread(self.finish)
                seconds = LOOK_S if end is None else min(LOOK_S, max(0, end - self._app_state.now()) / 1000)
                await asyncio.wait_for(self._woken.wait(), seconds)
                self._woken.clear()
            except TimeoutError:
                continue
            except Exception:
                _log.exception("approvals are looked at again")
                await asyncio.sleep(RETRY_S)

    def _changed(self, approval: StoredApproval) -> None:
        """In the thread that made the change."""
        hand_over(self._loop, self._tell_watchers, approval)

    def _tell_watchers(self, approval: StoredApproval) -> None:
        """Tell the staff who watch the table, whoever asked, and whose word it is."""
        if approval.decision is None:
            self._woken.set()  # it may be the next to expire
        needs, outcome, named = Role(approval.needs), outcome_of(approval), {approval.actor, whose_word(approval)}
        decision = decision_of(approval, self._app_state.now())
        refusal = outcome.refusal.text if outcome.refusal is not None else None
        frame = ApprovalFrame(approval.id, needs, approval.expires_ms, decision, outcome.version, refusal)
        self._app_state.broadcaster.tell(
            approval.table,
            frame_encoder.encode(frame),
            lambda watcher: watcher.viewer.role.is_at_least(needs) or watcher.viewer.name in named,
        )
