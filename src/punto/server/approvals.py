"""What waits for a second person, from asking to what came of it: commands for tables, and corrections of
accounts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from punto.floor.desk import holdings_of
from punto.floor.job import ROW_BYTES, Accepted, decode_command, is_for_another
from punto.ledger.movement import correct as corrected
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, Role
from punto.server.access import slow_down
from punto.server.messages import ApprovalFrame, frame_encoder
from punto.server.validation import Rejected, ServerReason, text_of
from punto.store.errors import StoreError
from punto.store.people import end_expired_sessions, roles_of
from punto.store.pit import (
    AGREED,
    AskedBody,
    StoredApproval,
    add_approval,
    approval_by_id,
    approval_of,
    decide_approval,
    had_role_since,
    keep_answer,
    lock_keys,
    next_expiry,
    overdue_approvals,
    unfinished_approvals,
    waiting_approvals,
)
from punto.store.transaction import Transaction
from punto.table.command import Command
from punto.table.header import CommandHeader, Person, subject

if TYPE_CHECKING:
    from punto.server.app_state import AppState


SOMEBODY = "somebody else"
"""Whoever may agree."""


class CorrectAccount(CommandHeader, frozen=True, kw_only=True, tag="correct-account"):
    """A correction as it waits for the second person."""

    account: str
    amount: int
    reason: str


def refusal_of_correction(app_state: AppState, command: CorrectAccount) -> Refusal | None:
    """Why a correction would be refused if somebody agreed; nobody is asked to decide about such a one."""
    with app_state.store.read() as reader:
        account = reader.account(command.account)
        if account is None:
            return Refusal(Reason.NO_ACCOUNT, None, {"player": command.account})
        if command.account == command.actor:
            return Refusal(Reason.OWN_ACCOUNT, None)
        holds = holdings_of(reader, command.account)
    found = corrected(
        command.account,
        account.currency,
        command.amount,
        free=holds.free,
        held=sum(holds.held.values()),
        by=Person(command.actor, command.role),
        second=Person(SOMEBODY, Role.PIT_MANAGER),
        reason=command.reason,
    )
    return found if isinstance(found, Refusal) else None


def correct_agreed(app_state: AppState, approval: StoredApproval, second: Person) -> Refusal | None:
    """Carry out a correction that a second person agreed to; for a thread."""
    asked = msgspec.json.decode(approval.body, type=CorrectAccount)
    by = Person(asked.actor, asked.role)
    found = app_state.desk.correct(asked.account, asked.amount, by, second, asked.reason, app_state.now(), asked.key)
    return found if isinstance(found, Refusal) else None


# The approval desk: what waits for a second person, from asking to what came of it.
#
# Everything is in the store. Whoever asked is told what came of it only once that is known: a command that a
# second person agreed to may still be refused, because the table has moved on. What nobody decides expires,
# and that is told too. After a restart the desk finishes what was agreed to and not carried out yet;
# commands have keys, so nothing happens twice.


APPROVE, DECLINE, EXPIRED, REFUSED = AGREED, "decline", "expired", "refused"
"""How something that waited ended. `refused` also stands for what was refused when it was asked."""
MOST_APPROVALS_WAITING = 50
"""What one person may have waiting for a second one."""
LOOK_S = 15.0
"""How often it is looked whether something has expired: clocks are put on as well."""
RETRY_S = 2.0
"""After the store could not be reached, the next try."""
_log = logging.getLogger("punto.server")


class ApprovalOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a command that a second person agreed to, as it is kept."""

    version: int | None = None
    """The version of the table after it."""
    refusal: Refusal | None = None


class ApprovalDesk:
    """Keeps what waits, takes decisions, carries out what was agreed to, and tells whom it concerns."""

    def __init__(self, app_state: AppState) -> None:
        self._hall = app_state
        self._woken = asyncio.Event()

    # ── Asking ───────────────────────────────────────────────────────────────────────────────────

    async def ask(
        self, command: CommandHeader, body: AskedBody, needs: Role, table: str | None, version: int | None
    ) -> StoredApproval | Refusal:
        """Keep a command until a second person decides; the same key and body have the same answer again."""
        made = self._made(command, body, needs, table, version)
        found = await asyncio.to_thread(self._add, made)
        if found is made:
            self._woken.set()
            self.tell(made)
        return _answer_of(found) if isinstance(found, StoredApproval) else found

    async def refuse(
        self, command: CommandHeader, body: AskedBody, needs: Role, table: str | None, refusal: Refusal
    ) -> StoredApproval | Refusal:
        """Keep the refusal of a command that nobody needs to decide about, under its key."""
        made = msgspec.structs.replace(
            self._made(command, body, needs, table, None),
            expires_ms=self._hall.now(),
            decision=REFUSED,
            decided_ms=self._hall.now(),
            answer=encode_outcome(ApprovalOutcome(refusal=refusal)),
        )
        found = await asyncio.to_thread(self._add, made)
        return _answer_of(found) if isinstance(found, StoredApproval) else found

    def asked_before(
        self, command: CommandHeader, body: AskedBody, table: str | None
    ) -> StoredApproval | Refusal | None:
        """What was answered to this key, if it was for something that needs a second person; for a thread."""
        with self._hall.store.read() as reader:
            before = approval_of(reader, command.actor, command.key)
        if before is None:
            return None
        again = _again(before, table, command.role.value, body)
        return _answer_of(again) if isinstance(again, StoredApproval) else again

    def _made(
        self, command: CommandHeader, body: AskedBody, needs: Role, table: str | None, version: int | None
    ) -> StoredApproval:
        now = self._hall.now()
        return StoredApproval(
            id=secrets.token_urlsafe(9).replace("_", "x").replace("-", "y"),
            table=table,
            actor=command.actor,
            role=command.role.value,
            key=command.key,
            body=body.text,
            version=version,
            needs=needs.value,
            asked_ms=now,
            expires_ms=now + self._hall.settings.approval_ms,
            expected=body.expected,
        )

    def _add(self, made: StoredApproval) -> StoredApproval | Refusal:
        with self._hall.store.write() as transaction:
            lock_keys(transaction, [(made.actor, made.key)])
            before = approval_of(transaction, made.actor, made.key)
            if before is not None:
                return _again(before, made.table, made.role, AskedBody(made.body, made.expected))
            if transaction.answer(made.actor, made.key) is not None:
                return Refusal(Reason.KEY_REUSED, None, {"key": made.key})
            if made.decision is None:
                self._refuse_more(transaction, made.actor)
            slow_down(self._hall.kept, made.actor, len(made.body) + len(made.answer or "") + ROW_BYTES)
            add_approval(transaction, made, self._hall.floor.seal)
        return made

    def _refuse_more(self, transaction: Transaction, actor: str) -> None:
        """Whoever has asked for much already waits until something of it is decided, or expires."""
        now = self._hall.now()
        waiting = [one for one in waiting_approvals(transaction, now) if one.actor == actor]
        if len(waiting) >= MOST_APPROVALS_WAITING:
            seconds = max(1, -(-(waiting[0].expires_ms - now) // 1000))
            raise Rejected(429, ServerReason.TOO_MANY_WAIT, retry_after=seconds, most=MOST_APPROVALS_WAITING)

    # ── Deciding ─────────────────────────────────────────────────────────────────────────────────

    async def decide(self, approval: StoredApproval, verdict: str, by: Person) -> bool:
        """Take a decision; whether it holds: somebody else may have been first, or it has expired.

        The same person may say the same again, because an answer can get lost. Whoever has lost the rank
        since their session was looked up decides nothing.
        """
        now = self._hall.now()

        def take() -> bool:
            with self._hall.store.write() as transaction:
                if decides_as(by.name, roles_of(transaction, by.name), approval) is None:
                    raise Rejected(403, ServerReason.RANK_NEEDED, rank=approval.needs)
                seal = self._hall.floor.seal
                if decide_approval(transaction, approval.id, verdict, by.name, now, seal):
                    return True
                # It stays over, wherever the clock is put.
                decide_approval(transaction, approval.id, EXPIRED, None, now, seal)
                return False

        if not await asyncio.to_thread(take):
            found = await asyncio.to_thread(self._read, approval.id)
            return found is not None and (found.decision, found.decided_by) == (verdict, by.name)
        if verdict == DECLINE:
            self.tell(await self._found(approval.id))
        return True

    async def carry_out(self, approval: StoredApproval, second: Person) -> Accepted | Refusal | None:
        """Carry out what was agreed to, keep what came of it and tell; None for a correction that is done."""
        try:
            return await self._carry_out(approval, second)
        except StoreError:
            self._woken.set()  # it is tried again
            raise

    async def _carry_out(self, approval: StoredApproval, second: Person) -> Accepted | Refusal | None:
        found: Accepted | Refusal | None
        before = await self._found(approval.id)
        if (told := outcome_of(before).refusal) is not None:
            return told  # what was refused stays so, whatever has changed since
        if not approval.is_genuine(self._hall.floor.seal):
            _log.warning("approval %s was not decided through this house; it is not carried out", approval.id)
            found = Refusal(Reason.NOT_SIGNED, None, {"approval": approval.id})
        elif before.answer is None and not await asyncio.to_thread(self._is_still_asked, approval):
            found = Refusal(Reason.ASKER_GONE, None, {"player": approval.actor, "role": approval.role})
        elif approval.table is None:
            found = await asyncio.to_thread(correct_agreed, self._hall, approval, second)
        else:
            command = _agreed(approval, second, self._hall.now())
            found = await self._hall.queue.give(approval.table, command, approval.version)
        outcome = ApprovalOutcome(
            version=found.version if isinstance(found, Accepted) else None,
            refusal=found if isinstance(found, Refusal) else None,
        )

        def keep() -> bool:
            with self._hall.store.write() as transaction:
                return keep_answer(transaction, approval.id, encode_outcome(outcome), self._hall.now())

        if await asyncio.to_thread(keep):
            self.tell(await self._found(approval.id))
        return found

    def _is_still_asked(self, approval: StoredApproval) -> bool:
        """Whether whoever asked has had the role in which it was asked ever since."""
        with self._hall.store.read() as reader:
            return Role(approval.role) in roles_of(reader, approval.actor) and had_role_since(reader, approval)

    def tell(self, approval: StoredApproval) -> None:
        """Tell the staff who watch the table, whoever asked, and whose word it is."""
        needs, outcome = Role(approval.needs), outcome_of(approval)
        refusal = text_of(outcome.refusal) if outcome.refusal is not None else None
        decision = decision_of(approval, self._hall.now())
        frame = ApprovalFrame(approval.id, needs, approval.expires_ms, decision, outcome.version, refusal)
        named = {approval.actor, whose_word(approval)}
        self._hall.broadcaster.tell(
            approval.table,
            frame_encoder.encode(frame),
            lambda watcher: watcher.viewer.role.is_at_least(needs) or watcher.viewer.name in named,
        )

    async def _found(self, id: str) -> StoredApproval:
        found = await asyncio.to_thread(self._read, id)
        assert found is not None
        return found

    def _read(self, id: str) -> StoredApproval | None:
        with self._hall.store.read() as reader:
            return approval_by_id(reader, id)

    # ── By itself ────────────────────────────────────────────────────────────────────────────────

    async def keep_running(self) -> None:
        """Until cancelled: finish what was left undone, and let expire what nobody decided."""
        while True:
            try:
                await self._finish()
                for over in await asyncio.to_thread(self._expire):
                    self.tell(over)
                await self._wait(await asyncio.to_thread(self._next_end))
            except Exception:
                _log.exception("approvals are looked at again")
                await asyncio.sleep(RETRY_S)

    async def _finish(self) -> None:
        """What was agreed to and has no outcome yet: a process was killed, or the store failed."""

        def read() -> list[tuple[StoredApproval, Person]]:
            with self._hall.store.read() as reader:
                found = unfinished_approvals(reader, APPROVE)
                return [(one, _second(one, roles_of(reader, one.decided_by or ""))) for one in found]

        for approval, second in await asyncio.to_thread(read):
            await self.carry_out(approval, second)

    async def _wait(self, end: int | None) -> None:
        """Until the next of them expires, or another one is asked for."""
        seconds = LOOK_S if end is None else min(LOOK_S, max(0, end - self._hall.now()) / 1000)
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return
        self._woken.clear()

    def _next_end(self) -> int | None:
        with self._hall.store.read() as reader:
            return next_expiry(reader)

    def _expire(self) -> list[StoredApproval]:
        now = self._hall.now()
        with self._hall.store.write() as transaction:
            end_expired_sessions(transaction, now)
            over = overdue_approvals(transaction, now)
            return [
                msgspec.structs.replace(one, decision=EXPIRED, decided_ms=now)
                for one in over
                if decide_approval(transaction, one.id, EXPIRED, None, now, self._hall.floor.seal)
            ]


def outcome_of(approval: StoredApproval) -> ApprovalOutcome:
    """What came of it; empty where nothing has yet."""
    if approval.answer is None:
        return ApprovalOutcome()
    return msgspec.json.decode(approval.answer, type=ApprovalOutcome)


def decision_of(approval: StoredApproval, now: int) -> str | None:
    """How it ended: approve, decline, refused or expired; None while that is not known."""
    if approval.decision == APPROVE:
        if approval.answer is None:
            return None
        return REFUSED if outcome_of(approval).refusal is not None else APPROVE
    if approval.decision is None and approval.expires_ms <= now:
        return EXPIRED
    return approval.decision


def encode_outcome(outcome: ApprovalOutcome) -> str:
    """As it is kept."""
    return msgspec.json.encode(outcome).decode()


def _again(before: StoredApproval, table: str | None, role: str, body: AskedBody) -> StoredApproval | Refusal:
    is_same = (before.table, before.role) == (table, role) and body.is_of(before)
    return before if is_same else Refusal(Reason.KEY_REUSED, None, {"key": before.key})


def _answer_of(approval: StoredApproval) -> StoredApproval | Refusal:
    """What is answered to whoever asks: it waits, or it was refused at once."""
    is_refused = approval.decision == REFUSED
    refusal = outcome_of(approval).refusal if is_refused else None
    return approval if refusal is None else refusal


def whose_word(approval: StoredApproval) -> str | None:
    """The player for whom somebody bets, and whose word it waits for; None where it waits for a rank.

    Such a command holds for its round and not for a version of the table: others go on betting meanwhile.
    """
    if approval.table is None or approval.version is not None:
        return None
    command = decode_command(approval.body)
    return subject(command) if is_for_another(command) else None


def decides_as(name: str, roles: Iterable[Role], approval: StoredApproval) -> Role | None:
    """The role in which somebody may decide: by rank, or as the player whose word it is."""
    held = tuple(roles)
    if held and name == whose_word(approval):
        return Role.PLAYER
    return rank_of(held, approval)


def rank_of(roles: Iterable[Role], approval: StoredApproval) -> Role | None:
    """The role in which somebody may decide: the lowest that is high enough."""
    needs, held = Role(approval.needs), set(roles)
    return next((role for role in LADDER if role in held and role.is_at_least(needs)), None)


def _second(approval: StoredApproval, roles: Iterable[Role]) -> Person:
    """Who agreed; the role may have been taken away since."""
    name = approval.decided_by or ""
    return Person(name, decides_as(name, roles, approval) or Role(approval.needs))


def _agreed(approval: StoredApproval, second: Person, now: int) -> Command:
    """The command that waited, with the person who agreed to it."""
    command: Command = msgspec.structs.replace(decode_command(approval.body), time=now, second=second)
    return command
